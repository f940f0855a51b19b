/*
 * recordverb.h - what the commands have in common that are about JVMs that run: `record
 * start`, dump, stop, check, set and detach.
 *
 *	struct record_verb verb;
 *
 *	if (!record_verb_read(&verb, invocation, &status)) ...
 *	... what is wrong with options and words is told here, whatever JVMs there are
 *	status = record_verb_run(&verb, act, nothing);
 *	record_verb_clear(&verb);
 */
#ifndef CMD_RECORDVERB_H
#define CMD_RECORDVERB_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/recordengine.h"
#include "cmd/recordorders.h"
#include "cmd/recordtarget.h"
#include "control/orders.h"

#define RECORD_ENGINES 2

struct record_verb {
	struct record_options options;	/* first: its rows are for the verb, too */
	const char *last;
	bool discard, with_settings, csv, json;
	const struct invocation *invocation;
	struct words words;		/* behind that of the JVM */
	const char *word;		/* that; NULL: all */
	struct record_targets targets;
	const struct record_engine *engines[RECORD_ENGINES];	/* that are asked */
	size_t engine_count;
	struct orders orders;
	struct record_task task;
	VEC(char *) names;		/* of files that were written */
};

/* Rows that they have, but for the last two dump and stop alone. */
#define RECORD_ROW_OF_ENGINE                                                           \
	RECORD_ENGINE_ROW(offsetof(struct record_verb, options.engine))
#define RECORD_ROW_OF_ALL                                                              \
	RECORD_ALL_ROW(offsetof(struct record_verb, options.is_all))
#define RECORD_ROW_OF_NAME                                                             \
	{ "name", 0, OPTION_TEXT, offsetof(struct record_verb, options.name),          \
	  "<name>",                                                                    \
	  "The recording, by its name or number, if there are several" }
#define RECORD_ROW_OF_QUIET                                                            \
	{ "quiet", 'q', OPTION_FLAG, offsetof(struct record_verb, options.quiet),      \
	  NULL, "Tell nothing but what goes wrong" }
#define RECORD_ROW_OF_LAST                                                             \
	{ "last", 0, OPTION_TEXT, offsetof(struct record_verb, last), "<time>",        \
	  "Only its newest chunks: those that are not older, as 5m" }

/* Options and words, as far as all verbs have them. False: as options_read. */
bool record_verb_read(struct record_verb *verb, const struct invocation *invocation,
		      enum status *status);

/* A word is left that the verb does not know; STATUS_DONE: none. */
enum status record_verb_check_words(const struct record_verb *verb);

/* True if our own engine is one of those that are asked. */
static inline bool record_verb_has_ours(const struct record_verb *verb)
{
	return verb->engines[0] == &record_engine_cjfr;
}

/* Finds the JVMs, and acts on each (recordtarget.h); the context is the verb. */
enum status record_verb_run(struct record_verb *verb, record_target_act *act,
			    const char *nothing);

/* What came of asking an engine that is not in the JVM, or has failed. */
enum record_outcome record_verb_fail(const struct record_verb *verb,
				     const struct record_engine *engine,
				     const struct vm *vm, struct err *err);

/*
 * A line on standard output, without control characters; on standard error if that is for
 * a recording. Not with --quiet.
 */
void record_verb_say(const struct record_verb *verb, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* "recording 1 (night)", or, with several engines, "... of cjfr and ... of hotspot". */
void record_verb_name_all(const struct record_verb *verb,
			  const struct buf what[RECORD_ENGINES], struct buf *to);

void record_verb_clear(struct record_verb *verb);

#endif
