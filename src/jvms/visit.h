/*
 * visit.h - at a JVM, in its user's place: its root and its folders are open, and what
 * is done there is done as that user.
 *
 *	if (visit_begin(&visit, vm, &err)) {
 *		... rooted_open(&visit.rooted, "/tmp", ...) ...
 *		visit_end(&visit);
 *	}
 *
 * What needs more rights than that user has is opened by visit_begin; what is ours must
 * be opened before.
 */
#ifndef JVMS_VISIT_H
#define JVMS_VISIT_H

#include <stdbool.h>

#include "base/err.h"
#include "jvms/asuser.h"
#include "jvms/mapped.h"
#include "jvms/patience.h"
#include "jvms/process.h"
#include "jvms/rooted.h"
#include "jvms/vm.h"

struct visit {
	struct process process;
	struct rooted rooted;
	struct mapped mapped;
	int cwd;			/* its current directory, for paths alone; -1 */
	uid_t host;			/* who owns its root: root, or that of a container */
	struct asuser asuser;
	struct patience patience;	/* the caller sets how long */
};

/*
 * False: ERR_SYSTEM: it is another user's, and we are not root; it has ended, or is another
 * process by now.
 */
bool visit_begin(struct visit *visit, const struct vm *vm, struct err *err);
void visit_end(struct visit *visit);

/* ERR_SYSTEM for what cut waiting short. Returns false. */
bool visit_tell_stopped(const struct visit *visit, struct err *err);

#endif
