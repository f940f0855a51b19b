package marked;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Seen at run time: JEP 520 selects by it. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Timed {
	String value() default "";

	int[] numbers() default {};
}
