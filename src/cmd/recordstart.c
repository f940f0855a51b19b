/*
 * recordstart.c - cjfr record start: a JVM that runs is recorded from now on.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "cmd/command.h"
#include "cmd/recordmethods.h"
#include "cmd/recordorders.h"
#include "cmd/recordoutput.h"
#include "cmd/recordsettings.h"
#include "cmd/recordverb.h"
#include "cmd/usage.h"
#include "control/outname.h"

/* --- the output ------------------------------------------------------------------ */

/* Paths of a JVM that has another root are not ours: without -o it is in its /tmp. */
static char *pattern_of(const struct record_verb *verb, const struct vm *vm,
			const char *subject)
{
	const char *output = verb->options.output;

	if (vm->is_elsewhere)
		return output ? strdup(output) : outname_default("/tmp", subject);
	return record_output_pattern(output, subject);
}

static bool is_taken(const struct record_verb *verb, const char *pattern)
{
	for (size_t i = 0; i < verb->names.count; i++) {
		if (strcmp(verb->names.items[i], pattern) == 0)
			return true;
	}
	return false;
}

/* No two of them write the same file. */
static char *make_distinct(const struct record_verb *verb, const struct vm *vm,
			   char *pattern)
{
	char *distinct = pattern;

	if (strstr(pattern, "%p") && verb->engine_count == 1)
		return pattern;
	for (unsigned tries = 0; distinct && is_taken(verb, distinct); tries++) {
		if (distinct != pattern)
			free(distinct);
		distinct = outname_distinct(pattern, vm->pid, tries);
	}
	if (distinct != pattern)
		free(pattern);
	return distinct;
}

/* What is said of a file that another user, or in another place, cannot be written is seen later. */
static bool is_writable(const struct record_verb *verb, const struct vm *vm,
			const char *pattern)
{
	return vm->is_elsewhere || vm->uid != geteuid() ||
	       record_output_check(verb->invocation, pattern) == STATUS_DONE;
}

/*
 * Name and destination are those of this JVM. Without a name a recording is called by its
 * number, but where two engines have one each, which are found by one name. The
 * destination, or NULL with err.
 */
static const char *fill_orders(struct record_verb *verb, const struct vm *vm,
			       struct err *err)
{
	struct orders *orders = &verb->orders;
	const char *name = verb->options.name;
	char *subject = record_target_subject(vm);
	const char *common = verb->engine_count > 1 ? subject : "";
	char *called = name ? record_target_word(name) : NULL;
	char *pattern = subject ? pattern_of(verb, vm, called ? called : subject) : NULL;
	char *absolute = pattern ? outname_absolute(pattern) : NULL;
	bool is_filled;

	absolute = absolute ? make_distinct(verb, vm, absolute) : NULL;
	orders->made_up = !verb->options.output;
	is_filled = absolute && vec_push(&verb->names, absolute);
	if (!is_filled)
		free(absolute);
	is_filled = is_filled &&
		    orders_text(orders, &orders->name, str_of(name ? name : common)) &&
		    orders_text(orders, &orders->destination, str_of(absolute));
	free(subject);
	free(called);
	free(pattern);
	if (is_filled)
		return absolute;
	err_memory(err);
	return NULL;
}

/* --- starting -------------------------------------------------------------------- */

static void say(const struct record_verb *verb, const struct record_engine *engine,
		const struct vm *vm, const struct buf *told, const char *destination)
{
	struct buf text = { 0 };

	buf_text(&text, "Started ");
	buf_str(&text, buf_as_str(told));
	if (verb->options.engine)
		buf_printf(&text, " of %s", engine->name);
	buf_text(&text, " in ");
	record_target_text(&text, vm);
	if (verb->options.duration && verb->orders.duration) {
		buf_printf(&text, " for %s; then it will be in ", verb->options.duration);
		escape_shell(&text, str_of(destination));
	} else {
		buf_printf(&text, "; to get it: cjfr record dump %s%s%s%ld",
			   verb->options.engine ? "--engine " : "", verb->options.engine ? verb->options.engine : "",
			   verb->options.engine ? " " : "", (long)vm->pid);
		if (verb->options.name) {
			buf_text(&text, " --name ");
			escape_shell(&text, str_of(verb->options.name));
		}
		buf_text(&text, " -o <file>");
	}
	record_verb_say(verb, "%.*s", (int)text.size, text.bytes ? text.bytes : "");
	buf_clear(&text);
}

static enum record_outcome start_engine(struct record_verb *verb,
					const struct record_engine *engine,
					const struct vm *vm, struct buf *told,
					struct err *err)
{
	const char *destination = fill_orders(verb, vm, err);

	if (!destination)
		return RECORD_FAILED;
	if (!is_writable(verb, vm, destination))
		return RECORD_FAILED;
	/* Two become one file in the end, and are fetched for that. */
	if (verb->engine_count > 1 && engine != verb->engines[0])
		verb->orders.destination = STR("");
	if (!engine->start(&verb->task, vm, told, err))
		return record_verb_fail(verb, engine, vm, err);
	say(verb, engine, vm, told, destination);
	return RECORD_DONE;
}

/* The number in "recording 12 (checkout)". */
static bool number_of(const struct buf *told, char *to, size_t size)
{
	size_t at = 0;

	while (at < told->size && (told->bytes[at] < '0' || told->bytes[at] > '9'))
		at++;
	snprintf(to, size, "%.*s", (int)(told->size - at), told->bytes + at);
	to[strspn(to, "0123456789")] = '\0';
	return *to;
}

/* One of several could not: then those before it shall not, either. */
static void undo(struct record_verb *verb, const struct vm *vm,
		 const struct buf told[RECORD_ENGINES], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct record_task task = verb->task;
		struct record_data data = { .fd = -1 };
		struct buf ignored = { 0 };
		char *written = NULL;
		char number[32];
		struct err err;

		task.to = REQUEST_TO_NOBODY;
		task.name = number;
		if (number_of(&told[i], number, sizeof(number)))
			verb->engines[i]->stop(&task, vm, &data, &ignored, &written,
					       &err);
		free(written);
		buf_clear(&ignored);
	}
}

static enum record_outcome start(void *context, const struct vm *vm, struct err *err)
{
	struct record_verb *verb = context;
	struct buf told[RECORD_ENGINES] = { { .size = 0 } };
	enum record_outcome outcome = RECORD_DONE;

	for (size_t i = 0; i < verb->engine_count && outcome == RECORD_DONE; i++) {
		outcome = start_engine(verb, verb->engines[i], vm, &told[i], err);
		if (outcome != RECORD_DONE && i > 0)
			undo(verb, vm, told, i);
	}
	for (size_t i = 0; i < RECORD_ENGINES; i++)
		buf_clear(&told[i]);
	return outcome;
}

/* --- the words ------------------------------------------------------------------- */

static enum status check_output(const struct record_verb *verb)
{
	const char *output = verb->options.output;

	if (!output)
		return STATUS_DONE;
	if (strcmp(output, "-") == 0)
		return complain_usage(verb->invocation, "start does not wait for the "
				      "recording, so it cannot write it to standard "
				      "output; record stop -o - does");
	return record_output_check_words(verb->invocation, output);
}

static enum status make_ready(struct record_verb *verb)
{
	const struct invocation *invocation = verb->invocation;
	struct record_looks looks;
	enum status status = check_output(verb);
	struct err err = { ERR_NONE, "" };

	if (status == STATUS_DONE)
		status = record_orders(invocation, &verb->options, &verb->orders);
	/* The other one reads them for itself. */
	if (status != STATUS_DONE || !record_verb_has_ours(verb))
		return status;
	status = record_methods_check(invocation, &verb->options, &verb->orders);
	if (status == STATUS_DONE)
		status = record_settings(invocation, &verb->options, &verb->words,
					 &verb->orders, &looks);
	if (status != STATUS_DONE)
		return status;
	verb->orders.spill_file = true;
	if (record_methods_make_dump(verb->options.dump_classes, &err))
		return STATUS_DONE;
	complain(invocation, "%s", err.text);
	return STATUS_FAILED;
}

static enum status run(const struct invocation *invocation)
{
	struct record_verb verb;
	enum status status;

	if (record_verb_read(&verb, invocation, &status)) {
		status = make_ready(&verb);
		if (status == STATUS_DONE)
			status = record_verb_run(&verb, start, "nothing was started");
	}
	record_verb_clear(&verb);
	return status;
}

static void tell_words(FILE *to)
{
	fputs("\n"
	      "  <jvm>                     Its process, or a part of its main class or jar\n"
	      "  <event>#<setting>=<value> A setting of one event: enabled, period, threshold,\n"
	      "                            stackTrace, filter\n"
	      "  <option>=<value>          An option of the .jfc files: see help configure\n",
	      to);
}

const struct command cmd_record_start = {
	.name = "record start",
	.syntax = { "<jvm> | --all [-o <file>] [--name <name>]",
		    "[--settings <files>] [--engine cjfr|hotspot|both]",
		    "[--interval <time>] [--mode cpu|wall]",
		    "[--threads <names>] [--stack-depth <frames>]",
		    "[--method-timing <filter>] [--period <time>]",
		    "[--method-trace <filter>] [--threshold <time>]",
		    "[--dump-classes <folder>]",
		    "[--duration <time>] [--delay <time>]",
		    "[--maxage <time>] [--maxsize <size>]",
		    "[--disk | --memory] [--memory-size <size>]",
		    "[--buffer-size <size>]",
		    "[--flush-interval <time>] [--max-chunk-size <size>]",
		    "[--no-redact] [--quiet]",
		    "[--repository <folder>] [--preserve-repository]",
		    "[<option>=<value>]... [<event>#<setting>=<value>]..." },
	.is_ours = true,
	.summary = "Record a JVM that runs",
	.examples = {
		"cjfr record start 4711",
		"cjfr record start shop.Main --duration 1m -o shop.jfr",
		"cjfr record start app.jar --name night --settings profile --maxage 1h",
		"cjfr record start 4711 --method-trace 'shop.Cart::*' --threshold 50ms",
		"cjfr record start --all --interval 10ms jdk.CPULoad#period=100ms",
	},
	.options = record_start_rows,
	.tell_more = tell_words,
	.run = run,
};
