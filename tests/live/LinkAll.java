import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Classes are linked, not initialized: a line for each, with what came of it.
 *
 *	LinkAll image [EACH]		those of the module image: one of EACH
 *	LinkAll jars FOLDER [EACH]	those of the jars in a folder, each jar first in a
 *					loader of its own, with all others behind it
 *
 * Needs rewriter.c as an agent, which says whether a class is linked, and so verified.
 */
public class LinkAll {
	/** JVMTI's GetClassStatus. */
	private static native int status(Class<?> type);

	private static final int VERIFIED = 1;
	private static final int PREPARED = 2;

	/** So that none is unloaded, and that what is wrong with one is wrong with no other. */
	private static final List<ClassLoader> loaders = new ArrayList<>();

	private static int each = 1;
	private static int seen;

	/** Both link a class in HotSpot: the first not an interface. */
	private static void ask(Class<?> type) {
		type.getDeclaredConstructors();
		type.getDeclaredMethods();
	}

	/** "VerifyError: Bad type on operand stack". */
	private static String text(Throwable thrown) {
		String text = thrown.toString();
		return text.substring(0, (text + "\n").indexOf('\n')).trim();
	}

	private static String outcome(String name, ClassLoader loader) {
		Class<?> type = null;
		Throwable thrown = null;
		try {
			type = Class.forName(name, false, loader);
			ask(type);
		} catch (Throwable t) {
			thrown = t;
		}
		if (type != null && (status(type) & (VERIFIED | PREPARED)) == (VERIFIED | PREPARED))
			return "linked";
		return type == null ? "unloaded " + text(thrown) :
			"unlinked " + (thrown == null ? "" : text(thrown));
	}

	private static void link(String from, String file, ClassLoader loader) {
		String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
		if (name.endsWith("module-info") || name.startsWith("META-INF.") || seen++ % each != 0)
			return;
		System.out.println(from + " " + name + " " + outcome(name, loader));
	}

	/** Names of files below modules/M/, as "M/a/b/C.class". */
	private static List<String> imageFiles() throws IOException {
		Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
		try (Stream<Path> files = Files.walk(modules)) {
			return files.map(path -> modules.relativize(path).toString())
				.filter(name -> name.endsWith(".class")).sorted()
				.collect(Collectors.toList());
		}
	}

	/** Before JDK 9 there is none: those of the bootstrap class path. */
	private static void bootJars() throws IOException {
		for (String path : System.getProperty("sun.boot.class.path").split(":")) {
			if (!new File(path).isFile())
				continue;
			for (String file : jarFiles(new File(path)))
				link(new File(path).getName(), file, null);
		}
	}

	private static void image() throws IOException {
		if (System.getProperty("sun.boot.class.path") != null) {
			bootJars();
			return;
		}
		for (String file : imageFiles()) {
			int slash = file.indexOf('/');
			link(file.substring(0, slash), file.substring(slash + 1),
				ClassLoader.getSystemClassLoader());
		}
	}

	private static List<String> jarFiles(File jar) throws IOException {
		try (JarFile file = new JarFile(jar)) {
			return file.stream().map(entry -> entry.getName())
				.filter(name -> name.endsWith(".class")).sorted()
				.collect(Collectors.toList());
		}
	}

	private static ClassLoader loader(File first, List<File> all) throws IOException {
		Set<URL> urls = new LinkedHashSet<>();
		urls.add(first.toURI().toURL());
		for (File jar : all)
			urls.add(jar.toURI().toURL());
		ClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), null) {
			@Override
			protected Class<?> findClass(String name) throws ClassNotFoundException {
				try {
					return super.findClass(name);
				} catch (ClassNotFoundException e) {
					return ClassLoader.getSystemClassLoader().loadClass(name);
				}
			}
		};
		loaders.add(loader);
		return loader;
	}

	private static void jars(File folder) throws IOException {
		List<File> all = new ArrayList<>();
		for (File file : folder.listFiles())
			all.add(file);
		Collections.sort(all);
		for (File jar : all) {
			ClassLoader loader = loader(jar, all);
			for (String file : jarFiles(jar))
				link(jar.getName(), file, loader);
		}
	}

	public static void main(String[] args) throws IOException {
		boolean isImage = args[0].equals("image");
		int last = isImage ? 1 : 2;
		if (args.length > last)
			each = Integer.parseInt(args[last]);
		if (isImage)
			image();
		else
			jars(new File(args[1]));
		System.out.println("end " + seen);
	}
}
