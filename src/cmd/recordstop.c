/*
 * recordstop.c - cjfr record stop: a recording ends, and becomes a file.
 */
#include <stdlib.h>

#include "base/escape.h"
#include "cmd/command.h"
#include "cmd/recorddeliver.h"
#include "cmd/recordverb.h"
#include "cmd/usage.h"

static const struct option_row rows[] = {
	{ "output", 'o', OPTION_TEXT, offsetof(struct record_verb, options.output),
	  "<file>",
	  "The file: %p is the process, %t the time now, - is standard\n"
	  "output (default: what was said when it was started)" },
	{ "discard", 0, OPTION_FLAG, offsetof(struct record_verb, discard), NULL,
	  "Throw away what was recorded" },
	RECORD_ROW_OF_NAME,
	RECORD_ROW_OF_LAST,
	RECORD_ROW_OF_ALL,
	RECORD_ROW_OF_ENGINE,
	RECORD_ROW_OF_QUIET,
	OPTION_ROW_LAST,
};

/* What came of stopping in all engines. */
struct stopped {
	struct record_data data[RECORD_ENGINES];
	struct buf what[RECORD_ENGINES];	/* "recording 1 (checkout)" */
	char *written[RECORD_ENGINES];
};

/* How it ended: where it is, or that it is not. */
static void add_end(const struct record_verb *verb, const char *written,
		    const struct buf *told, struct buf *to)
{
	if (verb->discard) {
		buf_text(to, "; what it had is thrown away");
	} else if (written) {
		buf_text(to, "; it is in ");
		escape_shell(to, str_of(written));
		record_deliver_try(to, written);
	} else if (told->size) {
		buf_text(to, ": ");
		buf_str(to, buf_as_str(told));
	} else {
		buf_text(to, "; there was nothing in it");
	}
}

/* What became one file is told once. */
static void say(const struct record_verb *verb, const struct vm *vm,
		const struct stopped *stopped, const struct buf *told)
{
	struct buf text = { 0 };
	const char *written = NULL;

	for (size_t i = 0; i < verb->engine_count && !written; i++)
		written = stopped->written[i];
	buf_text(&text, "Stopped ");
	record_verb_name_all(verb, stopped->what, &text);
	buf_text(&text, " in ");
	record_target_text(&text, vm);
	add_end(verb, written, told, &text);
	record_verb_say(verb, "%.*s", (int)text.size, text.bytes ? text.bytes : "");
	buf_clear(&text);
}

static enum record_outcome stop_all(struct record_verb *verb, const struct vm *vm,
				    struct stopped *stopped, struct err *err)
{
	enum record_outcome outcome = RECORD_DONE;

	for (size_t i = 0; i < verb->engine_count; i++) {
		stopped->data[i] = (struct record_data){ .fd = -1 };
		if (outcome == RECORD_DONE &&
		    !verb->engines[i]->stop(&verb->task, vm, &stopped->data[i],
					    &stopped->what[i], &stopped->written[i],
					    err))
			outcome = record_verb_fail(verb, verb->engines[i], vm, err);
	}
	if (outcome != RECORD_DONE)
		record_deliver_not(verb, vm, stopped->data);
	return outcome;
}

static enum record_outcome stop(void *context, const struct vm *vm, struct err *err)
{
	struct record_verb *verb = context;
	struct stopped stopped = { .written = { NULL } };
	struct buf told = { 0 };
	enum record_outcome outcome = stop_all(verb, vm, &stopped, err);

	if (outcome == RECORD_DONE)
		outcome = record_deliver(verb, vm, stopped.data, &told, err);
	/* Without data there may be files, or nothing at all. */
	if (outcome == RECORD_DONE ||
	    (outcome == RECORD_SKIPPED && stopped.what[0].size)) {
		say(verb, vm, &stopped, &told);
		outcome = RECORD_DONE;
	}
	for (size_t i = 0; i < RECORD_ENGINES; i++) {
		buf_clear(&stopped.what[i]);
		free(stopped.written[i]);
	}
	buf_clear(&told);
	return outcome;
}

static enum status make_ready(struct record_verb *verb)
{
	enum status status = record_verb_check_words(verb);

	if (status != STATUS_DONE)
		return status;
	if (verb->discard && verb->options.output)
		return complain_usage(verb->invocation,
				      "only one of --discard and --output can be given");
	if (verb->discard && verb->last)
		return complain_usage(verb->invocation,
				      "only one of --discard and --last can be given");
	if (verb->last && !verb->options.output && verb->engine_count == 1)
		return complain_usage(verb->invocation, "--last needs --output, as the "
				      "JVM writes all of a recording");
	verb->task.to = verb->discard ? REQUEST_TO_NOBODY
			: verb->options.output || verb->engine_count > 1
				? REQUEST_TO_CLIENT : REQUEST_TO_OUTPUT;
	return record_deliver_check(verb);
}

static enum status run(const struct invocation *invocation)
{
	struct record_verb verb;
	enum status status;

	if (record_verb_read(&verb, invocation, &status)) {
		status = make_ready(&verb);
		if (status == STATUS_DONE)
			status = record_verb_run(&verb, stop, "no JVM is recorded");
	}
	record_verb_clear(&verb);
	return status;
}

const struct command cmd_record_stop = {
	.name = "record stop",
	.syntax = { "<jvm> | --all [-o <file> | --discard] [--name <name>]",
		    "[--last <time>] [--engine cjfr|hotspot|both] [--quiet]" },
	.is_ours = true,
	.summary = "Stop a recording of a JVM, and write it",
	.examples = {
		"cjfr record stop 4711",
		"cjfr record stop shop.Main --name night -o night.jfr",
		"cjfr record stop 4711 -o - | cjfr summary",
		"cjfr record stop --all --discard",
	},
	.options = rows,
	.run = run,
};
