/*
 * guest.h - a JVM that is recorded, as its agent tells of it.
 */
#ifndef SESSION_GUEST_H
#define SESSION_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "jfr/spill.h"

/* What has happened to it, each once but for warnings, in this order. */
#define GUEST_BEGAN 1u		/* it has said where it records */
#define GUEST_WARNED 2u		/* something is not recorded: see warnings */
#define GUEST_FAILED 4u		/* it cannot record, or no more: see failure */
#define GUEST_STOPPED 8u	/* its recording is complete */
#define GUEST_GONE 16u		/* the process has ended, see below */

/* It has so many descriptors at most. */
#define GUEST_DESCRIPTORS 3

struct guest_sums {
	enum spill_state state;
	uint64_t events, bytes, chunks, lost;
};

/*
 * The end of its process decides. A program may close descriptors that are not its own, and
 * live on: then its connection is lost, and it may still write into the spill file. And
 * one that it has forked off may live on, and hold the connection. Where the process cannot
 * be seen, as it is of another PID namespace or the kernel is older than 5.3, who has lost
 * the connection is gone.
 */
struct guest {
	int connection;			/* -1: lost */
	int process;			/* pidfd_open; -1: it cannot be seen, or is gone */
	bool has_died;			/* it was seen to end */
	int spill;			/* the spill file; -1: none, or settled */
	struct guest_sums sums;		/* as it was when somebody last looked */
	long pid;
	int64_t begin_nanos;		/* since 1970: in the name of its recording */
	char *repository;		/* folder of its recording; NULL: none */
	char *home;			/* where others go on beside it; NULL: none do */
	char warnings[4096];		/* since they were last told: lines */
	char failure[512];
	bool is_idle;			/* its filters of methods selected nothing */
	unsigned happened;		/* GUEST_... */
	unsigned known;			/* of these, what the caller knows */
	/* The caller's. */
	char *output;			/* freed by guest_free */
	bool is_kept;			/* its spill file is in the repository, too */
	bool is_written;		/* its recording is, or there was none */
};

/* Takes the connection over in any case. NULL without memory. */
struct guest *guest_new(int connection);

/* Lets go of all that it holds, the connection too. NULL is no guest to free. */
void guest_free(struct guest *guest);

/*
 * Takes what it says, and looks at how its recording goes: that is in happened, failure
 * and sums then. Never waits or fails: what goes wrong is a failure of the guest.
 */
void guest_look(struct guest *guest);

/* How many descriptors it has at the moment. */
unsigned guest_descriptors(const struct guest *guest);

/* Closes the connection: its agent sees that, and does without us from then on. */
void guest_leave(struct guest *guest);

/* True if there is more of its recording to come, as far as it has told. */
bool guest_is_recording(const struct guest *guest);

/*
 * Its recording is written: lets go of the spill file, as there may be many guests; the
 * sums stay as they were. May be repeated.
 */
void guest_settle(struct guest *guest);

#endif
