package numbers;

/** Prints a number, over and over. */
public final class Main {
	private Main() {
	}

	static int getNum() {
		return 100;
	}

	public static void main(String[] args) throws InterruptedException {
		while (true) {
			System.out.println(getNum());
			Thread.sleep(20);
		}
	}
}
