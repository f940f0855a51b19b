/* A thread of native code that joins the JVM, and ends without leaving it. */
public class Leave {
	static native void leave();

	public static void main(String[] args) throws Exception {
		System.load(args[0]);
		leave();
		System.out.println("done");
	}
}
