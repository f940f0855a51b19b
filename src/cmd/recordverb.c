#include "cmd/recordverb.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/timespan.h"
#include "cmd/usage.h"

static const struct {
	const char *word;
	const struct record_engine *engines[RECORD_ENGINES];
} choices[] = {
	{ "cjfr", { &record_engine_cjfr } },
	{ "hotspot", { &record_engine_hotspot } },
	{ "both", { &record_engine_cjfr, &record_engine_hotspot } },
};

static enum status choose_engines(struct record_verb *verb)
{
	const char *word = verb->options.engine ? verb->options.engine : "cjfr";

	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		if (strcmp(word, choices[i].word) != 0)
			continue;
		while (verb->engine_count < RECORD_ENGINES &&
		       choices[i].engines[verb->engine_count]) {
			verb->engines[verb->engine_count] =
				choices[i].engines[verb->engine_count];
			verb->engine_count++;
		}
		return STATUS_DONE;
	}
	return complain_usage(verb->invocation, "--engine: '%s' is neither cjfr nor "
			      "hotspot nor both", word);
}

static enum status read_last(struct record_verb *verb)
{
	struct err err = { ERR_NONE, "" };
	bool is_negative = false;

	if (!verb->last)
		return STATUS_DONE;
	if (!timespan_parse(str_of(verb->last), &verb->task.last, &is_negative, &err))
		return complain_usage(verb->invocation, "--last: %s", err.text);
	if (is_negative || verb->task.last == 0)
		return complain_usage(verb->invocation, "--last: '%s' is no time that has "
				      "passed", verb->last);
	return STATUS_DONE;
}

bool record_verb_read(struct record_verb *verb, const struct invocation *invocation,
		      enum status *status)
{
	*verb = (struct record_verb){ .invocation = invocation,
				      .options.stack_depth = -1 };
	orders_init(&verb->orders);
	if (!options_read(invocation, verb, &verb->words, status))
		return false;
	*status = record_targets_word(invocation, verb->options.is_all, &verb->words,
				      &verb->word);
	if (*status == STATUS_DONE)
		*status = choose_engines(verb);
	if (*status == STATUS_DONE)
		*status = read_last(verb);
	if (*status == STATUS_DONE && verb->options.name && !*verb->options.name)
		*status = complain_usage(invocation, "--name: it is empty");
	verb->task.invocation = invocation;
	verb->task.name = verb->options.name;
	verb->task.options = &verb->options;
	verb->task.words = &verb->words;
	verb->task.orders = &verb->orders;
	verb->task.is_quiet = verb->options.quiet;
	verb->task.has_others = verb->options.has_others = verb->engine_count > 1;
	return *status == STATUS_DONE;
}

enum status record_verb_check_words(const struct record_verb *verb)
{
	if (!verb->words.count)
		return STATUS_DONE;
	if (!verb->options.is_all && !strchr(verb->words.items[0], '='))
		return complain_usage(verb->invocation, "one JVM at a time: '%s' and '%s' "
				      "are given; --all stands for all of them",
				      verb->word, verb->words.items[0]);
	return complain_usage(verb->invocation, "unknown word '%s'", verb->words.items[0]);
}

enum status record_verb_run(struct record_verb *verb, record_target_act *act,
			    const char *nothing)
{
	enum status status = record_targets_find(verb->invocation, verb->word,
						 &verb->targets);

	return status == STATUS_DONE ? record_targets_each(verb->invocation,
							   &verb->targets, act, verb,
							   nothing)
				     : status;
}

enum record_outcome record_verb_fail(const struct record_verb *verb,
				     const struct record_engine *engine,
				     const struct vm *vm, struct err *err)
{
	if (err->kind != ERR_NONE) {
		if (verb->engine_count > 1)
			err_within(err, "engine %s", engine->name);
		return RECORD_FAILED;
	}
	if (verb->targets.is_all)
		return RECORD_SKIPPED;
	err_set(err, ERR_USAGE, "%s records nothing in it; to begin: cjfr record start "
		"%s%s%s%ld", engine->name, verb->options.engine ? "--engine " : "",
		verb->options.engine ? verb->options.engine : "", verb->options.engine ? " " : "", (long)vm->pid);
	return RECORD_FAILED;
}

void record_verb_say(const struct record_verb *verb, const char *format, ...)
{
	const char *output = verb->options.output;
	FILE *to = output && strcmp(output, "-") == 0 ? stderr : stdout;
	char text[2048];
	va_list list;

	if (verb->options.quiet)
		return;
	va_start(list, format);
	str_print_line(text, sizeof(text), format, list);
	va_end(list);
	fprintf(to, "%s\n", text);
	fflush(to);
}

void record_verb_name_all(const struct record_verb *verb,
			  const struct buf what[RECORD_ENGINES], struct buf *to)
{
	for (size_t i = 0; i < verb->engine_count; i++) {
		if (!what[i].size)
			continue;
		buf_text(to, i ? " and " : "");
		buf_str(to, buf_as_str(&what[i]));
		if (verb->options.engine)
			buf_printf(to, " of %s", verb->engines[i]->name);
	}
}

void record_verb_clear(struct record_verb *verb)
{
	record_targets_clear(&verb->targets);
	orders_clear(&verb->orders);
	for (size_t i = 0; i < verb->names.count; i++)
		free(verb->names.items[i]);
	vec_clear(&verb->names);
}
