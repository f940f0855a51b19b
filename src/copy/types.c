#include "copy/types.h"

#include "jfr/frame.h"

/* Metadata events end within so many bytes, if their size is wrong. */
#define METADATA_MAX ((size_t)8 << 20)

/* Bytes in front of what says which types there are, if there is no event around it. */
#define NO_EVENT "\0\0\0\0\0"

/* A string that refers to a constant makes the JDK fail, even where nobody uses it. */
static bool has_pooled_string(struct str body)
{
	static const struct op op = { .kind = OP_STRING };
	static const struct program program = { .ops = &op, .count = 1 };
	struct cursor cursor = cursor_of((const unsigned char *)body.bytes, body.size);
	int32_t count = (int32_t)cursor_varint(&cursor);

	for (int32_t i = 0; i < count && !cursor.bad; i++) {
		if (cursor_left(&cursor) > 0 && *cursor.at == STRING_POOLED)
			return true;
		value_skip(&program, &cursor);
	}
	return cursor.bad;
}

/* Reads the elements of the event that the chunk's metadata is from. */
static const struct element *read_event(struct types *types, const struct chunk *chunk,
					struct str *body, struct arena *arena,
					struct err *err)
{
	const unsigned char *bytes = chunk->bytes + chunk->metadata_at;
	size_t left = chunk->size - chunk->metadata_at;
	const struct element *root = NULL;
	struct cursor cursor;
	struct frame frame;

	if (!frame_read(chunk->bytes, chunk->size, chunk->metadata_at, &frame)) {
		root = element_read(bytes, frame.size, arena, NULL);
		types->event = (struct str){ (const char *)bytes, frame.size };
	}
	if (!root) {	/* its size is wrong */
		types->event = (struct str){ NULL, 0 };
		left = left < METADATA_MAX ? left : METADATA_MAX;
		root = element_read(bytes, left, arena, err);
	} else {
		left = frame.size;
	}
	cursor = cursor_of(bytes, left);
	for (int i = 0; i < 4; i++)
		cursor_varint(&cursor);
	types->id = (int64_t)cursor_varint(&cursor);
	*body = (struct str){ (const char *)cursor.at, cursor_left(&cursor) };
	return root;
}

static const struct element *read_borrowed(struct types *types,
					   const struct chunk *chunk, struct str *body,
					   struct arena *arena, struct err *err)
{
	struct buf buf = { 0 };
	const char *copy;

	*body = chunk->shared->body;
	buf_add(&buf, NO_EVENT, sizeof(NO_EVENT) - 1);
	buf_str(&buf, *body);
	copy = buf.failed ? NULL : arena_copy(arena, buf.bytes, buf.size);
	buf_clear(&buf);
	types->id = numbers_of_body(*body);
	if (!copy) {
		err_memory(err);
		return NULL;
	}
	return element_read((const unsigned char *)copy,
			    body->size + sizeof(NO_EVENT) - 1, arena, err);
}

/* True if types have other numbers than their own. */
static bool is_renumbered(const struct accept *accept)
{
	for (size_t i = 0; i < accept->metadata->type_count; i++) {
		if (accept->ids[i] != accept->metadata->types[i].id)
			return true;
	}
	return false;
}

/* Makes the tree; false without memory. */
static bool mend(struct types *types, const struct element *root,
		 struct numbers *numbers, struct pool *const *pools, struct arena *arena)
{
	enum mend renumbered;

	types->tree = mend_tree(root, &types->accept, arena, &types->mended);
	if (!types->tree || !numbers_settle(numbers, &types->accept, pools))
		return false;
	types->is_renumbered = is_renumbered(&types->accept);
	if (types->is_renumbered)
		types->tree = mend_tree(root, &types->accept, arena, &renumbered);
	return types->tree != NULL;
}

bool types_are_as_they_were(const struct types *types)
{
	return types->mended == MEND_NOTHING && !types->is_renumbered &&
	       !types->is_taken;
}

bool types_read(struct types *types, const struct chunk *chunk, struct numbers *numbers,
		struct arena *arena, struct err *err)
{
	const struct element *root;
	struct str body;
	int64_t id;

	root = chunk->metadata_at ? read_event(types, chunk, &body, arena, err)
				  : read_borrowed(types, chunk, &body, arena, err);
	if (!root)
		return false;
	if (!accept_open(&types->accept, &chunk->metadata, arena) ||
	    !mend(types, root, numbers, chunk->pools, arena))
		return err_memory(err);
	if (!types->event.bytes || has_pooled_string(body))
		types->mended = MEND_ALL;
	id = numbers_metadata(numbers, types->id, body);
	types->is_taken = id != types->id;
	if (types->mended != MEND_NOTHING || types->is_renumbered)
		id = numbers_metadata(numbers, numbers_of_types(body, &types->accept),
				      body);
	types->id = id;
	return true;
}
