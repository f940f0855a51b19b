import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * A shop for two seconds, to be recorded by `make demo`: clerks come and go, pack what
 * is ordered, and leave memory to collect. For Java 8 and later.
 */
public class Shop {
	private static final BlockingQueue<String> orders = new ArrayBlockingQueue<>(100);
	private static final String CLOSED = "closed";
	private static int packed;

	public static void main(String[] args) throws InterruptedException {
		long end = System.nanoTime() + 2_000_000_000L;

		for (int day = 0; System.nanoTime() < end; day++)
			open(day);
		System.out.println("packed " + packed + " orders");
	}

	/** A day of three clerks, each a thread. */
	private static void open(int day) throws InterruptedException {
		Thread[] clerks = new Thread[3];

		for (int i = 0; i < clerks.length; i++) {
			clerks[i] = new Thread(Shop::pack, "clerk " + (i + 1) + " of day " + day);
			clerks[i].start();
		}
		for (int i = 0; i < 2000; i++)
			orders.put("order " + day + "." + i);
		for (Thread clerk : clerks)
			orders.put(CLOSED);
		for (Thread clerk : clerks)
			clerk.join();
		Thread.sleep(50);
	}

	private static void pack() {
		try {
			for (String order = orders.take(); order != CLOSED; order = orders.take())
				count(new StringBuilder(order).reverse().append(new char[8192]));
		} catch (InterruptedException interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private static synchronized void count(StringBuilder parcel) {
		packed += parcel.length() > 0 ? 1 : 0;
	}
}
