/*
 * fuzz_metadata.c - metadata events: read, compiled, looked at, and written again.
 */
#include <stdlib.h>
#include <string.h>

#include "filter/filter.h"
#include "jfr/compile.h"
#include "jfr/header.h"
#include "unit/make.h"

#define MEMORY_MAX (8u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_same(const struct element *a, const struct element *b)
{
	for (; a && b; a = a->next, b = b->next) {
		if (!str_is(a->name, b->name) || a->attribute_count != b->attribute_count ||
		    !is_same(a->children, b->children))
			return false;
		for (size_t i = 0; i < a->attribute_count; i++) {
			if (!str_is(a->attributes[i].name, b->attributes[i].name) ||
			    !str_is(a->attributes[i].text, b->attributes[i].text))
				return false;
		}
	}
	return a == b;
}

/* What was read and is written must be the same when it is read again. */
static void write_again(const struct element *root)
{
	struct arena arena = { .limit = 4 * MEMORY_MAX };
	struct writer writer = { 0 };
	const struct element *again;
	struct err err;

	writer_open(&writer, NULL);
	writer_element(&writer, root);
	again = element_read((unsigned char *)writer.buf.bytes + HEADER_SIZE,
			     writer.buf.size - HEADER_SIZE, &arena, &err);
	if (!again || !is_same(root, again))
		abort();
	writer_clear(&writer);
	arena_clear(&arena);
}

static void look_at(const struct metadata *metadata)
{
	const struct filter filter = { .events = STR("*a*,b?"),
				       .categories = STR("J*,JVM") };

	metadata_zone(metadata);
	for (size_t i = 0; i < metadata->type_count && i < 1000; i++) {
		const struct type *type = &metadata->types[i];

		filter_accepts(&filter, type);
		metadata_event(metadata, (uint64_t)type->id);
		if (type->program.is_broken && type->program.count)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = { .limit = MEMORY_MAX };
	struct metadata metadata = { 0 };
	const struct element *root;
	struct header header;
	struct err err;

	/* Of a whole recording, the metadata of its first chunk. */
	if (header_read(&header, data, size, &err) && header.metadata_at > 0 &&
	    (uint64_t)header.metadata_at < size) {
		data += header.metadata_at;
		size -= (size_t)header.metadata_at;
	}
	if (metadata_read(&metadata, data, size, &arena, &err) &&
	    compile_types(&metadata, &arena))
		look_at(&metadata);
	metadata_clear(&metadata);
	arena_reset(&arena);
	root = element_read(data, size, &arena, &err);
	if (root)
		write_again(root);
	arena_clear(&arena);
	return 0;
}
