/*
 * worker.h - a recording without a JVM, in a process that may die at any moment, and who
 * commits events to it: they are counted in memory that outlives it. Read again: regain.h.
 *
 * Each worker commits two kinds: jdk.VirtualThreadStart in a lane of its own, whose
 * javaThreadId counts them, and raw samples, whose ticks do. These become
 * jdk.ExecutionSample, also when somebody else makes them.
 */
#ifndef UNIT_WORKER_H
#define UNIT_WORKER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "engine/recorder.h"

#define WORKERS 4

/* What a worker has committed; set by whoever is to see it, in memory that is shared. */
struct worker_count {
	_Atomic(uint64_t) thread;	/* its key; 0: none yet */
	_Atomic(uint64_t) events, samples;
};
extern struct worker_count *worker_counts;
extern int64_t worker_born;		/* ticks, before all: samples count from there */

struct worker_plan {
	bool to_disk, in_file;
	int64_t chunk_size, flush_interval;
	int64_t max_size;		/* 0: none; else the oldest go */
	int64_t memory_size;
};

extern struct recorder worker_recorder;

/* Opens and starts it; its folder and its spill file are sent. */
void worker_record(const struct worker_plan *plan, const char *folder, int connection);

struct worker {
	int number;
	struct worker_count *count;
	struct lane *lane, *raw;
	uint64_t class;
	struct buf buf;
};

void worker_begin(struct worker *worker, int number);

/* Commits one, and then counts it. False: it was dropped; the next has its number. */
bool worker_event(struct worker *worker);
bool worker_sample(struct worker *worker);

/* Another class for what comes: there are constants that are new. */
void worker_class(struct worker *worker, uint64_t number);

void worker_die(const char *what) __attribute__((noreturn));

#endif
