import java.util.ArrayList;
import java.util.List;

/**
 * Threads whose class has fields that are called as those of Thread, and have other
 * values: java Own
 */
public class Own {
	static class Worker extends Thread {
		final long tid = 1L << 40;
		final long eetop = 8;
		final String name = "not this";

		Worker(String called) {
			super(called);
		}

		@Override
		public void run() {
			Thread.yield();
		}
	}

	public static void main(String[] args) throws InterruptedException {
		for (int round = 0; round < 20; round++) {
			List<Thread> threads = new ArrayList<>();

			for (int i = 0; i < 50; i++)
				threads.add(new Worker("own " + i));
			for (Thread thread : threads)
				thread.start();
			for (Thread thread : threads)
				thread.join();
		}
		System.out.println("done");
	}
}
