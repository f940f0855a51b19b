package tally;

import java.io.PrintStream;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How often each method was called, as the program itself knows it. */
public final class Count {
	private static final ConcurrentHashMap<String, LongAdder> counts =
		new ConcurrentHashMap<>();

	private Count() {
	}

	/** The method of that name, as recordings print it, is called. */
	public static void at(String method) {
		at(method, 1);
	}

	public static void at(String method, long times) {
		LongAdder count = counts.get(method);
		if (count == null)
			count = counts.computeIfAbsent(method, name -> new LongAdder());
		count.add(times);
	}

	/** The same where only an expression can be: among arguments. */
	public static <T> T given(String method, T value) {
		at(method);
		return value;
	}

	/** Lines "METHOD, a tab, COUNT". */
	public static void print(PrintStream to) {
		for (Map.Entry<String, LongAdder> each : new TreeMap<>(counts).entrySet())
			to.println(each.getKey() + "\t" + each.getValue().sum());
		to.flush();
	}
}
