import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Asks a query with the JDK's own code, which its jfr has but does not offer as a command.
 *
 * Arguments: [--verbose] [--width columns] [--truncate mode] [--cell-height lines]
 * query recording. The table comes without a title.
 */
public class Query {
	public static void main(String[] arguments) throws ReflectiveOperationException {
		Class<?> type = Class.forName("jdk.jfr.internal.tool.Query");
		Constructor<?> make = type.getDeclaredConstructor();
		Method execute = type.getMethod("execute", Deque.class);

		make.setAccessible(true);
		execute.setAccessible(true);
		try {
			execute.invoke(make.newInstance(),
				       new ArrayDeque<>(Arrays.asList(arguments)));
		} catch (InvocationTargetException e) {
			System.err.println(e.getCause());
			System.exit(1);
		}
	}
}
