import java.io.PrintStream;
import slow.Work;
import tally.Count;

/**
 * Calls that take long, and such that do not; counts as Truth does: Slow COUNTS. With one
 * more word the program ends within a call: Slow COUNTS exit, or halt.
 */
public class Slow {
	public static void main(String[] args) throws Exception {
		for (int i = 0; i < 20; i++)
			Work.sleep(0);
		for (int i = 0; i < 3; i++)
			try {
				Work.around(1000);
			} catch (IllegalStateException e) {
				Work.sleep(0);
			}
		if (Work.deep() < 100)
			throw new AssertionError();
		if (args.length > 1)
			Work.leave(() -> {
				print(args[0]);
				Runtime.getRuntime().exit(0);
			}, () -> {
				print(args[0]);
				Runtime.getRuntime().halt(0);
			}, args[1].equals("exit"));
		print(args[0]);
	}

	private static void print(String file) {
		try (PrintStream to = new PrintStream(file)) {
			Count.print(to);
		} catch (java.io.IOException e) {
			throw new IllegalStateException(e);
		}
		System.out.println("done");
	}
}
