package truth;

import tally.Count;

/** What must hold: the program does what it did without probes. */
final class Check {
	private Check() {
	}

	static void that(boolean holds) {
		Count.at("truth.Check.that(boolean)");
		if (!holds)
			throw new AssertionError();
	}

	/** An exception of that class, and no other, comes out of the task. */
	static void fails(Class<? extends Throwable> with, Runnable task) {
		Count.at("truth.Check.fails(Class, Runnable)");
		try {
			task.run();
		} catch (Throwable e) {
			if (e.getClass() == with)
				return;
			throw new AssertionError(e);
		}
		throw new AssertionError(with);
	}
}
