/*
 * recordorders.h - the options of cjfr record, and the orders that they make.
 */
#ifndef CMD_RECORDORDERS_H
#define CMD_RECORDORDERS_H

#include "cmd/command.h"
#include "cmd/options.h"
#include "control/orders.h"

struct record_options {
	const char *output, *repository, *name;
	const char *duration, *delay, *max_age, *max_size;
	const char *memory_size, *buffer_size, *flush_interval, *max_chunk_size;
	const char *interval, *mode, *threads, *spill;
	const char *period, *threshold, *dump_classes;
	bool to_disk, in_memory;
	bool preserve, no_redact, quiet;
	bool has_others;		/* another recorder takes words that ours does not */
	/* Of JVMs that run: whose recordings, and of all of them. */
	const char *engine;
	bool is_all;
	int stack_depth;		/* -1: not given */
	int64_t interval_nanos;		/* what `interval` says, and so on */
	int64_t period_nanos, threshold_nanos;
	struct option_list settings, method_timing, method_trace;
};

#define RECORD_ENGINE_ROW(offset)                                                      \
	{ "engine", 0, OPTION_TEXT, offset, "cjfr|hotspot|both",                       \
	  "Whose recordings: those of cjfr, those of the JVM's own\n"                  \
	  "recorder (as those of jcmd), or both (default: cjfr)" }
#define RECORD_ALL_ROW(offset)                                                         \
	{ "all", 0, OPTION_FLAG, offset, NULL,                                         \
	  "All JVMs of this user; if that is root, all there are" }

/* Of record; and of record start, whose values are in a struct record_verb (recordverb.h). */
extern const struct option_row record_rows[], record_start_rows[];

/*
 * Puts times, sizes and switches into the orders, over their defaults; what has no place
 * there stays in the options. Otherwise a message was written, and the status tells.
 */
enum status record_orders(const struct invocation *invocation,
			  struct record_options *options, struct orders *orders);

#endif
