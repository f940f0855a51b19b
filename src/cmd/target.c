#include "cmd/target.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_direct(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

bool target_open(struct target *target, const char *path, struct err *err)
{
	bool is_open;

	*target = (struct target){ .draft.fd = -1, .is_direct = is_direct(path) };
	if (target->is_direct) {
		target->out.fd = open(path, O_WRONLY | O_CLOEXEC);
		is_open = target->out.fd >= 0;
	} else {
		is_open = draft_open(&target->draft, path);
		target->out.fd = target->draft.fd;
	}
	if (!is_open)
		return err_system(err, "cannot write '%s'", path);
	target->path = strdup(path);
	if (target->path)
		return true;
	target_close(target, false, NULL);
	return err_memory(err);
}

/* Under its name; a device has one. */
static bool settle(struct target *target)
{
	if (target->is_direct)
		return close(target->out.fd) == 0;
	return draft_place(&target->draft);
}

bool target_close(struct target *target, bool is_good, struct err *err)
{
	struct err why = { 0 };
	bool is_written = out_close(&target->out, &why);

	if (is_good && is_written && !settle(target))
		is_written = err_system(&why, "cannot write '%s'", target->path);
	else if (!(is_good && is_written) && target->is_direct)
		close(target->out.fd);
	draft_drop(&target->draft);
	free(target->path);
	*target = (struct target){ .path = NULL };
	if (is_good && !is_written && err)
		*err = why;
	return is_good && is_written;
}
