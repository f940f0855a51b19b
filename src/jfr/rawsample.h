/*
 * rawsample.h - a sample as the signal handler writes it, in the JVM's own numbers.
 *
 * An event of the type EVENT_RAW_SAMPLE in a raw lane (engine/store.h), where nothing
 * but these is. It never gets into a chunk: the flusher, which may ask what methods are
 * called, makes an event of it (engine/samples). Its fields are all varints:
 *
 *	ticks  thread  flags  count  { method  bytecode-and-type } x count
 *
 * Frames are innermost first. A method is the difference to the one before (zigzag), as
 * most are near each other; the bytecode index (zigzag) is shifted left over the two
 * bits of the frame's type.
 */
#ifndef JFR_RAWSAMPLE_H
#define JFR_RAWSAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a frame runs. */
enum rawframe_type {
	RAWFRAME_UNKNOWN,
	RAWFRAME_INTERPRETED,
	RAWFRAME_COMPILED,
	RAWFRAME_NATIVE,
};

/* Flags of a sample. */
enum {
	RAWSAMPLE_NATIVE = 1,		/* the innermost method is native */
	RAWSAMPLE_TRUNCATED = 2,	/* there are more frames */
	RAWSAMPLE_BLOCKED = 4,		/* the thread waited in the system ... */
	RAWSAMPLE_ENTERING = 8,		/* ... to enter a monitor */
};

/*
 * True if it becomes a jdk.NativeMethodSample, which is told of threads that execute
 * native methods or wait; else it is of one that executes Java.
 */
static inline bool rawsample_is_native(unsigned flags)
{
	return flags & (RAWSAMPLE_NATIVE | RAWSAMPLE_BLOCKED);
}

struct rawframe {
	uint64_t method;		/* jmethodID; 0: the JVM has none for it */
	int32_t bytecode;		/* index; below 0: not known */
	uint8_t type;			/* enum rawframe_type */
};

struct rawsample {
	int64_t ticks;
	uint64_t thread;		/* POOL_THREAD */
	unsigned flags;
	uint32_t count;			/* of frames */
	/* Where the frames are: rawsample_next. */
	const char *at, *end;
	uint64_t method;		/* of the frame before */
};

/* Bytes that a sample of so many frames needs at most: for emit_begin. */
size_t rawsample_room(uint32_t count);

/*
 * Writes the fields of a sample with sample->count frames, which go behind size and
 * type; gives their end. Async-signal-safe.
 */
char *rawsample_put(char *at, const struct rawsample *sample,
		    const struct rawframe *frames);

/*
 * Reads one whole event with its size and type, whose bytes are not trusted; it ends at
 * sample->end. False: it is no raw sample, or it does not hold so many frames as it
 * says (2 bytes each).
 */
bool rawsample_read(struct rawsample *sample, const char *bytes, size_t size);

/* The next frame; false: there is none, or its bytes are not whole. */
bool rawsample_next(struct rawsample *sample, struct rawframe *frame);

#endif
