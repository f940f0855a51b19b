/*
 * damage.h - what could not be read, and where.
 *
 * Reading goes on after a fault; each kind of fault is told once for each file, with
 * the place of its first occurrence and a count. Kinds are told apart by the text of the
 * cause, which must be a string literal. A note is no fault: nothing is lost that had
 * been there. Not for threads to share: each has its own, merged in order.
 */
#ifndef JFR_DAMAGE_H
#define JFR_DAMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

#define SITE_NO_CHUNK SIZE_MAX	/* between chunks, or of the file as a whole */
#define SITE_NO_BYTE UINT64_MAX

struct site {
	const char *file;	/* its name, which must outlive the damage */
	size_t chunk;		/* 0-based, in the file */
	uint64_t at;		/* byte offset in the file */
};

/* "chunk 2 at byte 81234: ", or as much of it as there is. Gives `to`. */
#define SITE_TEXT_MAX 64
const char *site_text(const struct site *site, char to[SITE_TEXT_MAX]);

struct fault {
	const char *cause;	/* "an event has no size" */
	char type[96];		/* event type or pool of the first one, may be "" */
	char detail[256];	/* what more there is to say of the first one, may be "" */
	struct site first;
	uint64_t count;
	bool is_note;
};

/* Told each fault when it is met. */
typedef void damage_sink(void *context, const struct fault *fault);

struct damage {
	VEC(struct fault) faults;
	damage_sink *sink;	/* not NULL: faults go there, one by one, and nowhere else */
	void *context;
};

void damage_add(struct damage *damage, const char *cause, struct str type,
		struct site site);

/* With a detail, "4096 bytes", that is told in front of the cause. */
void damage_add_detail(struct damage *damage, const char *cause, struct site site,
		       const char *format, ...) __attribute__((format(printf, 4, 5)));

void damage_note(struct damage *damage, const char *cause, struct site site);

/* Adds all that `from` holds and empties it. */
void damage_merge(struct damage *damage, struct damage *from);

/* Nothing was lost; there may be notes. */
bool damage_is_none(const struct damage *damage);

/* Gives the memory back: nothing was lost. */
void damage_clear(struct damage *damage);

#endif
