import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Cycles THREADS: does what it reads, one command a line, and answers with one.
 *
 * go N      each thread calls each timed method N times
 * churn     classes come and go, threads too
 * memory    what it has, after a collection, in KB: RSS, code cache, metaspace
 * bytecode  a digest of the bytecode of all timed methods (cycles.c)
 * exit
 *
 * Other threads compute, allocate and load classes all the while.
 */
public class Cycles {
	public static final AtomicInteger sink = new AtomicInteger();
	public static volatile int calls;

	static native long digest(Class<?> type);

	public static class Timed {
		static int plain(int x) {
			return x + 1;
		}

		static int twice(int x) {
			return plain(x) + plain(x);
		}

		static int fails(int x) {
			throw new IllegalStateException();
		}
	}

	/* Of a loader of its own. */
	public static class Other implements Runnable {
		static int hot(int x) {
			return x * 3;
		}

		public void run() {
			for (int i = 0; i < calls; i++)
				sink.addAndGet(hot(i));
		}
	}

	static class Loader extends ClassLoader {
		Class<?> load(String name) throws Exception {
			File file = new File(System.getProperty("cycles.classes"), name + ".class");
			byte[] bytes = new byte[(int) file.length()];

			try (FileInputStream in = new FileInputStream(file)) {
				int at = 0;

				while (at < bytes.length)
					at += in.read(bytes, at, bytes.length - at);
			}
			return defineClass(name, bytes, 0, bytes.length);
		}
	}

	static void work(Runnable other) {
		for (int i = 0; i < calls; i++) {
			sink.addAndGet(Timed.twice(i));
			try {
				Timed.fails(i);
			} catch (IllegalStateException expected) {
				sink.incrementAndGet();
			}
		}
		other.run();
	}

	static void load() {
		byte[][] held = new byte[64][];

		for (int i = 0; ; i++) {
			held[i % 64] = new byte[10_000];
			sink.addAndGet(held[i % 64].length);
			if (i % 1000 == 0)
				pause(10);
		}
	}

	static void pause(long millis) {
		try {
			Thread.sleep(millis);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static void churn() throws Exception {
		for (int i = 0; i < 3; i++) {
			Runnable other = (Runnable) new Loader().load("Cycles$Other")
				.getConstructor().newInstance();
			Thread thread = new Thread(other);

			thread.start();
			thread.join();
		}
	}

	static long used(boolean isCode) {
		long used = 0;

		for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
			boolean code = pool.getName().contains("Code");

			if (pool.getType() == MemoryType.NON_HEAP && code == isCode)
				used += pool.getUsage().getUsed();
		}
		return used / 1024;
	}

	static String resident() throws Exception {
		try (BufferedReader in = new BufferedReader(new InputStreamReader(
				new FileInputStream("/proc/self/status")))) {
			for (String line; (line = in.readLine()) != null;)
				if (line.startsWith("VmRSS:"))
					return line.replaceAll("[^0-9]", "");
		}
		return "0";
	}

	static void start(Runnable what) {
		Thread thread = new Thread(what);

		thread.setDaemon(true);
		thread.start();
	}

	public static void main(String[] args) throws Exception {
		int threads = Integer.parseInt(args[0]);
		CyclicBarrier before = new CyclicBarrier(threads + 1);
		CyclicBarrier after = new CyclicBarrier(threads + 1);
		Runnable other = (Runnable) new Loader().load("Cycles$Other")
			.getConstructor().newInstance();
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));

		for (int i = 0; i < threads; i++)
			start(() -> {
				try {
					for (;;) {
						before.await();
						work(other);
						after.await();
					}
				} catch (Exception e) {
					e.printStackTrace();
				}
			});
		start(Cycles::load);
		Timed.plain(1);
		System.out.println("ready " + new File("/proc/self").getCanonicalFile().getName());
		for (String line; (line = in.readLine()) != null && !line.equals("exit");) {
			if (line.startsWith("go ")) {
				calls = Integer.parseInt(line.substring(3));
				before.await();
				after.await();
				System.out.println("done");
			} else if (line.equals("churn")) {
				calls = 10;
				churn();
				System.out.println("done");
			} else if (line.equals("memory")) {
				System.gc();
				System.gc();
				System.out.println(resident() + " " + used(true) + " " + used(false));
			} else {
				System.out.println(digest(Timed.class) + " " + digest(other.getClass()));
			}
		}
	}
}
