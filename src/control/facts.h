/*
 * facts.h - what an agent tells of itself and its recordings, for `record check`.
 *
 * Lines "key=value", escaped as in orders, in the order of the members; numbers are
 * decimal. A key that is not known is passed over, so that either side may be newer; what
 * is missing is 0. Long texts are cut, so that all of them are one message (message.h).
 */
#ifndef CONTROL_FACTS_H
#define CONTROL_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

enum facts_state {
	FACTS_DELAYED,		/* it has not begun: --delay */
	FACTS_RUNNING,
	FACTS_STOPPED,		/* its data is still there, and can be fetched */
	FACTS_FAILED,		/* it ended early: `why` */
};

/* Times are nanoseconds since 1970, lengths of time nanoseconds, sizes bytes; 0: none. */
struct recording_facts {
	uint64_t id;			/* from 1 on, in a JVM never used again */
	struct str name, destination, why;
	enum facts_state state;
	int64_t begun, ended;		/* `begun` while delayed: when it will */
	int64_t duration, max_age, max_size;
	bool to_disk;
	uint64_t bytes, chunks;		/* of what is kept of it */
	uint64_t lost_events;		/* since it began: that found no room */
};

struct engine_facts {
	int64_t pid;			/* as the JVM's own namespace has it */
	struct str version;		/* of the agent */
	struct str repository;
	int64_t attached;		/* when the agent came into the JVM */
	bool is_launched;		/* with the JVM: cjfr record -- */
	uint64_t events, lost_events, lost_bytes;
	uint64_t memory_size, memory_used;	/* buffers and constants */
	uint64_t cpu_flusher, cpu_handler;	/* nanoseconds */
	uint64_t probed_classes, probed_methods;
	uint64_t interval;		/* of samples; 0: none are taken */
};

/* Texts are borrowed; appends to the buffer. */
void recording_facts_write(const struct recording_facts *facts, struct buf *to);
void engine_facts_write(const struct engine_facts *facts, struct buf *to);

/* Texts live in the arena. ERR_FORMAT with the line; ERR_MEMORY. */
bool recording_facts_read(struct recording_facts *facts, struct str text,
			  struct arena *arena, struct err *err);
bool engine_facts_read(struct engine_facts *facts, struct str text, struct arena *arena,
		       struct err *err);

/* "running" and so on. */
const char *facts_state_word(enum facts_state state);

#endif
