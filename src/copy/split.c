#include "copy/split.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "jfr/header.h"

#define SUFFIX ".jfr"

/* True if the last file takes a chunk of that size as well. */
static bool has_room(const struct split *split, uint64_t size)
{
	const struct split_part *last = &split->parts.items[split->parts.count - 1];

	if (split->max_chunks && last->count >= split->max_chunks)
		return false;
	return !split->max_size ||
	       (last->size <= split->max_size && size <= split->max_size - last->size);
}

/* Takes the block over. */
static bool deal(struct split *split, struct chunk_place *place)
{
	struct split_part part = { .first = split->chunks.count };

	if (split->parts.count == 0 || !has_room(split, place->block.size)) {
		if (!vec_push(&split->parts, part))
			return false;
	}
	if (!vec_push(&split->chunks, *place))
		return false;
	split->parts.items[split->parts.count - 1].count++;
	split->parts.items[split->parts.count - 1].size += place->block.size;
	split->size += place->block.size;
	return true;
}

static void note_unfinished(const struct chunk_place *place, struct damage *damage)
{
	struct site site = { place->file, place->number, place->offset };
	struct header header;

	if (header_read(&header, place->block.bytes, place->block.size, NULL) &&
	    header_is_unfinished(&header))
		damage_note(damage,
			    "the chunk is not finished, and is written as it is", site);
}

bool split_find(struct split *split, struct input *input, struct damage *damage,
		struct err *err)
{
	struct chunk_place place;

	while (input_next(input, &place, damage, err)) {
		note_unfinished(&place, damage);
		if (!deal(split, &place)) {
			block_free(&place.block);
			return err_memory(err);
		}
		input_tick(input);
	}
	return err->kind == ERR_NONE;
}

struct str split_base(const char *path)
{
	struct str name = path_last(path);
	const char *cut = NULL;

	/* Of "a.jfr.b.jfr.gz" the last one that ends a word. */
	for (size_t at = 1; at + sizeof(SUFFIX) - 1 <= name.size; at++) {
		size_t end = at + sizeof(SUFFIX) - 1;

		if (memcmp(name.bytes + at, SUFFIX, sizeof(SUFFIX) - 1) == 0 &&
		    (end == name.size || name.bytes[end] == '.'))
			cut = name.bytes + at;
	}
	if (cut)
		name.size = (size_t)(cut - name.bytes);
	if (name.size == 0 || str_is(name, STR("-")) || str_is(name, STR(".")) ||
	    str_is(name, STR("..")))
		return STR("recording");
	return name;
}

char *split_name(const struct split *split, struct str base, size_t part)
{
	int width = snprintf(NULL, 0, "%zu", split->parts.count - 1);
	char *name;

	if (asprintf(&name, "%.*s_%0*zu" SUFFIX, (int)base.size, base.bytes, width,
		     part) < 0)
		return NULL;
	return name;
}

bool split_write(struct split *split, size_t part, copy_sink *sink, void *context,
		 struct err *err)
{
	const struct split_part *file = &split->parts.items[part];

	for (size_t i = 0; i < file->count; i++) {
		struct block *block = &split->chunks.items[file->first + i].block;

		if (!sink(context, block->bytes, block->size, err))
			return false;
		block_free(block);
	}
	return true;
}

void split_clear(struct split *split)
{
	for (size_t i = 0; i < split->chunks.count; i++)
		block_free(&split->chunks.items[i].block);
	vec_clear(&split->chunks);
	vec_clear(&split->parts);
	split->size = 0;
}
