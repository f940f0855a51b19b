package jdk.internal.vm.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** HotSpot knows it by its name. */
@Retention(RetentionPolicy.RUNTIME)
public @interface ForceInline {
}
