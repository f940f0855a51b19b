#include "classfile/constpool.h"

#include <stdlib.h>

#include "classfile/reader.h"

/* Room for those of a class of usual size. */
#define MORE 256

/* A constant, tag included. */
struct bytes {
	const uint8_t *at;
	uint32_t size;
};

static struct bytes bytes_of(const struct constpool *pool, uint32_t index)
{
	const struct classfile *file = pool->file;
	struct bytes bytes;

	if (index < file->constant_count)
		bytes.at = file->bytes + file->constants[index];
	else
		bytes.at = (const uint8_t *)pool->added.bytes +
			   pool->places[index - file->constant_count];
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

static void chain(struct constpool *pool, uint32_t index)
{
	uint32_t hash = hash_of(bytes_of(pool, index));
	uint16_t *head = &pool->heads[hash & (pool->head_count - 1)];

	pool->next[index] = *head;
	*head = (uint16_t)index;
}

/* When the first one is looked for. */
static bool index_all(struct constpool *pool)
{
	const struct classfile *file = pool->file;

	pool->head_count = MORE;
	while (pool->head_count < file->constant_count)
		pool->head_count *= 2;
	pool->capacity = file->constant_count + MORE;
	pool->heads = calloc(pool->head_count, sizeof(*pool->heads));
	pool->next = malloc(pool->capacity * sizeof(*pool->next));
	pool->places = malloc(MORE * sizeof(*pool->places));
	if (!pool->heads || !pool->next || !pool->places)
		return false;
	for (uint32_t i = 1; i < file->constant_count; i++)
		if (is_looked_for(classfile_tag(file, (uint16_t)i)))
			chain(pool, i);
	return true;
}

/* Room for one more. */
static bool grow(struct constpool *pool)
{
	uint32_t capacity = pool->capacity * 2;
	uint16_t *next;
	uint32_t *places;

	if (pool->count < pool->capacity)
		return true;
	next = realloc(pool->next, capacity * sizeof(*next));
	if (!next)
		return false;
	pool->next = next;
	places = realloc(pool->places, capacity * sizeof(*places));
	if (!places)
		return false;
	pool->places = places;
	pool->capacity = capacity;
	return true;
}

static uint16_t add(struct constpool *pool, struct bytes bytes)
{
	uint32_t index = pool->count;

	if (index >= UINT16_MAX) {
		pool->is_full = true;
		return 0;
	}
	pool->failed |= !grow(pool);
	if (pool->failed)
		return 0;
	pool->places[index - pool->file->constant_count] =
		(uint32_t)pool->added.size;
	buf_add(&pool->added, bytes.at, bytes.size);
	pool->failed |= pool->added.failed;
	if (pool->failed)
		return 0;
	pool->count++;
	chain(pool, index);
	return (uint16_t)index;
}

static uint16_t find(struct constpool *pool, struct bytes bytes)
{
	uint32_t index;

	if (!pool->heads && !pool->failed)
		pool->failed = !index_all(pool);
	if (pool->failed)
		return 0;
	index = pool->heads[hash_of(bytes) & (pool->head_count - 1)];
	for (; index; index = pool->next[index]) {
		struct bytes there = bytes_of(pool, index);

		if (there.size == bytes.size &&
		    memcmp(there.at, bytes.at, bytes.size) == 0)
			return (uint16_t)index;
	}
	return add(pool, bytes);
}

void constpool_open(struct constpool *pool, const struct classfile *file)
{
	*pool = (struct constpool){ .file = file, .count = file->constant_count };
}

void constpool_close(struct constpool *pool)
{
	free(pool->heads);
	free(pool->next);
	free(pool->places);
	buf_clear(&pool->added);
	buf_clear(&pool->text);
	*pool = (struct constpool){ 0 };
}

uint16_t constpool_utf8(struct constpool *pool, struct str text)
{
	struct buf *bytes = &pool->text;

	if (text.size > UINT16_MAX) {
		pool->is_full = true;	/* no constant has room for it */
		return 0;
	}
	buf_reset(bytes);
	big_put_u1(bytes, CONSTANT_UTF8);
	big_put_u2(bytes, (unsigned)text.size);
	buf_str(bytes, text);
	pool->failed |= bytes->failed;
	return find(pool, (struct bytes){ (const uint8_t *)bytes->bytes,
					       (uint32_t)bytes->size });
}

/* Of two indexes, or two halves of a number. */
static uint16_t find_pair(struct constpool *pool, enum constant_tag tag,
			  uint32_t a, uint32_t b)
{
	uint8_t bytes[] = { (uint8_t)tag, (uint8_t)(a >> 8), (uint8_t)a,
			    (uint8_t)(b >> 8), (uint8_t)b };

	return find(pool, (struct bytes){ bytes, sizeof(bytes) });
}

uint16_t constpool_class(struct constpool *pool, struct str name)
{
	uint16_t text = constpool_utf8(pool, name);
	uint8_t bytes[] = { CONSTANT_CLASS, (uint8_t)(text >> 8), (uint8_t)text };

	return text ? find(pool, (struct bytes){ bytes, sizeof(bytes) }) : 0;
}

uint16_t constpool_integer(struct constpool *pool, int32_t number)
{
	return find_pair(pool, CONSTANT_INTEGER, (uint32_t)number >> 16,
			 (uint32_t)number & 0xffff);
}

uint16_t constpool_method(struct constpool *pool, struct str owner,
			  struct str name, struct str descriptor)
{
	uint16_t class_ = constpool_class(pool, owner);
	uint16_t text = constpool_utf8(pool, name);
	uint16_t type = constpool_utf8(pool, descriptor);
	uint16_t both = 0;

	if (text && type)
		both = find_pair(pool, CONSTANT_NAME_AND_TYPE, text, type);
	return class_ && both ? find_pair(pool, CONSTANT_METHOD, class_, both) : 0;
}
