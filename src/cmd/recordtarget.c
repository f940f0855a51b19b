#include "cmd/recordtarget.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "cmd/usage.h"
#include "render/tame.h"
#include "session/program.h"

#define SHOWN_MAX 6		/* JVMs, in a message */

void record_target_text(struct buf *to, const struct vm *vm)
{
	buf_printf(to, "process %ld", (long)vm->pid);
	if (!*vm->main)
		return;
	buf_text(to, " (");
	tame_line(to, str_of(vm->main));
	buf_byte(to, ')');
}

char *record_target_subject(const struct vm *vm)
{
	char java[] = "java", jar[] = "-jar";
	bool is_jar = strchr(vm->main, '/') || str_ends(str_of(vm->main), STR(".jar"));
	char *command[] = { java, is_jar ? jar : vm->main, is_jar ? vm->main : NULL, NULL };

	if (!*vm->main)
		command[1] = NULL;
	return program_name(command);
}

char *record_target_word(const char *text)
{
	char *copy = strdup(text);
	char *command[] = { copy, NULL };
	char *word = copy ? program_name(command) : NULL;

	free(copy);
	return word;
}

/* --- which there are ------------------------------------------------------------- */

static enum status fail(const struct invocation *invocation, const struct err *err)
{
	complain(invocation, "%s", err->text);
	return STATUS_FAILED;
}

/* A name that none of them has: what there is. */
static enum status fail_name(const struct invocation *invocation, const struct vms *vms,
			     const char *word)
{
	struct buf list = { 0 };

	for (size_t i = 0; i < vms->all.count && i < SHOWN_MAX; i++) {
		const struct vm *vm = &vms->all.items[i];

		buf_printf(&list, "%s%ld", i ? ", " : "", (long)vm->pid);
		if (*vm->main)
			buf_printf(&list, " (%.60s)", vm->main);
	}
	if (vms->all.count > SHOWN_MAX)
		buf_printf(&list, " and %zu more (cjfr record list)",
			   vms->all.count - SHOWN_MAX);
	if (vms->all.count)
		complain(invocation, "no JVM has '%s' in its main class or jar; there "
			 "are %.*s", word, (int)list.size, list.bytes ? list.bytes : "");
	else
		complain(invocation, "no JVM has '%s' in its main class or jar; there is "
			 "none%s", word,
			 vms->hidden ? " that this user may see" : "");
	buf_clear(&list);
	return STATUS_FAILED;
}

static bool is_number(const char *word)
{
	return *word && word[strspn(word, "0123456789")] == '\0';
}

static bool choose(struct record_targets *targets, const char *word, struct err *err)
{
	for (size_t i = 0; i < targets->vms.all.count; i++) {
		const struct vm *vm = &targets->vms.all.items[i];
		bool is_meant = word ? vm_is_named(vm, word)
				     : vm->uid == geteuid() || geteuid() == 0;

		if (is_meant && !vec_push(&targets->chosen, vm))
			return err_memory(err);
	}
	return true;
}

static enum status find_pid(const struct invocation *invocation, const char *word,
			    struct record_targets *targets)
{
	struct err err = { ERR_NONE, "" };
	struct vm vm = { .pid = 0 };
	int64_t number;

	if (!number_java(str_of(word), &number) || number <= 0)
		return complain_usage(invocation, "'%s' is no process", word);
	if (number > INT32_MAX) {
		err_set(&err, ERR_USAGE, "there is no process %s", word);
		return fail(invocation, &err);
	}
	if (!vm_look(&vm, (pid_t)number, &err))
		return fail(invocation, &err);
	if (!vec_push(&targets->vms.all, vm)) {
		vm_clear(&vm);
		err_memory(&err);
		return fail(invocation, &err);
	}
	return choose(targets, word, &err) ? STATUS_DONE : fail(invocation, &err);
}

/* NULL: all. */
static enum status find_word(const struct invocation *invocation, const char *word,
			     struct record_targets *targets)
{
	struct err err = { ERR_NONE, "" };

	if (!vms_find(&targets->vms, &err) || !choose(targets, word, &err))
		return fail(invocation, &err);
	if (targets->chosen.count)
		return STATUS_DONE;
	if (word)
		return fail_name(invocation, &targets->vms, word);
	complain(invocation, "there is no JVM of this user");
	return STATUS_FAILED;
}

/* What begins like a setting is none: a name was forgotten. */
static bool is_setting(const char *word)
{
	return strchr(word, '=') != NULL;
}

enum status record_targets_word(const struct invocation *invocation, bool is_all,
				struct words *words, const char **word)
{
	*word = NULL;
	if (words->count && !is_setting(words->items[0]))
		*word = words->items[0];
	if (is_all && *word)
		return complain_usage(invocation, "'%s' and --all are given", *word);
	if (is_all)
		return STATUS_DONE;
	if (!*word)
		return complain_usage(invocation, "missing JVM: its process, a part of "
				      "its main class or jar, or --all; cjfr record list "
				      "shows what there is");
	if (!**word)
		return complain_usage(invocation, "the name of the JVM is empty");
	words->items++;
	words->count--;
	return STATUS_DONE;
}

enum status record_targets_find(const struct invocation *invocation, const char *word,
				struct record_targets *targets)
{
	targets->is_all = !word;
	return word && is_number(word) ? find_pid(invocation, word, targets)
				       : find_word(invocation, word, targets);
}

void record_targets_clear(struct record_targets *targets)
{
	vec_clear(&targets->chosen);
	vms_clear(&targets->vms);
}

/* --- each of them ---------------------------------------------------------------- */

static void tell(const struct invocation *invocation, const struct vm *vm,
		 const struct err *err)
{
	struct buf text = { 0 };

	record_target_text(&text, vm);
	complain(invocation, "%.*s: %s", (int)text.size, text.bytes ? text.bytes : "",
		 err->text);
	buf_clear(&text);
}

enum status record_targets_each(const struct invocation *invocation,
				const struct record_targets *targets,
				record_target_act *act, void *context,
				const char *nothing)
{
	enum status status = STATUS_DONE;
	size_t done = 0;

	for (size_t i = 0; i < targets->chosen.count; i++) {
		const struct vm *vm = targets->chosen.items[i];
		struct err err = { ERR_NONE, "" };

		switch (act(context, vm, &err)) {
		case RECORD_DONE:
			done++;
			break;
		case RECORD_SKIPPED:
			break;
		case RECORD_FAILED:
			if (err.kind != ERR_NONE)
				tell(invocation, vm, &err);
			status = STATUS_FAILED;
		}
	}
	if (done || status != STATUS_DONE)
		return status;
	complain(invocation, "%s", nothing);
	return STATUS_FAILED;
}
