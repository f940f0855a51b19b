#include "jvms/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/now.h"
#include "base/path.h"
#include "jvms/answer.h"
#include "jvms/door.h"
#include "jvms/elf.h"
#include "jvms/plant.h"
#include "jvms/visit.h"

/* An answer must be complete within that time: a command may have much to write. */
#define ASK_SECONDS 300
#define LOAD_SECONDS 60

/* --- a command -------------------------------------------------------------------- */

#define ARGUMENT_MAX 1023 /* bytes, in version 1 of the protocol */
#define NO_ARGUMENTS ((const char *const[DOOR_ARGUMENTS]){ NULL })

/* The answer is a whole one: its code, and where its text begins. */
static bool talk(struct visit *visit, int version, int seconds, const char *command,
		 const char *const arguments[DOOR_ARGUMENTS], struct buf *answer,
		 int *code, struct str *text, struct err *err)
{
	int door = door_open(visit, seconds * SECOND, err);
	bool is_told;

	if (door < 0)
		return false;
	is_told = door_ask(visit, door, version, command, arguments, answer, err);
	close(door);
	if (!is_told)
		return false;
	if (!answer->size)
		return err_set(err, ERR_SYSTEM,
			       "process %d does not answer: it closes the "
			       "connection",
			       (int)visit->process.pid);
	if (!answer_parse(buf_as_str(answer), code, text))
		return err_set(err, ERR_SYSTEM, "process %d answers what is no answer",
			       (int)visit->process.pid);
	return true;
}

static size_t longest(const char *const arguments[DOOR_ARGUMENTS])
{
	size_t most = 0;

	for (size_t i = 0; i < DOOR_ARGUMENTS; i++) {
		size_t size = arguments[i] ? strlen(arguments[i]) : 0;

		most = size > most ? size : most;
	}
	return most;
}

/* Version 1 is understood by all; what is too long for it, by new ones only. */
static bool choose_version(struct visit *visit, const char *const arguments[],
			   int *version, struct err *err)
{
	struct buf answer = { .limit = ATTACH_ANSWER_MAX };
	size_t size = longest(arguments);
	struct str text;
	bool is_told;
	int code;

	*version = 1;
	if (size <= ARGUMENT_MAX)
		return true;
	is_told = talk(visit, 1, LOAD_SECONDS, "getversion", NO_ARGUMENTS, &answer,
		       &code, &text, err);
	if (is_told)
		*version = answer_version(code, text) >= 2 ? 2 : 1;
	buf_clear(&answer);
	if (is_told && *version == 1)
		return err_set(err, ERR_SYSTEM,
			       "process %d takes no arguments of %zu "
			       "bytes, only of %d",
			       (int)visit->process.pid, size, ARGUMENT_MAX);
	return is_told;
}

static bool ask(struct visit *visit, int seconds, const char *command,
		const char *const arguments[DOOR_ARGUMENTS], struct buf *answer,
		int *code, struct str *text, struct err *err)
{
	int version;

	return choose_version(visit, arguments, &version, err) &&
	       talk(visit, version, seconds, command, arguments, answer, code, text,
		    err);
}

bool attach_ask(const struct vm *vm, const char *command,
		const char *const arguments[3], int *code, struct buf *answer,
		struct err *err)
{
	struct buf whole = { .limit = ATTACH_ANSWER_MAX };
	struct visit visit;
	struct str text;
	bool is_told;

	if (!visit_begin(&visit, vm, err))
		return false;
	is_told = ask(&visit, ASK_SECONDS, command, arguments, &whole, code, &text,
		      err);
	visit_end(&visit);
	if (is_told)
		buf_str(answer, text);
	buf_clear(&whole);
	return is_told && (!answer->failed || err_memory(err));
}

/* --- the agent -------------------------------------------------------------------- */

struct agent {
	int file;   /* the library: ours */
	char *path; /* without links */
	const char *options;
};

static bool agent_open(struct agent *agent, const char *library, const char *options,
		       struct err *err)
{
	char path[PATH_MAX];

	*agent = (struct agent){ .options = options };
	agent->file = open(library, O_RDONLY | O_CLOEXEC);
	if (agent->file < 0)
		return err_system(err, "the agent %s cannot be read", library);
	agent->path = strdup(realpath(library, path) ? path : library);
	if (agent->path)
		return true;
	close(agent->file);
	return err_memory(err);
}

static void agent_close(struct agent *agent)
{
	close(agent->file);
	free(agent->path);
}

/* It must be for that processor, and that C library. */
static bool agent_fits(const struct agent *agent, const struct vm *vm,
		       const struct visit *visit, struct err *err)
{
	struct elf ours = elf_read(agent->path), its;
	char exe[32], our_name[ELF_MACHINE_TEXT_MAX], its_name[ELF_MACHINE_TEXT_MAX];

	snprintf(exe, sizeof(exe), "/proc/%d/exe", (int)vm->pid);
	its = elf_read(exe);
	if (ours.is_elf && its.is_elf &&
	    (ours.machine != its.machine || ours.bits != its.bits))
		return err_set(
			err, ERR_SYSTEM,
			"process %d cannot load the agent: it is "
			"for %s, %u bits, the agent for %s, %u bits; a cjfr of that "
			"kind is needed",
			(int)vm->pid, elf_machine(&its, its_name), its.bits,
			elf_machine(&ours, our_name), ours.bits);
	if (ours.libc && visit->mapped.libc && ours.libc != visit->mapped.libc)
		return err_set(
			err, ERR_SYSTEM,
			"process %d cannot load the agent: it uses "
			"another C library, %s, than the agent, %s; a cjfr that was "
			"built with that one is needed",
			(int)vm->pid, elf_libc_name(visit->mapped.libc),
			elf_libc_name(ours.libc));
	return true;
}

/* The JVM has the very same file under that name, and may read and run it. */
static bool agent_is_within(const struct agent *agent, const struct visit *visit)
{
	int file = rooted_open(&visit->rooted, agent->path, O_RDONLY | O_NONBLOCK, 0);
	struct stat its, ours;
	struct statvfs system;
	bool is_within;

	if (file < 0)
		return false;
	is_within = fstat(file, &its) == 0 && fstat(agent->file, &ours) == 0 &&
		    its.st_dev == ours.st_dev && its.st_ino == ours.st_ino &&
		    (fstatvfs(file, &system) != 0 || !(system.f_flag & ST_NOEXEC));
	close(file);
	return is_within;
}

static enum answer_load load(struct agent *agent, struct visit *visit, const char *path,
			     struct err *err)
{
	const char *const arguments[DOOR_ARGUMENTS] = { path, "true", agent->options };
	struct buf answer = { .limit = ATTACH_ANSWER_MAX };
	enum answer_load result = ANSWER_REFUSED;
	struct str text;
	int code;

	if (ask(visit, LOAD_SECONDS, "load", arguments, &answer, &code, &text, err))
		result = answer_of_load(visit->process.pid, code, text, err);
	buf_clear(&answer);
	return result;
}

/* In one folder after the other, until it loads. */
static bool load_planted(struct agent *agent, struct visit *visit, struct err *err)
{
	struct plant_search search = { 0 };
	enum answer_load result = ANSWER_NOT_LOADED;
	struct err why = { .kind = ERR_NONE };
	struct plant plant;
	char *path;

	while (result == ANSWER_NOT_LOADED &&
	       plant_make(&plant, &search, visit, true, err)) {
		if (!plant_copy(&plant, &search, agent->file, MAPPED_AGENT))
			continue;
		path = path_within(plant.inside, MAPPED_AGENT);
		result = path ? load(agent, visit, path, &why) : ANSWER_REFUSED;
		if (!path)
			err_memory(&why);
		free(path);
		if (result == ANSWER_NOT_LOADED)
			plant_reject(&plant, &search, why.text);
		else
			plant_remove(&plant);
	}
	buf_clear(&search.tried);
	if (result == ANSWER_REFUSED)
		err_set(err, why.kind, "%s", why.text);
	return result == ANSWER_LOADED;
}

/*
 * A library that is loaded is found by its path, though its file may be gone; from another
 * file it would be another one beside it.
 */
static bool load_again(struct agent *agent, struct visit *visit, struct err *err)
{
	char *path = rooted_inside(&visit->rooted, visit->mapped.agent);
	bool is_loaded;

	if (!path)
		return err_memory(err);
	is_loaded = load(agent, visit, path, err) == ANSWER_LOADED;
	free(path);
	return is_loaded;
}

static bool load_somehow(struct agent *agent, struct visit *visit, struct err *err)
{
	if (visit->mapped.agent)
		return load_again(agent, visit, err);
	if (agent_is_within(agent, visit))
		return load(agent, visit, agent->path, err) == ANSWER_LOADED;
	return load_planted(agent, visit, err);
}

bool attach_load(const struct vm *vm, const char *library, const char *options,
		 struct err *err)
{
	struct visit visit;
	struct agent agent;
	bool is_loaded;

	if (!agent_open(&agent, library, options, err))
		return false;
	if (!visit_begin(&visit, vm, err)) {
		agent_close(&agent);
		return false;
	}
	is_loaded = agent_fits(&agent, vm, &visit, err) &&
		    load_somehow(&agent, &visit, err);
	visit_end(&visit);
	agent_close(&agent);
	return is_loaded;
}

/* --- a folder --------------------------------------------------------------------- */

bool attach_folder_make(struct attach_folder *folder, const struct vm *vm,
			struct err *err)
{
	struct plant_search search = { 0 };
	struct plant plant;
	struct visit visit;
	bool is_made;

	*folder = (struct attach_folder){ .inside = NULL, .fd = -1, .parent = -1 };
	if (!visit_begin(&visit, vm, err))
		return false;
	is_made = plant_make(&plant, &search, &visit, false, err);
	visit_end(&visit);
	buf_clear(&search.tried);
	if (is_made)
		*folder = (struct attach_folder){ plant.inside, plant.folder,
						  plant.parent };
	return is_made;
}

/* The JVM may be gone by then: its user is not. */
void attach_folder_remove(struct attach_folder *folder, const struct vm *vm)
{
	struct str name = path_last(folder->inside ? folder->inside : "");
	struct plant plant = { .parent = folder->parent,
			       .folder = folder->fd,
			       .inside = folder->inside };
	struct asuser asuser;

	if (name.size < sizeof(plant.name))
		memcpy(plant.name, name.bytes, name.size);
	if (asuser_begin(&asuser, vm->uid, vm->gid, NULL)) {
		plant_remove(&plant);
		asuser_end(&asuser);
	}
	*folder = (struct attach_folder){ .inside = NULL, .fd = -1, .parent = -1 };
}
