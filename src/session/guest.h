/*
 * guest.h - a JVM that is recorded, as its agent tells of it.
 */
#ifndef SESSION_GUEST_H
#define SESSION_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "jfr/spill.h"

/* What has happened to it, each once, in this order. */
#define GUEST_BEGAN 1u		/* it has said where it records */
#define GUEST_FAILED 2u		/* it cannot record, or no more: see failure */
#define GUEST_STOPPED 4u	/* its recording is complete */
#define GUEST_GONE 8u		/* the process has ended, or let go */

struct guest {
	int connection;			/* -1: gone */
	int spill;			/* the file of its buffers; -1: none */
	const struct spill_header *header;	/* of it; NULL: none */
	long pid;
	int64_t begin_nanos;		/* when it told, since 1970 */
	char *repository;		/* folder; NULL: none */
	char failure[512];
	unsigned happened;		/* GUEST_... */
	unsigned told;			/* of these, what the caller knows */
	char *output;			/* the caller's, freed by guest_free */
};

/* Takes the connection over. NULL without memory. */
struct guest *guest_new(int connection);
void guest_free(struct guest *guest);

/* Takes what it says, and looks at how its recording goes. */
void guest_look(struct guest *guest);

/* True if there is more of its recording to come. */
bool guest_is_recording(const struct guest *guest);

/* How its recording goes: as spill.h says; without a header SPILL_STARTING. */
enum spill_state guest_state(const struct guest *guest);

#endif
