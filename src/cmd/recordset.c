/*
 * recordset.c - cjfr record set: a recording that runs gets other settings.
 */
#include "cmd/command.h"
#include "cmd/recordmethods.h"
#include "cmd/recordsettings.h"
#include "cmd/recordverb.h"
#include "cmd/usage.h"

#define ROW(name_, kind_, member_, value_, help_)                                      \
	{ name_, 0, kind_, offsetof(struct record_verb, options.member_), value_, help_ }

static const struct option_row rows[] = {
	RECORD_ROW_OF_NAME,
	ROW("settings", OPTION_LIST, settings, "<files>",
	    "All that these .jfc files say, as for record"),
	ROW("interval", OPTION_TEXT, interval, "<time>",
	    "Sample each thread so often: 1ms to 1h, or 0 for never"),
	ROW("method-timing", OPTION_LIST, method_timing, "<filter>",
	    "Time these methods, and no others"),
	ROW("period", OPTION_TEXT, period, "<time>", "Tell the counts so often"),
	ROW("method-trace", OPTION_LIST, method_trace, "<filter>",
	    "Record each call of these methods, and of no others"),
	ROW("threshold", OPTION_TEXT, threshold, "<time>",
	    "Of these calls record those that take so long"),
	RECORD_ROW_OF_ALL,
	RECORD_ROW_OF_QUIET,
	OPTION_ROW_LAST,
};

/* HotSpot's own recorder changes nothing in a recording that runs. */
static enum record_outcome set(void *context, const struct vm *vm, struct err *err)
{
	struct record_verb *verb = context;
	const struct record_engine *engine = &record_engine_cjfr;
	struct buf told = { 0 }, text = { 0 };
	enum record_outcome outcome = RECORD_DONE;

	if (engine->set(&verb->task, vm, &told, err)) {
		record_target_text(&text, vm);
		record_verb_say(verb, "Changed the settings of %.*s in %.*s",
				(int)told.size, told.bytes ? told.bytes : "",
				(int)text.size, text.bytes ? text.bytes : "");
	} else {
		outcome = record_verb_fail(verb, engine, vm, err);
	}
	buf_clear(&told);
	buf_clear(&text);
	return outcome;
}

static enum status make_ready(struct record_verb *verb)
{
	const struct invocation *invocation = verb->invocation;
	enum status status = record_orders(invocation, &verb->options, &verb->orders);

	if (status == STATUS_DONE)
		status = record_methods_check(invocation, &verb->options, &verb->orders);
	if (status == STATUS_DONE)
		status = record_settings_changes(invocation, &verb->options,
						 &verb->words, &verb->orders);
	if (status == STATUS_DONE && !verb->orders.settings.count && !verb->words.count)
		status = complain_usage(invocation, "missing what to set, as in "
					"jdk.CPULoad#period=1s");
	return status;
}

static enum status run(const struct invocation *invocation)
{
	struct record_verb verb;
	enum status status;

	if (record_verb_read(&verb, invocation, &status)) {
		status = make_ready(&verb);
		if (status == STATUS_DONE)
			status = record_verb_run(&verb, set, "no JVM is recorded");
	}
	record_verb_clear(&verb);
	return status;
}

const struct command cmd_record_set = {
	.name = "record set",
	.syntax = { "<jvm> | --all [--name <name>] [--settings <files>]",
		    "[--interval <time>]",
		    "[--method-timing <filter>] [--period <time>]",
		    "[--method-trace <filter>] [--threshold <time>]",
		    "[--quiet]",
		    "[<option>=<value>]... [<event>#<setting>=<value>]..." },
	.is_ours = true,
	.summary = "Change the settings of a recording while it runs",
	.examples = {
		"cjfr record set 4711 jdk.CPULoad#period=100ms",
		"cjfr record set shop.Main --name night --threshold 500ms",
		"cjfr record set 4711 --method-timing 'shop.Cart;shop.Order'",
		"cjfr record set 4711 --settings profile --interval 5ms",
	},
	.options = rows,
	.run = run,
};
