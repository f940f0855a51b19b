import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Stress [PERCENT [THREADS [SECTION]...]]: all at once what samplers of stacks stumble
 * over. Classes that come and go, deep stacks up to their end, exceptions, collections,
 * compiled code that is given up, short threads, native methods, classes made while it
 * runs, virtual threads, locks.
 *
 * Each section has a thread of its own and ends after so many rounds, not after a time:
 * what it prints is the same each time. PERCENT (100) scales the rounds, some 13
 * seconds of CPU time; THREADS (2000) is how many short threads there are in all. Of the
 * sections only those that are named, if any is.
 */
public class Stress {
	static volatile Object kept;

	// --- classes that are defined again and again

	/** Defines copies of nested classes whose names begin with a prefix. */
	private static class Loader extends ClassLoader {
		private final Map<String, byte[]> bytes;

		Loader(Map<String, byte[]> bytes) {
			super(Stress.class.getClassLoader());
			this.bytes = bytes;
		}

		@Override
		protected synchronized Class<?> loadClass(String name, boolean resolves)
				throws ClassNotFoundException {
			byte[] own = bytes.get(name);

			if (own == null)
				return super.loadClass(name, resolves);
			Class<?> found = findLoadedClass(name);
			return found != null ? found :
				defineClass(name, own, 0, own.length);
		}

		/** What one of them returns. */
		long call(String name, int argument) throws Exception {
			Class<?> type = loadClass(name);
			Work work = (Work)type.getDeclaredConstructor().newInstance();

			return work.of(argument);
		}
	}

	/** Of classes that only their own loader knows. */
	public interface Work {
		long of(int argument);
	}

	private static byte[] bytesOf(String name) throws Exception {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		String file = name + ".class";

		try (InputStream in = Stress.class.getResourceAsStream(file)) {
			for (int b; (b = in.read()) >= 0; )
				bytes.write(b);
		}
		return bytes.toByteArray();
	}

	private static Map<String, byte[]> bytesOf(Class<?>... classes)
			throws Exception {
		Map<String, byte[]> all = new HashMap<>();

		for (Class<?> one : classes)
			all.put(one.getName(), bytesOf(one.getName()));
		return all;
	}

	public static class Unit implements Work {
		private static int step(int value) {
			return value * 31 + 7;
		}

		private static int down(int depth, int value) {
			return depth == 0 ? value : down(depth - 1, step(value)) + 1;
		}

		@Override
		public long of(int argument) {
			int value = argument;

			for (int i = 0; i < 400; i++)
				value = down(20, value);
			return value;
		}
	}

	private static long classes(int rounds) throws Exception {
		Map<String, byte[]> bytes = bytesOf(Unit.class);
		long sum = 0;

		for (int i = 0; i < rounds; i++) {
			sum += new Loader(bytes).call("Stress$Unit", i);
			if (i % 500 == 499)
				System.gc();
		}
		return sum;
	}

	// --- stacks

	private static long fib(int n) {
		return n < 2 ? n : fib(n - 1) + fib(n - 2);
	}

	private static long down(int depth) {
		return depth == 0 ? 1 : down(depth - 1) + (depth & 3);
	}

	private static long endless(long depth) {
		return endless(depth + 1) + 1;
	}

	private static long recursion(int rounds) {
		long sum = 0;

		for (int i = 0; i < rounds; i++) {
			sum += fib(20) + down(1000 + i % 500);
			if (i % 100 == 99) {
				try {
					sum += endless(0);
				} catch (StackOverflowError end) {
					sum++;
				}
			}
		}
		return sum;
	}

	// --- exceptions

	private static long fall(int depth, int kind, int[] array, Object object) {
		if (depth > 0)
			return fall(depth - 1, kind, array, object) + 1;
		switch (kind) {
		case 0:
			return object.hashCode();
		case 1:
			return array[array.length + depth];
		case 2:
			return array.length / depth;
		case 3:
			return ((String)(Object)array).length();
		default:
			throw new IllegalStateException("thrown");
		}
	}

	private static long exceptions(int rounds) {
		int[] array = new int[8];
		long sum = 0;

		for (int i = 0; i < rounds; i++) {
			try {
				sum += fall(i % 40 * (i % 7), i % 5, array, null);
			} catch (NullPointerException | ClassCastException caught) {
				sum += 1;
			} catch (IndexOutOfBoundsException | ArithmeticException caught) {
				sum += 10;
			} catch (IllegalStateException caught) {
				sum += caught.getStackTrace().length > 0 ? 100 : 0;
			}
		}
		return sum;
	}

	// --- memory

	private static long allocation(int rounds) {
		Object[] ring = new Object[4096];
		long sum = 0;

		for (int i = 0; i < rounds; i++) {
			Map<Integer, String> map = new HashMap<>();

			for (int j = 0; j < 20; j++)
				map.put(j * i, String.valueOf((char)('a' + j % 26)));
			ring[i & 4095] = map;
			ring[i * 7 & 4095] = new byte[i & 2047];
			ring[i * 13 & 4095] = new int[i & 511][2];
			sum += map.size();
			if (i % 20_000 == 19_999)
				System.gc();
		}
		kept = ring;
		return sum;
	}

	// --- compiled code that is given up

	public abstract static class Shape {
		abstract long area(int size);
	}

	public static class Square extends Shape {
		@Override
		long area(int size) {
			return (long)size * size;
		}
	}

	public static class Circle extends Shape {
		@Override
		long area(int size) {
			return 3L * size * size;
		}
	}

	/** The second shape comes when loops are compiled for the first one alone. */
	public static class Shapes implements Work {
		private static long all(Shape shape, int count) {
			long sum = 0;

			for (int i = 0; i < count; i++)
				sum += shape.area(i & 15);
			return sum;
		}

		private static long rare(int[] numbers, Object object, int count) {
			long sum = 0;

			for (int i = 0; i < count; i++) {
				sum += numbers[i & 7];
				if (object != null)
					sum += object.hashCode() & 1;
			}
			return sum;
		}

		@Override
		public long of(int argument) {
			int[] numbers = { argument, 1, 2, 3, 4, 5, 6, 7 };
			long sum = 0;

			for (int i = 0; i < 60; i++) {
				sum += all(new Square(), 500);
				sum += rare(numbers, null, 500);
			}
			for (int i = 0; i < 20; i++) {
				sum += all(new Circle(), 500);
				sum += rare(numbers, 12, 500);
			}
			return sum + all(new Square(), 500);
		}
	}

	private static long deoptimization(int rounds) throws Exception {
		Map<String, byte[]> bytes = bytesOf(Shape.class, Square.class,
			Circle.class, Shapes.class);
		long sum = 0;

		for (int i = 0; i < rounds; i++)
			sum += new Loader(bytes).call("Stress$Shapes", i);
		return sum;
	}

	// --- threads

	private static long threads(int count) throws Exception {
		AtomicLong sum = new AtomicLong();
		Thread[] running = new Thread[8];

		for (int i = 0; i < count; i++) {
			int number = i;
			int place = i % running.length;

			if (running[place] != null)
				running[place].join();
			running[place] = new Thread(() -> {
				sum.addAndGet(down(number % 300) + fib(number % 16));
			}, "short-" + i);
			running[place].start();
		}
		for (Thread thread : running) {
			if (thread != null)
				thread.join();
		}
		return sum.get();
	}

	private static Method startVirtual() {
		try {
			return Thread.class.getMethod("startVirtualThread",
				Runnable.class);
		} catch (NoSuchMethodException none) {
			return null;
		}
	}

	private static void virtualOne(int number, AtomicLong sum) {
		sum.addAndGet(fib(12));
		Thread.yield();
		if (number % 16 == 0)
			LockSupport.parkNanos(100_000);
		sum.addAndGet(down(number % 200));
	}

	/** Where there are none, as it is. */
	private static long virtualThreads(int count) throws Exception {
		Method start = startVirtual();
		AtomicLong sum = new AtomicLong();
		int batch = 100;

		for (int from = 0; from < count; from += batch) {
			CountDownLatch done = new CountDownLatch(batch);

			for (int i = 0; i < batch; i++) {
				int number = from + i;
				Runnable task = () -> {
					virtualOne(number, sum);
					done.countDown();
				};

				if (start != null)
					start.invoke(null, task);
				else
					task.run();
			}
			done.await();
		}
		return sum.get();
	}

	private static long locks(int rounds) throws Exception {
		Object lock = new Object();
		long[] sum = new long[1];
		Thread[] threads = new Thread[3];

		for (int t = 0; t < threads.length; t++) {
			threads[t] = new Thread(() -> {
				for (int i = 0; i < rounds; i++) {
					synchronized (lock) {
						sum[0] += down(5);
						if (i % 64 == 0)
							lock.notifyAll();
					}
				}
			}, "lock-" + t);
			threads[t].start();
		}
		for (Thread thread : threads)
			thread.join();
		return sum[0];
	}

	// --- loops and native methods

	private static long loops(int rounds) {
		int[] numbers = new int[1000];
		long sum = 0;

		for (int i = 0; i < rounds; i++) {
			for (int j = 1; j < numbers.length; j++) {
				numbers[j] = numbers[j - 1] * 31 +
					(numbers[j] >>> 3) + i;
			}
			sum += numbers[999];
		}
		return sum;
	}

	private static long natives(int rounds) {
		byte[] text = new byte[1 << 14], copy = new byte[1 << 14];
		byte[] packed = new byte[1 << 15];
		Deflater deflater = new Deflater();
		long sum = 0;

		for (int i = 0; i < text.length; i++)
			text[i] = (byte)(i * i >> 5);
		for (int i = 0; i < rounds; i++) {
			CRC32 crc = new CRC32();
			Adler32 adler = new Adler32();

			text[i % text.length]++;
			for (int j = 0; j < 20; j++) {
				System.arraycopy(text, j, copy, 20 - j,
					text.length - 20);
			}
			deflater.reset();
			deflater.setInput(copy);
			deflater.finish();
			/* How well it packs is the library's business. */
			if (deflater.deflate(packed) > 0)
				sum++;
			crc.update(copy);
			adler.update(copy);
			sum += crc.getValue() + adler.getValue();
		}
		deflater.end();
		return sum;
	}

	public interface Adder {
		long add(long a, long b);
	}

	/** Proxies, reflection, formats. */
	private static long reflection(int rounds) throws Exception {
		InvocationHandler handler = (proxy, method, arguments) ->
			(Long)arguments[0] + (Long)arguments[1];
		Method down = Stress.class.getDeclaredMethod("down", int.class);
		long sum = 0;

		for (int i = 0; i < rounds; i++) {
			Object adder = Proxy.newProxyInstance(
				Stress.class.getClassLoader(),
				new Class<?>[] { Adder.class }, handler);

			sum += ((Adder)adder).add(i, 1) + (Long)down.invoke(null, 3);
			sum += String.format(Locale.ROOT, "%05d %s %.3f", i, "text",
				i / 8.0).hashCode();
		}
		return sum;
	}

	// --- all of it

	interface Body {
		long run(int rounds) throws Exception;
	}

	private static class Section extends Thread {
		private final Body body;
		private final int rounds;
		String line;

		Section(String name, int rounds, Body body) {
			super(name);
			this.rounds = rounds;
			this.body = body;
		}

		@Override
		public void run() {
			try {
				line = getName() + " " + body.run(rounds);
			} catch (Throwable e) {
				line = getName() + " failed: " + e;
			}
		}
	}

	private static Section[] sections(int percent, int threads) {
		return new Section[] {
			new Section("classes", 40 * percent, Stress::classes),
			new Section("recursion", 250 * percent, Stress::recursion),
			new Section("exceptions", 2500 * percent, Stress::exceptions),
			new Section("allocation", 2000 * percent, Stress::allocation),
			new Section("deoptimization", 7 * percent, Stress::deoptimization),
			new Section("virtual", 1000 * percent, Stress::virtualThreads),
			new Section("locks", 10_000 * percent, Stress::locks),
			new Section("loops", 10_000 * percent, Stress::loops),
			new Section("natives", 120 * percent, Stress::natives),
			new Section("reflection", 4000 * percent, Stress::reflection),
			new Section("threads", threads, Stress::threads),
		};
	}

	public static void main(String[] args) throws Exception {
		List<String> words = Arrays.asList(args);
		int percent = words.isEmpty() ? 100 : Integer.parseInt(words.get(0));
		int threads = words.size() < 2 ? 2000 : Integer.parseInt(words.get(1));
		List<Section> running = new ArrayList<>();

		for (Section section : sections(percent, threads)) {
			if (words.size() < 3 || words.indexOf(section.getName()) >= 2)
				running.add(section);
		}
		for (Section section : running)
			section.start();
		for (Section section : running) {
			section.join();
			System.out.println(section.line);
		}
	}
}
