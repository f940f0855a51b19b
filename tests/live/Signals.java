/**
 * Signals LIBRARY MOMENT SECONDS: a program with a handler of SIGPROF and two timers of
 * its own, installed before all else ("before") or when a third of the time is over
 * ("after"). Tells what came in the last third.
 */
public class Signals {
	static volatile long sink;

	static native void install();

	/** How many came: 0 of the interval timer, 1 of the other one, 2 of others. */
	static native long count(int which);

	static void work(long nanoseconds) {
		long end = System.nanoTime() + nanoseconds;
		long sum = 1;

		while (System.nanoTime() < end) {
			for (int i = 0; i < 100_000; i++)
				sum = sum * 31 + (sum >>> 7 ^ i);
		}
		sink = sum;
	}

	private static void tell(String what, int which, long before) {
		boolean some = count(which) > before;

		System.out.println(what + (some ? ": some" : ": none"));
	}

	public static void main(String[] args) {
		boolean isBefore = args[1].equals("before");
		long third = (long)(Double.parseDouble(args[2]) * 1e9 / 3);
		long[] counts = new long[3];

		System.load(args[0]);
		if (isBefore)
			install();
		work(third);
		if (!isBefore)
			install();
		work(third);
		for (int i = 0; i < counts.length; i++)
			counts[i] = count(i);
		work(third);
		tell("interval timer", 0, counts[0]);
		tell("timer", 1, counts[1]);
		tell("others", 2, counts[2]);
	}
}
