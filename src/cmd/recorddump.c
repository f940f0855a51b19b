/*
 * recorddump.c - cjfr record dump: what was recorded so far; recording goes on.
 */
#include "cmd/command.h"
#include "cmd/recorddeliver.h"
#include "cmd/recordverb.h"
#include "cmd/usage.h"

static const struct option_row rows[] = {
	{ "output", 'o', OPTION_TEXT, offsetof(struct record_verb, options.output),
	  "<file>",
	  "The file: %p is the process, %t the time now, - is standard\n"
	  "output (default: <name of what runs>-%p-%t.jfr)" },
	RECORD_ROW_OF_NAME,
	RECORD_ROW_OF_LAST,
	RECORD_ROW_OF_ALL,
	RECORD_ROW_OF_ENGINE,
	RECORD_ROW_OF_QUIET,
	OPTION_ROW_LAST,
};

static void say(const struct record_verb *verb, const struct vm *vm,
		const struct buf what[RECORD_ENGINES], const struct buf *told)
{
	struct buf text = { 0 };

	buf_text(&text, "Wrote ");
	record_verb_name_all(verb, what, &text);
	buf_text(&text, " in ");
	record_target_text(&text, vm);
	buf_text(&text, ": ");
	buf_str(&text, buf_as_str(told));
	record_verb_say(verb, "%.*s", (int)text.size, text.bytes ? text.bytes : "");
	buf_clear(&text);
}

/* The data of all engines; what one has handed over is let go if another one fails. */
static enum record_outcome gather(struct record_verb *verb, const struct vm *vm,
				  struct record_data data[RECORD_ENGINES],
				  struct buf what[RECORD_ENGINES], struct err *err)
{
	enum record_outcome outcome = RECORD_DONE;

	for (size_t i = 0; i < verb->engine_count; i++) {
		data[i] = (struct record_data){ .fd = -1 };
		if (outcome == RECORD_DONE &&
		    !verb->engines[i]->dump(&verb->task, vm, &data[i], &what[i], err))
			outcome = record_verb_fail(verb, verb->engines[i], vm, err);
	}
	if (outcome != RECORD_DONE)
		record_deliver_not(verb, vm, data);
	return outcome;
}

static enum record_outcome dump(void *context, const struct vm *vm, struct err *err)
{
	struct record_verb *verb = context;
	struct record_data data[RECORD_ENGINES];
	struct buf what[RECORD_ENGINES] = { { .size = 0 } }, told = { 0 };
	enum record_outcome outcome = gather(verb, vm, data, what, err);

	if (outcome == RECORD_DONE) {
		outcome = record_deliver(verb, vm, data, &told, err);
		if (outcome == RECORD_DONE)
			say(verb, vm, what, &told);
		else if (outcome == RECORD_SKIPPED) {
			err_set(err, ERR_USAGE, "there is nothing in it yet");
			outcome = RECORD_FAILED;
		}
	}
	for (size_t i = 0; i < RECORD_ENGINES; i++)
		buf_clear(&what[i]);
	buf_clear(&told);
	return outcome;
}

static enum status run(const struct invocation *invocation)
{
	struct record_verb verb;
	enum status status;

	if (record_verb_read(&verb, invocation, &status)) {
		status = record_verb_check_words(&verb);
		if (status == STATUS_DONE)
			status = record_deliver_check(&verb);
		if (status == STATUS_DONE)
			status = record_verb_run(&verb, dump, "no JVM is recorded");
	}
	record_verb_clear(&verb);
	return status;
}

const struct command cmd_record_dump = {
	.name = "record dump",
	.syntax = { "<jvm> | --all [-o <file>] [--name <name>]",
		    "[--last <time>] [--engine cjfr|hotspot|both] [--quiet]" },
	.is_ours = true,
	.summary = "Write what was recorded of a JVM so far; recording goes on",
	.examples = {
		"cjfr record dump 4711 -o app.jfr",
		"cjfr record dump shop.Main --name night --last 5m",
		"cjfr record dump 4711 -o - | cjfr view hot-methods",
		"cjfr record dump --all -o /data",
	},
	.options = rows,
	.run = run,
};
