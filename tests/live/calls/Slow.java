import java.io.PrintStream;
import slow.Work;
import tally.Count;

/** Calls that take long, and such that do not; counts as Truth does: Slow COUNTS. */
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
		try (PrintStream to = new PrintStream(args[0])) {
			Count.print(to);
		}
		System.out.println("done");
	}
}
