package sun.misc;

/** What CjfrRuntime calls: javac wants to see it. The JVM has its own. */
public final class Unsafe {
	public static native Unsafe getUnsafe();
	public native long objectFieldOffset(java.lang.reflect.Field field);
	public native long getLong(Object base, long offset);
	public native void putLong(Object base, long offset, long value);
	public native long getLongVolatile(Object base, long offset);
	public native long getAndAddLong(Object base, long offset, long delta);
	public native boolean compareAndSwapLong(Object base, long offset, long expected,
						long value);
}
