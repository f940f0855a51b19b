#include "classfile/constants.h"

#include <stdlib.h>

#include "classfile/reader.h"

/* Room for those of a class of usual size. */
#define MORE 256

/* A constant, tag included. */
struct bytes {
	const uint8_t *at;
	uint32_t size;
};

static struct bytes bytes_of(const struct constants *constants, uint32_t index)
{
	const struct classfile *file = constants->file;
	struct bytes bytes;

	if (index < file->constant_count)
		bytes.at = file->bytes + file->constants[index];
	else
		bytes.at = (const uint8_t *)constants->added.bytes +
			   constants->places[index - file->constant_count];
	switch (*bytes.at) {
	case CONSTANT_UTF8:
		bytes.size = 3u + big_u2(bytes.at + 1);
		break;
	case CONSTANT_CLASS:
		bytes.size = 3;
		break;
	default:
		bytes.size = 5;		/* all others that are ever looked for */
	}
	return bytes;
}

static uint32_t hash_of(struct bytes bytes)
{
	uint32_t hash = 0x811c9dc5;

	for (uint32_t i = 0; i < bytes.size; i++)
		hash = (hash ^ bytes.at[i]) * 0x01000193;
	return hash ^ hash >> 15;
}

static bool is_looked_for(int tag)
{
	return tag == CONSTANT_UTF8 || tag == CONSTANT_CLASS ||
	       tag == CONSTANT_INTEGER || tag == CONSTANT_METHOD ||
	       tag == CONSTANT_NAME_AND_TYPE;
}

static void chain(struct constants *constants, uint32_t index)
{
	uint32_t hash = hash_of(bytes_of(constants, index));
	uint16_t *head = &constants->heads[hash & (constants->head_count - 1)];

	constants->next[index] = *head;
	*head = (uint16_t)index;
}

/* When the first one is looked for. */
static bool index_all(struct constants *constants)
{
	const struct classfile *file = constants->file;

	constants->head_count = MORE;
	while (constants->head_count < file->constant_count)
		constants->head_count *= 2;
	constants->capacity = file->constant_count + MORE;
	constants->heads = calloc(constants->head_count, sizeof(*constants->heads));
	constants->next = malloc(constants->capacity * sizeof(*constants->next));
	constants->places = malloc(MORE * sizeof(*constants->places));
	if (!constants->heads || !constants->next || !constants->places)
		return false;
	for (uint32_t i = 1; i < file->constant_count; i++)
		if (is_looked_for(classfile_tag(file, (uint16_t)i)))
			chain(constants, i);
	return true;
}

/* Room for one more. */
static bool grow(struct constants *constants)
{
	uint32_t capacity = constants->capacity * 2;
	uint16_t *next;
	uint32_t *places;

	if (constants->count < constants->capacity)
		return true;
	next = realloc(constants->next, capacity * sizeof(*next));
	if (!next)
		return false;
	constants->next = next;
	places = realloc(constants->places, capacity * sizeof(*places));
	if (!places)
		return false;
	constants->places = places;
	constants->capacity = capacity;
	return true;
}

static uint16_t add(struct constants *constants, struct bytes bytes)
{
	uint32_t index = constants->count;

	if (index >= UINT16_MAX) {
		constants->is_full = true;
		return 0;
	}
	constants->failed |= !grow(constants);
	if (constants->failed)
		return 0;
	constants->places[index - constants->file->constant_count] =
		(uint32_t)constants->added.size;
	buf_add(&constants->added, bytes.at, bytes.size);
	constants->failed |= constants->added.failed;
	if (constants->failed)
		return 0;
	constants->count++;
	chain(constants, index);
	return (uint16_t)index;
}

static uint16_t find(struct constants *constants, struct bytes bytes)
{
	uint32_t index;

	if (!constants->heads)
		constants->failed |= !index_all(constants);
	if (constants->failed)
		return 0;
	index = constants->heads[hash_of(bytes) & (constants->head_count - 1)];
	for (; index; index = constants->next[index]) {
		struct bytes there = bytes_of(constants, index);

		if (there.size == bytes.size &&
		    memcmp(there.at, bytes.at, bytes.size) == 0)
			return (uint16_t)index;
	}
	return add(constants, bytes);
}

void constants_open(struct constants *constants, const struct classfile *file)
{
	*constants = (struct constants){ .file = file, .count = file->constant_count };
}

void constants_finish(struct constants *constants)
{
	free(constants->heads);
	free(constants->next);
	free(constants->places);
	buf_clear(&constants->added);
	buf_clear(&constants->text);
	*constants = (struct constants){ 0 };
}

uint16_t constants_utf8(struct constants *constants, struct str text)
{
	struct buf *bytes = &constants->text;

	if (text.size > UINT16_MAX) {
		constants->is_full = true;	/* no constant has room for it */
		return 0;
	}
	buf_reset(bytes);
	big_put_u1(bytes, CONSTANT_UTF8);
	big_put_u2(bytes, (unsigned)text.size);
	buf_str(bytes, text);
	constants->failed |= bytes->failed;
	return find(constants, (struct bytes){ (const uint8_t *)bytes->bytes,
					       (uint32_t)bytes->size });
}

/* Of two indexes, or two halves of a number. */
static uint16_t find_pair(struct constants *constants, enum constant_tag tag,
			  uint32_t a, uint32_t b)
{
	uint8_t bytes[] = { (uint8_t)tag, (uint8_t)(a >> 8), (uint8_t)a,
			    (uint8_t)(b >> 8), (uint8_t)b };

	return find(constants, (struct bytes){ bytes, sizeof(bytes) });
}

uint16_t constants_class(struct constants *constants, struct str name)
{
	uint16_t text = constants_utf8(constants, name);
	uint8_t bytes[] = { CONSTANT_CLASS, (uint8_t)(text >> 8), (uint8_t)text };

	return text ? find(constants, (struct bytes){ bytes, sizeof(bytes) }) : 0;
}

uint16_t constants_integer(struct constants *constants, int32_t number)
{
	return find_pair(constants, CONSTANT_INTEGER, (uint32_t)number >> 16,
			 (uint32_t)number & 0xffff);
}

uint16_t constants_method(struct constants *constants, struct str owner,
			  struct str name, struct str descriptor)
{
	uint16_t class_ = constants_class(constants, owner);
	uint16_t text = constants_utf8(constants, name);
	uint16_t type = constants_utf8(constants, descriptor);
	uint16_t both = 0;

	if (text && type)
		both = find_pair(constants, CONSTANT_NAME_AND_TYPE, text, type);
	return class_ && both ? find_pair(constants, CONSTANT_METHOD, class_, both) : 0;
}
