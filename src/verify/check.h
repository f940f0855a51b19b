/*
 * check.h - one chunk being verified, by one thread.
 *
 * What the parts of verify share. Each part adds to the findings, which remember that
 * memory ran out, and goes on.
 */
#ifndef VERIFY_CHECK_H
#define VERIFY_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "jfr/chunk.h"
#include "jfr/event.h"
#include "jfr/refs.h"
#include "verify/findings.h"

/* What a constant says, to be compared with that of another chunk. */
struct token {
	uint64_t key;
	uint64_t meaning;	/* a hash of its values */
	uint64_t at;		/* in the file */
};

/* The tokens of one pool. */
struct token_pool {
	int64_t type_id;
	struct str type;	/* its name; belongs to the findings of its chunk */
	size_t first, count;
};

/* Of a whole chunk, by type id and key. */
struct tokens {
	VEC(struct token) list;
	VEC(struct token_pool) pools;
};

struct check {
	const struct chunk *chunk;	/* with its constants */
	struct findings *findings;
	struct damage *damage;		/* becomes findings */
	struct refs refs;		/* marks what anything refers to */
	struct tokens *tokens;
	uint64_t **hashes;		/* of constants: by type, place in its pool */
	VEC(size_t) checkpoints;	/* where their events are, ascending */
	size_t metadata_at;		/* the last metadata event; 0: none */
	bool has_metadata;		/* that in use is one of them */
	int64_t types_id;		/* the number of the metadata in use */
	uint64_t types_hash;		/* of all that it declares; 0: it is borrowed */
	size_t events_end;		/* behind the last event */
	uint64_t events;
	uint64_t constants;
	uint64_t unused;		/* of the constants: nothing refers to them */

	/* The event or constant that is being looked at. */
	const struct type *type;
	uint32_t slot;			/* which of its values */
	bool is_last;			/* a string in it may not be a key */
	bool is_hashed;
	uint64_t hash;			/* of its values so far, without references */
	char why[128];			/* it does not fit */
};

/* Goes into check->hash. */
static inline void check_mix(struct check *check, uint64_t number)
{
	check->hash = (check->hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
	check->hash ^= check->hash >> 29;
}

#define check_add(check, cause, type, at, ...)                                 \
	findings_add((check)->findings, cause, type,                           \
		     chunk_site((check)->chunk, at), __VA_ARGS__)

/* For "%.*s". */
#define SHOWN(text) (int)(text).size, (text).bytes

/* How far the bytes are from the start of the chunk. */
static inline size_t check_offset(const struct check *check, const unsigned char *bytes)
{
	return (size_t)(bytes - check->chunk->bytes);
}

/* verify_header.c */
void check_header(struct check *check);

/* verify_types.c: the metadata event that the types are from. */
void check_types(struct check *check);

/*
 * verify_values.c: goes over one value of a type, by its program, as value_skip does,
 * and looks at strings and references. False when the bytes do not fit: why.
 */
bool check_values(struct check *check, const struct type *type, struct cursor *cursor);

/* Bytes go into check->hash. */
void check_mix_bytes(struct check *check, const unsigned char *bytes, size_t size);

/* A string with its encoding byte, whose place is the cursor's. */
bool check_string(struct check *check, struct cursor *cursor);

/* verify_events.c: all events, and when they happened. */
void check_events(struct check *check);

/* verify_constants.c: a checkpoint event; then, when all were seen, all constants. */
void check_checkpoint(struct check *check, const struct event *event);
void check_chain(struct check *check);
void check_constants(struct check *check);

#endif
