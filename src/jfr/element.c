#include "jfr/element.h"

#include "base/map.h"
#include "base/vec.h"
#include "jfr/cursor.h"
#include "jfr/encode.h"
#include "jfr/value.h"

/* Real metadata has five levels. */
#define ELEMENT_DEPTH_MAX 64

struct reader {
	struct cursor cursor;
	struct arena *arena;
	struct str *strings;
	size_t string_count;
};

static bool read_strings(struct reader *reader, struct err *err)
{
	int32_t count = (int32_t)cursor_varint(&reader->cursor);

	if (count < 0 || (size_t)count > cursor_left(&reader->cursor))
		return err_set(err, ERR_FORMAT,
			       "the metadata event claims %d strings, more than fit",
			       count);
	reader->strings = arena_array(reader->arena, (size_t)count, sizeof(struct str));
	if (!reader->strings)
		return err_memory(err);
	for (int32_t i = 0; i < count; i++) {
		struct str *string = &reader->strings[i];

		if (!value_string(&reader->cursor, NULL, string, reader->arena))
			return err_set(err, ERR_FORMAT,
				       "string %d of the metadata event is broken", i);
	}
	reader->string_count = (size_t)count;
	return true;
}

static bool read_name(struct reader *reader, struct str *name)
{
	uint64_t index = cursor_varint(&reader->cursor);

	if (reader->cursor.bad || index >= reader->string_count) {
		cursor_fail(&reader->cursor);
		return false;
	}
	*name = reader->strings[index];
	return true;
}

/* How many things follow of which each takes at least `least` bytes. */
static size_t read_count(struct reader *reader, size_t least)
{
	int32_t count = (int32_t)cursor_varint(&reader->cursor);

	if (count < 0 || (size_t)count > cursor_left(&reader->cursor) / least) {
		cursor_fail(&reader->cursor);
		return 0;
	}
	return (size_t)count;
}

static bool read_attributes(struct reader *reader, struct element *element)
{
	size_t count = read_count(reader, 2);
	struct attribute *attributes =
		arena_array(reader->arena, count, sizeof(struct attribute));

	if (!attributes || reader->cursor.bad)
		return false;
	element->attributes = attributes;
	element->attribute_count = count;
	for (size_t i = 0; i < count; i++) {
		if (!read_name(reader, &attributes[i].name) ||
		    !read_name(reader, &attributes[i].text))
			return false;
	}
	return true;
}

static struct element *read_element(struct reader *reader, int depth)
{
	struct element *element = arena_alloc(reader->arena, sizeof(*element));
	struct element **next;
	size_t count;

	if (!element || depth > ELEMENT_DEPTH_MAX ||
	    !read_name(reader, &element->name) || !read_attributes(reader, element))
		return NULL;
	next = &element->children;
	count = read_count(reader, 3);
	for (size_t i = 0; i < count; i++) {
		*next = read_element(reader, depth + 1);
		if (!*next)
			return NULL;
		next = &(*next)->next;
	}
	return reader->cursor.bad ? NULL : element;
}

static const struct element *read_failed(const struct arena *arena, struct err *err)
{
	if (arena->is_full)
		err_set(err, ERR_FORMAT, "the metadata event takes too much memory");
	else if (arena->failed)
		err_memory(err);
	else
		err_set(err, ERR_FORMAT,
			"the metadata event is cut short, wrong or nested too deeply");
	return NULL;
}

const struct element *element_read(const unsigned char *bytes, size_t size,
				   struct arena *arena, struct err *err)
{
	struct reader reader = { .cursor = cursor_of(bytes, size), .arena = arena };
	const struct element *root;

	/* size, type, start, duration, id: none of them matters here */
	for (int i = 0; i < 5; i++)
		cursor_varint(&reader.cursor);
	if (!read_strings(&reader, err))
		return arena->failed ? read_failed(arena, err) : NULL;
	root = read_element(&reader, 0);
	return root ? root : read_failed(arena, err);
}

struct str element_text(const struct element *element, const char *name)
{
	for (size_t i = 0; i < element->attribute_count; i++) {
		if (str_is(element->attributes[i].name, str_of(name)))
			return element->attributes[i].text;
	}
	return (struct str){ NULL, 0 };
}

int64_t element_number(const struct element *element, const char *name,
		       int64_t otherwise)
{
	struct str text = element_text(element, name);
	bool is_negative = text.size > 1 && *text.bytes == '-';
	uint64_t limit = (uint64_t)INT64_MAX + is_negative;
	uint64_t number = 0;

	if (text.size == 0)
		return otherwise;
	for (size_t i = is_negative; i < text.size; i++) {
		uint64_t digit = (uint64_t)(text.bytes[i] - '0');

		if (digit > 9 || number > (limit - digit) / 10)
			return otherwise;
		number = number * 10 + digit;
	}
	return (int64_t)(is_negative ? -number : number);
}

static const struct element *find(const struct element *element, struct str name)
{
	while (element && !str_is(element->name, name))
		element = element->next;
	return element;
}

const struct element *element_child(const struct element *element, const char *name)
{
	return find(element->children, str_of(name));
}

const struct element *element_next(const struct element *element)
{
	return find(element->next, element->name);
}

size_t element_count(const struct element *element, const char *name)
{
	size_t count = 0;

	for (const struct element *child = element_child(element, name); child;
	     child = element_next(child))
		count++;
	return count;
}

/* The string table of a tree that is being written. */
struct table {
	struct map places;	/* from a hash to an index in strings */
	VEC(struct str) strings;
	bool failed;
};

static uint64_t hash_of(struct str text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);	/* FNV-1a */

	for (size_t i = 0; i < text.size; i++)
		hash = (hash ^ (unsigned char)text.bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static uint32_t table_index(struct table *table, struct str text)
{
	uint64_t hash = hash_of(text);
	uint32_t index;

	/* Strings of equal hash stand at the numbers behind it. */
	while ((index = map_find(&table->places, hash)) != MAP_NONE) {
		struct str found = table->strings.items[index];

		if (str_is(found, text) && !found.bytes == !text.bytes)
			return index;
		hash++;
	}
	index = (uint32_t)table->strings.count;
	table->failed |= !vec_push(&table->strings, text) ||
			 !map_put(&table->places, hash, index);
	return index;
}

static void write_element(const struct element *element, struct table *table,
			  struct buf *to)
{
	const struct element *child;
	uint64_t children = 0;

	encode_varint(to, table_index(table, element->name));
	encode_varint(to, element->attribute_count);
	for (size_t i = 0; i < element->attribute_count; i++) {
		encode_varint(to, table_index(table, element->attributes[i].name));
		encode_varint(to, table_index(table, element->attributes[i].text));
	}
	for (child = element->children; child; child = child->next)
		children++;
	encode_varint(to, children);
	for (child = element->children; child; child = child->next)
		write_element(child, table, to);
}

void element_write(const struct element *root, struct buf *to)
{
	struct table table = { .failed = false };
	struct buf tree = { 0 };

	write_element(root, &table, &tree);
	encode_varint(to, table.strings.count);
	for (size_t i = 0; i < table.strings.count; i++)
		encode_string(to, table.strings.items[i]);
	buf_add(to, tree.bytes, tree.size);
	to->failed |= tree.failed || table.failed;
	map_clear(&table.places);
	vec_clear(&table.strings);
	buf_clear(&tree);
}
