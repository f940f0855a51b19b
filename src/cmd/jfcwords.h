/*
 * jfcwords.h - configurations as words: options, what they can be, what was set.
 */
#ifndef CMD_JFCWORDS_H
#define CMD_JFCWORDS_H

#include "base/buf.h"
#include "jfc/configuration.h"
#include "jfc/settings.h"

/* "  gc=<off|normal|all>  (normal)", and an empty line, for each input. */
void jfcwords_options(struct buf *to, const struct configuration *all);

/* The settings that were logged, as a paragraph, if there are any; forgets them. */
void jfcwords_log(struct buf *to, struct settings *log);

/* What it can be: "off, normal, all"; of a text what is in it: "timespan". */
void jfcwords_allowed(struct buf *to, const struct node *input, const char *between);

/* The same of a selection or a flag: ["off","normal","all"]. */
void jfcwords_allowed_json(struct buf *to, const struct node *input);

/* What a user would write for the value that it has. */
struct str jfcwords_value(const struct node *input);

/* "a", or "\"\"" if it is empty. */
struct str jfcwords_quote_empty(struct str text);

#endif
