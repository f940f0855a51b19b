import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/**
 * A busy second for a recording: threads that count, wait for each other, allocate,
 * throw, and serve orders. testdata/README says how good-jvm.jfr is made with it.
 */
public class Demo {
	@Name("demo.Order")
	@Label("Order")
	@Category({ "Demo", "Shop" })
	@Description("An order that was served")
	static class Order extends Event {
		@Label("Customer")
		String customer;

		@Label("Weight")
		@DataAmount
		long weight;

		@Label("Express")
		boolean express;
	}

	private static final Object counter = new Object();
	private static long sum;

	public static void main(String[] args) throws Exception {
		long end = System.nanoTime() + 1_000_000_000L;
		List<Thread> threads = new ArrayList<>();

		threads.add(new Thread(() -> count(end), "counter"));
		threads.add(new Thread(() -> allocate(end), "allocator"));
		threads.add(new Thread(() -> holdLock(end), "holder"));
		threads.add(new Thread(() -> wantLock(end), "waiter"));
		threads.add(Thread.ofVirtual().name("errand").unstarted(() -> sleep(20)));
		for (Thread thread : threads)
			thread.start();
		for (int i = 0; i < 10; i++)
			serve(i);
		fail();
		LockSupport.parkNanos(30_000_000);
		System.gc();
		for (Thread thread : threads)
			thread.join();
		System.out.println(sum);
	}

	private static void serve(int number) {
		Order order = new Order();

		order.begin();
		sleep(5 + number);
		order.customer = number % 3 == 0 ? "Ada" : "Grace \u2615";
		order.weight = 1000L << number;
		order.express = number % 2 == 0;
		order.commit();
	}

	private static void count(long end) {
		for (long i = 0; System.nanoTime() < end; i++)
			sum += step(i);
	}

	private static long step(long i) {
		return Long.bitCount(i) * 31 + i % 7;
	}

	private static void allocate(long end) {
		while (System.nanoTime() < end) {
			List<byte[]> blocks = new ArrayList<>();

			for (int i = 0; i < 100; i++)
				blocks.add(new byte[3_000]);
			sum += blocks.size();
			sleep(1);
		}
	}

	private static void holdLock(long end) {
		while (System.nanoTime() < end) {
			synchronized (counter) {
				sleep(40);
			}
			sleep(5);
		}
	}

	private static void wantLock(long end) {
		while (System.nanoTime() < end) {
			synchronized (counter) {
				sum++;
			}
			sleep(20);
		}
	}

	private static void fail() {
		for (int i = 0; i < 3; i++) {
			try {
				throw new IllegalStateException("out of tea, order " + i);
			} catch (IllegalStateException e) {
				sum++;
			}
		}
	}

	private static void sleep(long millis) {
		try {
			Thread.sleep(millis);
		} catch (InterruptedException e) {
			Thread.currentThread().interrupt();
		}
	}
}
