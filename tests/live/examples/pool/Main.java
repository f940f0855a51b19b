package pool;

/** Works for a while; then there are no connections any more. */
public final class Main {
	private Main() {
	}

	public static void main(String[] args) throws InterruptedException {
		Pool pool = new Pool(4);
		Thread[] clerks = new Thread[2];
		for (int i = 0; i < clerks.length; i++) {
			clerks[i] = new Thread(() -> work(pool), "clerk-" + i);
			clerks[i].start();
			clerks[i].join();
		}
		int left = 0;
		while (pool.borrow() != null)
			left++;
		System.out.println(left + " connections left of 4");
	}

	private static void work(Pool pool) {
		Orders orders = new Orders(pool);
		Reports reports = new Reports(pool);
		for (int i = 0; i < 10; i++) {
			orders.count("customer " + i);
			try {
				reports.print(i == 7 ? "" : "query " + i);
			} catch (IllegalArgumentException e) {
				/* The report is empty. */
			}
		}
	}
}
