package early;

import java.util.concurrent.CountDownLatch;
import tally.Count;

/** Is there, and compiled, when the recording begins. */
public class Loaded {
	/** From when on calls are counted. */
	public static volatile boolean counts;

	public int value;

	public Loaded(int value) {
		if (counts)
			Count.at("early.Loaded.<init>(int)");
		this.value = value;
	}

	public static int sum(int a, int b) {
		if (counts)
			Count.at("early.Loaded.sum(int, int)");
		return a + b;
	}

	public int failing(int by) {
		if (counts)
			Count.at("early.Loaded.failing(int)");
		return value / by;
	}

	public static synchronized int recursive(int n) {
		if (counts)
			Count.at("early.Loaded.recursive(int)");
		return n == 0 ? 0 : recursive(n - 1) + 1;
	}

	/** Is running when the recording begins: that call is not counted, nor is its end. */
	public static int during(CountDownLatch began, CountDownLatch ends)
		throws InterruptedException {
		if (counts)
			Count.at("early.Loaded.during(CountDownLatch, CountDownLatch)");
		began.countDown();
		ends.await();
		return sum(1, 2);
	}

	/** Never called after it. */
	public static void before() {
		if (counts)
			throw new AssertionError();
	}

	public interface Step {
		default int step(int v) {
			if (counts)
				Count.at("early.Loaded$Step.step(int)");
			return v + 1;
		}
	}

	public static class Walker implements Step {
	}
}
