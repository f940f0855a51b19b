/*
 * recordmethods.h - which methods cjfr record times and traces: its options, as settings.
 *
 * --method-timing is jdk.MethodTiming#filter with all that goes with it, --method-trace
 * that of jdk.MethodTrace; each has an option for a time besides.
 */
#ifndef CMD_RECORDMETHODS_H
#define CMD_RECORDMETHODS_H

#include "base/err.h"
#include "cmd/recordorders.h"
#include "jfr/eventtypes.h"

struct record_methods {
	enum event_id event;
	const char *option;		/* "method-timing" */
	size_t filters;			/* where they are in the options */
	const char *time_option;	/* "period"; also the name of the setting */
	size_t time;			/* where that is in the options */
	const char *look;		/* what shows them: "view method-timing" */
};

#define RECORD_METHODS 2
extern const struct record_methods record_methods[RECORD_METHODS];

static inline const struct option_list *
record_methods_filters(const struct record_methods *row,
		       const struct record_options *options)
{
	return (const void *)((const char *)options + row->filters);
}

static inline const char *record_methods_time(const struct record_methods *row,
					      const struct record_options *options)
{
	return *(const char *const *)(const void *)((const char *)options + row->time);
}

/*
 * The filters are read, and the folder of --dump-classes is among the orders. Otherwise a
 * message was written, and the status tells.
 */
enum status record_methods_check(const struct invocation *invocation,
				 const struct record_options *options,
				 struct orders *orders);

/* Makes the folder of --dump-classes, if need be; NULL: there is none. ERR_SYSTEM. */
bool record_methods_make_dump(const char *folder, struct err *err);

/* Appends all filters of an option as one text. */
void record_methods_join(const struct option_list *filters, struct buf *to);

/*
 * ERR_USAGE with the first filter that is wrong, why, and what may have been meant;
 * ERR_MEMORY.
 */
bool record_methods_are_filters(struct str text, struct err *err);

/* The same, and ERR_USAGE if they select nothing together. */
bool record_methods_select(struct str text, struct err *err);

#endif
