package startup;

/** Asks for today's rates, which takes its time. */
final class Prices {
	private static final double RATE = rate();

	private Prices() {
	}

	private static double rate() {
		try {
			Thread.sleep(300);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
		return 1.1;
	}

	static String format(int cents) {
		return (int) (cents * RATE) / 100 + "." + (int) (cents * RATE) % 100;
	}
}
