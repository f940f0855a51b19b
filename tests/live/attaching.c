/*
 * attaching.c - src/jvms by hand:
 *
 *	attaching list
 *	attaching look PID
 *	attaching ask PID COMMAND [ARGUMENT]...
 *	attaching load PID LIBRARY OPTIONS
 *	attaching folder PID
 *
 * What came is told on standard output, errors too; the status is 1 then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jvms/attach.h"
#include "jvms/vm.h"

static bool list(struct err *err)
{
	struct vms vms;
	bool is_found = vms_find(&vms, err);

	for (size_t i = 0; is_found && i < vms.all.count; i++)
		printf("%d %s\n", (int)vms.all.items[i].pid, vms.all.items[i].main);
	vms_clear(&vms);
	return is_found;
}

static bool look(const struct vm *vm, char **words, struct err *err)
{
	(void)words;
	(void)err;
	printf("%d user %s version %s main '%s' arguments '%s'%s\n", (int)vm->inner,
	       vm->user, vm->version, vm->main, vm->arguments,
	       vm->is_elsewhere ? ", elsewhere" : "");
	return true;
}

static bool ask(const struct vm *vm, char **words, struct err *err)
{
	const char *arguments[3] = { NULL };
	struct buf answer = { NULL };
	bool is_told;
	int code;

	for (size_t i = 0; i < 3 && words[1 + i]; i++)
		arguments[i] = words[1 + i];
	is_told = words[0] && attach_ask(vm, words[0], arguments, &code, &answer, err);
	if (is_told)
		printf("%d\n%.*s", code, (int)answer.size, answer.bytes);
	buf_clear(&answer);
	return is_told;
}

static bool load(const struct vm *vm, char **words, struct err *err)
{
	if (!words[0] || !words[1] || !attach_load(vm, words[0], words[1], err))
		return false;
	puts("loaded");
	return true;
}

static bool folder(const struct vm *vm, char **words, struct err *err)
{
	struct attach_folder folder;

	(void)words;
	if (!attach_folder_make(&folder, vm, err))
		return false;
	printf("%s\n", folder.inside);
	attach_folder_remove(&folder, vm);
	return true;
}

static const struct {
	const char *name;
	bool (*run)(const struct vm *vm, char **words, struct err *err);
} verbs[] = {
	{ "look", look }, { "ask", ask }, { "load", load }, { "folder", folder },
};

static bool run(char **words, struct err *err)
{
	struct vm vm;
	bool is_done = false;

	if (!vm_look(&vm, atoi(words[1]), err))
		return false;
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		if (strcmp(words[0], verbs[i].name) == 0)
			is_done = verbs[i].run(&vm, words + 2, err);
	}
	vm_clear(&vm);
	return is_done;
}

int main(int count, char **words)
{
	struct err err = { .kind = ERR_NONE };
	bool is_done = count > 2 ? run(words + 1, &err) : list(&err);

	if (!is_done)
		printf("failed: %s\n", err.text);
	return !is_done;
}
