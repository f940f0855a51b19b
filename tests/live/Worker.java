/**
 * Starts a thread each tenth of a second, for so many tenths, and exits with a status:
 * java Worker TENTHS [STATUS]
 */
public class Worker {
	public static void main(String[] args) throws Exception {
		int tenths = Integer.parseInt(args[0]);

		System.out.println("begin");
		for (int i = 0; i < tenths; i++) {
			Thread thread = new Thread(() -> { }, "worker-" + i);

			thread.start();
			thread.join();
			Thread.sleep(100);
		}
		System.out.println("end");
		System.exit(args.length > 1 ? Integer.parseInt(args[1]) : 0);
	}
}
