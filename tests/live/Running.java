import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Does what it is told, while it is recorded: java Running FILE [PATIENCE]. For Java 8
 * and later.
 *
 * Each line that somebody appends to the file is done, and then said again, so what it
 * prints is what the file says, whether somebody looks or not:
 *
 *	threads NAME COUNT	threads NAME-0 and so on start and end, one by one
 *	calls COUNT		hit() is called so often
 *	slow MILLIS		charge() is called, and takes so long
 *	flood THREADS COUNT	as many threads call hit() so often, with pauses
 *	storm THREADS COUNT	without
 *	join			they have ended
 *	load			from now on rounds of Load are done; their output is
 *				kept, and is the same each time
 *	end			the program is at its end
 *
 * Where nothing is said for so many seconds (60), it ends with the status 9.
 */
public class Running {
	static volatile long hits;
	static volatile boolean isLoaded;
	private static final List<Thread> threads = new ArrayList<>();
	private static Thread load;
	private static PrintStream out;

	static void hit() {
		hits++;
	}

	static void charge(long millis) throws InterruptedException {
		Thread.sleep(millis);
	}

	private static void startThreads(String name, int count) throws InterruptedException {
		for (int i = 0; i < count; i++) {
			Thread thread = new Thread(Running::hitNothing, name + "-" + i);

			thread.start();
			thread.join();
		}
	}

	static void hitNothing() {
	}

	private static void hitAll(int count, boolean isPausing) {
		for (int i = 0; i < count; i++) {
			hit();
			try {
				if (isPausing)
					Thread.sleep(1);
			} catch (InterruptedException e) {
				return;
			}
		}
	}

	private static void flood(int count, int times, boolean isPausing) {
		for (int i = 0; i < count; i++) {
			Thread thread = new Thread(() -> hitAll(times, isPausing), "flood " + i);

			threads.add(thread);
			thread.start();
		}
	}

	private static void join() throws InterruptedException {
		for (Thread thread : threads)
			thread.join();
		threads.clear();
	}

	/** Of all that it has said, each time the same is kept once. */
	private static void repeat() {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		String first = null;

		System.setOut(new PrintStream(bytes, true));
		while (isLoaded) {
			bytes.reset();
			try {
				Load.main(new String[] { "500" });
			} catch (Throwable e) {
				out.println("the load fails: " + e);
				return;
			}
			if (first == null)
				first = bytes.toString();
			if (!first.equals(bytes.toString()))
				out.println("the load says " + bytes + " and not " + first);
		}
	}

	/** False at the end. */
	private static boolean isDone(String line) throws Exception {
		String[] words = line.split(" ");

		switch (words[0]) {
		case "threads": startThreads(words[1], Integer.parseInt(words[2])); break;
		case "calls": hitAll(Integer.parseInt(words[1]), false); break;
		case "slow": charge(Long.parseLong(words[1])); break;
		case "flood":
		case "storm":
			flood(Integer.parseInt(words[1]), Integer.parseInt(words[2]),
			      words[0].equals("flood"));
			break;
		case "join": join(); break;
		case "load":
			isLoaded = true;
			load = new Thread(Running::repeat, "load");
			load.start();
			break;
		case "end":
			isLoaded = false;
			if (load != null)
				load.join();
			return false;
		default: throw new IllegalArgumentException(line);
		}
		return true;
	}

	public static void main(String[] args) throws Exception {
		long patience = args.length > 1 ? Long.parseLong(args[1]) : 60;
		long last = System.nanoTime();
		boolean isRunning = true;

		out = System.out;
		try (RandomAccessFile file = new RandomAccessFile(new File(args[0]), "r")) {
			while (isRunning) {
				long at = file.getFilePointer();
				String line = file.readLine();

				if (line == null || file.getFilePointer() - at == line.length()) {
					file.seek(at);
					if (System.nanoTime() - last > patience * 1000000000)
						System.exit(9);
					Thread.sleep(20);
					continue;
				}
				isRunning = isDone(line);
				out.println(line);
				last = System.nanoTime();
			}
		}
	}
}
