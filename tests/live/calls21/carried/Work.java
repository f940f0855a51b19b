package carried;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import tally.Count;

/** Is called by virtual threads, which change carriers before it returns. */
public class Work {
	private static final ReentrantLock lock = new ReentrantLock();

	static {
		Count.at("carried.Work.<clinit>()");
	}

	private Work() {
	}

	public static int sleeps(int n) throws InterruptedException {
		Count.at("carried.Work.sleeps(int)");
		Thread.sleep(n % 3);
		return fast(n);
	}

	public static int yields(int n) {
		Count.at("carried.Work.yields(int)");
		int sum = 0;
		for (int i = 0; i < 5; i++) {
			Thread.yield();
			sum += fast(i);
		}
		return sum + n;
	}

	public static void parks(int n) {
		Count.at("carried.Work.parks(int)");
		LockSupport.parkNanos(1000L * (n % 100));
		if (n % 2 == 0)
			throw new IllegalStateException("on whatever carrier");
	}

	public static int recursive(int n) throws InterruptedException {
		Count.at("carried.Work.recursive(int)");
		if (n == 0) {
			Thread.sleep(1);
			return 0;
		}
		return recursive(n - 1) + 1;
	}

	public static int locked(int n) {
		Count.at("carried.Work.locked(int)");
		lock.lock();
		try {
			return fast(n);
		} finally {
			lock.unlock();
		}
	}

	/** Pins its carrier, where JVMs do not know better. */
	public static synchronized int pinned(int n) throws InterruptedException {
		Count.at("carried.Work.pinned(int)");
		if (n % 50 == 0)
			Thread.sleep(1);
		return fast(n);
	}

	public static int takes(BlockingQueue<Integer> from) throws InterruptedException {
		Count.at("carried.Work.takes(BlockingQueue)");
		return from.take();
	}

	public static void gives(BlockingQueue<Integer> to, int n)
		throws InterruptedException {
		Count.at("carried.Work.gives(BlockingQueue, int)");
		to.put(n);
	}

	public static int fast(int n) {
		Count.at("carried.Work.fast(int)");
		return n * 31;
	}

	/* Counted by its callers. */
	public static int hot(int n) {
		return n + 1;
	}
}
