package java.lang;

/** What rewriter.c's methods call: it counts, and sees that a start comes back. */
public final class RewriterProbe {
	private static final long START = 0x0123456789abcdefL;

	static int calls;
	static int wrong;

	private RewriterProbe() {
	}

	public static long enter() {
		return START;
	}

	public static void exit(long start, int id) {
		calls++;
		if (start != START || id < 0)
			wrong++;
	}
}
