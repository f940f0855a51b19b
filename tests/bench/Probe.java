import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Probe WAY CALLS FILE: nanoseconds of CPU that calls of small methods take, on the threads
 * that call, when all is compiled. Lines "CASE NANOSECONDS" go to the file. WAY is "reads":
 * methods that read the clock twice; all else: methods that do not, and may be probed.
 */
public class Probe {
	static final int DEPTH = 20;

	/** Preallocated, as only what is done with it counts here. */
	static final RuntimeException FAILED = new RuntimeException("failed", null, false, false) {
	};

	/** So many calls. */
	interface Calls {
		int make(int calls);
	}

	static class Plain {
		static int small(int value) {
			return value * 31 + 7;
		}

		static int down(int depth, int value) {
			return depth == 1 ? value : down(depth - 1, value + depth) + 1;
		}

		static int half(int value) {
			if ((value & 1) != 0)
				throw FAILED;
			return value + 1;
		}

		static int smalls(int calls) {
			int value = 0;

			for (int i = 0; i < calls; i++)
				value += small(value ^ i);
			return value;
		}

		static int downs(int calls) {
			int value = 0;

			for (int i = 0; i < calls; i += DEPTH)
				value += down(DEPTH, value ^ i);
			return value;
		}

		static int halves(int calls) {
			int value = 0;

			for (int i = 0; i < calls; i++) {
				try {
					value += half(i);
				} catch (RuntimeException e) {
					value++;
				}
			}
			return value;
		}
	}

	static class Reads {
		static int wrong;

		static int small(int value) {
			long start = System.nanoTime();
			try {
				return value * 31 + 7;
			} finally {
				if (System.nanoTime() < start)
					wrong++;
			}
		}

		static int down(int depth, int value) {
			long start = System.nanoTime();
			try {
				return depth == 1 ? value : down(depth - 1, value + depth) + 1;
			} finally {
				if (System.nanoTime() < start)
					wrong++;
			}
		}

		static int half(int value) {
			long start = System.nanoTime();
			try {
				if ((value & 1) != 0)
					throw FAILED;
				return value + 1;
			} finally {
				if (System.nanoTime() < start)
					wrong++;
			}
		}

		static int smalls(int calls) {
			int value = 0;

			for (int i = 0; i < calls; i++)
				value += small(value ^ i);
			return value;
		}

		static int downs(int calls) {
			int value = 0;

			for (int i = 0; i < calls; i += DEPTH)
				value += down(DEPTH, value ^ i);
			return value;
		}

		static int halves(int calls) {
			int value = 0;

			for (int i = 0; i < calls; i++) {
				try {
					value += half(i);
				} catch (RuntimeException e) {
					value++;
				}
			}
			return value;
		}
	}

	static final AtomicLong results = new AtomicLong();

	/** Each thread makes the calls; what a call took. */
	static double measure(Calls calls, int threads, int count) throws Exception {
		ThreadMXBean clock = ManagementFactory.getThreadMXBean();
		CountDownLatch ready = new CountDownLatch(threads);
		AtomicLong used = new AtomicLong();
		Thread[] all = new Thread[threads];

		for (int i = 0; i < threads; i++) {
			all[i] = new Thread(() -> {
				results.addAndGet(calls.make(count / 10));
				ready.countDown();
				try {
					ready.await();
				} catch (InterruptedException e) {
					return;
				}
				long begin = clock.getCurrentThreadCpuTime();
				results.addAndGet(calls.make(count));
				used.addAndGet(clock.getCurrentThreadCpuTime() - begin);
			});
			all[i].start();
		}
		for (Thread thread : all)
			thread.join();
		return (double) used.get() / count / threads;
	}

	/** What is compiled meanwhile is thrown away once or twice: five times are enough. */
	static void warm(Calls calls, int count) throws Exception {
		for (int i = 0; i < 5; i++)
			measure(calls, 1, count / 5);
	}

	public static void main(String[] args) throws Exception {
		boolean isReads = args[0].equals("reads");
		int count = Integer.parseInt(args[1]);
		Calls small = isReads ? Reads::smalls : Plain::smalls;
		Calls down = isReads ? Reads::downs : Plain::downs;
		Calls half = isReads ? Reads::halves : Plain::halves;
		StringBuilder text = new StringBuilder();

		warm(small, count);
		for (int threads = 1; threads <= 8; threads *= threads == 1 ? 2 : 4)
			text.append(threads).append("-thread ")
			    .append(measure(small, threads, count / threads)).append('\n');
		warm(down, count);
		text.append("recursion ").append(measure(down, 1, count)).append('\n');
		warm(half, count);
		text.append("exceptions ").append(measure(half, 1, count)).append('\n');
		java.nio.file.Files.write(java.nio.file.Paths.get(args[2]),
					  text.toString().getBytes());
	}
}
