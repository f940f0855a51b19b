/*
 * recordsettings.h - which events a JVM shall record, and how: by files and words.
 */
#ifndef CMD_RECORDSETTINGS_H
#define CMD_RECORDSETTINGS_H

#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/recordorders.h"
#include "control/orders.h"

/* What to look at first: "view hot-methods". */
struct record_looks {
	const char *first;
	const char *idle;	/* if no method was selected */
	const char *cut;	/* if the end is missing, and with it counts of timed
				   methods; NULL: nothing is missing then */
};

/*
 * The settings of the files, and what is said over them: by options (--interval), and
 * by words, "gc=all" for an option of the files, "jdk.CPULoad#period=1s" for one
 * setting. Otherwise a message was written, and the status tells.
 */
enum status record_settings(const struct invocation *invocation,
			    const struct record_options *options,
			    const struct words *words, struct orders *orders,
			    struct record_looks *looks);

/*
 * The same for a recording that has settings: only what the options and words say, and
 * files, if there are any.
 */
enum status record_settings_changes(const struct invocation *invocation,
				    const struct record_options *options,
				    const struct words *words, struct orders *orders);

#endif
