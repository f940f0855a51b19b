/*
 * show.h - tiny recordings through the printers, as text.
 *
 *	SHOWS(&made, "a.E {\n  x = 1\n}\n\n", .events = "a.E");
 *	SHOWS(&made, "{\n  \"recording\": {...", .printer = &json_printer);
 *
 * made.bytes must be there (make_bytes, or make_open).
 */
#ifndef UNIT_SHOW_H
#define UNIT_SHOW_H

#include "make.h"
#include "render/listing.h"

/* How to print; what is left out is as in `print` without options, on one thread. */
struct show {
	const struct printer *printer;	/* NULL: pretty */
	const char *events, *categories;
	int threads;
	int frames;			/* of a stack trace; negative: none */
	bool exact;
};

struct shown {
	struct buf text;
	struct damage damage;
	struct err err;
	bool good;
};

void show(struct shown *shown, const struct made *made, const struct show *how);

void shown_clear(struct shown *shown);

/* How often the printed recording had that fault. */
uint64_t shown_faults(const struct shown *shown, const char *cause);

/* Fails the test, and tells the text, if it is not the wanted one. */
void show_compare(const struct made *made, const struct show *how, const char *wanted,
		  int line);

#define SHOWS(made, wanted, ...)                                               \
	show_compare(made, &(const struct show){ __VA_ARGS__ }, wanted, __LINE__)

#endif
