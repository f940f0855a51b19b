package truth;

import tally.Count;

/** A value of each type is returned, by methods with and without an object. */
public class Returns {
	static void nothing() {
		Count.at("truth.Returns.nothing()");
	}

	static boolean ofBoolean(boolean v) {
		Count.at("truth.Returns.ofBoolean(boolean)");
		return !v;
	}

	static byte ofByte(byte v) {
		Count.at("truth.Returns.ofByte(byte)");
		return v;
	}

	static char ofChar(char v) {
		Count.at("truth.Returns.ofChar(char)");
		return v;
	}

	static short ofShort(short v) {
		Count.at("truth.Returns.ofShort(short)");
		return v;
	}

	static int ofInt(int v) {
		Count.at("truth.Returns.ofInt(int)");
		return v + 1;
	}

	static long ofLong(long v) {
		Count.at("truth.Returns.ofLong(long)");
		return v + 1;
	}

	static float ofFloat(float v) {
		Count.at("truth.Returns.ofFloat(float)");
		return v + 1;
	}

	static double ofDouble(double v) {
		Count.at("truth.Returns.ofDouble(double)");
		return v + 1;
	}

	static String ofString(String v) {
		Count.at("truth.Returns.ofString(String)");
		return v;
	}

	static long[] ofArray(long[] v, int[][] w) {
		Count.at("truth.Returns.ofArray(long[], int[][])");
		return v;
	}

	Returns() {
		Count.at("truth.Returns.<init>()");
	}

	int own = 1;

	int mine(int a, long b, double c, Object d) {
		Count.at("truth.Returns.mine(int, long, double, Object)");
		return own + (int) (a + b + c) + (d == null ? 0 : 1);
	}

	/** Several ways out, one of them in the middle. */
	static String many(int v) {
		Count.at("truth.Returns.many(int)");
		if (v == 0)
			return "none";
		for (int i = 0; i < 3; i++)
			if (v == i)
				return "few";
		return v < 0 ? null : "many";
	}

	/** What is left on the stack when it returns: a caller's sum. */
	static int deep(int v) {
		Count.at("truth.Returns.deep(int)");
		return 1 + (2 + (3 + (4 + (5 + (v == 7 ? ofInt(v) : Math.abs(v))))));
	}

	public static void all() {
		Count.at("truth.Returns.all()");
		for (int i = 0; i < 7; i++) {
			nothing();
			Check.that(ofBoolean(false));
			Check.that(ofByte((byte) -1) == -1);
			Check.that(ofChar('\uffff') == '\uffff');
			Check.that(ofShort((short) -2) == -2);
			Check.that(ofInt(i) == i + 1);
			Check.that(ofLong(1L << 40) == (1L << 40) + 1);
			Check.that(ofFloat(0.5f) == 1.5f);
			Check.that(ofDouble(0.25) == 1.25);
			Check.that("a".equals(ofString("a")));
			Check.that(ofArray(new long[3], null).length == 3);
			Check.that(new Returns().mine(1, 2, 3, "") == 8);
			Check.that(many(i) != null && many(-1) == null);
			Check.that(deep(i) == 15 + i);
			Check.that(deep(7) == 23);
		}
	}
}
