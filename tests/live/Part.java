import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Work whose share of a thread's CPU time is known. Whichever part is most behind its
 * share runs next, for some milliseconds; so it does not matter how fast it is, nor
 * when it is compiled. How long is random: else parts could come and go in step with
 * the ticks of a clock.
 */
abstract class Part {
	private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

	/** In parts of a thousand. */
	private final int share;
	private long nanoseconds;
	private Long result;

	Part(int share) {
		this.share = share;
	}

	/** The same work with the same result each time. */
	abstract long work();

	private void turns(int count) {
		long from = THREADS.getCurrentThreadCpuTime();

		for (int i = 0; i < count; i++) {
			long now = work();

			if (result != null && result != now)
				throw new IllegalStateException(this + ": " + result);
			result = now;
		}
		nanoseconds += THREADS.getCurrentThreadCpuTime() - from;
	}

	private static Part mostBehind(List<Part> parts) {
		Part found = parts.get(0);

		for (Part part : parts) {
			if (part.nanoseconds * found.share <
			    found.nanoseconds * part.share)
				found = part;
		}
		return found;
	}

	private static void run(List<Part> parts, long nanoseconds) {
		long end = THREADS.getCurrentThreadCpuTime() + nanoseconds;

		while (THREADS.getCurrentThreadCpuTime() < end) {
			int count = 1 + ThreadLocalRandom.current().nextInt(9);

			mostBehind(parts).turns(count);
		}
	}

	/** What parts are made by; each thread has its own. */
	interface Maker {
		List<Part> parts();
	}

	private static void print(List<List<Part>> ofThreads) {
		double all = 0;

		for (List<Part> parts : ofThreads) {
			for (Part part : parts)
				all += part.nanoseconds;
		}
		for (Part part : ofThreads.get(0))
			System.out.println("result " + part + " " + part.result);
		for (int i = 0; i < ofThreads.get(0).size(); i++) {
			long sum = 0;

			for (List<Part> parts : ofThreads)
				sum += parts.get(i).nanoseconds;
			System.out.printf(Locale.ROOT, "share %s %.2f%n",
				ofThreads.get(0).get(i), 100 * sum / all);
		}
	}

	/**
	 * Arguments: seconds of CPU time, of all threads together; how many threads.
	 * Prints "result PART NUMBER", the same each time, and "share PART PERCENT", as
	 * measured.
	 */
	static void main(Maker maker, String[] args) throws InterruptedException {
		double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 10;
		int count = args.length > 1 ? Integer.parseInt(args[1]) : 2;
		long each = (long)(seconds * 1e9 / count);
		List<List<Part>> ofThreads = new ArrayList<>();
		List<Thread> threads = new ArrayList<>();

		for (int i = 0; i < count; i++) {
			List<Part> parts = maker.parts();

			ofThreads.add(parts);
			threads.add(new Thread(() -> run(parts, each), "part-" + i));
		}
		for (Thread thread : threads)
			thread.start();
		for (Thread thread : threads)
			thread.join();
		print(ofThreads);
	}

	@Override
	public String toString() {
		return getClass().getName();
	}
}
