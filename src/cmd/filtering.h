/*
 * filtering.h - the options that choose events, and the filter they make.
 *
 *	struct options {
 *		struct filtering filtering;
 *		...
 *	};
 *	static const struct option_row rows[] = {
 *		FILTERING_ROWS(struct options, filtering),
 *		...
 *	status = filtering_read(invocation, &options.filtering, &filter);
 *	if (status != STATUS_DONE)
 *		return status;
 *	...
 *	filter_clear(&filter);
 */
#ifndef CMD_FILTERING_H
#define CMD_FILTERING_H

#include "cmd/options.h"
#include "filter/filter.h"

/* Values as they were given; NULL: the option was not. */
struct filtering {
	const char *events, *categories;
	const char *from, *to, *last;
	const char *threads;
	const char *min_duration;
	struct option_list conditions;
};

/* `type` is the struct with the values, `member` the struct filtering in it. */
#define FILTERING_ROWS(type, member)                                            \
	OPTION_ROWS_OF_TYPES(type, member.categories, member.events),               \
	{ "from", 0, OPTION_TEXT, offsetof(type, member.from), "<time>",            \
	  "Only events that end then or later: a point in time\n"                   \
	  "(22:06:54, 2026-11-29T22:06:54Z), or how long after the\n"               \
	  "start of the recording (30s) or before its end (-30s)" },                \
	{ "to", 0, OPTION_TEXT, offsetof(type, member.to), "<time>",                \
	  "Only events that begin then or earlier" },                               \
	{ "last", 0, OPTION_TEXT, offsetof(type, member.last), "<duration>",        \
	  "Only events of the end of the recording (5m)" },                         \
	{ "thread", 0, OPTION_TEXT, offsetof(type, member.threads), "<filter>",     \
	  "Only events of these threads: names, patterns or ids,\n"                 \
	  "separated by commas" },                                                  \
	{ "min-duration", 0, OPTION_TEXT, offsetof(type, member.min_duration),      \
	  "<duration>", "Only events that took so long or longer (20ms, 1.5s)" },   \
	{ "where", 0, OPTION_LIST, offsetof(type, member.conditions),               \
	  "<condition>",                                                            \
	  "Only events whose fields are so: \"bytesRead >= 64kB\",\n"               \
	  "\"thrownClass ~ java.io.*\" with = != < <= > >= ~ !~;\n"                 \
	  "several must all hold" }

/*
 * Makes the filter, which borrows the texts and must be cleared. Otherwise a message
 * was written, there is nothing to clear, and the status tells.
 */
enum status filtering_read(const struct invocation *invocation,
			   const struct filtering *filtering, struct filter *filter);

#endif
