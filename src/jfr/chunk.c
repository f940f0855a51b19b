#include "jfr/chunk.h"

#include <stdlib.h>

#include "jfr/compile.h"
#include "jfr/frame.h"

/* Real metadata decodes to about two megabytes. */
#define METADATA_LIMIT (32u << 20)

/* So many metadata events are tried, the newest first, and so many places. */
#define METADATA_TRIES 8
#define METADATA_PLACES 64
#define METADATA_LEAST 32	/* bytes */

/* What says which types there are: all behind size, type, start, duration and id. */
static struct str metadata_body(const char *bytes, size_t size)
{
	struct cursor cursor = cursor_of((const unsigned char *)bytes, size);

	for (int i = 0; i < 5; i++)
		cursor_varint(&cursor);
	return (struct str){ (const char *)cursor.at, cursor_left(&cursor) };
}

/* Gives back the metadata, if there is any. */
static void drop_metadata(struct chunk *chunk)
{
	known_release(chunk->shared);
	if (!chunk->shared)
		metadata_clear(&chunk->metadata);
	chunk->shared = NULL;
	chunk->metadata = (struct metadata){ 0 };
}

/* Takes it from an entry, which it holds; false if that is NULL. */
static bool share(struct chunk *chunk, struct known_entry *entry)
{
	chunk->shared = entry;
	if (entry)
		chunk->metadata = entry->metadata;
	return entry != NULL;
}

/* Decodes from a copy: the bytes may be gone before the metadata is. */
static bool decode_metadata(struct chunk *chunk, const unsigned char *bytes,
			    size_t size, struct err *err)
{
	struct str body = metadata_body((const char *)bytes, size);
	struct known *known = chunk->run ? chunk->run->known : NULL;
	const char *copy;

	drop_metadata(chunk);
	if (known && share(chunk, known_find(known, body)))
		return true;
	arena_reset(&chunk->arena);
	copy = arena_copy(&chunk->arena, bytes, size);
	if (!copy)
		return chunk->arena.is_full
			       ? err_set(err, ERR_FORMAT, "the metadata event is too large")
			       : err_memory(err);
	body = metadata_body(copy, size);
	if (!metadata_read(&chunk->metadata, (const unsigned char *)copy, size,
			   &chunk->arena, err))
		return false;
	if (!compile_types(&chunk->metadata, &chunk->arena))
		return chunk->arena.is_full
			       ? err_set(err, ERR_FORMAT,
					 "its types take too much memory")
			       : err_memory(err);
	if (known)
		share(chunk, known_add(known, body, &chunk->metadata, &chunk->arena));
	return true;
}

/* Decodes the metadata event at this offset, if there is a good one. */
static bool metadata_at(struct chunk *chunk, size_t at, struct err *err)
{
	const unsigned char *bytes = chunk->bytes + at;
	size_t left = chunk->size - at;
	struct cursor cursor = cursor_of(bytes, left);
	uint64_t size = cursor_varint(&cursor);

	if (cursor_varint(&cursor) != EVENT_METADATA || cursor.bad)
		return err_set(err, ERR_FORMAT, "no metadata event at byte %llu",
			       (unsigned long long)chunk->offset + at);
	chunk->metadata_at = at;
	if (size < left && decode_metadata(chunk, bytes, (size_t)size, NULL))
		return true;
	/* The size may be wrong, and the event whole: the JDK does not look at it. */
	left = left < METADATA_LIMIT / 4 ? left : METADATA_LIMIT / 4;
	return decode_metadata(chunk, bytes, left, err) ||
	       err_within(err, "metadata at byte %llu",
			  (unsigned long long)chunk->offset + at);
}

/* The one that the header points to. */
static bool find_by_header(struct chunk *chunk, struct err *err)
{
	int64_t at = chunk->header.metadata_at;

	if (at < HEADER_SIZE || (uint64_t)at >= chunk->size)
		return err_set(err, ERR_FORMAT,
			       "the header points to no metadata event (%lld)",
			       (long long)at);
	return metadata_at(chunk, (size_t)at, err);
}

/* The newest good one among the events, as far as these can be followed. */
static bool find_by_frames(struct chunk *chunk)
{
	size_t found[METADATA_TRIES], count = 0, at = HEADER_SIZE;
	struct frame frame;

	while (at < chunk->size &&
	       !frame_read(chunk->bytes, chunk->size, at, &frame)) {
		if (frame.type_id == EVENT_METADATA)
			found[count++ % METADATA_TRIES] = at;
		at += frame.size;
	}
	for (size_t i = 0; i < count && i < METADATA_TRIES; i++) {
		if (metadata_at(chunk, found[(count - 1 - i) % METADATA_TRIES], NULL))
			return true;
	}
	return false;
}

/* True if a metadata event of a likely size may start there. */
static bool is_likely_metadata(const struct chunk *chunk, size_t at)
{
	struct frame frame;
	struct cursor cursor;

	if (frame_read(chunk->bytes, chunk->size, at, &frame) ||
	    frame.type_id != EVENT_METADATA || frame.size < METADATA_LEAST)
		return false;
	cursor = cursor_of(frame.body, chunk->bytes + at + frame.size - frame.body);
	for (int i = 0; i < 3; i++)	/* start, duration, id */
		cursor_varint(&cursor);
	return !cursor.bad && cursor_varint(&cursor) <= cursor_left(&cursor);
}

/* The last good one, wherever it stands. The type of such an event is a zero byte. */
static bool find_by_bytes(struct chunk *chunk)
{
	const unsigned char *start = chunk->bytes + HEADER_SIZE;
	const unsigned char *end = chunk->bytes + chunk->size;
	int tries = METADATA_PLACES;

	while (tries > 0 && end > start) {
		const unsigned char *type = memrchr(start, 0, (size_t)(end - start));

		if (!type)
			return false;
		for (int width = 1; width <= 4 && type - width >= start; width++) {
			size_t at = (size_t)(type - width - chunk->bytes);

			if (!is_likely_metadata(chunk, at))
				continue;
			if (metadata_at(chunk, at, NULL))
				return true;
			tries--;
		}
		end = type;
	}
	return false;
}

static bool borrow(struct chunk *chunk)
{
	struct known_entry *entry =
		chunk->run ? run_lend(chunk->run, &chunk->header) : NULL;

	if (!entry)
		return false;
	drop_metadata(chunk);
	chunk->metadata_at = 0;
	return share(chunk, entry);
}

/* The header of a chunk that is being written may be older than its metadata. */
static bool find_metadata(struct chunk *chunk, struct damage *damage, struct err *err)
{
	struct err why = { 0 };

	if (chunk->is_unfinished) {
		if (find_by_frames(chunk) || find_by_header(chunk, &why) ||
		    find_by_bytes(chunk) || borrow(chunk))
			return true;
	} else if (find_by_header(chunk, &why)) {
		return true;
	}
	if (chunk->is_unfinished || why.kind == ERR_MEMORY) {
		if (why.kind != ERR_MEMORY && chunk->header.metadata_at == 0)
			err_set(&why, ERR_FORMAT, "it was never flushed: there is "
						  "nothing that declares its events");
		*err = why;
		return false;
	}
	if (find_by_frames(chunk) || find_by_bytes(chunk)) {
		damage_add_detail(damage, "other metadata of the chunk is used",
				  chunk_site(chunk, chunk->metadata_at), "%s", why.text);
		return true;
	}
	if (borrow(chunk)) {
		damage_add_detail(damage, "the metadata of another chunk is used",
				  chunk_site(chunk, 0), "%s", why.text);
		return true;
	}
	*err = why;
	return false;
}

static size_t flushed_size(const struct chunk *chunk)
{
	int64_t size = chunk->header.chunk_size;

	if (!chunk->is_unfinished)
		return chunk->size;
	return size < HEADER_SIZE || size > (int64_t)chunk->size ? HEADER_SIZE
								 : (size_t)size;
}

bool chunk_open(struct chunk *chunk, struct damage *damage, struct err *err)
{
	struct err why = { 0 };

	chunk->bytes = chunk->block.bytes;
	chunk->size = chunk->block.size;
	chunk->arena.limit = METADATA_LIMIT;
	if (header_read(&chunk->header, chunk->bytes, chunk->size, &why)) {
		chunk->is_unfinished = header_is_unfinished(&chunk->header);
		chunk->flushed = flushed_size(chunk);
		chunk->clock = clock_of(&chunk->header);
		if (find_metadata(chunk, damage, &why)) {
			if (chunk->run)
				run_learn(chunk->run, chunk->shared);
			chunk->zone = metadata_zone(&chunk->metadata);
			return true;
		}
	}
	if (err)
		*err = why;
	return false;
}

bool chunk_open_bytes(struct chunk *chunk, const void *bytes, size_t size,
		      struct err *err)
{
	struct damage damage = { 0 };
	bool is_good;

	*chunk = (struct chunk){ .block = { .bytes = bytes, .size = size } };
	is_good = chunk_open(chunk, &damage, err);
	damage_clear(&damage);
	return is_good;
}

void chunk_drop_pools(struct chunk *chunk)
{
	for (size_t i = 0; chunk->pools && i < chunk->metadata.type_count; i++) {
		if (chunk->pools[i])
			pool_clear(chunk->pools[i]);
		free(chunk->pools[i]);
	}
	free(chunk->pools);
	chunk->pools = NULL;
	chunk->strings = NULL;
}

void chunk_close(struct chunk *chunk)
{
	chunk_drop_pools(chunk);
	drop_metadata(chunk);
	arena_clear(&chunk->arena);
	block_free(&chunk->block);
	*chunk = (struct chunk){ 0 };
}
