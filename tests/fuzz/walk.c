#include "fuzz/walk.h"

#include <stdlib.h>
#include <string.h>

#include "jfr/checkpoint.h"
#include "shop.h"

/* Input of a kilobyte must not be worth minutes. */
#define BUDGET 200000	/* values */
#define DEPTH_MAX 8	/* of arrays; each level reads its bytes again */

struct walk {
	const struct chunk *chunk;
	struct arena arena;
	size_t budget;
};

static void walk_values(struct walk *walk, const struct program *program,
			struct cursor *cursor, int depth)
{
	struct value *values = malloc((program->count + 1) * sizeof(*values));

	if (values && walk->budget > program->count &&
	    value_decode(program, cursor, walk->chunk->strings, values, &walk->arena)) {
		walk->budget -= program->count + 1;
		for (uint32_t i = 0; i < program->count; i++) {
			const struct op *op = &program->ops[i];
			struct cursor inner;

			if (op->kind != OP_ARRAY || depth == DEPTH_MAX)
				continue;
			inner = cursor_of(values[i].elements, values[i].size);
			for (uint32_t k = 0; k < values[i].count && walk->budget; k++)
				walk_values(walk, op->element, &inner, depth + 1);
		}
	} else {
		walk->budget -= walk->budget > 0;
	}
	free(values);
}

static void walk_constants(struct walk *walk)
{
	const struct metadata *metadata = &walk->chunk->metadata;

	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct pool *pool = chunk_pool(walk->chunk, &metadata->types[i]);

		for (uint32_t k = 0; pool && k < pool->constants.count && walk->budget; k++) {
			struct cursor cursor = pool_cursor(pool, k);

			walk_values(walk, &pool->type->program, &cursor, 0);
		}
	}
}

static void walk_events(struct walk *walk)
{
	struct event_walk events = event_walk(walk->chunk, NULL);
	struct event event;
	int64_t start, end;

	while (event_next(&events, &event) && walk->budget--) {
		struct cursor cursor = event_cursor(walk->chunk, &event);

		if (!event.type)
			continue;
		event_ticks(walk->chunk, &event, &start, &end);
		walk_values(walk, &event.type->program, &cursor, 0);
		arena_reset(&walk->arena);
	}
}

void walk_chunk(const unsigned char *bytes, size_t size)
{
	struct chunk chunk;
	struct damage damage = { 0 };
	struct err err;

	if (chunk_open_bytes(&chunk, bytes, size, &err) &&
	    checkpoint_load(&chunk, &damage, &err)) {
		struct walk walk = { .chunk = &chunk, .budget = BUDGET };

		walk.arena.limit = 16 << 20;
		walk_constants(&walk);
		arena_reset(&walk.arena);
		walk_events(&walk);
		arena_clear(&walk.arena);
	}
	damage_clear(&damage);
	chunk_close(&chunk);
}

/* What stands before the bytes of the input; made once. */
static const struct writer *prefix(void)
{
	static struct writer writer;
	struct header header = shop_header(0);
	struct err err;

	if (writer.buf.size)
		return &writer;
	writer_describe(&writer, make_jdk_types);
	writer_describe(&writer, shop_types);
	writer_open(&writer, &header);
	writer_metadata(&writer);
	shop_constants(&writer);
	if (!writer_close(&writer, &err))
		abort();
	return &writer;
}

void walk_shop(const uint8_t *data, size_t size, int64_t checkpoint)
{
	const struct writer *before = prefix();
	struct header header = before->header;
	struct buf buf = { 0 };

	header.chunk_size += (int64_t)size;
	if (checkpoint >= 0)
		header.checkpoint_at = before->header.chunk_size + checkpoint;
	header_write(&header, &buf);
	buf_add(&buf, before->buf.bytes + HEADER_SIZE, before->buf.size - HEADER_SIZE);
	buf_add(&buf, data, size);
	walk_chunk(make_cursor(&buf).at, buf.size);
	buf_clear(&buf);
}
