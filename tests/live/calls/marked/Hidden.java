package marked;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** In the class file alone, not seen at run time. */
@Retention(RetentionPolicy.CLASS)
public @interface Hidden {
}
