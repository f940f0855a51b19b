#include "jvms/visit.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/now.h"

/* A JVM answers its own user and group, and root. */
static bool may_visit(const struct vm *vm, struct err *err)
{
	if (geteuid() == 0)
		return true;
	if (geteuid() != vm->uid)
		return err_set(err, ERR_SYSTEM,
			       "process %d is user %s's; run cjfr as "
			       "that user, or as root",
			       (int)vm->pid, vm->user);
	if (getegid() != vm->gid)
		return err_set(
			err, ERR_SYSTEM,
			"process %d runs with group %u, and "
			"answers no other one; run cjfr with that group (sg), or "
			"as root",
			(int)vm->pid, (unsigned)vm->gid);
	return true;
}

static bool open_process(struct visit *visit, const struct vm *vm, struct err *err)
{
	struct process *process = &visit->process;

	if (!process_open(process, vm->pid)) {
		process->folder = -1;
		return err_set(err, ERR_SYSTEM, "process %d has ended", (int)vm->pid);
	}
	if (process->begun != vm->begun || process->state == 'Z' ||
	    process->state == 'X')
		return err_set(err, ERR_SYSTEM, "process %d has ended", (int)vm->pid);
	if (process->uid != vm->uid || process->gid != vm->gid)
		return err_set(err, ERR_SYSTEM, "process %d has changed its user",
			       (int)vm->pid);
	return true;
}

static bool open_parts(struct visit *visit, struct err *err)
{
	struct process *process = &visit->process;
	struct stat status;

	visit->cwd = openat(process->folder, "cwd", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (!rooted_begin(&visit->rooted, process) ||
	    fstat(visit->rooted.fd, &status) != 0)
		return err_system(err, "the files of process %d cannot be reached",
				  (int)process->pid);
	visit->host = status.st_uid;
	if (!mapped_read(&visit->mapped, process))
		return err_system(err, "the memory of process %d is not shown",
				  (int)process->pid);
	if (!visit->mapped.jvm)
		return err_set(err, ERR_SYSTEM, "process %d is no JVM any more",
			       (int)process->pid);
	return true;
}

static void close_parts(struct visit *visit)
{
	mapped_clear(&visit->mapped);
	rooted_end(&visit->rooted);
	if (visit->cwd >= 0)
		close(visit->cwd);
	process_close(&visit->process);
	visit->cwd = -1;
}

bool visit_begin(struct visit *visit, const struct vm *vm, struct err *err)
{
	memset(visit, 0, sizeof(*visit));
	visit->cwd = visit->rooted.fd = visit->process.folder = -1;
	if (may_visit(vm, err) && open_process(visit, vm, err) &&
	    open_parts(visit, err) &&
	    asuser_begin(&visit->asuser, vm->uid, vm->gid, err)) {
		patience_begin(&visit->patience, SECOND);
		return true;
	}
	close_parts(visit);
	return false;
}

/* Who we are comes first: a signal that waited may end us. */
void visit_end(struct visit *visit)
{
	asuser_end(&visit->asuser);
	close_parts(visit);
	patience_end(&visit->patience);
}

bool visit_tell_stopped(const struct visit *visit, struct err *err)
{
	return err_set(err, ERR_SYSTEM, "process %d: stopped by a signal",
		       (int)visit->process.pid);
}
