/*
 * make.h - tiny recordings for tests, built with the writer.
 *
 *	struct made made = { 0 };
 *
 *	make_begin(&made, TYPES(TYPE("test.E", "jdk.jfr.Event", FIELDS(START,
 *							FIELD("x", "int")))));
 *	EVENT(&made.writer, "test.E", LONG(100), INT(-1));
 *	POOL(&made.writer, "jdk.types.Symbol");
 *	CONSTANT(&made.writer, 7, TEXT("tea"));
 *	make_open(&made);		then made.chunk is there to be read
 *	...
 *	make_clear(&made);
 */
#ifndef UNIT_MAKE_H
#define UNIT_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jfr/chunk.h"
#include "jfr/event.h"
#include "jfr/writer.h"

enum make_kind {
	MAKE_END,
	MAKE_BYTE,
	MAKE_VARINT,
	MAKE_FLOAT,
	MAKE_DOUBLE,
	MAKE_TEXT,	/* in the encoding that fits it best */
	MAKE_TEXT_AS,
	MAKE_BYTES,	/* as they are */
};

/* One value of an event or a constant, as it goes into the file. */
struct make_value {
	enum make_kind kind;
	enum string_encoding encoding;
	int64_t number;
	double real;
	struct str text;
};

#define MAKE(kind_, ...) { .kind = (kind_), __VA_ARGS__ }
#define BYTE(number_) MAKE(MAKE_BYTE, .number = (number_))
#define BOOLEAN(number_) BYTE(number_)
#define SHORT(number_) MAKE(MAKE_VARINT, .number = (uint16_t)(number_))
#define CHAR(number_) SHORT(number_)
#define INT(number_) MAKE(MAKE_VARINT, .number = (uint32_t)(number_))
#define COUNT(number_) INT(number_)
#define LONG(number_) MAKE(MAKE_VARINT, .number = (int64_t)(number_))
#define KEY(number_) LONG(number_)
#define FLOAT(number_) MAKE(MAKE_FLOAT, .real = (number_))
#define DOUBLE(number_) MAKE(MAKE_DOUBLE, .real = (number_))
#define LITERAL(text_) .text = { (text_), sizeof(text_) - 1 }
#define TEXT(text_) MAKE(MAKE_TEXT, LITERAL(text_))
#define NO_TEXT MAKE(MAKE_TEXT, .text = { NULL, 0 })
#define TEXT_AS(encoding_, text_)                                              \
	MAKE(MAKE_TEXT_AS, .encoding = (encoding_), LITERAL(text_))
#define TEXT_KEY(key_) BYTE(STRING_POOLED), KEY(key_)
#define BYTES(bytes_) MAKE(MAKE_BYTES, LITERAL(bytes_))

#define VALUES(...)                                                            \
	(const struct make_value[]){ __VA_ARGS__, { .kind = MAKE_END } }

/* An event; a constant of the pool that is open; a pool, in a checkpoint of its own
 * if none is open. */
#define EVENT(writer, type, ...) make_event(writer, type, VALUES(__VA_ARGS__))
#define CONSTANT(writer, key, ...) make_constant(writer, key, VALUES(__VA_ARGS__))
#define POOL(writer, type) make_pool(writer, type)

#define LABEL(text_) NOTES(NOTE("jdk.jfr.Label", text_))

/* Fields that events have, in their order. */
#define START FIELD("startTime", "long", TICKS)
#define DURATION FIELD("duration", "long", SPAN)
#define THREAD FIELD("eventThread", "java.lang.Thread", POOLED)
#define STACK FIELD("stackTrace", "jdk.types.StackTrace", POOLED)

/* Thread, Class, Method, StackTrace ... and all they need, as JDK 25 declares them. */
extern const struct schema_type make_jdk_types[];

void make_values(struct buf *to, const struct make_value *values);

/* A cursor over the buffer, whose memory now ends where its bytes do. */
struct cursor make_cursor(struct buf *buf);

void make_event(struct writer *writer, const char *type, const struct make_value *values);
void make_pool(struct writer *writer, const char *type);
void make_constant(struct writer *writer, uint64_t key, const struct make_value *values);

/*
 * A tree of elements from its picture: one line each, indented by one blank for
 * each level, "name attribute=text attribute=text".
 */
const struct element *make_tree(const char *picture, struct arena *arena);

/* A metadata event with that tree. */
void make_metadata(struct buf *to, const char *picture);

/* Recordings written, and the chunk that is read back. */
struct made {
	struct writer writer;
	unsigned char *bytes;	/* no larger than needed: sanitizers see a byte too many */
	size_t size;
	struct chunk chunk;
	struct damage damage;
	struct err err;
	struct arena arena;	/* of make_decode */
};

/* A chunk with these types; NULL: those described before. */
void make_begin(struct made *made, const struct schema_type *types);

/* Finishes the last chunk begun: then made.bytes is the recording. */
bool make_bytes(struct made *made);

/* The same, and opens the first chunk with its pools. */
bool make_open(struct made *made);

/* Opens the chunk in made.bytes once more, after the test changed something. */
bool make_again(struct made *made);

/* Where in a header its 64-bit numbers and its state stand. */
enum {
	CHUNK_SIZE_AT = 8,
	CHECKPOINT_AT = 16,
	METADATA_AT = 24,
	START_NANOS_AT = 32,
	DURATION_AT = 40,
	START_TICKS_AT = 48,
	FREQUENCY_AT = 56,
	STATE_AT = 64,
};

/* Changes such a number, of the header that begins at bytes[0]. */
void make_number(unsigned char *bytes, size_t at, int64_t number);

void make_clear(struct made *made);

/* The event at this place in the chunk, metadata and checkpoints not counted. */
struct event make_nth(const struct made *made, size_t index);

/* Its values; false if there is none, its type is unknown, or its bytes do not fit. */
bool make_decode(struct made *made, size_t index, struct value *values);

/* The type of that name in the chunk, or NULL. */
const struct type *make_type(const struct made *made, const char *name);

/* The text of a constant whose value is one string; "-" if there is none. */
struct str make_text(struct made *made, const char *type, uint64_t key);

/* How often the chunk's damage had that cause. */
uint64_t make_faults(const struct made *made, const char *cause);

#endif
