import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

/**
 * Does what an agent may stumble over, and says "done": java Agent [ROUNDS]
 *
 * Threads that are renamed, deep stacks, exceptions, classes that come and go, collections,
 * virtual threads where there are some, a process that must not inherit from us.
 */
public class Agent {
	static volatile Object sink;

	public static class Unit {
	}

	static class Loader extends ClassLoader {
		Class<?> define(byte[] bytes) {
			return defineClass(null, bytes, 0, bytes.length);
		}
	}

	static int deep(int left) {
		return left == 0 ? 0 : 1 + deep(left - 1);
	}

	static void work() {
		Thread.currentThread().setName("now \u00e9\ud83d\ude00");
		for (int i = 0; i < 100; i++) {
			deep(500);
			try {
				throw new IllegalStateException("thrown");
			} catch (IllegalStateException e) {
				sink = e;
			}
			sink = new byte[100000];
		}
	}

	static byte[] bytesOf(String name) throws Exception {
		try (java.io.InputStream in = Agent.class.getResourceAsStream(name)) {
			byte[] bytes = new byte[in.available()];

			for (int at = 0; at < bytes.length;)
				at += in.read(bytes, at, bytes.length - at);
			return bytes;
		}
	}

	static void startVirtual(int count) throws Exception {
		List<Thread> threads = new ArrayList<>();
		java.lang.reflect.Method start;

		try {
			start = Thread.class.getMethod("startVirtualThread", Runnable.class);
		} catch (NoSuchMethodException e) {
			return;
		}
		for (int i = 0; i < count; i++)
			threads.add((Thread) start.invoke(null, (Runnable) () -> Thread.yield()));
		for (Thread thread : threads)
			thread.join();
	}

	/** Our files have names that tell them. */
	static void lookAtInheritance() throws Exception {
		Process process = new ProcessBuilder("ls", "-l", "/proc/self/fd").start();
		Scanner lines = new Scanner(process.getInputStream());

		while (lines.hasNextLine()) {
			String line = lines.nextLine();

			if (line.matches(".*(memfd|eventfd|\\.jfr|cjfr).*"))
				System.out.println("inherited: " + line);
		}
		process.waitFor();
	}

	public static void main(String[] args) throws Exception {
		int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
		byte[] unit = bytesOf("Agent$Unit.class");
		List<Thread> threads = new ArrayList<>();

		for (int i = 0; i < 4; i++)
			threads.add(new Thread(Agent::work, "worker-" + i));
		for (Thread thread : threads)
			thread.start();
		for (int i = 0; i < rounds; i++) {
			sink = new Loader().define(unit).getDeclaredConstructor().newInstance();
			if (i % 500 == 499)
				System.gc();
		}
		startVirtual(200);
		for (Thread thread : threads)
			thread.join();
		lookAtInheritance();
		System.out.println("done");
	}
}
