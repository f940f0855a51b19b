package java.lang;

import java.lang.reflect.Field;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What probes call (src/classfile/rewrite.h): enter, and when the method ends timing,
 * trace, or timingAndTrace. src/probe/counters.h is the contract with the agent, whose
 * memory is read here; src/agent/runtime.c defines this class in a JVM.
 *
 * Compiled once for JDK 8, with the Unsafe that it has, and once for later ones. It may
 * be called from any code, java.lang's too: so it calls nothing but Unsafe, which can
 * have no probes, and methods that are native. No other class belongs to it.
 */
public final class CjfrRuntime {
	private static final Unsafe U = Unsafe.getUnsafe();

	/* Where things are: an address, and offsets in Thread. */
	private static final long ROOT = root();
	private static final long EETOP = U.objectFieldOffset(field(false));
	private static final long TID = U.objectFieldOffset(field(true));

	private static final long GOLDEN = 0x9e3779b97f4a7c15L;
	private static final int PROBES = 4;
	private static final int SHARED = 16;

	/* Of an entry. */
	private static final int BEGIN = 8;
	private static final int END = 16;
	private static final int ENTRY = 5;	/* logarithm of its size */

	/* Of a counter. */
	private static final int TOTAL = 8;
	private static final int MIN_PLUS_ONE = 16;
	private static final int MAX = 24;
	private static final int COUNTER = 5;

	/* Nanoseconds; the agent sets it. */
	private static volatile long threshold = Long.MAX_VALUE;

	private CjfrRuntime() {
	}

	@ForceInline
	public static long enter() {
		return System.nanoTime();
	}

	@ForceInline
	public static void timing(long start, int id) {
		count(System.nanoTime() - start, id);
	}

	@ForceInline
	public static void trace(long start, int id) {
		long end = System.nanoTime();

		if (end - start >= threshold)
			traced(start, end, id, virtualTid());
	}

	@ForceInline
	public static void timingAndTrace(long start, int id) {
		long end = System.nanoTime();

		count(end - start, id);
		if (end - start >= threshold)
			traced(start, end, id, virtualTid());
	}

	/* An empty entry has no room, so thread 0, which is none, never finds any here. */
	@ForceInline
	private static void count(long duration, int id) {
		long thread = U.getLong(Thread.currentThread(), EETOP);
		long entry = place(thread);
		long at = U.getLong(null, entry + BEGIN) + ((long) id << COUNTER);

		if (U.getLong(null, entry) == thread && at < U.getLong(null, entry + END))
			add(at, duration);
		else
			countElsewhere(thread, duration, id);
	}

	/* The low bits of the root are the logarithm, of which a shift takes six. */
	@ForceInline
	private static long place(long thread) {
		long root = U.getLong(null, ROOT);

		return (root & -64L) + (thread * GOLDEN >>> -(int) root << ENTRY);
	}

	/* Nobody else writes here. The order matters to who sums. */
	@ForceInline
	private static void add(long at, long duration) {
		if (duration > U.getLong(null, at + MAX) ||
		    duration < U.getLong(null, at + MIN_PLUS_ONE) - 1)
			extremes(at, duration);
		U.putLong(null, at + TOTAL, U.getLong(null, at + TOTAL) + duration);
		U.putLong(null, at, U.getLong(null, at) + 1);
	}

	/* Times of 0 are no minimum. */
	private static void extremes(long at, long duration) {
		long min = U.getLong(null, at + MIN_PLUS_ONE) - 1;

		if (duration > U.getLong(null, at + MAX))
			U.putLong(null, at + MAX, duration);
		if (duration > 0 && (min < 0 || duration < min))
			U.putLong(null, at + MIN_PLUS_ONE, duration + 1);
	}

	private static void countElsewhere(long thread, long duration, int id) {
		boolean isShared = thread == 0;
		long key = isShared ? 1 + (tid() & SHARED - 1) : thread;
		long at = find(key, id);

		if (at == 0)
			missed(key, duration, id);
		else if (isShared)
			addShared(at, duration);
		else
			add(at, duration);
	}

	/* The counter; 0: there is none yet. */
	private static long find(long key, int id) {
		long entry = place(key);
		long behind = entry + ((long) PROBES << ENTRY);

		while (U.getLong(null, entry) != key) {
			entry += 1 << ENTRY;
			if (entry == behind)
				return 0;
		}
		long at = U.getLong(null, entry + BEGIN) + ((long) id << COUNTER);
		return at < U.getLong(null, entry + END) ? at : 0;
	}

	/* Many write here at once. */
	private static void addShared(long at, long duration) {
		long min = U.getLongVolatile(null, at + MIN_PLUS_ONE);
		long max = U.getLongVolatile(null, at + MAX);

		while (duration > max &&
		       !U.compareAndSetLong(null, at + MAX, max, duration))
			max = U.getLongVolatile(null, at + MAX);
		while (duration > 0 && (min == 0 || duration < min - 1) &&
		       !U.compareAndSetLong(null, at + MIN_PLUS_ONE, min, duration + 1))
			min = U.getLongVolatile(null, at + MIN_PLUS_ONE);
		U.getAndAddLong(null, at + TOTAL, duration);
		U.getAndAddLong(null, at, 1);
	}

	private static long tid() {
		return U.getLong(Thread.currentThread(), TID);
	}

	/* 0 if the thread is not a virtual one. */
	private static long virtualTid() {
		return U.getLong(Thread.currentThread(), EETOP) == 0 ? tid() : 0;
	}

	private static native long root();

	/* Thread.tid or Thread.eetop: newer JDKs do not show these to reflection. */
	private static native Field field(boolean isTid);

	/* Counts it where there was no counter, and makes one for the next. */
	private static native void missed(long key, long duration, int id);

	private static native void traced(long start, long end, int id, long virtualTid);
}
