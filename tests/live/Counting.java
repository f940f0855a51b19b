import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Counting LIBRARY: calls what probes call from threads of all kinds, and knows how often.
 * Prints a line for each thing that is not so, and "counted" at the end.
 */
public class Counting {
	static final int IDS = 3000;
	static final int CALLS = 40_000;

	static native String define();
	static native void threshold(long nanos);
	static native void ignore();
	static native void zero(int id);
	static native long[] sums(int first, int count);
	static native long[] traces();
	static native long frames();

	interface Work {
		void run() throws Exception;
	}

	static void check(String what, long is, long expected) {
		if (is != expected)
			System.out.println(what + ": " + is + ", not " + expected);
	}

	static void checkThat(String what, boolean is) {
		if (!is)
			System.out.println("not so: " + what);
	}

	/** One call of a method of that number. */
	static void called(int id) {
		CjfrRuntime.timing(CjfrRuntime.enter(), id);
	}

	/** Of methods from the first on, more and more of them. */
	static void callMany(int first) {
		for (int i = 0; i < CALLS; i++)
			called(first + i % (1 + i / 20));
	}

	static long expectedOf(int id) {
		long count = 0;

		for (int i = 0; i < CALLS; i++) {
			if (i % (1 + i / 20) == id)
				count++;
		}
		return count;
	}

	static void all(Iterable<Thread> threads) throws Exception {
		for (Thread thread : threads)
			thread.join();
	}

	static void checkSums(String what, long times) {
		long[] sums = sums(0, IDS);

		for (int id = 0; id < IDS; id++) {
			long count = sums[id * 4], total = sums[id * 4 + 1];
			long min = sums[id * 4 + 2] - 1, max = sums[id * 4 + 3];

			check(what + ", calls of " + id, count, times * expectedOf(id));
			if (count == 0)
				continue;
			checkThat(what + ", times of " + id, min > 0 && min <= max &&
				  total >= max && total <= count * max &&
				  total >= count * min);
		}
	}

	static void zeroAll() {
		for (int id = 0; id < IDS; id++)
			zero(id);
	}

	/** Sums that are taken meanwhile only grow, and make sense. */
	static Thread reader(AtomicBoolean isOver) {
		Thread thread = new Thread(() -> {
			long[] before = sums(0, IDS);

			while (!isOver.get()) {
				long[] now = sums(0, IDS);

				for (int id = 0; id < IDS; id++) {
					long count = now[id * 4], total = now[id * 4 + 1];

					checkThat("counts grow", count >= before[id * 4]);
					checkThat("no call is longer than the longest",
						  total <= count * now[id * 4 + 3]);
				}
				before = now;
			}
		});
		thread.start();
		return thread;
	}

	static void platform() throws Exception {
		AtomicBoolean isOver = new AtomicBoolean();
		Thread reader = reader(isOver);
		List<Thread> threads = new ArrayList<>();

		for (int i = 0; i < 12; i++) {
			Thread thread = new Thread(() -> callMany(0));
			thread.start();
			threads.add(thread);
		}
		all(threads);
		isOver.set(true);
		reader.join();
		checkSums("platform threads", 12);
		zeroAll();
	}

	/** More than live at a time. */
	static void dying() throws Exception {
		for (int round = 0; round < 20; round++) {
			List<Thread> threads = new ArrayList<>();

			for (int i = 0; i < 100; i++) {
				Thread thread = new Thread(() -> {
					for (int k = 0; k < 100; k++)
						called(k);
				});
				thread.start();
				threads.add(thread);
			}
			all(threads);
		}
		for (int id = 0; id < 100; id++)
			check("threads that die, calls of " + id, sums(id, 1)[0], 2000);
		zeroAll();
	}

	/** Null where there are none. */
	static Thread virtual(Runnable run) throws Exception {
		try {
			return (Thread) Thread.class
				.getMethod("startVirtualThread", Runnable.class)
				.invoke(null, run);
		} catch (ReflectiveOperationException e) {
			return null;
		}
	}

	static void virtuals() throws Exception {
		List<Thread> threads = new ArrayList<>();

		for (int i = 0; i < 1000; i++) {
			Thread thread = virtual(() -> {
				for (int k = 0; k < 8000; k++) {
					called(k % 8);
					if (k % 2000 == 0)
						Thread.yield();
				}
			});
			if (thread == null)
				return;
			threads.add(thread);
		}
		Thread thread = new Thread(() -> callMany(0));
		thread.start();
		all(threads);
		thread.join();
		for (int id = 0; id < 1000; id++)
			check("virtual threads, calls of " + id, sums(id, 1)[0],
			      (id < 8 ? 1_000_000 : 0) + expectedOf(id));
		zeroAll();
	}

	static void ignored() throws Exception {
		Thread thread = new Thread(() -> {
			ignore();
			callMany(0);
		});
		thread.start();
		thread.join();
		checkSums("the recorder's own thread", 0);
		/* Its row must not go to one that is counted, nor the other way round. */
		thread = new Thread(() -> callMany(0));
		thread.start();
		thread.join();
		checkSums("the thread behind it", 1);
		zeroAll();
	}

	static void method(int id) {
		CjfrRuntime.trace(CjfrRuntime.enter(), id);
	}

	static void both(int id) {
		CjfrRuntime.timingAndTrace(CjfrRuntime.enter(), id);
	}

	static void caller(int id) {
		method(id);
	}

	static void traced() throws Exception {
		threshold(0);
		for (int i = 0; i < 20_000; i++)
			caller(1);
		check("stacks begin at the caller", frames(), 1);
		for (int i = 0; i < 20_000; i++)
			both(2);
		check("traced and timed", sums(2, 1)[0], 20_000);
		check("traced and timed, nanoseconds", traces()[2 * 3 + 1], sums(2, 1)[1]);
		threshold(Long.MAX_VALUE);
		for (int i = 0; i < 20_000; i++)
			caller(3);
		threshold(1);
		CjfrRuntime.trace(CjfrRuntime.enter() + 1_000_000_000L, 4);
		check("traced", traces()[1 * 3], 20_000);
		check("no virtual thread", traces()[1 * 3 + 2], 0);
		check("both, traced", traces()[2 * 3], 20_000);
		check("below the threshold", traces()[3 * 3], 0);
		check("far below the threshold", traces()[4 * 3], 0);
		Thread thread = virtual(() -> method(5));
		if (thread != null) {
			thread.join();
			check("a virtual thread's number", traces()[5 * 3 + 2], thread.getId());
		}
		zeroAll();
	}

	/** A time of 0 is no minimum, as the JDK has it. */
	static void zeros() {
		CjfrRuntime.timing(System.nanoTime() + 1_000_000_000L, 0);
		check("the minimum", sums(0, 1)[2], 0);
		zeroAll();
	}

	public static void main(String[] args) throws Exception {
		System.load(args[0]);
		String failure = define();
		if (failure != null) {
			System.out.println(failure);
			return;
		}
		Work[] works = { Counting::platform, Counting::dying, Counting::virtuals,
				 Counting::ignored, Counting::traced, Counting::zeros,
				 Counting::platform };
		for (Work work : works)
			work.run();
		System.out.println("counted");
	}
}
