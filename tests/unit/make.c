#include "make.h"

#include "jfr/checkpoint.h"
#include "jfr/object.h"

#include <stdlib.h>
#include <string.h>

#define SYMBOL "jdk.types.Symbol"

const struct schema_type make_jdk_types[] = {
	TYPE("java.lang.Thread", NULL,
	     FIELDS(FIELD("osName", "java.lang.String", LABEL("OS Thread Name")),
		    FIELD("osThreadId", "long", LABEL("OS Thread Id")),
		    FIELD("javaName", "java.lang.String", LABEL("Java Thread Name")),
		    FIELD("javaThreadId", "long", LABEL("Java Thread Id")),
		    FIELD("group", "jdk.types.ThreadGroup", POOLED),
		    FIELD("virtual", "boolean", LABEL("Virtual Thread")))),
	TYPE("jdk.types.ThreadGroup", NULL,
	     FIELDS(FIELD("parent", "jdk.types.ThreadGroup", POOLED),
		    FIELD("name", "java.lang.String"))),
	TYPE("java.lang.Class", NULL,
	     FIELDS(FIELD("classLoader", "jdk.types.ClassLoader", POOLED),
		    FIELD("name", SYMBOL, POOLED),
		    FIELD("package", "jdk.types.Package", POOLED),
		    FIELD("modifiers", "int"), FIELD("hidden", "boolean"))),
	TYPE("jdk.types.ClassLoader", NULL,
	     FIELDS(FIELD("type", "java.lang.Class", POOLED),
		    FIELD("name", SYMBOL, POOLED))),
	TYPE("jdk.types.Package", NULL,
	     FIELDS(FIELD("name", SYMBOL, POOLED),
		    FIELD("module", "jdk.types.Module", POOLED),
		    FIELD("exported", "boolean"))),
	TYPE("jdk.types.Module", NULL,
	     FIELDS(FIELD("name", SYMBOL, POOLED), FIELD("version", SYMBOL, POOLED),
		    FIELD("location", SYMBOL, POOLED),
		    FIELD("classLoader", "jdk.types.ClassLoader", POOLED))),
	TYPE("jdk.types.Method", NULL,
	     FIELDS(FIELD("type", "java.lang.Class", POOLED),
		    FIELD("name", SYMBOL, POOLED), FIELD("descriptor", SYMBOL, POOLED),
		    FIELD("modifiers", "int"), FIELD("hidden", "boolean"))),
	TYPE(SYMBOL, NULL, .is_simple = true,
	     FIELDS(FIELD("string", "java.lang.String"))),
	TYPE("jdk.types.StackTrace", NULL,
	     FIELDS(FIELD("truncated", "boolean"),
		    FIELD("frames", "jdk.types.StackFrame", ARRAY))),
	TYPE("jdk.types.StackFrame", NULL,
	     FIELDS(FIELD("method", "jdk.types.Method", POOLED),
		    FIELD("lineNumber", "int"), FIELD("bytecodeIndex", "int"),
		    FIELD("type", "jdk.types.FrameType", POOLED))),
	TYPE("jdk.types.FrameType", NULL, .is_simple = true,
	     FIELDS(FIELD("description", "java.lang.String"))),
	TYPE("jdk.types.ThreadState", NULL, .is_simple = true,
	     FIELDS(FIELD("name", "java.lang.String"))),
	TYPES_END,
};

void make_values(struct buf *to, const struct make_value *values)
{
	for (; values->kind != MAKE_END; values++) {
		switch (values->kind) {
		case MAKE_END:
			break;
		case MAKE_BYTE:
			buf_byte(to, (char)values->number);
			break;
		case MAKE_VARINT:
			encode_long(to, values->number);
			break;
		case MAKE_FLOAT:
			encode_float(to, (float)values->real);
			break;
		case MAKE_DOUBLE:
			encode_double(to, values->real);
			break;
		case MAKE_TEXT:
			encode_string(to, values->text);
			break;
		case MAKE_TEXT_AS:
			encode_string_as(to, values->encoding, values->text);
			break;
		case MAKE_BYTES:
			buf_str(to, values->text);
			break;
		}
	}
}

struct cursor make_cursor(struct buf *buf)
{
	char *exact = malloc(buf->size);

	if (buf->size)
		memcpy(exact, buf->bytes, buf->size);
	free(buf->bytes);
	buf->bytes = exact;
	buf->capacity = buf->size;
	return cursor_of((unsigned char *)exact, buf->size);
}

void make_event(struct writer *writer, const char *type, const struct make_value *values)
{
	writer_event(writer, writer_type(writer, type));
	make_values(&writer->buf, values);
	writer_end(writer);
}

void make_pool(struct writer *writer, const char *type)
{
	if (writer->state != WRITER_CHECKPOINT && writer->state != WRITER_POOL)
		writer_checkpoint(writer, 0);
	writer_pool(writer, writer_type(writer, type));
}

void make_constant(struct writer *writer, uint64_t key, const struct make_value *values)
{
	writer_constant(writer, key);
	make_values(&writer->buf, values);
}

/* Takes the word in front off the line, without the blank behind it. */
static struct str next_word(struct str *line)
{
	struct str word = { NULL, 0 };

	if (line->size)
		str_split(line, ' ', &word);
	return word;
}

static struct element *read_line(struct str line, struct arena *arena)
{
	struct element *element = arena_alloc(arena, sizeof(*element));
	struct attribute *attribute = arena_array(arena, line.size, sizeof(*attribute));
	struct str word, name;

	element->name = next_word(&line);
	element->attributes = attribute;
	while ((word = next_word(&line)).bytes) {
		str_split(&word, '=', &name);
		*attribute++ = (struct attribute){ name, word };
		element->attribute_count++;
	}
	return element;
}

const struct element *make_tree(const char *picture, struct arena *arena)
{
	struct str rest = str_of(picture), line;
	struct element *root = NULL;
	struct element **next[72] = { &root };	/* where the next one goes, by depth */

	while (str_split(&rest, '\n', &line)) {
		size_t depth = 0;
		struct element *element;

		while (depth < line.size && line.bytes[depth] == ' ')
			depth++;
		element = read_line((struct str){ line.bytes + depth, line.size - depth },
				    arena);
		*next[depth] = element;
		next[depth] = &element->next;
		next[depth + 1] = &element->children;
	}
	return root;
}

void make_metadata(struct buf *to, const char *picture)
{
	struct arena arena = { 0 };
	struct writer writer = { 0 };
	const struct element *root = make_tree(picture, &arena);

	writer_open(&writer, NULL);
	if (root)
		writer_element(&writer, root);
	buf_add(to, writer.buf.bytes + HEADER_SIZE, writer.buf.size - HEADER_SIZE);
	writer_clear(&writer);
	arena_clear(&arena);
}

void make_begin(struct made *made, const struct schema_type *types)
{
	if (types)
		writer_describe(&made->writer, types);
	writer_open(&made->writer, NULL);
}

bool make_bytes(struct made *made)
{
	struct writer *writer = &made->writer;

	if (writer->is_open && !writer_close(writer, &made->err))
		return false;
	free(made->bytes);
	made->size = writer->buf.size;
	made->bytes = malloc(made->size);
	if (!made->bytes)
		return err_memory(&made->err);
	memcpy(made->bytes, writer->buf.bytes, made->size);
	return true;
}

bool make_again(struct made *made)
{
	struct header header;
	size_t size = made->size;

	chunk_close(&made->chunk);
	damage_clear(&made->damage);
	made->err = (struct err){ 0 };
	if (header_read(&header, made->bytes, size, NULL) &&
	    header.chunk_size >= HEADER_SIZE && (uint64_t)header.chunk_size < size)
		size = (size_t)header.chunk_size;
	made->chunk.block = (struct block){ .bytes = made->bytes, .size = size };
	return chunk_open(&made->chunk, &made->damage, &made->err) &&
	       checkpoint_load(&made->chunk, &made->damage, &made->err);
}

void make_number(unsigned char *bytes, size_t at, int64_t number)
{
	struct buf buf = { 0 };

	encode_big(&buf, (uint64_t)number, 8);
	memcpy(bytes + at, buf.bytes, buf.size);
	buf_clear(&buf);
}

bool make_open(struct made *made)
{
	return make_bytes(made) && make_again(made);
}

void make_clear(struct made *made)
{
	chunk_close(&made->chunk);
	damage_clear(&made->damage);
	writer_clear(&made->writer);
	arena_clear(&made->arena);
	free(made->bytes);
	*made = (struct made){ 0 };
}

struct event make_nth(const struct made *made, size_t index)
{
	struct event_walk walk = event_walk(&made->chunk, NULL);
	struct event event = { 0 };

	while (event_next(&walk, &event)) {
		if (event.type_id > EVENT_CHECKPOINT && index-- == 0)
			return event;
	}
	return (struct event){ 0 };
}

bool make_decode(struct made *made, size_t index, struct value *values)
{
	struct event event = make_nth(made, index);

	return event.type && event_decode(&made->chunk, &event, values, &made->arena);
}

const struct type *make_type(const struct made *made, const char *name)
{
	const struct metadata *metadata = &made->chunk.metadata;

	for (size_t i = 0; i < metadata->type_count; i++) {
		if (str_is(metadata->types[i].name, str_of(name)))
			return &metadata->types[i];
	}
	return NULL;
}

struct str make_text(struct made *made, const char *type, uint64_t key)
{
	struct object object;

	if (!object_constant(&object, &made->chunk, make_type(made, type), key, &made->arena))
		return STR("-");
	return object.values[0].text;
}

uint64_t make_faults(const struct made *made, const char *cause)
{
	for (size_t i = 0; i < made->damage.faults.count; i++) {
		if (strcmp(made->damage.faults.items[i].cause, cause) == 0)
			return made->damage.faults.items[i].count;
	}
	return 0;
}
