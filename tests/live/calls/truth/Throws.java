package truth;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import tally.Count;

/** Exceptions: thrown here, by a callee, by the JVM; caught, thrown again. */
public class Throws {
	int field;

	Throws() {
		Count.at("truth.Throws.<init>()");
	}

	static class Odd extends RuntimeException {
		private static final long serialVersionUID = 1;

		Odd(String text) {
			super(text);
			Count.at("truth.Throws$Odd.<init>(String)");
		}
	}

	static void here(String text) {
		Count.at("truth.Throws.here(String)");
		throw new Odd(text);
	}

	static int sometimes(int v) {
		Count.at("truth.Throws.sometimes(int)");
		if (v % 2 == 0)
			throw new Odd("even");
		return v;
	}

	static void through(int depth) {
		Count.at("truth.Throws.through(int)");
		if (depth == 0)
			here("deep");
		else
			through(depth - 1);
	}

	static int throughLibrary(String text) {
		Count.at("truth.Throws.throughLibrary(String)");
		return Integer.parseInt(text);
	}

	static void throughNative(Object from, int at) {
		Count.at("truth.Throws.throughNative(Object, int)");
		System.arraycopy(from, at, from, 0, 1);
	}

	static Object throughReflection() throws Throwable {
		Count.at("truth.Throws.throughReflection()");
		return Throws.class.getDeclaredMethod("here", String.class).invoke(null, "a");
	}

	static int nullField(Throws of) {
		Count.at("truth.Throws.nullField(Throws)");
		return of.field;
	}

	static void nullFieldSet(Throws of) {
		Count.at("truth.Throws.nullFieldSet(Throws)");
		of.field = 3;
	}

	static int nullCall(Object of) {
		Count.at("truth.Throws.nullCall(Object)");
		return of.hashCode();
	}

	static int nullLength(int[] of) {
		Count.at("truth.Throws.nullLength(int[])");
		return of.length;
	}

	static int nullBox(Integer of) {
		Count.at("truth.Throws.nullBox(Integer)");
		return of;
	}

	static void nullThrow(RuntimeException what) {
		Count.at("truth.Throws.nullThrow(RuntimeException)");
		throw what;
	}

	static void nullLock(Object what) {
		Count.at("truth.Throws.nullLock(Object)");
		synchronized (what) {
			Check.that(false);
		}
	}

	static int divide(int a, int b) {
		Count.at("truth.Throws.divide(int, int)");
		return a / b;
	}

	static long remain(long a, long b) {
		Count.at("truth.Throws.remain(long, long)");
		return a % b;
	}

	static void store(Object[] array, Object what) {
		Count.at("truth.Throws.store(Object[], Object)");
		array[0] = what;
	}

	static Integer cast(Object what) {
		Count.at("truth.Throws.cast(Object)");
		return (Integer) what;
	}

	static int index(int[] array, int at) {
		Count.at("truth.Throws.index(int[], int)");
		return array[at];
	}

	static int[] size(int size) {
		Count.at("truth.Throws.size(int)");
		return new int[size];
	}

	static int[][] sizes(int a, int b) {
		Count.at("truth.Throws.sizes(int, int)");
		return new int[a][b];
	}

	static long[] tooLarge() {
		Count.at("truth.Throws.tooLarge()");
		return new long[Integer.MAX_VALUE];
	}

	static native void unlinked();

	static void callUnlinked() {
		Count.at("truth.Throws.callUnlinked()");
		unlinked();
	}

	static void notOwner(Object of) throws InterruptedException {
		Count.at("truth.Throws.notOwner(Object)");
		of.notify();
	}

	static void interrupted() throws InterruptedException {
		Count.at("truth.Throws.interrupted()");
		Thread.currentThread().interrupt();
		Thread.sleep(1000000);
	}

	/** Checked exceptions that nobody declares. */
	@SuppressWarnings("unchecked")
	static <T extends Throwable> void sneak(Throwable what) throws T {
		Count.at("truth.Throws.sneak(Throwable)");
		throw (T) what;
	}

	static int caught(int v) {
		Count.at("truth.Throws.caught(int)");
		try {
			return sometimes(v);
		} catch (Odd e) {
			return -1;
		}
	}

	/** Its own, within one method: no other sees it. */
	static int caughtHere(int v) {
		Count.at("truth.Throws.caughtHere(int)");
		try {
			if (v % 2 == 0)
				throw new IllegalStateException();
			return v;
		} catch (IllegalStateException e) {
			return -1;
		}
	}

	/** The handler is before what it handles. */
	static int caughtInLoop(int times) {
		Count.at("truth.Throws.caughtInLoop(int)");
		int caught = 0;
		for (int i = 0; i < times; i++)
			try {
				sometimes(i);
			} catch (Odd e) {
				caught++;
				continue;
			} finally {
				caught += 100;
			}
		return caught;
	}

	/** Ends with an exception, or never. */
	static void forever(Iterator<?> of) {
		Count.at("truth.Throws.forever(Iterator)");
		while (true)
			of.next();
	}

	/** The last one is thrown out of the handler. */
	static void again(int v) {
		Count.at("truth.Throws.again(int)");
		try {
			sometimes(v);
		} catch (Odd e) {
			throw e;
		}
	}

	static void another(int v) {
		Count.at("truth.Throws.another(int)");
		try {
			sometimes(v);
		} catch (Odd e) {
			throw new IllegalStateException(e);
		}
	}

	static void caughtTwice(int v) {
		Count.at("truth.Throws.caughtTwice(int)");
		try {
			try {
				sometimes(v);
			} catch (Odd e) {
				throw new IllegalStateException(e);
			}
		} catch (IllegalStateException e) {
			Check.that(e.getCause() instanceof Odd);
		}
	}

	static int finallyAdds(int v, List<Integer> to) {
		Count.at("truth.Throws.finallyAdds(int, List)");
		try {
			return sometimes(v);
		} finally {
			to.add(v);
		}
	}

	@SuppressWarnings("finally")
	static int finallyReturns(int v) {
		Count.at("truth.Throws.finallyReturns(int)");
		try {
			return sometimes(v);
		} finally {
			return -2;
		}
	}

	@SuppressWarnings("finally")
	static int finallyThrows(int v) {
		Count.at("truth.Throws.finallyThrows(int)");
		try {
			return sometimes(v);
		} finally {
			throw new IllegalStateException();
		}
	}

	static int nested(int v) {
		Count.at("truth.Throws.nested(int)");
		int sum = 0;
		try {
			try {
				sum += sometimes(v);
			} finally {
				try {
					sum += sometimes(v + 1);
				} catch (Odd e) {
					sum += 10;
				} finally {
					sum += 100;
				}
			}
		} catch (Odd e) {
			sum += 1000;
		}
		return sum;
	}

	static class Door implements AutoCloseable {
		final boolean jams;

		Door(boolean jams) {
			Count.at("truth.Throws$Door.<init>(boolean)");
			this.jams = jams;
		}

		@Override
		public void close() {
			Count.at("truth.Throws$Door.close()");
			if (jams)
				throw new Odd("jams");
		}
	}

	static int withDoor(int v, boolean jams) {
		Count.at("truth.Throws.withDoor(int, boolean)");
		try (Door first = new Door(false); Door second = new Door(jams)) {
			return sometimes(v);
		}
	}

	/** Nothing is there but the exception: two instructions. */
	static void only(Odd what) {
		throw what;
	}

	private static void fromJvm() {
		Count.at("truth.Throws.fromJvm()");
		Class<NullPointerException> none = NullPointerException.class;
		Check.fails(none, () -> nullField(null));
		Check.fails(none, () -> nullFieldSet(null));
		Check.fails(none, () -> nullCall(null));
		Check.fails(none, () -> nullLength(null));
		Check.fails(none, () -> nullBox(null));
		Check.fails(none, () -> nullThrow(null));
		Check.fails(none, () -> nullLock(null));
		Check.fails(ArithmeticException.class, () -> divide(1, 0));
		Check.fails(ArithmeticException.class, () -> remain(1, 0));
		Check.fails(ArrayStoreException.class, () -> store(new String[1], 1));
		Check.fails(ClassCastException.class, () -> cast("1"));
		Check.fails(ArrayIndexOutOfBoundsException.class, () -> index(new int[1], 1));
		Check.fails(NegativeArraySizeException.class, () -> size(-1));
		Check.fails(NegativeArraySizeException.class, () -> sizes(1, -1));
		Check.fails(OutOfMemoryError.class, () -> tooLarge());
		Check.fails(UnsatisfiedLinkError.class, () -> callUnlinked());
		Check.fails(NumberFormatException.class, () -> throughLibrary("a"));
		Check.fails(ArrayStoreException.class, () -> throughNative("a", 0));
		Check.that(nullField(new Throws()) == 0 && nullCall("") == 0);
		Check.that(divide(6, 3) == 2 && cast(1) == 1 && throughLibrary("8") == 8);
		nullFieldSet(new Throws());
		store(new String[1], "1");
	}

	private static void checked() throws Throwable {
		Count.at("truth.Throws.checked()");
		try {
			throughReflection();
			Check.that(false);
		} catch (java.lang.reflect.InvocationTargetException e) {
			Check.that(e.getCause() instanceof Odd);
		}
		try {
			notOwner(new Object());
			Check.that(false);
		} catch (IllegalMonitorStateException e) {
			Check.that(true);
		}
		try {
			interrupted();
			Check.that(false);
		} catch (InterruptedException e) {
			Check.that(true);
		}
		try {
			Throws.<RuntimeException>sneak(new java.io.IOException());
			Check.that(false);
		} catch (Exception e) {
			Check.that(e instanceof java.io.IOException);
		}
	}

	public static void all() throws Throwable {
		Count.at("truth.Throws.all()");
		for (int i = 0; i < 10; i++) {
			int v = i;
			boolean isOdd = i % 2 == 1;
			Check.fails(Odd.class, () -> here("here"));
			Check.fails(Odd.class, () -> through(v));
			if (isOdd)
				again(v);
			else
				Check.fails(Odd.class, () -> again(v));
			if (isOdd)
				another(v);
			else
				Check.fails(IllegalStateException.class, () -> another(v));
			Check.that(caught(i) == (isOdd ? i : -1));
			Check.that(caughtHere(i) == (isOdd ? i : -1));
			caughtTwice(i);
			Check.that(caughtInLoop(i) == i * 100 + (i + 1) / 2);
			List<Integer> list = new ArrayList<>();
			if (isOdd)
				Check.that(finallyAdds(v, list) == v);
			else
				Check.fails(Odd.class, () -> finallyAdds(v, list));
			Check.that(list.size() == 1);
			Check.that(finallyReturns(i) == -2);
			Check.fails(IllegalStateException.class, () -> finallyThrows(v));
			Check.that(nested(i) == (isOdd ? i + 110 : i + 1 + 100 + 1000));
			Check.fails(java.util.NoSuchElementException.class,
				() -> forever(list.iterator()));
			if (isOdd)
				withDoor(v, false);
			else
				Check.fails(Odd.class, () -> withDoor(v, v % 4 == 0));
			Check.fails(Odd.class, () -> withDoor(1, true));
			Count.at("truth.Throws.only(Throws$Odd)");
			Check.fails(Odd.class, () -> only(new Odd("only")));
			fromJvm();
			checked();
		}
	}
}
