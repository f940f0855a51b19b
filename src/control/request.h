/*
 * request.h - what somebody asks of an agent that is in a JVM, as a packet (message.h).
 *
 *	start				with the orders (orders.h), as a file
 *	dump name=1 last=300000000000	NAME's data, as a folder, handed over
 *	stop name=checkout to=client	stops it; its data as a folder, or written by the
 *					agent where its orders say, or thrown away
 *	check				what there is: facts.h
 *	set name=1			with orders as a file, of which the settings count
 *	detach				all recordings end, and the agent leaves the JVM
 *
 * The rest of a packet is lines "key=value", escaped as in orders. Unknown words and keys
 * are refused, with a text that says so. Both sides are bounded: a packet has
 * MESSAGE_MAX bytes at most, a file REQUEST_FILE_MAX, and it must be one in memory (memfd),
 * as only these never keep a reader waiting.
 */
#ifndef CONTROL_REQUEST_H
#define CONTROL_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

#define REQUEST_FILE_MAX ((size_t)1 << 20)

enum request_verb {
	REQUEST_START,
	REQUEST_DUMP,
	REQUEST_STOP,
	REQUEST_CHECK,
	REQUEST_SET,
	REQUEST_DETACH,
	REQUEST_VERBS,
};

/* What becomes of the data of a recording that is stopped. */
enum request_to {
	REQUEST_TO_OUTPUT,	/* the agent makes the file that its orders name */
	REQUEST_TO_CLIENT,	/* a folder is handed over; it is closed on "taken" */
	REQUEST_TO_NOBODY,	/* it is thrown away */
};

/* A zeroed struct is not valid: request_init. */
struct request {
	enum request_verb verb;
	struct str name;	/* of a recording, or its number; size 0: not given */
	int64_t last;		/* dump, stop: only so many nanoseconds; 0: all */
	enum request_to to;	/* stop */
	struct arena arena;
};

void request_init(struct request *request, enum request_verb verb);
void request_clear(struct request *request);

/* The word of a verb; borrowed for ever. */
const char *request_word(enum request_verb verb);

/* What stands behind the word. Without memory the buffer fails. */
void request_write(const struct request *request, struct buf *to);

/*
 * Over request_init, with any verb. A key that the verb has no use for is unknown. ERR_USAGE:
 * a text for who asked; ERR_MEMORY. Then request_clear.
 */
bool request_read(struct request *request, const char *word, const char *rest,
		  struct err *err);

/*
 * The text of a file that came with a packet, all of it, as a copy at the end of `text`.
 * ERR_USAGE: it is not in memory, too large; ERR_SYSTEM, ERR_MEMORY. Never waits.
 */
bool request_file(int fd, struct buf *text, struct err *err);

/* The reverse: an unnamed file with this text, to be sent and closed; -1 with err. */
int request_make_file(struct str text, struct err *err);

#endif
