#include "session/launcher.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/path.h"
#include "base/str.h"
#include "jvms/elf.h"

#define LIBRARY "libcjfragent.so"
#define VARIABLE "JAVA_TOOL_OPTIONS="

bool launcher_is_java(const char *command)
{
	return str_is(path_last(command), STR("java"));
}

/* --- the agent -------------------------------------------------------------------- */

static bool is_file(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The folder of this program; NULL if it cannot be told. */
static char *find_own_folder(void)
{
	char path[PATH_MAX];
	ssize_t size = readlink("/proc/self/exe", path, sizeof(path));
	const char *slash = size > 0 ? memrchr(path, '/', (size_t)size) : NULL;

	return slash ? strndup(path, (size_t)(slash - path)) : NULL;
}

static char *find_beside(const char *folder)
{
	static const char *const places[] = { ".libs/" LIBRARY, LIBRARY,
					      "../lib/cjfr/" LIBRARY };

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *path = path_within(folder, places[i]), *real;

		if (path && is_file(path)) {
			real = realpath(path, NULL);
			free(path);
			return real;
		}
		free(path);
	}
	return NULL;
}

char *launcher_find_agent(struct err *err)
{
	const char *given = getenv("CJFR_AGENT");
	char *folder, *found;

	if (given && *given) {
		found = realpath(given, NULL);
		if (!found)
			err_system(err, "cannot find the agent '%s' of $CJFR_AGENT",
				   given);
		return found;
	}
	folder = find_own_folder();
	found = folder ? find_beside(folder) : NULL;
	if (!found && is_file(PKGLIBDIR "/" LIBRARY))
		found = strdup(PKGLIBDIR "/" LIBRARY);
	if (!found)
		err_set(err, ERR_SYSTEM,
			"cannot find " LIBRARY ", in '%s' or in '%s'; $CJFR_AGENT can "
			"say where it is", folder ? folder : ".", PKGLIBDIR);
	free(folder);
	return found;
}

/* --- what the command is ---------------------------------------------------------- */

static bool is_program(const char *path)
{
	return is_file(path) && access(path, X_OK) == 0;
}

char *launcher_find_command(const char *name)
{
	const char *path = getenv("PATH");
	struct str rest = str_of(path ? path : "/bin:/usr/bin"), folder;

	if (strchr(name, '/'))
		return is_program(name) ? strdup(name) : NULL;
	while (str_split(&rest, ':', &folder)) {
		char *candidate;

		if (asprintf(&candidate, "%.*s%s%s", (int)folder.size, folder.bytes,
			     folder.size ? "/" : "./", name) < 0)
			return NULL;
		if (is_program(candidate))
			return candidate;
		free(candidate);
	}
	return NULL;
}

bool launcher_check(const char *program, const char *agent, struct err *err)
{
	struct elf there = elf_read(program ? program : ""), ours = elf_read(agent);
	char names[2][ELF_MACHINE_TEXT_MAX];

	if (!ours.is_elf)
		return err_set(err, ERR_USAGE, "the agent '%s' is no library", agent);
	if (ours.is_no_agent)
		return err_set(err, ERR_USAGE, "the library '%s' is no agent: it has no "
			       "Agent_OnLoad", agent);
	if (!there.is_elf)
		return true;
	if (there.machine != ours.machine || there.bits != ours.bits ||
	    there.is_big != ours.is_big)
		return err_set(err, ERR_USAGE,
			       "'%s' is made for %s (%u bits), the agent for %s (%u "
			       "bits)",
			       program, elf_machine(&there, names[0]), there.bits,
			       elf_machine(&ours, names[1]), ours.bits);
	if (there.libc && ours.libc && there.libc != ours.libc)
		return err_set(err, ERR_USAGE,
			       "'%s' uses %s, the agent %s: it needs one that is built "
			       "for %s", program, elf_libc_name(there.libc),
			       elf_libc_name(ours.libc), elf_libc_name(there.libc));
	return true;
}

/* --- how it is started ------------------------------------------------------------ */

/* Quotes have no way out of them, but can stand in the other kind. */
char *launcher_quote(const char *option)
{
	struct buf text = { 0 };

	if (!option[strcspn(option, " \t\n\v\f\r'\"")])
		return strdup(option);
	while (*option) {
		char quote = *option == '"' ? '\'' : '"';
		size_t size = strcspn(option, quote == '"' ? "\"" : "'");

		buf_byte(&text, quote);
		buf_add(&text, option, size);
		buf_byte(&text, quote);
		option += size;
	}
	buf_byte(&text, '\0');
	if (text.failed)
		buf_clear(&text);
	return text.bytes;
}

static size_t count_of(char *const *list)
{
	size_t count = 0;

	while (list[count])
		count++;
	return count;
}

/* The command with the option as its first argument. */
static bool add_argument(struct launcher *launcher, char **command)
{
	size_t count = count_of(command);

	launcher->arguments = calloc(count + 2, sizeof(*launcher->arguments));
	if (!launcher->arguments)
		return false;
	launcher->arguments[0] = command[0];
	launcher->arguments[1] = launcher->option;
	memcpy(launcher->arguments + 2, command + 1, (count - 1) * sizeof(*command));
	return true;
}

/* What the variable says already stays in front. */
static bool set_variable(struct launcher *launcher, const char *before)
{
	char *quoted = launcher_quote(launcher->option);
	int size = -1;

	if (quoted)
		size = asprintf(&launcher->variable, VARIABLE "%s%s%s", before,
				*before ? " " : "", quoted);
	free(quoted);
	if (size < 0)
		launcher->variable = NULL;
	return size >= 0;
}

static bool add_variable(struct launcher *launcher, char **environment)
{
	size_t count = count_of(environment), at = 0;

	while (at < count &&
	       strncmp(environment[at], VARIABLE, sizeof(VARIABLE) - 1) != 0)
		at++;
	if (!set_variable(launcher, at < count ? environment[at] + sizeof(VARIABLE) - 1
					       : ""))
		return false;
	launcher->environment = calloc(count + 2, sizeof(*launcher->environment));
	if (!launcher->environment)
		return false;
	memcpy(launcher->environment, environment, count * sizeof(*environment));
	launcher->environment[at] = launcher->variable;
	return true;
}

/*
 * A JVM that makes an archive of classes of what it has loaded ("CDS dumping") refuses
 * agents; one that makes it of a list, loads none. NULL: it makes none.
 */
static const char *find_archiving(char *const *arguments)
{
	static const char *const options[] = {
		"-Xshare:dump", "-XX:ArchiveClassesAtExit=",
		"-XX:+AutoCreateSharedArchive", "-XX:AOTMode=create",
	};

	for (; *arguments; arguments++) {
		for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
			if (strncmp(*arguments, options[i], strlen(options[i])) == 0)
				return *arguments;
		}
	}
	return NULL;
}

/* A copy, so that launcher_clear need not know whose it is. */
static char **copy_list(char *const *list)
{
	size_t count = count_of(list);
	char **copy = calloc(count + 1, sizeof(*copy));

	if (copy)
		memcpy(copy, list, count * sizeof(*list));
	return copy;
}

bool launcher_init(struct launcher *launcher, char **command, char **environment,
		   const char *agent, const char *orders, struct err *err)
{
	bool is_good;

	*launcher = (struct launcher){ .is_java = launcher_is_java(command[0]) };
	if (strchr(agent, '='))
		return err_set(err, ERR_USAGE, "a JVM cannot load the agent '%s', as "
			       "there is a '=' in its name", agent);
	if (asprintf(&launcher->option, "-agentpath:%s=%s", agent, orders) < 0) {
		launcher->option = NULL;
		return err_memory(err);
	}
	if (launcher->is_java) {
		launcher->archiving = find_archiving(command + 1);
		is_good = add_argument(launcher, command);
		launcher->environment = copy_list(environment);
	} else {
		is_good = add_variable(launcher, environment);
		launcher->arguments = copy_list(command);
	}
	if (is_good && launcher->arguments && launcher->environment)
		return true;
	launcher_clear(launcher);
	return err_memory(err);
}

void launcher_clear(struct launcher *launcher)
{
	free(launcher->arguments);
	free(launcher->environment);
	free(launcher->option);
	free(launcher->variable);
	*launcher = (struct launcher){ .is_java = false };
}
