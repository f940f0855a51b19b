/*
 * jfctables.h - configurations as tables: what options are and do, where two differ.
 */
#ifndef CMD_JFCTABLES_H
#define CMD_JFCTABLES_H

#include "base/err.h"
#include "jfc/configuration.h"
#include "jfc/settings.h"
#include "render/grid.h"
#include "render/out.h"

/* Of each input its value, what it can be, and the settings that it decides. */
bool jfctables_show(struct out *out, const struct grid_format *format,
		    struct configuration *all, struct err *err);

/* The settings that differ, and their values in both; settled before. */
void jfctables_compare(struct out *out, const struct grid_format *format,
		       const struct settings *a, const struct settings *b,
		       const char *const names[2]);

/* True if they are the same. */
bool jfctables_are_same(const struct settings *a, const struct settings *b);

#endif
