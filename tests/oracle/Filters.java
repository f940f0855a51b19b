import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import jdk.jfr.internal.tracing.Filter;

/**
 * Reads lines of filters.c, asks the JDK which of the filters it knows, and tells every
 * difference.
 */
public class Filters {
	static String hex(String text) {
		return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)) + "\t";
	}

	static String text(String hex) {
		return new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_8);
	}

	static String answer(String text) {
		var known = new StringBuilder();
		int count = 0;

		for (String filter : text.split(";")) {
			filter = filter.strip();
			if (!filter.isEmpty() && Filter.isValid(filter)) {
				known.append(hex(filter));
				count++;
			}
		}
		return count + "\t" + known;
	}

	public static void main(String[] args) throws IOException {
		var reader = new BufferedReader(new InputStreamReader(System.in));
		long lines = 0, known = 0, different = 0;

		for (String line; (line = reader.readLine()) != null; lines++) {
			String[] parts = line.split("\t", 2);
			String answer = answer(text(parts[0]));

			known += answer.startsWith("0") ? 0 : 1;
			if (!answer.equals(parts[1])) {
				System.out.println("'" + text(parts[0]) + "' (" + parts[0]
						   + "): " + answer + "and not " + parts[1]);
				different++;
			}
		}
		System.out.printf("%d texts, %d with filters that the JDK knows, %d differences%n",
				  lines, known, different);
		System.exit(different == 0 && lines > 0 ? 0 : 1);
	}
}
