package truth;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import tally.Count;

/** Threads: many, short, at once; some die of an exception. */
public class Threads {
	private Threads() {
	}

	static class Task implements Runnable {
		private final int number;

		Task(int number) {
			Count.at("truth.Threads$Task.<init>(int)");
			this.number = number;
		}

		@Override
		public void run() {
			Count.at("truth.Threads$Task.run()");
			work(number);
			if (number % 3 == 0)
				throw new IllegalStateException("nobody catches it");
		}
	}

	static class Own extends Thread {
		Own() {
			Count.at("truth.Threads$Own.<init>()");
		}

		@Override
		public void run() {
			Count.at("truth.Threads$Own.run()");
			Throws.here("out of a thread");
		}
	}

	static int work(int n) {
		Count.at("truth.Threads.work(int)");
		int sum = 0;
		for (int i = 0; i < 10; i++)
			sum += part(n, i);
		return sum;
	}

	static int part(int a, int b) {
		Count.at("truth.Threads.part(int, int)");
		return a * b;
	}

	/* Counted by those that call it. */
	static int fast(int v) {
		return v * 31;
	}

	private static void atOnce(int threads, int times) throws InterruptedException {
		Count.at("truth.Threads.atOnce(int, int)");
		List<Thread> all = new ArrayList<>();
		for (int i = 0; i < threads; i++)
			all.add(new Thread(() -> {
				int sum = 0;
				for (int j = 0; j < times; j++)
					sum += fast(j);
				Count.at("truth.Threads.fast(int)", times);
				part(sum, 0);
			}));
		for (Thread each : all)
			each.start();
		for (Thread each : all)
			each.join();
	}

	public static void all(int times, int threads) throws Exception {
		Count.at("truth.Threads.all(int, int)");
		List<Thread> started = new ArrayList<>();
		for (int i = 0; i < threads; i++) {
			Thread thread = i % 10 == 0 ? new Own() : new Thread(new Task(i));
			thread.start();
			started.add(thread);
			/* Some at once, some one after the other. */
			if (i % 20 < 10)
				thread.join();
		}
		for (Thread each : started)
			each.join();
		ExecutorService pool = Executors.newFixedThreadPool(8);
		List<Future<?>> futures = new ArrayList<>();
		for (int i = 0; i < threads; i++) {
			Task task = new Task(1 + 3 * i);
			futures.add(pool.submit(task));
		}
		for (Future<?> each : futures)
			each.get();
		pool.shutdown();
		Check.that(pool.awaitTermination(10, java.util.concurrent.TimeUnit.MINUTES));
		atOnce(8, times);
	}
}
