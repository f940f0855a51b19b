#include "render/page.h"

/* For each chunk; a few chunks are open at a time. */
#define MEMO_LIMIT ((size_t)12 << 20)

/* Only structs are worth keeping; strings are copied from the file. */
static bool is_kept(const struct pool *pool)
{
	return pool && pool->type->primitive == OP_NONE && !pool->type->is_simple;
}

bool page_open(struct page *page, const struct printer *printer)
{
	const struct metadata *metadata = &page->chunk.metadata;

	page->printer = printer;
	page->store = memo_store_new(MEMO_LIMIT);
	page->memos = arena_array(&page->arena, metadata->type_count, sizeof(*page->memos));
	page->labels = arena_array(&page->arena, metadata->type_count,
				   sizeof(*page->labels));
	if (!page->store || !page->memos || !page->labels)
		return false;
	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct pool *pool = chunk_pool(&page->chunk, &metadata->types[i]);

		if (is_kept(pool))	/* without a memo it is only slower */
			page->memos[i] = memo_new(page->store, PAGE_VARIANTS,
						  pool->constants.count);
	}
	return true;
}

bool page_label(struct page *page, const struct type *type)
{
	int depth = page->printer->field_depth;
	struct str *labels = page->labels[type->index];
	struct buf buf = { 0 };
	const char *copy = "";

	if (labels)
		return true;
	labels = arena_array(&page->arena, type->field_count, sizeof(*labels));
	for (size_t i = 0; labels && copy && i < type->field_count; i++) {
		buf_reset(&buf);
		page->printer->label(&buf, &type->fields[i], i == 0, depth);
		copy = buf.failed ? NULL : arena_copy(&page->arena, buf.bytes, buf.size);
		labels[i] = (struct str){ copy, buf.size };
	}
	buf_clear(&buf);
	page->labels[type->index] = labels;
	return labels && copy;
}

void page_close(struct page *page)
{
	memo_store_free(page->store);
	arena_clear(&page->arena);
	chunk_close(&page->chunk);
}
