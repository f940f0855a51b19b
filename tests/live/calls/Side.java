import java.util.Arrays;
import side.Work;

/** The same calls each time, without exceptions: Side TIMES. */
public class Side {
	public static void main(String[] args) throws Exception {
		int times = Integer.parseInt(args[0]);
		Thread[] threads = new Thread[4];
		for (int i = 0; i < threads.length; i++) {
			threads[i] = new Thread(() -> work(times), "side-" + i);
			threads[i].start();
		}
		for (Thread each : threads)
			each.join();
		Work.slow(20);
		Work.slow(30);
		System.out.println("done");
	}

	private static void work(int times) {
		Work work = new Work();
		Work.Nested nested = new Work.Nested();
		Work[] all = new Work[4];
		int sum = 0;
		for (int i = 0; i < times; i++) {
			sum += Work.plain(i) + Work.recursive(i & 7) + Work.varargs(i, i)
				+ Work.overloaded(i) + Work.lambdas(i);
			sum += (int) Work.overloaded((long) i) + work.locked(nested);
			sum += nested.instance(1, 2, args(), new int[0][]);
			Work.overloaded("a");
			if (i % 100 == 0) {
				for (int j = 0; j < all.length; j++)
					all[j] = new Work(j);
				Arrays.sort(all);
				for (Work.Kind kind : Work.Kind.values())
					sum += kind.twice();
				sum += Work.Shape.of(3).twice();
				sum += new Work.Abstract() {
					@Override
					public int here() {
						return 1;
					}
				}.there();
			}
		}
		if (sum == 1)
			System.out.println(sum);
	}

	private static String[] args() {
		return new String[2];
	}
}
