/** Threads that start threads, also virtual ones where there are some; one cannot be. */
public class Starts {
	static void start(String name, Runnable what) {
		Thread thread = new Thread(null, what, name);

		thread.start();
		join(thread);
	}

	static void join(Thread thread) {
		try {
			thread.join();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static void outer() {
		start("inner", () -> { });
	}

	static void ofVirtual() {
		start("of virtual", () -> { });
	}

	static void startVirtual() throws Exception {
		Object builder;
		Class<?> type;

		try {
			builder = Thread.class.getMethod("ofVirtual").invoke(null);
		} catch (NoSuchMethodException e) {
			ofVirtual();
			return;
		}
		type = Class.forName("java.lang.Thread$Builder");
		type.getMethod("name", String.class).invoke(builder, "virtual");
		join((Thread) type.getMethod("start", Runnable.class)
			.invoke(builder, (Runnable) Starts::ofVirtual));
	}

	/** The system has no room for its stack. */
	static void fail() {
		for (int i = 0; i < 100; i++) {
			Thread thread = new Thread(null, () -> { }, "huge", 1L << 50);

			try {
				thread.start();
				System.out.println("there is room");
			} catch (OutOfMemoryError e) {
				/* as it should be */
			}
		}
	}

	public static void main(String[] args) throws Exception {
		start("outer", Starts::outer);
		startVirtual();
		fail();
		start("last", () -> { });
		System.out.println("done");
	}
}
