/*
 * metadata.h - the types of a chunk: what its events and constants are made of.
 *
 * Read from the chunk's newest metadata event; nothing is built in but the names of
 * the primitives and of the annotations that carry meaning (format.md 4). All of
 * it lives in the arena it was read with and never changes afterwards.
 */
#ifndef JFR_METADATA_H
#define JFR_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "jfr/element.h"
#include "jfr/value.h"

/* Its attributes are the members: "m", or "m-0", "m-1" .. for an array. */
struct annotation {
	const struct type *type;
	const struct attribute *attributes;
	size_t attribute_count;
};

/* How the numbers of a field are meant: its @Timespan, @Timestamp ... */
enum unit {
	UNIT_NONE,
	UNIT_TIMESPAN_TICKS,
	UNIT_TIMESPAN_NANOS,
	UNIT_TIMESPAN_MICROS,
	UNIT_TIMESPAN_MILLIS,
	UNIT_TIMESPAN_SECONDS,
	UNIT_TIMESTAMP_TICKS,
	UNIT_TIMESTAMP_MILLIS,
	UNIT_PERCENTAGE,
	UNIT_BYTES,
	UNIT_BITS,
	UNIT_BYTES_PER_SECOND,
	UNIT_BITS_PER_SECOND,
	UNIT_ADDRESS,
	UNIT_FREQUENCY,
};

struct field {
	struct str name;
	const struct type *type;	/* as declared; NULL: not declared at all */
	const struct type *shown;	/* the same with simple types unwrapped */
	bool array;
	bool pooled;			/* stored as a key into the pool of `type` */
	bool is_unsigned;		/* @Unsigned */
	bool has_content_type;		/* an annotation that is a @ContentType */
	bool is_contextual;		/* @Contextual */
	enum unit unit;
	uint32_t slot;			/* first value in the program of its owner */
	const struct annotation *annotations;
	size_t annotation_count;
};

/* What an annotation type tells readers of values; MEANING_NONE is any other type. */
enum meaning {
	MEANING_NONE,
	MEANING_TIMESPAN,
	MEANING_TIMESTAMP,
	MEANING_PERCENTAGE,
	MEANING_DATA_AMOUNT,
	MEANING_MEMORY_ADDRESS,
	MEANING_FREQUENCY,
	MEANING_UNSIGNED,
	MEANING_CONTEXTUAL,
	MEANING_CONTENT_TYPE,
	MEANING_COUNT,
};

/* What a type is to those who read values; TYPE_PLAIN is any other struct. */
enum type_role {
	TYPE_PLAIN,
	TYPE_THREAD,
	TYPE_THREAD_GROUP,
	TYPE_CLASS,
	TYPE_CLASS_LOADER,
	TYPE_METHOD,
	TYPE_STACK_TRACE,
	TYPE_STACK_FRAME,
	TYPE_OLD_OBJECT,
};

struct type {
	int64_t id;
	struct str name;
	struct str super;		/* bytes NULL: none */
	uint32_t index;			/* place in metadata.types */
	bool is_simple;			/* stands for its first field */
	bool is_event;
	bool is_setting;
	bool is_contextual;		/* has a field with @Contextual */
	enum op_kind primitive;		/* OP_NONE: a struct */
	enum type_role role;
	enum meaning meaning;
	const struct type *shown;	/* itself, or what a simple type stands for */
	struct field *fields;
	size_t field_count;
	const struct annotation *annotations;
	size_t annotation_count;
	struct program program;		/* how its values are laid out */
	/* The implicit fields of events; NULL where there is none. */
	const struct field *start, *duration, *thread, *stack;
	bool has_plain_ticks;		/* start, duration if any, as longs in front */
};

struct metadata {
	struct type *types;		/* in file order */
	size_t type_count;
	struct map by_id;
	const struct type **events;	/* by id, for ids below event_limit */
	size_t event_limit;
	const struct type *string;	/* java.lang.String, NULL if not declared */
	int64_t gmt_offset;		/* milliseconds east of UTC */
	int64_t dst;			/* milliseconds added in summer */
};

/*
 * Reads the metadata event that starts at bytes[0]. All memory is the arena's but
 * the map's: metadata_clear. ERR_FORMAT tells what is wrong with the event; a type
 * that cannot be decoded does not spoil the others (program.is_broken).
 */
bool metadata_read(struct metadata *metadata, const unsigned char *bytes, size_t size,
		   struct arena *arena, struct err *err);

void metadata_clear(struct metadata *metadata);

/* The type with that id, or NULL. */
const struct type *metadata_type(const struct metadata *metadata, int64_t id);

/* The event type with that id, or NULL: the fast way, for each event. */
static inline const struct type *metadata_event(const struct metadata *metadata,
						uint64_t id)
{
	const struct type *type;

	if (id < metadata->event_limit)
		return metadata->events[id];
	type = metadata_type(metadata, (int64_t)id);
	return type && type->is_event ? type : NULL;
}

/* The zone of the recording, seconds east of UTC; 0 if it is beyond 18 hours. */
int metadata_zone(const struct metadata *metadata);

/* The first field of that name, or NULL. Names are compared: not for each event. */
const struct field *type_field(const struct type *type, const char *name);
const struct field *type_named_field(const struct type *type, struct str name);

/*
 * The field that a path of names with dots between begins with, taken off its front; NULL
 * if there is none. Dots may also be part of the last name.
 */
const struct field *type_path_field(const struct type *type, struct str *path);

/*
 * Marks the type, by its index, and all types that its values may lead to. Those marked
 * already are taken to have theirs. False without memory.
 */
bool type_mark(const struct type *type, bool *marks);

/* The annotation of that type name ("jdk.jfr.Label"), or NULL. */
const struct annotation *type_annotation(const struct type *type, const char *name);
const struct annotation *field_annotation(const struct field *field, const char *name);

/* The text of a member, { NULL, 0 } if it is missing; annotation may be NULL. */
struct str annotation_member(const struct annotation *annotation, struct str name);

/*
 * The elements of an array member, for the caller to free; annotation may be NULL.
 * NULL without memory, with a count of 0.
 */
struct str *annotation_elements(const struct annotation *annotation, struct str member,
				size_t *count);

/* The categories of an event type, from the widest on; as annotation_elements. */
struct str *type_categories(const struct type *type, size_t *count);

/* The part of an event's name after the last dot. */
struct str type_simple_name(const struct type *type);

#endif
