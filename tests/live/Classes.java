/*
 * Classes that come and go, and that others change, while ours are counted: prints how
 * often Target.hit ran, as it knows itself.
 *
 *	churn SECONDS	loaders come, each with a Target of its own, and go
 *	twice		two threads define the same class at once; others fail
 *	change		redefined and retransformed while it runs (ClassesAgent)
 *	below		types below one that is meant, loaded and to be loaded
 *	lazy		the same, retransformed before it is linked
 *	halt		ends at once
 *	after		goes on to call when the recording is over, and says what is left
 *	spoilt		the same, and nobody can change it by then
 *	grow FOLDER...	becomes what is in the folders, one by one, if the JVM takes it
 *	slow		one that is on its way while the recording begins
 *	nameless	Unsafe makes classes of the name of one that is meant (until JDK 14)
 */
import java.io.*;
import java.lang.annotation.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class Classes {
	static final AtomicLong calls = new AtomicLong();

	/* Its text is of one length with what it becomes. */
	public static class Target implements Callable<String> {
		public String call() {
			String text = null;

			for (int i = 0; i < 10; i++)
				text = hit(i);
			return text;
		}

		public String hit(int i) {
			if (i == 7)
				return late();
			return "marker-0";
		}

		String late() {
			return "marker-0";
		}
	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface Marked { }

	public interface Base {
		default int twice(int i) { return 2 * i; }
	}

	public interface Nearer extends Base { }

	public static class Below implements Nearer {
		@Marked int once(int i) { return twice(i); }
	}

	public static class Lower extends Below {
		int thrice(int i) { return once(i) + i; }
	}

	/* Changed by others before it is linked. */
	public static class Lazy extends Below {
		int once(int i) { return 3 * i; }
	}

	/* A loader of its own for one class, of which it has the bytes. */
	static class Own extends ClassLoader {
		static { registerAsParallelCapable(); }

		private final boolean isNamed;
		private final byte[] bytes;

		Own(byte[] bytes, boolean isNamed) {
			super(Classes.class.getClassLoader());
			this.bytes = bytes;
			this.isNamed = isNamed;
		}

		Class<?> define() {
			return defineClass(isNamed ? TARGET : null, bytes, 0, bytes.length);
		}

		Class<?> define(byte[] other) {
			return defineClass(TARGET, other, 0, other.length);
		}
	}

	static final String TARGET = "Classes$Target";

	static byte[] bytesOf(String name) throws IOException {
		InputStream from = Classes.class.getResourceAsStream(name + ".class");
		ByteArrayOutputStream to = new ByteArrayOutputStream();

		for (int b; (b = from.read()) >= 0;)
			to.write(b);
		return to.toByteArray();
	}

	static void call(Class<?> type, int times) throws Exception {
		@SuppressWarnings("unchecked")
		Callable<String> target =
			(Callable<String>)type.getDeclaredConstructor().newInstance();

		for (int i = 0; i < times; i++) {
			target.call();
			calls.addAndGet(10);
		}
	}

	/* Waits until nearly all of them are gone, and that is noticed. */
	static void churn(int seconds) throws Exception {
		long end = System.nanoTime() + seconds * 1000000000L;
		byte[] bytes = bytesOf(TARGET);
		int loaders = 0;

		do {
			Thread[] threads = new Thread[2];

			for (int i = 0; i < threads.length; i++) {
				threads[i] = new Thread(() -> {
					try {
						for (int k = 0; k < 20; k++)
							call(new Own(bytes, k % 2 == 0).define(),
							     k + 1);
					} catch (Exception e) {
						e.printStackTrace();
					}
				});
				threads[i].start();
			}
			for (Thread thread : threads)
				thread.join();
			loaders += 40;
			if (loaders % 400 == 0)
				System.gc();
		} while (System.nanoTime() < end);
		for (int i = 0; i < 3; i++) {
			System.gc();
			Thread.sleep(1500);
		}
	}

	static void defineTwice() throws Exception {
		byte[] bytes = bytesOf(TARGET), bad = bytes.clone();
		AtomicInteger failed = new AtomicInteger();

		bad[9] += 1;		/* one constant too many, or few */
		for (int i = 0; i < 200; i++) {
			Own loader = new Own(bytes, true);
			CyclicBarrier barrier = new CyclicBarrier(3);
			Thread[] threads = new Thread[3];

			for (int k = 0; k < threads.length; k++) {
				boolean isBad = k == 2;

				threads[k] = new Thread(() -> {
					try {
						barrier.await();
						call(isBad ? loader.define(bad)
							   : loader.define(), 5);
					} catch (LinkageError e) {
						failed.incrementAndGet();
					} catch (Exception e) {
						e.printStackTrace();
					}
				});
				threads[k].start();
			}
			for (Thread thread : threads)
				thread.join();
		}
		if (failed.get() != 400)
			System.out.println(failed + " definitions failed");
	}

	/* Changed all the while; each text that was put in has been seen at the end. */
	static void change() throws Exception {
		Set<String> seen = ConcurrentHashMap.newKeySet();
		AtomicBoolean isOver = new AtomicBoolean();
		Thread[] threads = new Thread[3];

		for (int i = 0; i < threads.length; i++) {
			threads[i] = new Thread(() -> {
				Target target = new Target();

				while (!isOver.get()) {
					seen.add(target.call());
					calls.addAndGet(10);
					Thread.yield();
				}
			});
			threads[i].start();
		}
		for (int i = 1; i < 10; i++) {
			ClassesAgent.change(Target.class, i, bytesOf(TARGET));
			while (!seen.contains("marker-" + i))
				Thread.sleep(1);
		}
		isOver.set(true);
		for (Thread thread : threads)
			thread.join();
	}

	static void below() {
		Below below = new Below();
		Lower lower = new Lower();

		for (int i = 0; i < 100; i++) {
			below.once(i);
			lower.thrice(i);
			calls.addAndGet(5);	/* 2 and 3 */
		}
	}

	static void lazy() throws Exception {
		Class<?> type = Class.forName("Classes$Lazy", false,
					      Classes.class.getClassLoader());

		ClassesAgent.all.get(0).retransformClasses(type);
		new Lazy();
		Thread.sleep(4000);	/* that may be found out late */
		for (int i = 0; i < 100; i++)
			calls.addAndGet(new Lazy().once(i) == 3 * i ? 1 : 0);
	}

	/* The recording ends meanwhile. */
	static void after() throws Exception {
		long end = System.nanoTime() + 4000000000L;

		call(Target.class, 100);
		while (System.nanoTime() < end) {
			new Target().call();
			Thread.sleep(1);
		}
		System.out.println(ClassesAgent.isProbed(Target.class) ? "probed" : "plain");
	}

	/* The recording ends meanwhile. */
	static void spoilt() throws Exception {
		long end = System.nanoTime() + 4000000000L;

		ClassesAgent.isSpoiling = true;
		while (System.nanoTime() < end) {
			call(Target.class, 1);
			Thread.sleep(1);
		}
	}

	/* What it is redefined with is in other folders, and made by the script. */
	static void grow(String[] args) throws Exception {
		Class<?> type = Class.forName("Grown");

		for (int i = 0; i < args.length; i++) {
			if (i > 0) {
				byte[] bytes = java.nio.file.Files.readAllBytes(
					java.nio.file.Paths.get(args[i], "Grown.class"));

				try {
					ClassesAgent.all.get(0).redefineClasses(
						new java.lang.instrument.ClassDefinition(
							type, bytes));
				} catch (UnsupportedOperationException e) {
					calls.addAndGet(0);	/* as it has to be */
				}
			}
			for (int k = 0; k < 100; k++)
				type.getMethod("hot", int.class).invoke(null, k);
			calls.addAndGet(100);
		}
	}

	/* It takes four seconds to find what Lower is below. */
	static class Slow extends ClassLoader {
		Slow() {
			super(null);
		}

		protected Class<?> loadClass(String name, boolean resolve)
				throws ClassNotFoundException {
			if (!name.startsWith("Classes$"))
				return super.loadClass(name, resolve);
			Class<?> type = findLoadedClass(name);

			try {
				if (name.endsWith("Below"))
					Thread.sleep(4000);
				byte[] bytes = bytesOf(name);

				return type != null ? type : defineClass(name, bytes, 0,
									 bytes.length);
			} catch (Exception e) {
				throw new ClassNotFoundException(name, e);
			}
		}
	}

	static void slow() throws Exception {
		Class<?> type = new Slow().loadClass("Classes$Lower");
		java.lang.reflect.Constructor<?> made = type.getDeclaredConstructor();
		java.lang.reflect.Method thrice = type.getDeclaredMethod("thrice", int.class);

		made.setAccessible(true);
		thrice.setAccessible(true);
		for (int i = 0; i < 100; i++) {
			thrice.invoke(made.newInstance(), i);
			calls.incrementAndGet();
		}
	}

	static void nameless() throws Exception {
		Class<?> unsafe = Class.forName("sun.misc.Unsafe");
		java.lang.reflect.Field only = unsafe.getDeclaredField("theUnsafe");

		only.setAccessible(true);
		call(Target.class, 10);
		for (java.lang.reflect.Method made : unsafe.getMethods()) {
			if (made.getName().equals("defineAnonymousClass")) {
				Class<?> type = (Class<?>)made.invoke(
					only.get(null), Classes.class, bytesOf(TARGET), null);
				Callable<?> target = (Callable<?>)
					type.getDeclaredConstructor().newInstance();

				target.call();
			}
		}
	}

	public static void main(String[] args) throws Exception {
		if (args[0].equals("churn"))
			churn(Integer.parseInt(args[1]));
		else if (args[0].equals("twice"))
			defineTwice();
		else if (args[0].equals("change"))
			change();
		else if (args[0].equals("below"))
			below();
		else if (args[0].equals("halt"))
			Runtime.getRuntime().halt(0);
		else if (args[0].equals("lazy"))
			lazy();
		else if (args[0].equals("spoilt"))
			spoilt();
		else if (args[0].equals("grow"))
			grow(Arrays.copyOfRange(args, 1, args.length));
		else if (args[0].equals("slow"))
			slow();
		else if (args[0].equals("nameless"))
			nameless();
		else
			after();
		System.out.println(calls);
	}
}
