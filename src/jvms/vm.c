#include "jvms/vm.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/path.h"
#include "jvms/asuser.h"
#include "jvms/cmdline.h"
#include "jvms/counters.h"
#include "jvms/javacommand.h"
#include "jvms/mapped.h"
#include "jvms/process.h"
#include "jvms/rooted.h"

void vm_clear(struct vm *vm)
{
	free(vm->user);
	free(vm->version);
	free(vm->main);
	free(vm->arguments);
	memset(vm, 0, sizeof(*vm));
}

/* --- what it runs ----------------------------------------------------------------- */

static char *copy_of(struct str text)
{
	return strndup(text.size ? text.bytes : "", text.size);
}

static bool is_java(const struct cmdline *cmdline)
{
	return cmdline->words.count > 1 &&
	       str_is(path_last(cmdline->words.items[0]), STR("java"));
}

/* "shop.Main 1 2": where the name ends is told by the command line, if by any. */
static bool take_command(struct vm *vm, const struct cmdline *cmdline,
			 const char *command)
{
	const char *main = is_java(cmdline)
				 ? javacommand_main(cmdline->words.items + 1, NULL)
				 : NULL;
	struct str text = str_of(command), name;

	if (main && str_starts(text, str_of(main)) &&
	    (text.size == strlen(main) || command[strlen(main)] == ' '))
		name = str_of(main);
	else if (!str_split(&(struct str){ text.bytes, text.size }, ' ', &name))
		name = STR("");
	text.bytes += name.size;
	text.size -= name.size;
	if (text.size) {
		text.bytes++;
		text.size--;
	}
	vm->main = copy_of(name);
	vm->arguments = copy_of(text);
	return vm->main && vm->arguments;
}

static bool take_words(struct vm *vm, const struct cmdline *cmdline)
{
	size_t options = 0;
	const char *main;
	struct buf arguments = { NULL };

	if (cmdline->words.count <= 1) {
		vm->main = strdup("");
	} else if (!is_java(cmdline)) {
		vm->main = copy_of(path_last(cmdline->words.items[0]));
	} else {
		main = javacommand_main(cmdline->words.items + 1, &options);
		vm->main = strdup(main ? main : "");
		for (size_t i = options + 2; main && i + 1 < cmdline->words.count;
		     i++) {
			if (arguments.size)
				buf_byte(&arguments, ' ');
			buf_text(&arguments, cmdline->words.items[i]);
		}
	}
	vm->arguments = arguments.failed ? NULL : copy_of(buf_as_str(&arguments));
	buf_clear(&arguments);
	return vm->main && vm->arguments;
}

static bool take_main(struct vm *vm, const struct process *process,
		      const struct counters *counters)
{
	char *command = counters_text(counters, "sun.rt.javaCommand");
	struct cmdline cmdline;
	bool is_taken;

	cmdline_read(&cmdline, process);
	is_taken = command && *command ? take_command(vm, &cmdline, command)
				       : take_words(vm, &cmdline);
	cmdline_clear(&cmdline);
	free(command);
	return is_taken;
}

/* --- its version ------------------------------------------------------------------ */

#define RELEASE_MAX 4096

/* JAVA_VERSION="17.0.15" among the lines of the file. */
static char *version_in(struct str text)
{
	struct str key = STR("JAVA_VERSION=\""), line;

	while (str_split(&text, '\n', &line)) {
		if (!str_starts(line, key) || !str_ends(line, STR("\"")) ||
		    line.size <= key.size)
			continue;
		return strndup(line.bytes + key.size, line.size - key.size - 1);
	}
	return NULL;
}

static char *read_release(const struct rooted *rooted, const char *folder)
{
	char *path = path_within(folder, "release"), text[RELEASE_MAX];
	int fd = path ? rooted_open(rooted, path, O_RDONLY | O_NONBLOCK, 0) : -1;
	ssize_t size = fd >= 0 ? read(fd, text, sizeof(text)) : 0;

	if (fd >= 0)
		close(fd);
	free(path);
	return size > 0 ? version_in((struct str){ text, (size_t)size }) : NULL;
}

/* HOME/release of HOME/lib/server/libjvm.so, or of .../jre/lib/amd64/server. */
static char *released(const struct rooted *rooted, const char *jvm)
{
	char *path = rooted_inside(rooted, jvm), *version = NULL, *end;

	for (int up = 0; path && !version && up < 6; up++) {
		end = strrchr(path, '/');
		if (!end || end == path)
			break;
		*end = '\0';
		version = read_release(rooted, path);
	}
	free(path);
	return version;
}

/* --- one -------------------------------------------------------------------------- */

/* What is in files of its user, and only as that user. */
static void take_files(struct vm *vm, const struct process *process, const char *jvm,
		       struct counters *counters)
{
	struct rooted rooted;
	struct asuser asuser;

	if (rooted_begin(&rooted, process) &&
	    asuser_begin(&asuser, process->uid, process->gid, NULL)) {
		counters_read(counters, process, &rooted);
		vm->version = counters_text(counters, "java.property.java.version");
		if (!vm->version)
			vm->version = released(&rooted, jvm);
		asuser_end(&asuser);
	}
	rooted_end(&rooted);
}

static bool take(struct vm *vm, const struct process *process, const char *jvm,
		 struct err *err)
{
	struct counters counters = { NULL };
	bool is_taken;

	memset(vm, 0, sizeof(*vm));
	vm->pid = process->pid;
	vm->inner = process->inner;
	vm->uid = process->uid;
	vm->gid = process->gid;
	vm->begun = process->begun;
	vm->is_elsewhere = rooted_is_elsewhere(process);
	vm->user = asuser_name(process->uid);
	take_files(vm, process, jvm, &counters);
	if (!vm->version)
		vm->version = strdup("");
	is_taken = vm->user && vm->version && take_main(vm, process, &counters);
	counters_clear(&counters);
	if (is_taken)
		return true;
	vm_clear(vm);
	return err_memory(err);
}

/* What it is instead: a text that goes on behind "process 12". NULL: it may be one. */
static const char *no_jvm(const struct process *process)
{
	if (process->state == 'Z' || process->state == 'X')
		return "has ended, and waits for its parent to take notice";
	if (process->is_kernel)
		return "is the kernel's, not a JVM";
	return NULL;
}

static bool tell_hidden(const struct process *process, struct err *err)
{
	char *user = asuser_name(process->uid);

	if (process->uid != geteuid())
		err_set(err, ERR_USAGE,
			"process %d (%s) is user %s's, and not shown to "
			"others; run cjfr as that user, or as root",
			(int)process->pid, process->name, user ? user : "?");
	else
		err_set(err, ERR_USAGE,
			"process %d (%s) is not shown to us, as it has "
			"rights that we have not; run cjfr as root",
			(int)process->pid, process->name);
	free(user);
	return false;
}

static bool tell_other(const struct process *process, const struct mapped *mapped,
		       struct err *err)
{
	int pid = (int)process->pid;

	if (mapped->is_openj9)
		return err_set(err, ERR_USAGE,
			       "process %d is a JVM, but not HotSpot: it "
			       "is OpenJ9, which cjfr cannot record",
			       pid);
	if (strcmp(process->name, "java") == 0)
		return err_set(err, ERR_USAGE,
			       "process %d is java, but no JVM yet: try "
			       "again in a moment",
			       pid);
	return err_set(err, ERR_USAGE,
		       "process %d is no JVM, but %s; cjfr record list "
		       "shows the JVMs",
		       pid, process->name);
}

/* False: ERR_USAGE: it is none, and why; or ERR_MEMORY. */
static bool look(struct vm *vm, const struct process *process, struct err *err)
{
	const char *instead = no_jvm(process);
	struct mapped mapped = { NULL };
	bool is_taken = false;

	if (instead)
		return err_set(err, ERR_USAGE, "process %d %s", (int)process->pid,
			       instead);
	if (!mapped_read(&mapped, process)) {
		if (errno == ENOMEM)
			err_memory(err);
		else if (errno == EACCES || errno == EPERM)
			tell_hidden(process, err);
		else
			err_set(err, ERR_USAGE, "process %d has ended",
				(int)process->pid);
	} else if (mapped.jvm && !mapped.is_openj9) {
		is_taken = take(vm, process, mapped.jvm, err);
	} else {
		tell_other(process, &mapped, err);
	}
	mapped_clear(&mapped);
	return is_taken;
}

/* --- all -------------------------------------------------------------------------- */

/* Shows each process, as long as that gives true. */
static bool each_process(bool (*see)(const struct process *process, void *context),
			 void *context)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	bool goes_on = true;

	if (!folder)
		return false;
	while (goes_on && (entry = readdir(folder))) {
		struct process process;
		int64_t pid;

		if (!number_java(str_of(entry->d_name), &pid) || pid <= 0 ||
		    pid > INT32_MAX || !process_open(&process, (pid_t)pid))
			continue;
		goes_on = see(&process, context);
		process_close(&process);
	}
	closedir(folder);
	return true;
}

struct finding {
	struct vms *vms;
	bool has_failed;
};

/* Of what is not shown we know its name alone. */
static bool is_hidden(const struct process *process)
{
	struct mapped mapped = { NULL };
	bool is_hidden = !no_jvm(process) && strcmp(process->name, "java") == 0 &&
			 !mapped_read(&mapped, process) &&
			 (errno == EACCES || errno == EPERM);

	mapped_clear(&mapped);
	return is_hidden;
}

static bool see_vm(const struct process *process, void *context)
{
	struct finding *finding = context;
	struct err err = { .kind = ERR_NONE };
	struct vm vm;

	if (look(&vm, process, &err)) {
		if (vec_push(&finding->vms->all, vm))
			return true;
		vm_clear(&vm);
		err_memory(&err);
	}
	finding->vms->hidden += is_hidden(process);
	finding->has_failed = err.kind == ERR_MEMORY;
	return !finding->has_failed;
}

static int by_pid(const void *a, const void *b)
{
	const struct vm *left = a, *right = b;

	return (left->pid > right->pid) - (left->pid < right->pid);
}

bool vms_find(struct vms *vms, struct err *err)
{
	struct finding finding = { .vms = vms };

	memset(vms, 0, sizeof(*vms));
	if (!each_process(see_vm, &finding))
		return err_system(err, "the processes of this host cannot be listed");
	if (finding.has_failed)
		return err_memory(err);
	if (vms->all.count)
		qsort(vms->all.items, vms->all.count, sizeof(*vms->all.items), by_pid);
	return true;
}

void vms_clear(struct vms *vms)
{
	for (size_t i = 0; i < vms->all.count; i++)
		vm_clear(&vms->all.items[i]);
	vec_clear(&vms->all);
	vms->hidden = 0;
}

struct inside {
	pid_t inner, found;
};

static bool see_inside(const struct process *process, void *context)
{
	struct inside *inside = context;

	if (process->is_nested && process->inner == inside->inner)
		inside->found = process->pid;
	return !inside->found;
}

/* A number as it is seen in a container means nothing here. */
static void add_inside(pid_t pid, struct err *err)
{
	struct inside inside = { .inner = pid };
	struct err told = *err;

	each_process(see_inside, &inside);
	if (inside.found)
		err_set(err, ERR_USAGE,
			"%s; inside a container that is the number of "
			"process %d, so try: %d",
			told.text, (int)inside.found, (int)inside.found);
}

bool vm_look(struct vm *vm, pid_t pid, struct err *err)
{
	struct process process;
	struct err told = { .kind = ERR_NONE };
	bool is_one = false;

	if (!process_open(&process, pid)) {
		err_set(&told, ERR_USAGE, "there is no process %d", (int)pid);
	} else {
		if (process.group != pid)
			err_set(&told, ERR_USAGE, "%d is a thread of process %d",
				(int)pid, (int)process.group);
		else
			is_one = look(vm, &process, &told);
		process_close(&process);
	}
	if (is_one)
		return true;
	if (told.kind == ERR_USAGE)
		add_inside(pid, &told);
	return err_set(err, told.kind, "%s", told.text);
}

/* --- names ------------------------------------------------------------------------ */

bool vm_is_named(const struct vm *vm, const char *word)
{
	int64_t pid;

	if (number_java(str_of(word), &pid))
		return pid == vm->pid;
	return *word && strstr(vm->main, word);
}

bool vm_is_there(const struct vm *vm)
{
	struct process process;
	bool is_there;

	if (!process_open(&process, vm->pid))
		return false;
	is_there = process.begun == vm->begun && process.state != 'Z' &&
		   process.state != 'X';
	process_close(&process);
	return is_there;
}
