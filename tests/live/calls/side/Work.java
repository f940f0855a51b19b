package side;

import marked.Timed;

/** Methods of all sorts, which end as they should. */
public class Work implements Comparable<Work> {
	static final int[] TABLE = new int[16];

	static {
		for (int i = 0; i < TABLE.length; i++)
			TABLE[i] = i * i;
	}

	protected final int value;

	public Work(int value) {
		this.value = value;
	}

	public Work() {
		this(3);
	}

	@Timed
	public static int plain(int v) {
		return v + TABLE[v & 15];
	}

	public int instance(long a, double b, String[] c, int[][] d) {
		return (int) (a + b) + c.length + d.length + value;
	}

	public static int recursive(int n) {
		return n == 0 ? 0 : recursive(n - 1) + 1;
	}

	public synchronized int locked(Work other) {
		return other == this ? value : other.locked(other);
	}

	@Override
	public int compareTo(Work other) {
		return Integer.compare(value, other.value);
	}

	public static int varargs(Object... of) {
		return of.length;
	}

	public static int overloaded(int v) {
		return v;
	}

	public static long overloaded(long v) {
		return v;
	}

	public static Object overloaded(Object v) {
		return v;
	}

	/** Has a lambda's body, which no plain filter means. */
	public static int lambdas(int n) {
		java.util.function.IntUnaryOperator twice = v -> 2 * v + plain(v);
		return twice.applyAsInt(n);
	}

	public static int slow(int n) throws InterruptedException {
		Thread.sleep(n);
		return n;
	}

	private static void never() {
		never();
	}

	private int accessed = 1;

	@Timed
	public static class Nested extends Work {
		public Nested() {
			super(4);
		}

		@Override
		public int instance(long a, double b, String[] c, int[][] d) {
			return super.instance(a, b, c, d) + 1;
		}

		int access(Work of) {
			return of.accessed++;
		}
	}

	public interface Shape {
		int size();

		default int twice() {
			return 2 * size();
		}

		static Shape of(int size) {
			return () -> size;
		}
	}

	public enum Kind implements Shape {
		SMALL, LARGE {
			@Override
			public int twice() {
				return 100;
			}
		};

		@Override
		public int size() {
			return ordinal();
		}
	}

	public static abstract class Abstract {
		public abstract int here();

		public native int nowhere();

		public int there() {
			return here() + 1;
		}
	}
}
