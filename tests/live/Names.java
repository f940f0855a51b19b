/**
 * Starts a thread each tenth of a second, for so many tenths, whose name is larger than a
 * block of the spill file: java Names TENTHS
 */
public class Names {
	public static void main(String[] args) throws Exception {
		StringBuilder name = new StringBuilder("worker-0");

		while (name.length() < 100000)
			name.append('x');
		for (int i = 0; i < Integer.parseInt(args[0]); i++) {
			Thread thread = new Thread(() -> { }, name.toString() + i);

			thread.start();
			thread.join();
			Thread.sleep(100);
		}
	}
}
