import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.Deflater;

/**
 * Seen [ROUNDS]: threads whose stacks are known. Some work, each the same amount, some
 * wait until the others are done. Where a line is looked for, a comment names it.
 */
public class Seen {
	private static final int DEPTH = 3000;
	private static long[] results = new long[16];
	private static final Object gate = new Object();	/* main's */

	// --- those that work ----------------------------------------------------------------

	static int spin(int rounds) {
		int sum = 1;

		for (int i = 0; i < rounds * 1000; i++)
			sum = sum * 31 + (sum >>> 7 ^ i); /* line of spin */
		return sum;
	}

	static int turn(int rounds) {
		int sum = 0;

		for (int i = 0; i < 100; i++)
			sum += spin(rounds); /* line of turn */
		return sum;
	}

	static int down(int depth, int rounds) {
		if (depth > 0)
			return down(depth - 1, rounds) + 1;
		return turn(rounds);
	}

	static int pack(int rounds) {
		byte[] text = new byte[1 << 14], packed = new byte[1 << 15];
		Deflater deflater = new Deflater();
		int sum = 0;

		for (int i = 0; i < text.length; i++)
			text[i] = (byte)(i * i >> 5);
		for (int i = 0; i < rounds; i++) {
			deflater.reset();
			deflater.setInput(text);
			deflater.finish();
			sum += deflater.deflate(packed) > 0 ? 1 : 0;
		}
		deflater.end();
		return sum;
	}

	// --- those that wait ----------------------------------------------------------------

	static void sleep() {
		try {
			Thread.sleep(1_000_000);
		} catch (InterruptedException end) {
			return;
		}
	}

	static void park() {
		while (!Thread.interrupted())
			LockSupport.park();
	}

	static void await() {
		Object lock = new Object();

		synchronized (lock) {
			try {
				lock.wait();
			} catch (InterruptedException end) {
				return;
			}
		}
	}

	static void enter() {
		synchronized (gate) {
			results[6] = 1;
		}
	}

	// --- how they are started -----------------------------------------------------------

	interface Work {
		long run();
	}

	private static Runnable keeping(int place, Work work) {
		return () -> results[place] = work.run();
	}

	/** A thread of the platform where there are no others. */
	private static Thread virtual(String name, Runnable what) throws Exception {
		Method of, set, make;

		try {
			of = Thread.class.getMethod("ofVirtual");
		} catch (NoSuchMethodException none) {
			return new Thread(what, name);
		}
		Object builder = of.invoke(null);
		Class<?> type = Class.forName("java.lang.Thread$Builder");
		set = type.getMethod("name", String.class);
		make = type.getMethod("unstarted", Runnable.class);
		return (Thread)make.invoke(set.invoke(builder, name), what);
	}

	public static void main(String[] args) throws Exception {
		int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 4000;
		List<Thread> working = new ArrayList<>(), waiting = new ArrayList<>();

		waiting.add(new Thread(Seen::sleep, "sleeper"));
		waiting.add(new Thread(Seen::park, "parker"));
		waiting.add(new Thread(Seen::await, "waiter"));
		waiting.add(new Thread(Seen::enter, "enterer"));
		working.add(new Thread(keeping(0, () -> turn(rounds)), "worker one"));
		working.add(new Thread(keeping(1, () -> turn(rounds)), "worker two"));
		working.add(new Thread(null, keeping(2, () -> down(DEPTH, rounds)), "deep", 1 << 24));
		working.add(new Thread(keeping(3, () -> pack(rounds / 2)), "packer"));
		for (int i = 4; i < 6; i++)
			working.add(virtual("virtual " + i, keeping(i, () -> turn(rounds))));
		synchronized (gate) {
			for (Thread thread : waiting)
				thread.start();
			for (Thread thread : working)
				thread.start();
			for (int i = 0; i < working.size(); i++) {
				working.get(i).join();
				System.out.println(working.get(i).getName() + " " + results[i]);
			}
			for (Thread thread : waiting)
				thread.interrupt();
			System.exit(7);
		}
	}
}
