import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Works for some time, and ends in one of the ways that a JVM can end: java Ends WAY
 * MILLIS [LIBRARY]
 *
 * "return", or "exit" (with the status 7), or "halt" (8), which runs no hooks; "memory":
 * none is left for Java, "native": nor for anything; "fault": in native code of the
 * library; "wait": never, nor "spin", which computes meanwhile.
 */
public class Ends {
	static volatile Object sink;
	static volatile long sum;

	static native void fault();

	static void work(long millis) throws Exception {
		long end = System.nanoTime() + millis * 1000000;

		while (System.nanoTime() < end) {
			Thread thread = new Thread(() -> sink = new byte[100000]);

			thread.start();
			thread.join();
			Thread.sleep(1);
		}
	}

	static void spin() {
		for (long i = 1; i != 0; i++)
			sum += sum * i;
	}

	static void fill(boolean isNative) {
		List<Object> all = new ArrayList<>();

		while (true)
			all.add(isNative ? ByteBuffer.allocateDirect(1000000) : new byte[1000000]);
	}

	public static void main(String[] args) throws Exception {
		System.out.println("begin");
		if (args.length > 2)
			System.load(args[2]);
		if (args[0].equals("spin"))
			spin();
		work(args[0].equals("wait") ? Long.MAX_VALUE / 2000000 : Long.parseLong(args[1]));
		System.out.println("end");
		switch (args[0]) {
		case "exit": System.exit(7);
		case "halt": Runtime.getRuntime().halt(8);
		case "memory": fill(false);
		case "native": fill(true);
		case "fault": fault();
		}
	}
}
