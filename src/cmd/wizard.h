/*
 * wizard.h - asks on a terminal, or of a pipe, what a configuration shall be.
 */
#ifndef CMD_WIZARD_H
#define CMD_WIZARD_H

#include "base/err.h"
#include "jfc/configuration.h"
#include "jfc/settings.h"
#include "render/out.h"

struct wizard {
	struct configuration *all;
	struct out *out;		/* where it asks */
	struct settings *log;		/* NULL: what changes is not told */
	char **path;			/* of the file to write; on the heap */
};

enum wizard_end {
	WIZARD_DONE,		/* all questions were answered */
	WIZARD_ABORTED,		/* by q, or by the end of standard input */
	WIZARD_FAILED,		/* err says why */
};

/* Asks for all inputs, then for another path. Answers come from standard input. */
enum wizard_end wizard_run(struct wizard *wizard, struct err *err);

#endif
