#include "cmd/recordoutput.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/target.h"
#include "cmd/usage.h"
#include "control/outname.h"

static bool is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* A name that is made up says nothing to anybody, its folder does. */
static bool can_make(const char *name, struct err *err)
{
	const char *slash = strrchr(name, '/');
	size_t size = slash > name ? (size_t)(slash - name) : 1;
	char *folder = slash ? strndup(name, size) : strdup(".");
	bool is_good;

	if (!folder)
		return err_memory(err);
	is_good = access(folder, W_OK | X_OK) == 0 ||
		  err_system(err, "cannot write in the folder '%s'", folder);
	free(folder);
	return is_good;
}

/*
 * Before anything is run. A pipe is not opened for that: whoever reads it would take
 * the end of this for the end of the recording.
 */
static bool can_write(const char *path, struct err *err)
{
	struct stat status;
	struct target target;

	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
		return access(path, W_OK) == 0 ||
		       err_system(err, "cannot write '%s'", path);
	if (!target_open(&target, path, err))
		return false;
	target_close(&target, false, NULL);
	return true;
}

char *record_output_pattern(const char *output, const char *subject)
{
	if (!output || is_folder(output))
		return outname_default(output, subject);
	return strdup(output);
}

enum status record_output_check_words(const struct invocation *invocation,
				      const char *output)
{
	struct str unknown;

	if (!*output)
		return complain_usage(invocation, "the name of the output is empty");
	if (is_folder(output))
		return STATUS_DONE;
	unknown = outname_unknown(output);
	if (unknown.bytes)
		return complain_usage(invocation, "'%.*s' in '%s' is neither %%p, "
				      "%%t nor %%%%", (int)unknown.size, unknown.bytes,
				      output);
	return STATUS_DONE;
}

enum status record_output_check(const struct invocation *invocation,
				const char *pattern)
{
	char *name = outname_expand(pattern, getpid(), 0);
	struct err err = { ERR_NONE, "" };
	bool is_good;

	if (!name)
		err_memory(&err);
	is_good = name && (strcmp(name, pattern) == 0 || can_make(name, &err)) &&
		  can_write(name, &err);
	free(name);
	if (is_good)
		return STATUS_DONE;
	complain(invocation, "%s", err.text);
	return err.kind == ERR_USAGE ? STATUS_USAGE : STATUS_FAILED;
}
