import java.io.PrintStream;
import tally.Count;

/**
 * Calls methods of the package truth in every way there is, and prints how often each was
 * called, to a file: Truth COUNTS TIMES THREADS.
 */
public class Truth {
	public static void main(String[] args) throws Throwable {
		int times = Integer.parseInt(args[1]);
		int threads = Integer.parseInt(args[2]);
		/* Those that die say nothing. */
		Thread.setDefaultUncaughtExceptionHandler((thread, exception) -> {
		});
		truth.Returns.all();
		truth.Throws.all();
		truth.Recursion.all();
		truth.Made.all();
		truth.Statics.all();
		truth.Locks.all();
		truth.Shapes.all();
		truth.Hot.all(times);
		truth.Huge.all(3);
		truth.Threads.all(times, threads);
		try (PrintStream to = new PrintStream(args[0])) {
			Count.print(to);
		}
		System.out.println("done");
	}
}
