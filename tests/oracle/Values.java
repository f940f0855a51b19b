import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import jdk.jfr.internal.util.ValueFormatter;

/**
 * Reads lines of values.c, computes the same with the JDK, and tells every
 * difference. Lines that the JDK has no answer to (it overflows) are counted apart.
 */
public class Values {
	interface Answer {
		String of(String[] line);
	}

	static final DateTimeFormatter ROUNDED =
		DateTimeFormatter.ofPattern("HH:mm:ss.SSS (yyyy-MM-dd)", Locale.ENGLISH);
	static final DateTimeFormatter EXACT =
		DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSSSSS (yyyy-MM-dd)", Locale.ENGLISH);
	static final DateTimeFormatter DATE =
		DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ENGLISH);

	static double doubleAt(String[] line, int i) {
		return Double.longBitsToDouble(Long.parseUnsignedLong(line[i], 16));
	}

	static long longAt(String[] line, int i) {
		return Long.parseLong(line[i]);
	}

	static boolean flagAt(String[] line, int i) {
		return line[i].equals("1");
	}

	static Duration durationAt(String[] line, int i) {
		return Duration.ofSeconds(longAt(line, i), longAt(line, i + 1));
	}

	static OffsetDateTime timeAt(String[] line, int i, int zone) {
		Instant instant = Instant.ofEpochSecond(longAt(line, i), longAt(line, i + 1));
		return OffsetDateTime.ofInstant(instant, ZoneOffset.ofTotalSeconds(zone));
	}

	static String percentage(String[] line) {
		String format = flagAt(line, 2) ? "%.9f%%" : "%.2f%%";
		return String.format(Locale.ENGLISH, format, doubleAt(line, 1) * 100);
	}

	static String timespan(String[] line) {
		Duration span = durationAt(line, 1);
		if (flagAt(line, 3)) {
			return String.format(Locale.ENGLISH, "%.9f s", (double) span.toNanos() / 1e9);
		}
		return ValueFormatter.formatDuration(span);
	}

	static String amount(String[] line) {
		long amount = longAt(line, 1);
		return switch (line[2]) {
			case "0" -> ValueFormatter.formatBytes(amount);
			case "1" -> ValueFormatter.formatBits(amount);
			case "2" -> ValueFormatter.formatBytesPerSecond(amount);
			default -> ValueFormatter.formatBitsPerSecond(amount);
		};
	}

	static String clock(String[] line) {
		double divisor = longAt(line, 3) / 1e9;
		long since = longAt(line, 4) - longAt(line, 1);
		long nanos = longAt(line, 2) + (long) (since / divisor);
		long span = (long) (longAt(line, 4) / divisor);
		return nanos + " " + span;
	}

	static final Map<String, Answer> ANSWERS = Map.ofEntries(
		Map.entry("double", line -> String.valueOf(doubleAt(line, 1))),
		Map.entry("float", line -> String.valueOf(
			Float.intBitsToFloat(Integer.parseUnsignedInt(line[1], 16)))),
		Map.entry("fixed", line -> String.format(
			Locale.ENGLISH, "%." + line[2] + "f", doubleAt(line, 1))),
		Map.entry("percentage", Values::percentage),
		Map.entry("timespan", Values::timespan),
		Map.entry("isoTimespan", line -> durationAt(line, 1).toString()),
		Map.entry("timestamp", line -> (flagAt(line, 4) ? EXACT : ROUNDED).format(
			timeAt(line, 1, Integer.parseInt(line[3])))),
		Map.entry("isoTimestamp", line ->
			timeAt(line, 1, Integer.parseInt(line[3])).toString()),
		Map.entry("date", line -> DATE.format(timeAt(line, 1, 0))),
		Map.entry("amount", Values::amount),
		Map.entry("address", line -> String.format(
			"0x%08X", Long.parseUnsignedLong(line[1], 16))),
		Map.entry("clock", Values::clock));

	static class Count {
		long same, different, unanswered;
	}

	static void check(String[] line, Count count) {
		String ours = line[line.length - 1];
		String theirs;
		try {
			theirs = ANSWERS.get(line[0]).of(line);
		} catch (ArithmeticException e) {
			count.unanswered++;
			return;
		}
		if (ours.equals(theirs)) {
			count.same++;
			return;
		}
		if (count.different++ < 10) {
			System.out.println(String.join(" ", line) + ", should be " + theirs);
		}
	}

	public static void main(String[] args) throws IOException {
		Map<String, Count> counts = new TreeMap<>();
		var reader = new BufferedReader(
			new InputStreamReader(System.in, StandardCharsets.US_ASCII), 1 << 20);
		long different = 0;

		for (String text; (text = reader.readLine()) != null;) {
			String[] line = text.split("\t", -1);
			check(line, counts.computeIfAbsent(line[0], name -> new Count()));
		}
		for (var entry : counts.entrySet()) {
			Count count = entry.getValue();
			System.out.printf("%-13s %9d the same %9d different %9d without answer%n",
				entry.getKey(), count.same, count.different, count.unanswered);
			different += count.different;
		}
		System.exit(different > 0 || counts.size() < ANSWERS.size() ? 1 : 0);
	}
}
