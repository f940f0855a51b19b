/*
 * recordtarget.h - which JVMs a command is about: a pid, a part of the main class or jar,
 * as jcmd takes it, or all.
 */
#ifndef CMD_RECORDTARGET_H
#define CMD_RECORDTARGET_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/vec.h"
#include "cmd/command.h"
#include "cmd/options.h"
#include "jvms/vm.h"

struct record_targets {
	struct vms vms;
	VEC(const struct vm *) chosen;	/* of these */
	bool is_all;			/* --all: not each of them need have an agent */
};

/*
 * Takes the word that names them off the front: NULL, if all are meant. Otherwise a message
 * was written, and the status tells.
 */
enum status record_targets_word(const struct invocation *invocation, bool is_all,
				struct words *words, const char **word);

/* Finds them; a message and a status as before. record_targets_clear in any case. */
enum status record_targets_find(const struct invocation *invocation, const char *word,
				struct record_targets *targets);
void record_targets_clear(struct record_targets *targets);

enum record_outcome {
	RECORD_DONE,
	RECORD_SKIPPED,		/* there was nothing to do */
	RECORD_FAILED,		/* err says why; ERR_NONE: that was told */
};

typedef enum record_outcome record_target_act(void *context, const struct vm *vm,
					      struct err *err);

/*
 * Does something with each of them, and tells what could not be done: then the status is
 * STATUS_FAILED, but the others are done all the same. `nothing`: what is told if all were
 * skipped, which fails, too.
 */
enum status record_targets_each(const struct invocation *invocation,
				const struct record_targets *targets,
				record_target_act *act, void *context,
				const char *nothing);

/* "process 4711 (shop.Main)" */
void record_target_text(struct buf *to, const struct vm *vm);

/* What it runs, in a word that is good in a name: "Main". The caller's; NULL: no memory. */
char *record_target_subject(const struct vm *vm);

/* Any text as such a word. */
char *record_target_word(const char *text);

#endif
