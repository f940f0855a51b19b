/*
 * options.h - a command's options, read by its table.
 */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include <stddef.h>

#include "cmd/command.h"

/* The values of an option that may be given several times, in their order. */
#define OPTION_LIST_MAX 32

struct option_list {
	const char *items[OPTION_LIST_MAX];
	size_t count;
};

/* What several options say, in the order in which they were given. */
#define OPTION_STEPS_MAX 1024

struct option_step {
	const struct option_row *row;	/* which of them */
	const char *value;
};

struct option_steps {
	struct option_step items[OPTION_STEPS_MAX];
	size_t count;
};

/* Rows that several commands have. `type` is the struct with the values. */
#define OPTION_ROWS_OF_FILTER(type) OPTION_ROWS_OF_TYPES(type, categories, events)

/* The same, and the members with the values. */
#define OPTION_ROWS_OF_TYPES(type, categories, events)                          \
	{ "categories", 0, OPTION_FILTER, offsetof(type, categories), "<filter>",   \
	  "Only events of these categories: names or patterns,\n"                   \
	  "separated by commas (JVM, \"Java*\")" },                                  \
	{ "events", 0, OPTION_FILTER, offsetof(type, events), "<filter>",           \
	  "Only events of these types: names, with or without their\n"              \
	  "package, or patterns, separated by commas" }

#define OPTION_ROW_OF_JOBS(type)                                                \
	{ "jobs", 'j', OPTION_COUNT, offsetof(type, jobs), "<threads>",             \
	  "Threads to use (default: all processors)" }

/* What is no option: files. Borrowed from argv. */
struct words {
	char **items;
	size_t count;
};

#define OPTION_ROW_LAST { NULL, 0, OPTION_FLAG, 0, NULL, NULL }

/*
 * Sets the values in `values` (the command's own struct, with its defaults in it)
 * from the words of the call. Options go by their full names only; of one given twice
 * the last counts, where that is no error. Other words are collected.
 *
 * False when there is nothing more to do: help was shown, or a message written; then
 * *status is the status to end with.
 */
bool options_read(const struct invocation *invocation, void *values,
		  struct words *words, enum status *status);

#endif
