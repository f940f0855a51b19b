/*
 * jfcwords.h - configurations as words: options in a line each, tables of what they are
 * and what they do.
 */
#ifndef CMD_JFCWORDS_H
#define CMD_JFCWORDS_H

#include "base/buf.h"
#include "base/err.h"
#include "jfc/configuration.h"
#include "jfc/settings.h"
#include "render/grid.h"
#include "render/out.h"

/* "  gc=<off|normal|all>  (normal)", and an empty line, for each input. */
void jfcwords_options(struct buf *to, const struct configuration *all);

/* The settings that were logged, as a paragraph, if there are any; forgets them. */
void jfcwords_log(struct buf *to, struct settings *log);

/* Of each input its value, what it can be, and the settings that it decides. */
bool jfcwords_show(struct out *out, const struct grid_format *format,
		   struct configuration *all, struct err *err);

/* The settings that differ, and their values in both; settled before. */
void jfcwords_compare(struct out *out, const struct grid_format *format,
		      const struct settings *a, const struct settings *b,
		      const char *const names[2]);

/* True if they are the same. */
bool jfcwords_are_same(const struct settings *a, const struct settings *b);

/* "a", or "\"\"" if it is empty. */
struct str jfcwords_quote_empty(struct str text);

#endif
