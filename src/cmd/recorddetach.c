/*
 * recorddetach.c - cjfr record detach: our agent leaves a JVM.
 */
#include "base/escape.h"
#include "cmd/command.h"
#include "cmd/recordverb.h"
#include "cmd/usage.h"

static const struct option_row rows[] = {
	RECORD_ROW_OF_ALL,
	RECORD_ROW_OF_QUIET,
	OPTION_ROW_LAST,
};

static void say(const struct record_verb *verb, const struct vm *vm,
		const struct buf *written)
{
	struct str rest = buf_as_str(written), path;
	struct buf text = { 0 };

	record_target_text(&text, vm);
	record_verb_say(verb, "The agent has left %.*s", (int)text.size,
			text.bytes ? text.bytes : "");
	while (str_split(&rest, '\n', &path)) {
		buf_reset(&text);
		escape_shell(&text, path);
		record_verb_say(verb, "Its recording is in %.*s", (int)text.size,
				text.bytes ? text.bytes : "");
	}
	buf_clear(&text);
}

static enum record_outcome detach(void *context, const struct vm *vm, struct err *err)
{
	struct record_verb *verb = context;
	struct buf written = { 0 };
	enum record_outcome outcome = RECORD_DONE;

	if (record_agent_detach(&verb->task, vm, &written, err)) {
		say(verb, vm, &written);
	} else if (err->kind != ERR_NONE) {
		if (written.size)
			say(verb, vm, &written);
		outcome = RECORD_FAILED;
	} else if (verb->targets.is_all) {
		outcome = RECORD_SKIPPED;
	} else {
		err_set(err, ERR_USAGE, "there is no agent in it");
		outcome = RECORD_FAILED;
	}
	buf_clear(&written);
	return outcome;
}

static enum status run(const struct invocation *invocation)
{
	struct record_verb verb;
	enum status status;

	if (record_verb_read(&verb, invocation, &status)) {
		status = record_verb_check_words(&verb);
		if (status == STATUS_DONE)
			status = record_verb_run(&verb, detach,
						 "there is an agent in no JVM");
	}
	record_verb_clear(&verb);
	return status;
}

const struct command cmd_record_detach = {
	.name = "record detach",
	.syntax = { "<jvm> | --all [--quiet]" },
	.is_ours = true,
	.summary = "Have the agent leave a JVM: all its recordings end",
	.examples = {
		"cjfr record detach 4711",
		"cjfr record detach --all",
	},
	.options = rows,
	.run = run,
};
