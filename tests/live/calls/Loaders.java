import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntBinaryOperator;
import tally.Count;

/**
 * Classes of several loaders, generated ones, ones with annotations, and ones below
 * others; counts as Truth does: Loaders COUNTS.
 */
public class Loaders {
	/** As those of OSGi: only java.* comes from above, all else from its own. */
	static class Bundle extends ClassLoader {
		Bundle() {
			super(null);
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve)
			throws ClassNotFoundException {
			synchronized (getClassLoadingLock(name)) {
				Class<?> found = findLoadedClass(name);
				if (found != null)
					return found;
				if (name.startsWith("java."))
					return super.loadClass(name, resolve);
				if (!name.startsWith("apps."))
					throw new ClassNotFoundException(name);
				byte[] bytes = bytes(name);
				return defineClass(name, bytes, 0, bytes.length);
			}
		}
	}

	/** Defines classes that are made as the program runs, below those of its parent. */
	static class Generator extends ClassLoader {
		Generator(ClassLoader parent) {
			super(parent);
		}

		Class<?> define(String name, byte[] bytes) {
			return defineClass(name, bytes, 0, bytes.length);
		}
	}

	static byte[] bytes(String name) {
		String file = "/" + name.replace('.', '/') + ".class";
		try (InputStream from = Loaders.class.getResourceAsStream(file)) {
			ByteArrayOutputStream to = new ByteArrayOutputStream();
			for (int each; (each = from.read()) >= 0;)
				to.write(each);
			return to.toByteArray();
		} catch (IOException e) {
			throw new IllegalStateException(e);
		}
	}

	/**
	 * A class file with other names: texts of the constant pool are replaced wherever
	 * they are a whole name, or one within a descriptor.
	 */
	static byte[] renamed(byte[] file, String from, String to) throws IOException {
		DataInputStream in = new DataInputStream(new ByteArrayInputStream(file));
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		DataOutputStream out = new DataOutputStream(bytes);
		out.writeLong(in.readLong());
		int count = in.readUnsignedShort();
		out.writeShort(count);
		for (int i = 1; i < count; i++) {
			int tag = in.readUnsignedByte();
			out.writeByte(tag);
			switch (tag) {
			case 1:
				String text = in.readUTF();
				out.writeUTF(text.equals(from) ? to
					: text.replace("L" + from + ";", "L" + to + ";"));
				break;
			case 5:
			case 6:
				out.writeLong(in.readLong());
				i++;
				break;
			case 7:
			case 8:
			case 16:
			case 19:
			case 20:
				out.writeShort(in.readShort());
				break;
			case 15:
				out.writeByte(in.readByte());
				out.writeShort(in.readShort());
				break;
			default:
				out.writeInt(in.readInt());
			}
		}
		for (int each; (each = in.read()) >= 0;)
			out.writeByte(each);
		return bytes.toByteArray();
	}

	/** Uses a Plugin of whatever class; what it counts is told with another name. */
	private static void use(Class<?> plugin, int times) throws Exception {
		Consumer<String> count = method ->
			Count.at(method.replace("apps.Plugin.", plugin.getName() + "."));
		IntBinaryOperator operator = (IntBinaryOperator)
			plugin.getConstructor(Consumer.class).newInstance(count);
		int failed = 0;
		for (int i = 0; i < times; i++)
			try {
				operator.applyAsInt(i, i % 5);
			} catch (ArithmeticException e) {
				failed++;
			}
		if (failed != (times + 4) / 5)
			throw new AssertionError();
	}

	private static void bundles() throws Exception {
		for (int i = 0; i < 5; i++)
			use(new Bundle().loadClass("apps.Plugin"), 100 + i);
		use(apps.Plugin.class, 50);
	}

	/** As CGLIB names them, and with constructors of theirs. */
	private static void generated() throws Exception {
		Generator generator = new Generator(Loaders.class.getClassLoader());
		byte[] plugin = bytes("apps.Plugin");
		byte[] helper = bytes("apps.Plugin$Helper");
		for (int i = 0; i < 20; i++) {
			String name = "apps.Plugin$$EnhancerByCGLIB$$" + Integer.toHexString(i * 7919);
			String inner = name + "$Helper";
			byte[] own = renamed(renamed(plugin, "apps/Plugin", name.replace('.', '/')),
				"apps/Plugin$Helper", inner.replace('.', '/'));
			byte[] its = renamed(renamed(helper, "apps/Plugin", name.replace('.', '/')),
				"apps/Plugin$Helper", inner.replace('.', '/'));
			generator.define(inner, its);
			useGenerated(generator.define(name, own), 10 + i);
		}
	}

	private static void useGenerated(Class<?> plugin, int times) throws Exception {
		String name = plugin.getName();
		Consumer<String> count = method -> Count.at(method
			.replace("apps.Plugin.", name + ".")
			.replace("apps.Plugin$Helper.", name + "$Helper."));
		IntBinaryOperator operator = (IntBinaryOperator)
			plugin.getConstructor(Consumer.class).newInstance(count);
		for (int i = 0; i < times; i++)
			operator.applyAsInt(i, 1);
	}

	private static void marked() {
		marked.Some some = new marked.Some();
		marked.Whole whole = new marked.Whole();
		for (int i = 0; i < 10; i++) {
			try {
				some.first(i);
			} catch (IllegalArgumentException e) {
				whole.a(i);
			}
			some.second(whole.a(i));
			marked.Some.third();
			some.fourth();
			marked.Whole.b();
			new marked.Whole.Nested();
		}
	}

	private static void shapes() {
		List<shape.Sized> all = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			all.add(new shape.Base());
			all.add(new shape.Below());
			all.add(new shape.Below.Deeper());
			all.add(new shape.Other());
			all.add(shape.Other.lambda());
			new shape.Below.Nested();
		}
		int sum = 0;
		for (shape.Sized each : all) {
			sum += each.size() + each.half();
			if (each instanceof shape.Base)
				sum += ((shape.Base) each).size("abc", 1, 2);
		}
		if (sum != 4 * (1 + 0 + 5 + 2 + 1 + 5 + 2 + 7 + 5 + 10 + 5 + 20 + 10))
			throw new AssertionError(sum);
	}

	private static void ranks() {
		int below = 0;
		for (int i = 0; i < 7; i++)
			below += shape.Ranked.isBelow(new shape.Ranked(i), new shape.Ranked(3)) ? 1
				: new shape.Ranked(0).compareTo(new shape.Ranked(i)) + 1;
		if (below != 3)
			throw new AssertionError(below);
	}

	public static void main(String[] args) throws Exception {
		bundles();
		generated();
		marked();
		shapes();
		ranks();
		try (PrintStream to = new PrintStream(args[0])) {
			Count.print(to);
		}
		System.out.println("done");
	}
}
