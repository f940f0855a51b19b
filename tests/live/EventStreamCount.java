import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

import jdk.jfr.consumer.EventStream;

/**
 * Counts the events that the JDK's streams deliver: "file PATH" or "repository FOLDER",
 * then for how many seconds to wait (default 3).
 *
 * A stream waits for ever for a JVM that does not come back, so it is closed when no
 * event has arrived for that time. Prints "total N", and each type with its number.
 */
public class EventStreamCount {
	private static final Map<String, Long> counts = new TreeMap<>();
	private static final AtomicLong newest = new AtomicLong();	/* nanoTime */
	private static volatile boolean isClosed;

	static EventStream open(String kind, Path path) throws IOException {
		return switch (kind) {
		case "file" -> EventStream.openFile(path);
		case "repository" -> EventStream.openRepository(path);
		default -> throw new IllegalArgumentException("file or repository, not " + kind);
		};
	}

	/* Until the stream has ended by itself or was quiet for long enough. */
	static void await(EventStream stream, Duration quiet) throws InterruptedException {
		while (!isClosed && System.nanoTime() - newest.get() < quiet.toNanos())
			stream.awaitTermination(Duration.ofMillis(100));
		stream.close();
		stream.awaitTermination();
	}

	static void count(EventStream stream, Duration quiet) throws InterruptedException {
		stream.setStartTime(Instant.EPOCH);
		stream.setReuse(true);
		stream.setOrdered(false);
		stream.onClose(() -> isClosed = true);
		stream.onEvent(event -> {
			counts.merge(event.getEventType().getName(), 1L, Long::sum);
			newest.set(System.nanoTime());
		});
		newest.set(System.nanoTime());
		stream.startAsync();
		await(stream, quiet);
	}

	public static void main(String[] args) throws Exception {
		if (args.length < 2 || args.length > 3) {
			System.err.println("usage: EventStreamCount file|repository PATH [SECONDS]");
			System.exit(2);
		}
		int seconds = args.length > 2 ? Integer.parseInt(args[2]) : 3;
		try (EventStream stream = open(args[0], Path.of(args[1]))) {
			count(stream, Duration.ofSeconds(seconds));
		}
		long total = counts.values().stream().mapToLong(Long::longValue).sum();
		System.out.println("total " + total);
		counts.forEach((name, count) -> System.out.println(name + " " + count));
	}
}
