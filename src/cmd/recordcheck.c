/*
 * recordcheck.c - cjfr record check: which recordings a JVM has, and how they do.
 */
#include "cmd/command.h"
#include "cmd/recordstate.h"
#include "cmd/recordverb.h"
#include "cmd/usage.h"

static const struct option_row rows[] = {
	RECORD_ROW_OF_NAME,
	{ "settings", 0, OPTION_FLAG, offsetof(struct record_verb, with_settings), NULL,
	  "Also the settings of events that are on" },
	{ "csv", 0, OPTION_FLAG, offsetof(struct record_verb, csv), NULL,
	  "As CSV, a row for each recording (--settings: for each setting)" },
	{ "json", 0, OPTION_FLAG, offsetof(struct record_verb, json), NULL,
	  "As JSON" },
	RECORD_ROW_OF_ALL,
	RECORD_ROW_OF_ENGINE,
	OPTION_ROW_LAST,
};

struct check {
	struct record_verb verb;
	struct record_states states;
};

static enum record_outcome check_engine(struct check *check,
					const struct record_engine *engine,
					const struct vm *vm, struct err *err)
{
	struct record_state state = { .with_settings = check->states.with_settings };
	enum record_outcome outcome = RECORD_DONE;

	if (engine->check(&check->verb.task, vm, &state, err))
		record_states_add(&check->states, vm, engine->name, &state);
	else
		outcome = record_verb_fail(&check->verb, engine, vm, err);
	record_state_clear(&state);
	return outcome;
}

static enum record_outcome check(void *context, const struct vm *vm, struct err *err)
{
	struct check *work = (void *)((char *)context - offsetof(struct check, verb));
	enum record_outcome outcome = RECORD_DONE;

	for (size_t i = 0; i < work->verb.engine_count && outcome == RECORD_DONE; i++)
		outcome = check_engine(work, work->verb.engines[i], vm, err);
	return outcome;
}

static enum status check_all(struct check *work)
{
	struct record_verb *verb = &work->verb;
	enum status status;
	struct err err;

	record_states_begin(&work->states,
			    verb->csv	 ? RECORD_STATES_CSV
			    : verb->json ? RECORD_STATES_JSON
					 : RECORD_STATES_TEXT,
			    verb->with_settings);
	status = record_verb_run(verb, check, "no JVM is recorded");
	if (record_states_end(&work->states, &err))
		return status;
	complain(verb->invocation, "%s", err.text);
	return STATUS_FAILED;
}

static enum status run(const struct invocation *invocation)
{
	struct check work;
	enum status status;

	if (record_verb_read(&work.verb, invocation, &status)) {
		status = record_verb_check_words(&work.verb);
		if (status == STATUS_DONE && work.verb.csv && work.verb.json)
			status = complain_usage(invocation, "only one of --csv and --json "
						"can be given");
		if (status == STATUS_DONE)
			status = check_all(&work);
	}
	record_verb_clear(&work.verb);
	return status;
}

const struct command cmd_record_check = {
	.name = "record check",
	.syntax = { "<jvm> | --all [--name <name>] [--settings] [--csv | --json]",
		    "[--engine cjfr|hotspot|both]" },
	.is_ours = true,
	.summary = "Show which recordings a JVM has, and how they do",
	.examples = {
		"cjfr record check 4711",
		"cjfr record check shop.Main --settings",
		"cjfr record check --all --json | jq '.jvms[].recordings'",
	},
	.options = rows,
	.run = run,
};
