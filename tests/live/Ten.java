import java.util.Arrays;
import java.util.List;

/**
 * Ten [SECONDS [THREADS]]: ten methods whose shares of the CPU time differ clearly: their
 * square roots are about the same distance apart, so that any two that are neighbours are
 * told apart with as many samples.
 */
public class Ten {
	/** Steps until a number becomes 1. */
	static class Collatz extends Part {
		Collatz() {
			super(230);
		}

		@Override
		long work() {
			long steps = 0;

			for (int i = 1; i < 9000; i++) {
				for (long n = i; n != 1; steps++)
					n = (n & 1) == 0 ? n >> 1 : 3 * n + 1;
			}
			return steps;
		}
	}

	/** Primes. */
	static class Sieve extends Part {
		private final byte[] composite = new byte[300_000];

		Sieve() {
			super(190);
		}

		@Override
		long work() {
			int primes = 0;

			for (int i = 0; i < composite.length; i++)
				composite[i] = 0;
			for (int i = 2; i < composite.length; i++) {
				if (composite[i] != 0)
					continue;
				primes++;
				for (long j = (long)i * i; j < composite.length; j += i)
					composite[(int)j] = 1;
			}
			return primes;
		}
	}

	/** Greatest common divisors. */
	static class Divisor extends Part {
		Divisor() {
			super(157);
		}

		@Override
		long work() {
			long sum = 0;

			for (int i = 1; i < 20_000; i++) {
				int a = 360_360, b = i;

				while (b != 0) {
					int rest = a % b;

					a = b;
					b = rest;
				}
				sum += a;
			}
			return sum;
		}
	}

	/** A product of matrices. */
	static class Matrix extends Part {
		private static final int SIZE = 110;
		private final double[] a = new double[SIZE * SIZE], b = new double[SIZE * SIZE];

		Matrix() {
			super(125);
			for (int i = 0; i < a.length; i++) {
				a[i] = i % 17;
				b[i] = i % 13;
			}
		}

		@Override
		long work() {
			double trace = 0;

			for (int i = 0; i < SIZE; i++) {
				for (int j = 0; j < SIZE; j++) {
					double sum = 0;

					for (int k = 0; k < SIZE; k++)
						sum += a[i * SIZE + k] * b[k * SIZE + j];
					trace += sum;
				}
			}
			return (long)trace;
		}
	}

	/** A checksum, bit by bit. */
	static class Checksum extends Part {
		Checksum() {
			super(97);
		}

		@Override
		long work() {
			int crc = -1;

			for (int i = 0; i < 100_000; i++) {
				crc ^= i & 0xff;
				for (int bit = 0; bit < 8; bit++)
					crc = crc >>> 1 ^ (crc & 1) * 0xedb88320;
			}
			return crc;
		}
	}

	/** Sorting by insertion. */
	static class Sorting extends Part {
		private final int[] values = new int[2000];

		Sorting() {
			super(73);
		}

		@Override
		long work() {
			int value = 7;

			for (int i = 0; i < values.length; i++) {
				value = value * 1_103_515_245 + 12_345;
				int j = i;

				for (; j > 0 && values[j - 1] > value; j--)
					values[j] = values[j - 1];
				values[j] = value;
			}
			return values[values.length / 2];
		}
	}

	/** Ways to climb stairs. */
	static class Stairs extends Part {
		private final long[] ways = new long[2000];

		Stairs() {
			super(52);
		}

		@Override
		long work() {
			long sum = 0;

			for (int step = 1; step < 800; step++) {
				ways[0] = step;
				for (int i = 1; i < ways.length; i++)
					ways[i] = ways[i - 1] * 3 + (i >= step ? ways[i - step] : 1);
				sum += ways[ways.length - 1];
			}
			return sum;
		}
	}

	/** Random numbers. */
	static class Dice extends Part {
		Dice() {
			super(36);
		}

		@Override
		long work() {
			long state = 88_172_645_463_325_252L;
			long sum = 0;

			for (int i = 0; i < 800_000; i++) {
				state ^= state << 13;
				state ^= state >>> 7;
				state ^= state << 17;
				sum += state & 7;
			}
			return sum;
		}
	}

	/** A hash of text. */
	static class Hash extends Part {
		private final char[] text = "a text that is hashed again and again".toCharArray();

		Hash() {
			super(24);
		}

		@Override
		long work() {
			int hash = 0;

			for (int turn = 0; turn < 50_000; turn++) {
				for (int i = 0; i < text.length; i++)
					hash = (hash ^ text[i]) * 16_777_619;
			}
			return hash;
		}
	}

	/** Bits that are set. */
	static class Bits extends Part {
		Bits() {
			super(16);
		}

		@Override
		long work() {
			long bits = 0;

			for (int i = 0; i < 60_000; i++) {
				for (int rest = i * 40_503; rest != 0; rest &= rest - 1)
					bits++;
			}
			return bits;
		}
	}

	private static List<Part> parts() {
		return Arrays.asList(new Collatz(), new Sieve(), new Divisor(), new Matrix(),
			new Checksum(), new Sorting(), new Stairs(), new Dice(), new Hash(),
			new Bits());
	}

	public static void main(String[] args) throws InterruptedException {
		Part.main(Ten::parts, args);
	}
}
