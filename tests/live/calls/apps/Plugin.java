package apps;

import java.util.function.Consumer;
import java.util.function.IntBinaryOperator;

/**
 * Loaded by loaders that see nothing of the program: it is told through types of java.*
 * how to count. Has the same methods in each of them.
 */
public class Plugin implements IntBinaryOperator {
	private final Consumer<String> count;

	public Plugin(Consumer<String> count) {
		count.accept("apps.Plugin.<init>(Consumer)");
		this.count = count;
	}

	/** Divides: by 0 the JVM throws. */
	@Override
	public int applyAsInt(int a, int b) {
		count.accept("apps.Plugin.applyAsInt(int, int)");
		return new Helper(count).quotient(a, b);
	}

	static class Helper {
		private final Consumer<String> count;

		Helper(Consumer<String> count) {
			count.accept("apps.Plugin$Helper.<init>(Consumer)");
			this.count = count;
		}

		int quotient(int a, int b) {
			count.accept("apps.Plugin$Helper.quotient(int, int)");
			return a / b;
		}
	}
}
