package truth;

import java.util.Comparator;
import tally.Count;

/** Constructors, and how they end. */
public class Made {
	final int value;

	Made(int value) {
		Count.at("truth.Made.<init>(int)");
		if (value < 0)
			throw new IllegalArgumentException();
		this.value = value;
	}

	/** By another one. */
	Made() {
		this(Count.given("truth.Made.<init>()", 7));
	}

	/** The argument for the other one is where it may fail: that is seen. */
	Made(String text) {
		this(parsed(Count.given("truth.Made.<init>(String)", text)));
	}

	/** After the other one. */
	Made(long value) {
		this((int) value);
		Count.at("truth.Made.<init>(long)");
		if (value > 100)
			throw new IllegalStateException();
	}

	/** With a choice before the other one, and both halves may jump. */
	Made(int a, int b) {
		this(a > b ? Count.given("truth.Made.<init>(int, int)", a)
			: b > 10 ? parsed(Count.given("truth.Made.<init>(int, int)", "ten"))
			: Count.given("truth.Made.<init>(int, int)", b));
		for (int i = 0; i < a; i++)
			if (i > b)
				return;
	}

	static int parsed(String text) {
		Count.at("truth.Made.parsed(String)");
		return Integer.parseInt(text);
	}

	/** Objects are made among the arguments of the constructor. */
	static class Below extends Made {
		final Object more;

		Below(String text, Object more) {
			super(new Made(Count.given("truth.Made$Below.<init>(String, Object)", text))
				.value);
			this.more = more;
			array = null;
		}

		/** Fails afterwards, in what looks like no part of it. */
		final int[] array;

		Below(int size) {
			super(1);
			more = null;
			Count.at("truth.Made$Below.<init>(int)");
			array = new int[size];
		}

		{
			array(this);
		}

		static void array(Below of) {
			Count.at("truth.Made$Below.array(Made$Below)");
		}
	}

	/** The exception comes out of the call of the other one: nobody sees that here. */
	static class Unseen extends Made {
		Unseen() {
			super(-1);
			Check.that(false);
		}

		Unseen(long value) {
			this();
			Check.that(false);
		}
	}

	/** Has a constructor that does nothing. */
	static class Plain {
		Plain() {
			Count.at("truth.Made$Plain.<init>()");
		}
	}

	/** One that returns in the middle, and catches. */
	static class Catches extends Plain {
		Catches(int v) {
			Count.at("truth.Made$Catches.<init>(int)");
			try {
				if (v == 0)
					return;
				Throws.sometimes(v);
			} catch (Throws.Odd e) {
				if (v == 4)
					throw e;
			} finally {
				Check.that(true);
			}
		}
	}

	/** Knows the object around it. */
	class Inner {
		final long sum;

		Inner(long a, double b) {
			Count.at("truth.Made$Inner.<init>(Made, long, double)");
			sum = a + (long) b + value;
		}

		class Innermost {
			Innermost() {
				Count.at("truth.Made$Inner$Innermost.<init>(Made$Inner)");
				Check.that(sum > value);
			}
		}
	}

	enum Colour {
		RED(1), GREEN(2) {
			@Override
			int twice() {
				Count.at("truth.Made$Colour$1.twice()");
				return -1;
			}
		};

		final int number;

		Colour(int number) {
			Count.at("truth.Made$Colour.<init>(String, int, int)");
			this.number = number;
		}

		static {
			Count.at("truth.Made$Colour.<clinit>()");
			/* GREEN's class has a constructor, which was called once. */
			Count.at("truth.Made$Colour$1.<init>(String, int, int)");
		}

		int twice() {
			Count.at("truth.Made$Colour.twice()");
			return 2 * number;
		}
	}

	static class Generic<T extends Comparable<T>> {
		final T least;

		@SafeVarargs
		Generic(Comparator<? super T> by, T... of) {
			Count.at("truth.Made$Generic.<init>(Comparator, Comparable[])");
			T found = of[0];
			for (T each : of)
				if (by.compare(each, found) < 0)
					found = each;
			least = found;
		}
	}

	private static void inner(int i) {
		Count.at("truth.Made.inner(int)");
		Made made = new Made(i);
		Made.Inner inner = made.new Inner(1, 2.0);
		Check.that(inner.new Innermost() != null);
		int captured = i;
		class Local {
			final int sum;

			Local(int a) {
				Count.at("truth.Made$1Local.<init>(int, int)");
				sum = a + captured;
			}
		}
		Check.that(new Local(1).sum == i + 1);
		Count.at("truth.Made$1.<init>(int)");
		Plain anonymous = new Plain() {
			@Override
			public String toString() {
				Count.at("truth.Made$1.toString()");
				return "" + captured;
			}
		};
		Check.that(anonymous.toString().equals("" + i));
	}

	private static void failing() {
		Count.at("truth.Made.failing()");
		Check.fails(IllegalArgumentException.class, () -> new Made(-1));
		Check.fails(NumberFormatException.class, () -> new Made("a"));
		Check.fails(NumberFormatException.class, () -> new Made(11, 12));
		Check.fails(NumberFormatException.class, () -> new Below("b", null));
		Check.fails(IllegalStateException.class, () -> new Made(101L));
		Check.fails(NegativeArraySizeException.class, () -> new Below(-1));
		Check.fails(Throws.Odd.class, () -> new Catches(4));
		Check.fails(ClassCastException.class, () -> raw());
		Check.fails(IllegalArgumentException.class, () -> new Unseen());
		Check.fails(IllegalArgumentException.class, () -> new Unseen(1));
	}

	@SuppressWarnings({"unchecked", "rawtypes"})
	private static void raw() {
		Count.at("truth.Made.raw()");
		new Generic(Comparator.naturalOrder(), (Comparable[]) new Comparable[] {1, "a"});
	}

	public static void all() {
		Count.at("truth.Made.all()");
		for (int i = 0; i < 10; i++) {
			Check.that(new Made(i).value == i && new Made("8").value == 8);
			Check.that(new Made().value == 7 && new Made(9L).value == 9);
			Check.that(new Made(11, i).value == 11 && new Made(5, 6).value == 6);
			Check.that(new Below("5", "").value == 5);
			Check.that(new Below(i).array.length == i);
			new Catches(i == 4 ? 5 : i);
			inner(i);
			failing();
			Check.that(Colour.RED.twice() == 2 && Colour.GREEN.twice() == -1);
			Check.that(new Generic<>(Comparator.<String>naturalOrder(), "b", "a")
				.least.equals("a"));
		}
	}
}
