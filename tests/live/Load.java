import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Load [CLASSES [ROUNDS]]: a bit of all that a recorder must live through. Threads come
 * and go, also virtual ones where there are any; stacks are deep; exceptions fly; classes
 * are loaded by loaders that are dropped; memory is collected. What it prints is the same
 * each time, with a recorder or without. For Java 8 and later.
 */
public class Load {
	/** Its class file is loaded again and again, under names of the same length. */
	public static class Churn000000 implements Runnable {
		static final AtomicLong runs = Load.runs;
		private int number;

		@Override
		public void run() {
			number += step(getClass().getName().length());
			runs.addAndGet(number);
		}

		private int step(int by) {
			return by + 1;
		}
	}

	public static final AtomicLong runs = new AtomicLong();
	private static volatile Object kept;

	/** Defines copies of Churn000000, and asks others for the rest. */
	private static class Loader extends ClassLoader {
		private final byte[] bytes;

		Loader(byte[] bytes) {
			super(Load.class.getClassLoader());
			this.bytes = bytes;
		}

		Class<?> define(int number) {
			byte[] copy = bytes.clone();
			byte[] digits = String.format("%06d", number).getBytes();

			for (int i = 0; i + 11 <= copy.length; i++) {
				if (isName(copy, i))
					System.arraycopy(digits, 0, copy, i + 5, 6);
			}
			return defineClass(null, copy, 0, copy.length);
		}

		private static boolean isName(byte[] bytes, int at) {
			String name = "Churn000000";

			for (int i = 0; i < name.length(); i++) {
				if (bytes[at + i] != name.charAt(i))
					return false;
			}
			return true;
		}
	}

	private static byte[] template() throws Exception {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();

		try (InputStream in = Load.class.getResourceAsStream("Load$Churn000000.class")) {
			for (int b; (b = in.read()) >= 0; )
				bytes.write(b);
		}
		return bytes.toByteArray();
	}

	private static void classes(int count) throws Exception {
		byte[] bytes = template();
		Loader loader = null;

		for (int i = 0; i < count; i++) {
			if (i % 50 == 0)
				loader = new Loader(bytes);
			Runnable made = (Runnable)loader.define(i).getDeclaredConstructor()
				.newInstance();
			made.run();
		}
		System.out.println("classes " + runs.getAndSet(0));
	}

	private static long fall(int depth) {
		if (depth == 0)
			throw new IllegalStateException("ground");
		return fall(depth - 1) + 1;
	}

	private static void exceptions(int count) {
		long depths = 0;

		for (int i = 0; i < count; i++) {
			try {
				fall(i % 500);
			} catch (IllegalStateException caught) {
				depths += caught.getStackTrace().length > 0 ? i % 500 : 0;
			}
			try {
				kept = ((String)null).length();
			} catch (NullPointerException caught) {
				depths++;
			}
		}
		System.out.println("exceptions " + depths);
	}

	private static long work(int depth) {
		kept = new byte[256 + depth];
		return depth == 0 ? 1 : 1 + work(depth - 1);
	}

	/** A thread that starts a thread at the bottom of its stack. */
	private static Thread nested(ThreadGroup group, String name, int depth, AtomicLong sum) {
		return new Thread(group, () -> dive(depth, () -> {
			Thread inner = new Thread(group, () -> sum.addAndGet(work(100)),
						  name + " inner \u00e9\u4e16");

			inner.start();
			try {
				inner.join();
			} catch (InterruptedException interrupted) {
				Thread.currentThread().interrupt();
			}
		}), name);
	}

	private static void dive(int depth, Runnable bottom) {
		if (depth > 0)
			dive(depth - 1, bottom);
		else
			bottom.run();
	}

	private static void threads(int count) throws Exception {
		AtomicLong sum = new AtomicLong();
		ThreadGroup outer = new ThreadGroup("outer");
		ThreadGroup group = new ThreadGroup(outer, "workers");
		List<Thread> started = new ArrayList<>();

		for (int i = 0; i < count; i++) {
			Thread thread = nested(group, "worker-" + i, i % 8 == 0 ? 300 : 5, sum);

			thread.start();
			started.add(thread);
			if (started.size() == 8) {
				for (Thread one : started)
					one.join();
				started.clear();
			}
		}
		for (Thread one : started)
			one.join();
		System.out.println("threads " + sum);
	}

	/** Through reflection: this file is compiled for Java 8. */
	private static void virtualThreads(int count) throws Exception {
		AtomicLong sum = new AtomicLong();
		CountDownLatch done = new CountDownLatch(count);
		Method start;

		try {
			start = Thread.class.getMethod("startVirtualThread", Runnable.class);
			start.invoke(null, (Runnable)() -> { });
		} catch (ReflectiveOperationException none) {
			start = null;
		}
		for (int i = 0; i < count; i++) {
			Runnable task = () -> {
				sum.addAndGet(work(20));
				Thread.yield();
				if (sum.get() % 7 == 0) {
					Thread platform = new Thread(() -> work(3), "of a virtual one");

					platform.start();
					try {
						platform.join();
					} catch (InterruptedException interrupted) {
						Thread.currentThread().interrupt();
					}
				}
				done.countDown();
			};
			if (start != null)
				start.invoke(null, task);
			else
				task.run();
		}
		done.await();
		System.out.println("virtual " + sum);
	}

	public static void main(String[] args) throws Exception {
		int classes = args.length > 0 ? Integer.parseInt(args[0]) : 20000;
		int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 1;

		for (int round = 0; round < rounds; round++) {
			Thread churn = new Thread(() -> {
				try {
					classes(classes);
				} catch (Exception e) {
					System.out.println("failed: " + e);
				}
			}, "churn");

			threads(200);
			churn.start();
			churn.join();
			exceptions(2000);
			virtualThreads(500);
			System.gc();
		}
		System.out.println("end");
	}
}
