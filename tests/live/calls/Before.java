import early.Loaded;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.util.concurrent.CountDownLatch;
import tally.Count;

/**
 * Classes that are used long before the recording begins; counts from then on, as Truth
 * does: Before COUNTS.
 */
public class Before {
	private static final Class<?>[] CLASSES = {
		Loaded.class, Loaded.Step.class, Loaded.Walker.class
	};

	/** How many constants a class has: it has more when it was rewritten. */
	private static int constants(Class<?> of) throws Exception {
		Method pool = Class.class.getDeclaredMethod("getConstantPool");
		pool.setAccessible(true);
		Object constants = pool.invoke(of);
		Method size = constants.getClass().getMethod("getSize");
		size.setAccessible(true);
		return (Integer) size.invoke(constants);
	}

	private static int use(int times) {
		Loaded.Walker walker = new Loaded.Walker();
		if (Loaded.counts)
			Count.at("early.Loaded$Walker.<init>()");
		int sum = 0;
		for (int i = 0; i < times; i++) {
			sum = Loaded.sum(sum, i) + new Loaded(i).value;
			sum = walker.step(sum);
			try {
				sum += new Loaded(i).failing(i % 4);
			} catch (ArithmeticException e) {
				sum++;
			}
			if (i % 100 == 0)
				sum += Loaded.recursive(i % 50);
		}
		return sum;
	}

	private static void waitForProbes(int[] before) throws Exception {
		for (int i = 0; i < CLASSES.length; i++)
			for (int tries = 0; constants(CLASSES[i]) == before[i]; tries++) {
				if (tries == 6000)
					throw new IllegalStateException("no probes: " + CLASSES[i]);
				Thread.sleep(10);
			}
		/* A class has its probes when all of its kind have. */
		Thread.sleep(100);
	}

	public static void main(String[] args) throws Exception {
		int[] before = new int[CLASSES.length];
		use(50000);
		int expected = use(3000);
		Loaded.before();
		for (int i = 0; i < CLASSES.length; i++)
			before[i] = constants(CLASSES[i]);
		CountDownLatch began = new CountDownLatch(1);
		CountDownLatch ends = new CountDownLatch(1);
		Thread during = new Thread(() -> {
			try {
				Loaded.during(began, ends);
			} catch (InterruptedException e) {
				throw new IllegalStateException(e);
			}
		});
		during.start();
		began.await();
		waitForProbes(before);
		Loaded.counts = true;
		ends.countDown();
		during.join();
		Loaded.during(began, ends);
		if (use(3000) != expected)
			throw new AssertionError();
		try (PrintStream to = new PrintStream(args[0])) {
			Count.print(to);
		}
		System.out.println("done");
	}
}
