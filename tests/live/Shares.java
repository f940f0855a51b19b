import java.util.Arrays;
import java.util.List;

/**
 * Shares [SECONDS [THREADS]]: three methods that take 60, 30 and 10 percent of the CPU
 * time. Their loops are such that compiled code needs no safepoint polls in them.
 */
public class Shares {
	/** Nothing but counting. */
	static class Counted extends Part {
		Counted() {
			super(600);
		}

		@Override
		long work() {
			int sum = 1;

			for (int i = 0; i < 2_000_000; i++)
				sum = sum * 31 + (sum >>> 7 ^ i);
			return sum;
		}
	}

	/** Over arrays, with loops in a loop. */
	static class Arrayed extends Part {
		private final int[] from = new int[4096], to = new int[4096];

		Arrayed() {
			super(300);
		}

		@Override
		long work() {
			long sum = 0;

			for (int i = 0; i < from.length; i++)
				from[i] = i * i;
			for (int turn = 0; turn < 600; turn++) {
				for (int i = 1; i < to.length; i++)
					to[i] = from[i] * turn + (to[i - 1] >>> 3);
				sum += to[turn];
			}
			return sum;
		}
	}

	/** With small methods, which are inlined. */
	static class Helped extends Part {
		Helped() {
			super(100);
		}

		private static int spread(int value) {
			return value ^ value << 13;
		}

		private static int fold(int value) {
			return value ^ value >>> 17;
		}

		private static int next(int value) {
			int folded = fold(spread(value));

			return folded ^ folded << 5;
		}

		@Override
		long work() {
			int value = 12345;
			long sum = 0;

			for (int i = 0; i < 1_000_000; i++) {
				value = next(value);
				sum += value & 0xff;
			}
			return sum;
		}
	}

	private static List<Part> parts() {
		return Arrays.asList(new Counted(), new Arrayed(), new Helped());
	}

	public static void main(String[] args) throws InterruptedException {
		Part.main(Shares::parts, args);
	}
}
