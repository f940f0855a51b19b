import java.io.FileWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Compute FILE: the same work each time on two threads: loops, calls some 20 deep,
 * small arrays. Writes the CPU seconds that the process has used to the file.
 */
public class Compute {
	interface Step {
		long of(long value);
	}

	static final Step[] STEPS = {
		v -> v * 31 + 7, v -> v ^ v >>> 7, v -> v + (v << 3),
	};

	static long down(int depth, long value) {
		long next = STEPS[depth % STEPS.length].of(value);

		return depth == 0 ? next : down(depth - 1, next) + 1;
	}

	static long sorted(int seed) {
		int[] numbers = new int[1000];

		for (int i = 0; i < numbers.length; i++)
			numbers[i] = seed = seed * 1_103_515_245 + 12_345;
		Arrays.sort(numbers);
		return numbers[500];
	}

	static long compute() {
		long sum = 0;

		for (int i = 0; i < 300_000; i++) {
			for (int j = 0; j < 10; j++)
				sum += down(20, sum ^ j);
			sum += sorted(i);
		}
		return sum;
	}

	public static void main(String[] args) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(2);
		Callable<Long> work = Compute::compute;

		threads.invokeAll(Arrays.asList(work, work));
		threads.shutdown();
		write(args[0]);
	}

	private static void write(String file) throws IOException {
		com.sun.management.OperatingSystemMXBean system =
			(com.sun.management.OperatingSystemMXBean)
			ManagementFactory.getOperatingSystemMXBean();

		try (FileWriter out = new FileWriter(file)) {
			out.write(system.getProcessCpuTime() / 1e9 + "\n");
		}
	}
}
