package truth;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.function.Supplier;
import tally.Count;

/** Code of many shapes: frames, tables, loops, bridges, interfaces. */
public class Shapes {
	private Shapes() {
	}

	/** The loop is at offset 0: what is put before it may not be in it. */
	static int zero(int n) {
		while (n-- > 0)
			;
		return n;
	}

	static void zeroByException(Iterator<Integer> of) {
		for (;;)
			of.next();
	}

	static long wide(long a, double b, long c, double d, int e) {
		Count.at("truth.Shapes.wide(long, double, long, double, int)");
		long sum = a + c;
		for (int i = 0; i < e; i++) {
			double step = b * i;
			if (step > d) {
				long rest = sum - i;
				return rest;
			}
			sum += (long) step;
		}
		return sum;
	}

	/** More than 255 slots of locals: what is stored behind them is wide. */
	static long large(int n) {
		Count.at("truth.Shapes.large(int)");
		long a0 = n, a1 = 1, a2 = 2, a3 = 3, a4 = 4, a5 = 5, a6 = 6, a7 = 7, a8 = 8, a9 = 9;
		long b0 = n, b1 = 1, b2 = 2, b3 = 3, b4 = 4, b5 = 5, b6 = 6, b7 = 7, b8 = 8, b9 = 9;
		long c0 = n, c1 = 1, c2 = 2, c3 = 3, c4 = 4, c5 = 5, c6 = 6, c7 = 7, c8 = 8, c9 = 9;
		long d0 = n, d1 = 1, d2 = 2, d3 = 3, d4 = 4, d5 = 5, d6 = 6, d7 = 7, d8 = 8, d9 = 9;
		long e0 = n, e1 = 1, e2 = 2, e3 = 3, e4 = 4, e5 = 5, e6 = 6, e7 = 7, e8 = 8, e9 = 9;
		long f0 = n, f1 = 1, f2 = 2, f3 = 3, f4 = 4, f5 = 5, f6 = 6, f7 = 7, f8 = 8, f9 = 9;
		long g0 = n, g1 = 1, g2 = 2, g3 = 3, g4 = 4, g5 = 5, g6 = 6, g7 = 7, g8 = 8, g9 = 9;
		long h0 = n, h1 = 1, h2 = 2, h3 = 3, h4 = 4, h5 = 5, h6 = 6, h7 = 7, h8 = 8, h9 = 9;
		long i0 = n, i1 = 1, i2 = 2, i3 = 3, i4 = 4, i5 = 5, i6 = 6, i7 = 7, i8 = 8, i9 = 9;
		long j0 = n, j1 = 1, j2 = 2, j3 = 3, j4 = 4, j5 = 5, j6 = 6, j7 = 7, j8 = 8, j9 = 9;
		long k0 = n, k1 = 1, k2 = 2, k3 = 3, k4 = 4, k5 = 5, k6 = 6, k7 = 7, k8 = 8, k9 = 9;
		long l0 = n, l1 = 1, l2 = 2, l3 = 3, l4 = 4, l5 = 5, l6 = 6, l7 = 7, l8 = 8, l9 = 9;
		long m0 = n, m1 = 1, m2 = 2, m3 = 3, m4 = 4, m5 = 5, m6 = 6, m7 = 7, m8 = 8, m9 = 9;
		long sum = 0;
		for (int i = 0; i < n; i++) {
			sum += a0 + b0 + c0 + d0 + e0 + f0 + g0 + h0 + i0 + j0 + k0 + l0 + m0;
			try {
				sum += a1 + b2 + c3 + d4 + e5 + f6 + g7 + h8 + i9 + j1 + k2 + l3 + m4;
				if (sum > 1000)
					throw new IllegalStateException();
			} catch (IllegalStateException e) {
				sum -= m9 + m8 + m7 + m6 + m5 + m3 + m2 + m1 + l9 + l8 + k7 + k6;
			}
		}
		return sum;
	}

	static int table(int v) {
		Count.at("truth.Shapes.table(int)");
		switch (v) {
		case 0:
			return 10;
		case 1:
		case 2:
			v += 5;
		case 3:
			return v;
		case 4:
			throw new IllegalStateException();
		default:
			break;
		}
		return -1;
	}

	static String lookup(long seed) {
		Count.at("truth.Shapes.lookup(long)");
		int seen = 0;
		for (;;) {
			switch ((int) (seed ^= seed << 7 ^ seed >>> 9)) {
			case -1000000:
				return "low";
			case 5:
				seen++;
				continue;
			case 1 << 30:
				return "high";
			default:
				if (++seen > 10)
					return "none";
			}
		}
	}

	static int text(String of) {
		Count.at("truth.Shapes.text(String)");
		switch (of) {
		case "Aa":
			return 1;
		case "BB":	/* has the hash of the one above */
			return 2;
		case "":
			return 3;
		default:
			return of.length();
		}
	}

	static int ofEnum(Made.Colour colour) {
		Count.at("truth.Shapes.ofEnum(Made$Colour)");
		switch (colour) {
		case RED:
			return 1;
		case GREEN:
			return 2;
		default:
			return 3;
		}
	}

	static int varargs(int first, String... more) {
		Count.at("truth.Shapes.varargs(int, String[])");
		return first + more.length;
	}

	/** Jumps back and forth, with things on the stack. */
	static int conditions(int a, int b, Object c) {
		Count.at("truth.Shapes.conditions(int, int, Object)");
		return (a > b ? a : b) * (c == null ? a < 0 ? 1 : 2 : c instanceof String
			? ((String) c).length() : 4) + (a == b && c != null || b < 0 ? 1 : 0);
	}

	static int nestedLoops(int n) {
		Count.at("truth.Shapes.nestedLoops(int)");
		int sum = 0;
		outer:
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				for (int k = 0; ; k++) {
					if (k == j)
						continue outer;
					if (sum > 1000000)
						break outer;
					sum += k;
				}
		return sum;
	}

	interface Named {
		String name();

		default String greeting() {
			Count.at("truth.Shapes$Named.greeting()");
			return "hello " + name();
		}

		static Named of(String name) {
			Count.at("truth.Shapes$Named.of(String)");
			return () -> name;
		}
	}

	static class Person implements Named, Comparable<Person>, Supplier<String> {
		final String name;

		Person(String name) {
			Count.at("truth.Shapes$Person.<init>(String)");
			this.name = name;
		}

		@Override
		public String name() {
			Count.at("truth.Shapes$Person.name()");
			return name;
		}

		@Override
		public String greeting() {
			Count.at("truth.Shapes$Person.greeting()");
			return Named.super.greeting() + "!";
		}

		/** With a bridge, compareTo(Object). */
		@Override
		public int compareTo(Person other) {
			Count.at("truth.Shapes$Person.compareTo(Shapes$Person)");
			return name.compareTo(other.name);
		}

		/** With a bridge of the same parameters, which returns an Object. */
		@Override
		public String get() {
			Count.at("truth.Shapes$Person.get()");
			return name;
		}

		@Override
		protected Person clone() {
			Count.at("truth.Shapes$Person.clone()");
			return new Person(name);
		}

		/** Called by the class around it: with an accessor. */
		private int secret() {
			Count.at("truth.Shapes$Person.secret()");
			return 42;
		}
	}

	static abstract class Abstract {
		Abstract() {
			Count.at("truth.Shapes$Abstract.<init>()");
		}

		abstract int inner();

		final int outer() {
			Count.at("truth.Shapes$Abstract.outer()");
			return inner() + 1;
		}
	}

	static class Concrete extends Abstract {
		Concrete() {
			Count.at("truth.Shapes$Concrete.<init>()");
		}

		@Override
		int inner() {
			Count.at("truth.Shapes$Concrete.inner()");
			return 1;
		}
	}

	private static void types(int i) {
		Count.at("truth.Shapes.types(int)");
		Person[] people = {new Person("b"), new Person("a"), new Person("c")};
		Arrays.sort(people, Comparator.naturalOrder());
		Check.that(people[0].greeting().equals("hello a!"));
		Supplier<String> supplier = people[1];
		Check.that(supplier.get().equals("b"));
		Object copy = people[2].clone();
		Check.that(copy != people[2] && people[2].secret() == 42);
		Check.that(Named.of("d").greeting().equals("hello d"));
		Abstract made = i % 2 == 0 ? new Concrete() : new Concrete() {
			{
				Count.at("truth.Shapes$1.<init>()");
			}

			@Override
			int inner() {
				Count.at("truth.Shapes$1.inner()");
				return super.inner() + 1;
			}
		};
		Check.that(made.outer() == 2 + i % 2);
	}

	public static void all() {
		Count.at("truth.Shapes.all()");
		/* What javac makes for the switch over an enum. */
		Count.at("truth.Shapes$2.<clinit>()");
		Count.at("truth.Made$Colour.values()");
		for (int i = 0; i < 10; i++) {
			Count.at("truth.Shapes.zero(int)");
			Check.that(zero(i) == -1);
			Iterator<Integer> some = Arrays.asList(1, 2, 3).iterator();
			Count.at("truth.Shapes.zeroByException(Iterator)");
			Check.fails(java.util.NoSuchElementException.class,
				() -> zeroByException(some));
			Check.that(wide(1, 2, 3, 1e9, i) == 4 + i * (i - 1));
			Check.that(large(i) >= 0 && lookup(i + 1) != null);
			if (i == 4)
				Check.fails(IllegalStateException.class, () -> table(4));
			else
				table(i);
			Check.that(text("Aa") == 1 && text("BB") == 2 && text("C#") == 2);
			Check.that(ofEnum(Made.Colour.GREEN) == 2);
			Check.that(varargs(1) == 1 && varargs(1, "a", "b") == 3);
			Check.that(conditions(i, i, "abc") == i * 3 + 1);
			Check.that(nestedLoops(i) >= 0);
			types(i);
		}
	}
}
