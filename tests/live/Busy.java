import java.util.concurrent.ThreadLocalRandom;

import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/**
 * Busy SECONDS: something to record until then, or until it is killed. Threads come and
 * go, classes are loaded, strings are new: so that each chunk has constants of its own.
 */
public class Busy {
	@Name("busy.Turn")
	@Label("Turn")
	static class Turn extends Event {
		@Label("Number")
		int number;

		@Label("Word")
		String word;
	}

	private static volatile Object kept;

	public static void main(String[] args) throws Exception {
		long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;

		for (int number = 0; System.nanoTime() < end; number++) {
			int turn = number;
			Thread thread = new Thread(() -> turn(turn, 6), "turn-" + number);

			thread.start();
			thread.join();
			Thread.sleep(5);
		}
	}

	private static void turn(int number, int depth) {
		if (depth > 0) {
			turn(number, depth - 1);
			return;
		}
		for (int i = 0; i < 200; i++) {
			Turn turn = new Turn();

			turn.begin();
			kept = new byte[ThreadLocalRandom.current().nextInt(10_000)];
			turn.number = number;
			turn.word = "word " + number + "." + i;
			turn.commit();
		}
	}
}
