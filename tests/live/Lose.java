/**
 * As Worker, but after a second all descriptors are closed that a recorder may have, as
 * by those who close what they did not open: java Lose LIBRARY TENTHS
 */
public class Lose {
	static native void lose();

	public static void main(String[] args) throws Exception {
		System.load(args[0]);
		for (int i = 0; i < Integer.parseInt(args[1]); i++) {
			Thread thread = new Thread(() -> { }, "worker-" + i);

			if (i == 10)
				lose();
			thread.start();
			thread.join();
			Thread.sleep(100);
		}
	}
}
