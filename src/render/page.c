#include "render/page.h"

#include <stdlib.h>

/* For each chunk; a few chunks are open at a time. */
#define MEMO_LIMIT ((size_t)12 << 20)

static bool add_memos(struct page *page, const struct pool *pool)
{
	struct memo **memos = page->memos + pool->type->index * PAGE_VARIANTS;

	for (size_t i = 0; i < PAGE_VARIANTS; i++) {
		memos[i] = memo_new(page->store, pool->constants.count);
		if (!memos[i])
			return false;
	}
	return true;
}

/* Only structs are worth keeping; strings are copied from the file. */
static bool memos_open(struct page *page)
{
	const struct metadata *metadata = &page->chunk.metadata;

	page->store = memo_store_new(MEMO_LIMIT);
	page->memos = calloc(metadata->type_count * PAGE_VARIANTS + 1, sizeof(*page->memos));
	if (!page->store || !page->memos)
		return false;
	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct pool *pool = chunk_pool(&page->chunk, &metadata->types[i]);

		if (pool && !pool->type->is_simple && pool->type->primitive == OP_NONE)
			(void)add_memos(page, pool);	/* without memos: slower */
	}
	return true;
}

static bool add_labels(struct page *page, const struct type *type)
{
	struct str *labels = arena_array(&page->arena, type->field_count, sizeof(*labels));
	struct buf buf = { 0 };
	const char *copy = "";

	page->labels[type->index] = labels;
	for (size_t i = 0; labels && copy && i < type->field_count; i++) {
		buf_reset(&buf);
		page->printer->label(&buf, &type->fields[i], i == 0,
				     page->printer->field_depth);
		copy = arena_copy(&page->arena, buf.bytes, buf.size);
		labels[i] = (struct str){ copy, buf.size };
	}
	buf_clear(&buf);
	return labels && copy;
}

bool page_open(struct page *page, const struct printer *printer)
{
	const struct metadata *metadata = &page->chunk.metadata;

	page->printer = printer;
	page->labels = arena_array(&page->arena, metadata->type_count,
				   sizeof(*page->labels));
	if (!page->labels || !memos_open(page))
		return false;
	for (size_t i = 0; i < metadata->type_count; i++) {
		if (metadata->types[i].is_event && !add_labels(page, &metadata->types[i]))
			return false;
	}
	return true;
}

void page_close(struct page *page)
{
	memo_store_free(page->store);
	free(page->memos);
	arena_clear(&page->arena);
	chunk_close(&page->chunk);
}
