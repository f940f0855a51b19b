import java.nio.file.Files;
import java.nio.file.Paths;

/**
 * Does with its process what no Java program should: java Rude LIBRARY close WORD ..., or
 * LIBRARY fork|clone FILE ..., where the file is for the number of the process; and then
 * ends as Ends does with the words behind that.
 */
public class Rude {
	static native void close(String word);

	static native int fork(boolean isHidden);

	public static void main(String[] args) throws Exception {
		String[] rest = new String[args.length - 3];

		System.load(args[0]);
		Thread.sleep(700);
		if (args[1].equals("close"))
			close(args[2]);
		else
			Files.write(Paths.get(args[2]),
				    ("" + fork(args[1].equals("clone"))).getBytes());
		System.arraycopy(args, 3, rest, 0, rest.length);
		Ends.main(rest);
	}
}
