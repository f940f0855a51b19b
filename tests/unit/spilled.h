/*
 * spilled.h - a spill file that tests change, and what is read of it.
 */
#ifndef UNIT_SPILLED_H
#define UNIT_SPILLED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "jfr/spillread.h"
#include "makespill.h"

extern struct madespill spilled_file;
extern struct spill spilled;
extern struct err spilled_err;

/* Of a suite: six slots, eight blocks. */
void spilled_begin(void);
void spilled_end(void);

/*
 * What was told: "7:ab r1:c" for two events of the lane 7 and one of the raw lane 1;
 * "1001/5=tea " for each record.
 */
struct heard {
	struct buf text;
	uint64_t lane;		/* of the last event, if there was one */
	int left;		/* so many times, but for one, it is not enough; 0: never */
};

bool heard_events(void *context, uint64_t lane, const char *bytes, size_t size);
bool heard_record(void *context, uint32_t type, uint64_t key, const char *bytes,
		  size_t size);

/* That is it; clears it. */
void heard_expect(struct heard *heard, const char *expected);

/* Opens the file as it is now, to be closed. */
void spilled_open(bool is_done);

/* What is told of its events, and how much of it is damaged. */
void spilled_expect(bool is_done, const char *events, uint64_t damaged);

/* The same, if the newest flush is not known to be done, and nothing is damaged. */
void spilled_events(const char *events);

/* Keeps a batch of so many events of 8 bytes, each with one more mark. */
void spilled_keep(uint64_t flush, int events, char mark);

/* The block of that number in its stream is gone. */
void spilled_lose(uint64_t number);

#endif
