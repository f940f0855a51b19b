import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Runs many commands of the JDK's jfr in one JVM, which takes a tenth of the time.
 *
 * Each line of the input is the name of a file for the output, then the arguments,
 * with tabs between them. Of a command that fails, FILE.failed tells the reason.
 */
public class Tool {
	static final PrintStream STDOUT = System.out;

	static Object command(String name) throws ReflectiveOperationException {
		Class<?> type = Class.forName("jdk.jfr.internal.tool.Command");
		Method valueOf = type.getDeclaredMethod("valueOf", String.class);
		valueOf.setAccessible(true);
		return valueOf.invoke(null, name);
	}

	static void execute(Object command, Deque<String> arguments) throws Throwable {
		Method execute = command.getClass().getMethod("execute", Deque.class);
		execute.setAccessible(true);
		try {
			execute.invoke(command, arguments);
		} catch (InvocationTargetException e) {
			throw e.getCause();
		}
	}

	static String reason(Throwable e) {
		var text = new StringBuilder(e.toString());
		for (StackTraceElement element : e.getStackTrace()) {
			text.append("\n\tat ").append(element);
		}
		return text.append('\n').toString();
	}

	static void run(String[] line) throws IOException {
		var file = new FileOutputStream(line[0]);

		try (var out = new PrintStream(file, false, StandardCharsets.UTF_8)) {
			System.setOut(out);
			execute(command(line[1]),
				new ArrayDeque<>(Arrays.asList(line).subList(2, line.length)));
		} catch (Throwable e) {
			Files.writeString(Path.of(line[0] + ".failed"), reason(e));
		} finally {
			System.setOut(STDOUT);
		}
	}

	public static void main(String[] args) throws IOException {
		var reader = new BufferedReader(
			new InputStreamReader(System.in, StandardCharsets.UTF_8));

		for (String text; (text = reader.readLine()) != null;) {
			run(text.split("\t", -1));
		}
	}
}
