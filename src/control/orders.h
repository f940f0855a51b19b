/*
 * orders.h - what a recording shall be: handed to the agent as a file of text lines.
 *
 *	name=profile of the checkout
 *	max-age=600000000000
 *	setting=jdk.ThreadStart#enabled=true
 *
 * Written by `cjfr record`, read by the agent, so that the agent needs no .jfc reader
 * and no option parser. Unknown keys are an error that names the line: both come from
 * the same build. How a line is written is in members.h. A zeroed struct is not valid:
 * orders_init.
 */
#ifndef CONTROL_ORDERS_H
#define CONTROL_ORDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

/* Limits: whatever is ordered, it is at least, or at most, so much. */
#define ORDERS_STACK_DEPTH_MAX 2048		/* frames */
#define ORDERS_BUFFER_MAX (16 << 20)		/* bytes */
#define ORDERS_BUFFERS_MIN 8			/* in memory_size */
#define ORDERS_BUFFER_UNIT 4096			/* sizes are multiples of it */
#define ORDERS_BUFFER_EXTRA 64			/* bytes beside the events */

/* Defaults, which are also those of `cjfr record`. */
#define ORDERS_FLUSH_SECONDS 1
#define ORDERS_CHUNK_MB 12
#define ORDERS_MEMORY_MB 16
#define ORDERS_BUFFER_KB 8
#define ORDERS_STACK_DEPTH 64

struct order_setting {
	struct str key;			/* "jdk.ThreadStart#enabled" */
	struct str value;
};

struct orders {
	/* Texts live in the arena, end with 0; size 0: not given. */
	struct str name;		/* of the recording */
	struct str destination;		/* the output file, as a pattern: outname.h */
	struct str repository;		/* where the folder of the chunks is made */
	struct str socket;		/* where the waiting parent listens */
	/* Nanoseconds; 0: none. */
	int64_t delay, duration;
	int64_t max_age;
	int64_t flush_interval;
	/* Bytes; 0: no limit. */
	int64_t max_size;
	int64_t max_chunk_size;
	int64_t memory_size;		/* of all buffers; without disk also of what is kept */
	int64_t buffer_size;		/* of one buffer */
	int64_t stack_depth;		/* frames */
	bool samples_wall;		/* samples by time that passes, not by CPU time */
	struct str threads;		/* only these are sampled: threadfilter.h */
	struct str dump_classes;	/* the folder where rewritten classes are put */
	bool to_disk;
	bool spill_file;		/* the spill file lies in the repository */
	bool preserve;			/* the repository stays, whatever comes of it */
	bool redact;			/* secrets are left out */
	bool made_up;			/* nobody chose the destination: no file is replaced */
	VEC(struct order_setting) settings;	/* in order: the last of a key counts */
	struct arena arena;
};

/* The defaults, and else: to disk, without limits, without secrets. */
void orders_init(struct orders *orders);

/*
 * How large a buffer of that size is in fact; and one that has room for a sample with so
 * many frames. In one that has less, deep samples are lost, which is counted.
 */
int64_t orders_buffer_of(int64_t size);
int64_t orders_buffer_for(int64_t stack_depth);

/* The part of memory_size that buffers have: all; without disk, a quarter. */
int64_t orders_memory_of_buffers(const struct orders *orders);

/* Puts a copy of the text into a member; false without memory. */
bool orders_text(struct orders *orders, struct str *member, struct str text);

/* Adds copies of key and value, behind the other settings. False without memory. */
bool orders_set(struct orders *orders, struct str key, struct str value);

/* As text, in the order of the members; without memory the buffer fails. */
void orders_write(const struct orders *orders, struct buf *to);

/*
 * Reads what orders_write wrote, over what is there (orders_init); settings come behind
 * others. ERR_FORMAT with the line, or ERR_MEMORY; orders_clear in any case.
 */
bool orders_read(struct orders *orders, struct str text, struct err *err);

/* A copy, whatever is in `to`, to be cleared in any case. ERR_MEMORY. */
bool orders_copy(struct orders *to, const struct orders *from, struct err *err);

/*
 * The destination becomes the name of the recording of this process, which began then
 * (outname.h). False without memory.
 */
bool orders_name_recording(struct orders *orders, int64_t begin_nanos, struct err *err);

void orders_clear(struct orders *orders);

#endif
