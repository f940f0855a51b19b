#include "cmd/recorddeliver.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/now.h"
#include "cmd/progress.h"
#include "cmd/recorded.h"
#include "cmd/recordoutput.h"
#include "cmd/usage.h"
#include "cmd/writing.h"
#include "control/outname.h"

static bool is_standard(const char *output)
{
	return output && strcmp(output, "-") == 0;
}

enum status record_deliver_check(const struct record_verb *verb)
{
	const char *output = verb->options.output;
	enum status status;

	if (!output)
		return STATUS_DONE;
	if (is_standard(output))
		return writing_check(verb->invocation, output);
	status = record_output_check_words(verb->invocation, output);
	return status == STATUS_DONE ? record_output_check(verb->invocation, output)
				     : status;
}

/* --- names ----------------------------------------------------------------------- */

/* By us, or, if nobody has chosen the name, by anybody. */
static bool is_taken(const struct record_verb *verb, const char *name)
{
	if (!verb->options.output && access(name, F_OK) == 0)
		return true;
	for (size_t i = 0; i < verb->names.count; i++) {
		if (strcmp(verb->names.items[i], name) == 0)
			return true;
	}
	return false;
}

/* As record has it, where a name says nothing of the process. */
static char *make_distinct(const struct record_verb *verb, const struct vm *vm,
			   char *name)
{
	char *distinct = name;

	for (unsigned tries = 0; distinct && is_taken(verb, distinct); tries++) {
		if (distinct != name)
			free(distinct);
		distinct = outname_distinct(name, vm->pid, tries);
	}
	if (distinct != name)
		free(name);
	return distinct;
}

/* What the file of the JVM is called; among the names of the verb. NULL: no memory. */
static const char *name_output(struct record_verb *verb, const struct vm *vm)
{
	char *subject = record_target_subject(vm);
	char *pattern = subject ? record_output_pattern(verb->options.output, subject)
				: NULL;
	char *name = pattern ? outname_expand(pattern, vm->pid, now_nanos()) : NULL;

	free(subject);
	free(pattern);
	if (name)
		name = make_distinct(verb, vm, name);
	if (name && vec_push(&verb->names, name))
		return name;
	free(name);
	return NULL;
}

/* --- data ------------------------------------------------------------------------ */

void record_deliver_try(struct buf *to, const char *path)
{
	buf_text(to, "; try: cjfr summary ");
	escape_shell(to, str_of(path));
}

static void tell(struct buf *to, const struct recorded *recorded, const char *path)
{
	progress_sums(to, recorded->events, recorded->bytes);
	if (is_standard(path))
		return;
	buf_text(to, " in ");
	escape_shell(to, str_of(path));
	record_deliver_try(to, path);
}

/* How many of them have a path. */
static size_t gather(const struct record_verb *verb, const struct record_data *data,
		     const char *paths[RECORD_ENGINES])
{
	size_t count = 0;

	for (size_t i = 0; i < verb->engine_count; i++) {
		if (*data[i].path)
			paths[count++] = data[i].path;
	}
	return count;
}

/* All are let go, whatever happens to one. */
static bool let_go(const struct record_verb *verb, struct record_data *data,
		   struct err *err)
{
	bool are_gone = true;

	for (size_t i = 0; i < verb->engine_count; i++) {
		if (*data[i].path && !verb->engines[i]->taken(&data[i], true, err))
			are_gone = false;
	}
	return are_gone;
}

void record_deliver_not(const struct record_verb *verb, const struct vm *vm,
			struct record_data data[RECORD_ENGINES])
{
	struct buf where = { 0 };
	struct err err;

	record_target_text(&where, vm);
	for (size_t i = 0; i < verb->engine_count; i++) {
		if (*data[i].path && !verb->engines[i]->taken(&data[i], false, &err))
			complain(verb->invocation, "%.*s: %s", (int)where.size,
				 where.bytes ? where.bytes : "", err.text);
	}
	buf_clear(&where);
}

enum record_outcome record_deliver(struct record_verb *verb, const struct vm *vm,
				   struct record_data data[RECORD_ENGINES],
				   struct buf *told, struct err *err)
{
	const char *paths[RECORD_ENGINES];
	size_t count = gather(verb, data, paths);
	const char *path = is_standard(verb->options.output) ? "-"
			   : count ? name_output(verb, vm) : NULL;
	enum recorded_how how = RECORDED_NOTHING;
	struct recorded recorded = { .chunks = 0 };

	if (!count)
		return RECORD_SKIPPED;
	if (!path)
		err_memory(err);
	else if (count == 1)
		how = recorded_write(verb->invocation, paths[0], -1, path,
				     verb->options.quiet, &recorded);
	else
		how = recorded_merge(verb->invocation, paths, count, path,
				     verb->options.quiet, &recorded);
	if (!path || how == RECORDED_FAILED) {
		record_deliver_not(verb, vm, data);
		return RECORD_FAILED;
	}
	if (!let_go(verb, data, err))
		return RECORD_FAILED;
	if (how == RECORDED_NOTHING)
		return RECORD_SKIPPED;
	tell(told, &recorded, path);
	return RECORD_DONE;
}
