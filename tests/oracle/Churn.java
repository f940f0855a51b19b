import java.util.Random;

/** Makes garbage for some seconds, keeps some of it, and asks for collections. */
public class Churn {
	static final Object[] kept = new Object[2000];

	public static void main(String[] args) throws Exception {
		long end = System.currentTimeMillis() + 1000 * Long.parseLong(args[0]);
		long due = System.currentTimeMillis() + 700;
		Random random = new Random(1);

		for (int i = 0; System.currentTimeMillis() < end; i++) {
			kept[random.nextInt(kept.length)] = new byte[1000 + random.nextInt(40000)];
			if (i % 4000 == 0)
				Thread.sleep(1);
			if (System.currentTimeMillis() < due)
				continue;
			System.gc();
			due += 700;
		}
		Thread.sleep(1500);
	}
}
