/** Starts a thread every now and then, so that events come, for so many seconds. */
public class Marks {
	public static void main(String[] words) throws Exception {
		long end = System.nanoTime() + Long.parseLong(words[0]) * 1_000_000_000L;
		System.out.println("ready");
		while (System.nanoTime() < end) {
			Thread mark = new Thread(() -> {}, "mark");
			mark.start();
			mark.join();
			Thread.sleep(50);
		}
	}
}
