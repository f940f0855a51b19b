package truth;

import java.util.function.IntUnaryOperator;
import tally.Count;

/** Code that gets compiled, inlined, entered in a loop, and thrown away again. */
public class Hot {
	private static int sink;

	private Hot() {
	}

	/* Counted where they are called: they are as small as they look. */
	static int small(int v) {
		return v + 1;
	}

	static void empty() {
	}

	static int caller(int v) {
		return small(v) + small(v + 1);
	}

	static int halfFails(int v) {
		if ((v & 1) == 0)
			throw STATIC;
		return v;
	}

	static int catches(int v) {
		try {
			return halfFails(v);
		} catch (IllegalStateException e) {
			return 0;
		}
	}

	static final IllegalStateException STATIC = new IllegalStateException();

	/** One call, which goes on for long: compiled while it runs. */
	static long loop(int times) {
		Count.at("truth.Hot.loop(int)");
		long sum = 0;
		for (int i = 0; i < times * 10; i++) {
			sum += i ^ (sum >> 3);
			if ((i & 0xfffff) == 77)
				sum += small(i) - i;
		}
		return sum;
	}

	static int check(int[] array, int at) {
		return array[at];
	}

	interface Step {
		int step(int v);
	}

	static class One implements Step {
		One() {
			Count.at("truth.Hot$One.<init>()");
		}

		@Override
		public int step(int v) {
			return v + 1;
		}
	}

	/** Loaded late: what was compiled for One alone is not right any more. */
	static class Two implements Step {
		Two() {
			Count.at("truth.Hot$Two.<init>()");
		}

		@Override
		public int step(int v) {
			return v + 2;
		}
	}

	static int steps(Step step, int times) {
		Count.at("truth.Hot.steps(Hot$Step, int)");
		int sum = 0;
		for (int i = 0; i < times; i++)
			sum = step.step(sum);
		return sum;
	}

	static int rare(Object what, int v) {
		if (what != null)
			return what.hashCode();
		return v;
	}

	private static void compiled(int times) {
		Count.at("truth.Hot.compiled(int)");
		int sum = 0;
		for (int i = 0; i < times; i++) {
			sum += caller(i);
			empty();
			sum += catches(i);
		}
		sink = sum;
		Count.at("truth.Hot.small(int)", 2L * times);
		Count.at("truth.Hot.caller(int)", times);
		Count.at("truth.Hot.empty()", times);
		Count.at("truth.Hot.catches(int)", times);
		Count.at("truth.Hot.halfFails(int)", times);
	}

	/** In the middle of a compiled loop comes what did not come before. */
	private static void deoptimised(int times) {
		Count.at("truth.Hot.deoptimised(int)");
		int[] array = new int[10];
		int sum = 0;
		int failed = 0;
		for (int i = 0; i < times; i++) {
			boolean isLate = i > times - times / 10;
			try {
				sum += check(i % 97 == 0 && isLate ? null : array,
					i % 89 == 0 && isLate ? 10 : i % 10);
			} catch (NullPointerException | ArrayIndexOutOfBoundsException e) {
				failed++;
			}
			sum += rare(isLate ? "" : null, i);
		}
		Check.that(failed > 0);
		sink = sum;
		Count.at("truth.Hot.check(int[], int)", times);
		Count.at("truth.Hot.rare(Object, int)", times);
		Check.that(steps(new One(), times) == times);
		Check.that(steps(new Two(), times) == 2 * times);
		Check.that(steps(new One(), times) == times);
		Count.at("truth.Hot$One.step(int)", 2L * times);
		Count.at("truth.Hot$Two.step(int)", times);
	}

	private static int operated(IntUnaryOperator by, int times) {
		Count.at("truth.Hot.operated(IntUnaryOperator, int)");
		int sum = 0;
		for (int i = 0; i < times; i++)
			sum = by.applyAsInt(sum);
		return sum;
	}

	public static void all(int times) {
		Count.at("truth.Hot.all(int)");
		Count.at("truth.Hot.<clinit>()");
		compiled(times);
		deoptimised(times);
		Count.at("truth.Hot.small(int)",
			(times * 10L - 78) / 0x100000 + (times * 10L > 77 ? 1 : 0));
		Check.that(loop(times) != 1);
		Check.that(operated(Hot::small, times) == times);
		Check.that(operated(v -> small(v) + 1, times) == 2 * times);
		Count.at("truth.Hot.small(int)", 2L * times);
	}
}
