/*
 * jfctext.h - configurations for the unit tests, from texts and as texts.
 */
#ifndef UNIT_JFCTEXT_H
#define UNIT_JFCTEXT_H

#include "jfc/configuration.h"

/* A file around that. */
#define JFC_FILE(inside) \
	"<configuration version=\"2.0\" label=\"Test\">" inside "</configuration>"

/* Inits it, and reads the file, which must be good. */
void jfctext_read(struct configuration *all, const char *text);

/* Reads one more. */
void jfctext_add(struct configuration *all, const char *text);

/* The content of "event#setting", "-" without one; of an event or setting that is not
   there, NULL. Valid until the fourth next call. */
const char *jfctext_setting(const struct configuration *all, const char *key);

/* The str as a text, likewise; "-" for none. */
const char *jfctext_of(struct str text);

#endif
