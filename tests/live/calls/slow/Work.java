package slow;

import tally.Count;

/** Takes as long as it is told, and ends as it is not. */
public final class Work {
	private Work() {
	}

	public static void sleep(int millis) throws InterruptedException {
		Count.at("slow.Work.sleep(int)");
		if (millis > 0) {
			Count.at("slow.Work.sleep(int), long");
			Thread.sleep(millis);
		}
	}

	/** Never returns. */
	public static void leave(Runnable exits, Runnable halts, boolean isExit) {
		if (isExit)
			exits.run();
		else
			halts.run();
	}

	/** As long as what it calls. */
	public static void around(int millis) throws InterruptedException {
		Count.at("slow.Work.around(int)");
		Count.at("slow.Work.around(int), long");
		sleep(millis);
		throw new IllegalStateException();
	}

	/** Has no room left on the stack some time: not counted here, as not all of it is. */
	private static int overflow(int n) {
		return overflow(n + 1) + 1;
	}

	private static int depth;

	private static void overflowDepth() {
		depth++;
		overflowDepth();
	}

	public static int deep() {
		Count.at("slow.Work.deep()");
		int failed = 0;
		for (int i = 0; i < 200; i++)
			try {
				overflow(i);
			} catch (StackOverflowError e) {
				failed++;
			}
		try {
			overflowDepth();
		} catch (StackOverflowError e) {
			failed++;
		}
		return depth > 100 ? failed : 0;
	}
}
