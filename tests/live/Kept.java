import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Kept - classes of many loaders, in a JVM that goes on when its recording has ended.
 *
 *     java Kept LOADERS
 *
 * Prints how many weak references of JNI there are when these are loaded, then, when
 * they are few again, "few", or after some time how many there are still.
 */
public class Kept {
	static class One {
		int number;
	}

	static class Own extends ClassLoader {
		Object load() throws Exception {
			String name = One.class.getName();
			byte[] bytes = new byte[10000];
			int size = 0;

			try (InputStream in = Kept.class.getResourceAsStream(name + ".class")) {
				for (int more; (more = in.read(bytes, size, 10000 - size)) > 0; )
					size += more;
			}
			return defineClass(name, bytes, 0, size).getDeclaredConstructors()[0];
		}
	}

	static int weakReferences() throws Exception {
		MBeanServer server = ManagementFactory.getPlatformMBeanServer();
		ObjectName name = new ObjectName("com.sun.management:type=DiagnosticCommand");
		Object text = server.invoke(name, "threadPrint", new Object[] { new String[0] },
			new String[] { String[].class.getName() });
		Matcher matcher = Pattern.compile("weak refs: (\\d+)").matcher(text.toString());

		return matcher.find() ? Integer.parseInt(matcher.group(1)) : -1;
	}

	public static void main(String[] words) throws Exception {
		int loaders = Integer.parseInt(words[0]);
		List<Object> all = new ArrayList<>();

		for (int i = 0; i < loaders; i++)
			all.add(new Own().load());
		int most = weakReferences(), now = most;
		System.out.println(most);
		for (int i = 0; i < 400 && now > most - loaders; i++) {
			Thread.sleep(100);
			now = weakReferences();
		}
		System.out.println(now <= most - loaders ? "few" : "" + now);
		System.out.println(all.size());
	}
}
