/*
 * secret.h - what must not be recorded: passwords, tokens, keys.
 *
 * A name is secret by the words in it ("DB_PASSWORD", "dbPassword", "db.password"), in
 * any case. Then <redacted> is recorded in place of its value. It is a guess: what
 * looks like a secret may be none, and a secret can hide under any name.
 */
#ifndef HOST_SECRET_H
#define HOST_SECRET_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"

#define SECRET_STANDIN "<redacted>"

/* True if a variable, property or option of that name has a secret as its value. */
bool secret_is_name(struct str name);

/*
 * Appends a value without what is secret in it: all of it if the name says so, else
 * what secret_add_line finds in it. Without redact as it is.
 */
void secret_add_value(struct buf *to, struct str name, struct str value, bool redact);

/*
 * Appends a command line, or part of one, without its secrets:
 *
 *	-Ddb.password=x			-Ddb.password=<redacted>
 *	--token=x  --token x		--token=<redacted>  --token <redacted>
 *	API_KEY=x			API_KEY=<redacted>
 *	https://me:x@host/?key=x	https://me:<redacted>@host/?key=<redacted>
 *	"password": "x"			"password": "<redacted>"
 *	Authorization: Bearer x		Authorization: Bearer <redacted>
 *
 * Where one argument ends nobody can tell from a line: of a secret with blanks in it,
 * and without quotes around it, the first word is taken for all.
 */
void secret_add_line(struct buf *to, struct str line, bool redact);

/*
 * The same for one argument of several, which is known to end where it ends. is_due,
 * false for the first one, carries over that the next is a secret ("--token", "x").
 */
void secret_add_argument(struct buf *to, struct str argument, bool *is_due,
			 bool redact);

#endif
