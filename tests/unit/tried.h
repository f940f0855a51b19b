/*
 * tried.h - a recorder that tests try, in a folder of its own, and what it wrote.
 */
#ifndef UNIT_TRIED_H
#define UNIT_TRIED_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/recorder.h"

extern struct recorder tried;
extern struct orders tried_orders;
extern struct buf tried_logged;		/* lines */
extern char tried_folder[];

/* Of a suite: makes the folder; clears all that there is. */
void tried_begin(void);
void tried_end(void);

/* Sets the orders: lines, with times in nanoseconds. Each round flushes. */
void tried_order(const char *lines);

/* Opens it with these orders and observers; starts it, too. */
void tried_open(const struct observer *const *observers, void *context,
		const char *lines);
void tried_start(const struct observer *const *observers, void *context,
		 const char *lines);

/* A recording of these orders begins (begun.h). */
bool tried_record(struct err *err);

/* True if that is in the log. */
bool tried_log_has(const char *text);

/* Writes so many events, if there is room; gives how many were written. */
int tried_send(struct lane *lane, int events);

/* Reads all chunks, which are intact; how many events of a type were found then. */
void tried_read(void);
uint64_t tried_found(enum event_id id);

#endif
