package truth;

import tally.Count;

/** What initialises classes and interfaces; also when that fails. */
public class Statics {
	private Statics() {
	}

	static class Plain {
		static final int[] TABLE = new int[10];

		static {
			Count.at("truth.Statics$Plain.<clinit>()");
			for (int i = 0; i < TABLE.length; i++)
				TABLE[i] = i * i;
		}
	}

	static class Base {
		static int order;

		static {
			Count.at("truth.Statics$Base.<clinit>()");
			order = 1;
		}
	}

	static class Derived extends Base {
		static final int AFTER = order + Integer.getInteger("none", 1);

		static {
			Count.at("truth.Statics$Derived.<clinit>()");
		}
	}

	static class Fails {
		static int value = 1;

		static {
			Count.at("truth.Statics$Fails.<clinit>()");
			if (value == 1)
				throw new IllegalStateException("as it is meant to");
		}
	}

	/** Its exception is the JVM's, and comes through a callee. */
	static class FailsDeep {
		static int value = Throws.divide(1, 0);

		static {
			Check.that(false);
		}
	}

	/** Catches what its initialiser throws. */
	static class Catches {
		static int value;

		static {
			Count.at("truth.Statics$Catches.<clinit>()");
			try {
				value = Throws.divide(1, 0);
			} catch (ArithmeticException e) {
				value = 3;
			}
		}
	}

	interface Typed {
		int[] TABLE = made();

		static int[] made() {
			Count.at("truth.Statics$Typed.<clinit>()");
			Count.at("truth.Statics$Typed.made()");
			return new int[5];
		}

		default int length() {
			Count.at("truth.Statics$Typed.length()");
			return TABLE.length;
		}
	}

	/** Two threads want it at once: one of them runs it. */
	static class Shared {
		static final int VALUE;

		static {
			Count.at("truth.Statics$Shared.<clinit>()");
			int value = 0;
			for (int i = 0; i < 100000; i++)
				value += i % 3;
			VALUE = value;
		}
	}

	private static void failing() {
		Count.at("truth.Statics.failing()");
		Check.fails(ExceptionInInitializerError.class, () -> Fails.value = 2);
		Check.fails(NoClassDefFoundError.class, () -> Fails.value = 2);
		Count.at("truth.Statics$FailsDeep.<clinit>()");
		Check.fails(ExceptionInInitializerError.class, () -> FailsDeep.value = 2);
		Check.fails(NoClassDefFoundError.class, () -> FailsDeep.value = 2);
	}

	public static void all() throws InterruptedException {
		Count.at("truth.Statics.all()");
		Check.that(Plain.TABLE[3] == 9 && Derived.AFTER == 2 && Catches.value == 3);
		failing();
		Thread[] threads = new Thread[4];
		for (int i = 0; i < threads.length; i++) {
			threads[i] = new Thread(() -> Check.that(Shared.VALUE > 0));
			threads[i].start();
		}
		for (Thread each : threads)
			each.join();
		Count.at("truth.Statics$1.<init>()");
		Check.that(new Typed() {
		}.length() == 5);
	}
}
