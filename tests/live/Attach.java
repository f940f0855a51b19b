/**
 * Attach PROCESS LIBRARY OPTIONS: loads an agent into a JVM that runs. By reflection,
 * as JDK 8 has what it takes in a tools.jar.
 */
public class Attach {
	public static void main(String[] args) throws Exception {
		Class<?> type = Class.forName("com.sun.tools.attach.VirtualMachine");
		Object jvm = type.getMethod("attach", String.class).invoke(null, args[0]);

		type.getMethod("loadAgentPath", String.class, String.class)
			.invoke(jvm, args[1], args[2]);
		type.getMethod("detach").invoke(jvm);
	}
}
