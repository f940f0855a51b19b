import carried.Work;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import tally.Count;

/**
 * Virtual threads, many more than carriers; counts as Truth does:
 * Virtual COUNTS THREADS TIMES. Says how many changed their carrier within a call.
 */
public class Virtual {
	private static final AtomicLong changed = new AtomicLong();

	private static String carrier() {
		String text = Thread.currentThread().toString();
		return text.substring(text.indexOf('@') + 1);
	}

	private static void run(int number, int times, BlockingQueue<Integer> queue) {
		try {
			String before = carrier();
			Work.sleeps(number);
			Work.yields(number);
			if (!carrier().equals(before))
				changed.incrementAndGet();
			try {
				Work.parks(number);
			} catch (IllegalStateException e) {
				Work.fast(number);
			}
			Work.recursive(number % 10);
			Work.locked(number);
			Work.pinned(number);
			if (number % 2 == 0)
				Work.takes(queue);
			else
				Work.gives(queue, number);
			int sum = 0;
			for (int i = 0; i < times; i++)
				sum = Work.hot(sum);
			Count.at("carried.Work.hot(int)", times);
			if (number % 7 == 0)
				Work.parks(2 * sum);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	public static void main(String[] args) throws Exception {
		int threads = Integer.parseInt(args[1]) / 2 * 2;
		int times = Integer.parseInt(args[2]);
		/* A sixth of them die of an exception. */
		Thread.setDefaultUncaughtExceptionHandler((thread, exception) -> {
		});
		BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(3);
		CountDownLatch begin = new CountDownLatch(1);
		List<Thread> all = new ArrayList<>();
		for (int i = 0; i < threads; i++) {
			int number = i;
			all.add(Thread.ofVirtual().name("v-" + i).start(() -> {
				try {
					begin.await();
				} catch (InterruptedException e) {
					throw new IllegalStateException(e);
				}
				run(number, times, queue);
			}));
		}
		begin.countDown();
		for (Thread each : all)
			each.join();
		try (PrintStream to = new PrintStream(args[0])) {
			Count.print(to);
		}
		if (changed.get() == 0)
			throw new AssertionError("no thread changed its carrier");
		System.out.println("done");
	}
}
