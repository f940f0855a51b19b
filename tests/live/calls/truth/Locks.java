package truth;

import tally.Count;

/** Monitors, which exceptions leave as well. */
public class Locks {
	private final Object other = new Object();
	private int value;

	Locks() {
		Count.at("truth.Locks.<init>()");
	}

	synchronized int instance(int v) {
		Count.at("truth.Locks.instance(int)");
		return Throws.sometimes(v);
	}

	static synchronized long ofClass(long v) {
		Count.at("truth.Locks.ofClass(long)");
		if (v == 0)
			throw new IllegalStateException();
		return v;
	}

	int block(int v) {
		Count.at("truth.Locks.block(int)");
		synchronized (this) {
			synchronized (other) {
				return Throws.sometimes(v);
			}
		}
	}

	int blockThatCatches(int v) {
		Count.at("truth.Locks.blockThatCatches(int)");
		synchronized (other) {
			try {
				return Throws.sometimes(v);
			} catch (Throws.Odd e) {
				return -1;
			}
		}
	}

	synchronized void waits() throws InterruptedException {
		Count.at("truth.Locks.waits()");
		while (value == 0)
			wait();
	}

	synchronized void wakes() {
		Count.at("truth.Locks.wakes()");
		value = 1;
		notifyAll();
	}

	synchronized void add() {
		Count.at("truth.Locks.add()");
		value++;
	}

	/** Others can have the monitors: they were left. */
	private void free() throws InterruptedException {
		Count.at("truth.Locks.free()");
		Thread thread = new Thread(() -> {
			synchronized (this) {
				synchronized (other) {
					synchronized (Locks.class) {
						value += 1;
					}
				}
			}
		});
		thread.start();
		thread.join(60000);
		Check.that(!thread.isAlive());
		Check.that(!Thread.holdsLock(this) && !Thread.holdsLock(other));
	}

	private static void contended(int times) throws InterruptedException {
		Count.at("truth.Locks.contended(int)");
		Locks locks = new Locks();
		Thread[] threads = new Thread[4];
		for (int i = 0; i < threads.length; i++) {
			threads[i] = new Thread(() -> {
				for (int j = 0; j < times; j++)
					locks.add();
			});
			threads[i].start();
		}
		for (Thread each : threads)
			each.join();
		Check.that(locks.value == threads.length * times);
	}

	public static void all() throws InterruptedException {
		Count.at("truth.Locks.all()");
		Locks locks = new Locks();
		for (int i = 0; i < 10; i++) {
			int v = i;
			if (i % 2 == 0) {
				Check.fails(Throws.Odd.class, () -> locks.instance(v));
				Check.fails(Throws.Odd.class, () -> locks.block(v));
			} else {
				Check.that(locks.instance(v) == v && locks.block(v) == v);
			}
			locks.blockThatCatches(v);
			if (i == 0)
				Check.fails(IllegalStateException.class, () -> ofClass(0));
			else
				Check.that(ofClass(v) == v);
		}
		locks.free();
		Locks both = new Locks();
		Thread waker = new Thread(() -> both.wakes());
		waker.start();
		both.waits();
		waker.join();
		contended(500);
	}
}
