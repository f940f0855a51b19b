package truth;

import tally.Count;

/** A call within a call of the same method: each counts. */
public class Recursion {
	private Recursion() {
	}

	static int fibonacci(int n) {
		Count.at("truth.Recursion.fibonacci(int)");
		return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
	}

	static boolean even(int n) {
		Count.at("truth.Recursion.even(int)");
		return n == 0 || odd(n - 1);
	}

	static boolean odd(int n) {
		Count.at("truth.Recursion.odd(int)");
		return n != 0 && even(n - 1);
	}

	/** Every level is left by the exception. */
	static void fall(int n) {
		Count.at("truth.Recursion.fall(int)");
		if (n == 0)
			throw new IllegalStateException();
		fall(n - 1);
	}

	/** Every third level catches it, and throws it anew. */
	static int climb(int n) {
		Count.at("truth.Recursion.climb(int)");
		try {
			if (n == 0)
				throw new IllegalStateException();
			return climb(n - 1) + 1;
		} catch (IllegalStateException e) {
			if (n % 3 == 0)
				throw e;
			return 0;
		}
	}

	static synchronized int locked(int n) {
		Count.at("truth.Recursion.locked(int)");
		return n == 0 ? 0 : locked(n - 1) + 1;
	}

	public static void all() {
		Count.at("truth.Recursion.all()");
		Check.that(fibonacci(12) == 144);
		Check.that(even(100) && odd(33) && locked(50) == 50);
		for (int n = 0; n < 20; n++) {
			int levels = n;
			Check.fails(IllegalStateException.class, () -> fall(levels));
			if (n == 0)
				Check.fails(IllegalStateException.class, () -> climb(levels));
			else
				Check.that(climb(n) == n - 1);
		}
		Check.fails(IllegalStateException.class, () -> fall(200));
	}
}
