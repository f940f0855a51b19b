#include "render/page.h"

#include <stdlib.h>

/* For each chunk; events of few chunks are printed at a time. */
#define MEMO_LIMIT ((size_t)12 << 20)

/* Labels longer than this are made anew each time. */
#define LABEL_MAX 1024

/* Only structs are worth keeping; strings are copied from the file. */
static bool is_kept(const struct pool *pool)
{
	return pool && pool->type->primitive == OP_NONE && !pool->type->is_simple;
}

bool page_open(struct page *page, const struct printer *printer)
{
	page->printer = printer;
	page->shown = calloc(page->chunk.metadata.type_count + 1, 1);
	return page->shown != NULL;
}

static bool add_memos(struct page *page)
{
	const struct metadata *metadata = &page->chunk.metadata;

	page->store = memo_store_new(MEMO_LIMIT);
	page->memos = arena_array(&page->arena, metadata->type_count, sizeof(*page->memos));
	if (!page->store || !page->memos)
		return false;
	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct pool *pool = chunk_pool(&page->chunk, &metadata->types[i]);

		if (is_kept(pool))	/* without a memo it is only slower */
			page->memos[i] = memo_new(page->store, PAGE_VARIANTS,
						  pool->constants.count);
	}
	return true;
}

static bool add_labels(struct page *page, const struct type *type)
{
	struct str *labels = arena_array(&page->arena, type->field_count, sizeof(*labels));
	int depth = page->printer->field_depth;
	struct buf buf = { 0 };
	const char *copy = "";

	for (size_t i = 0; labels && copy && depth >= 0 && i < type->field_count; i++) {
		buf_reset(&buf);
		page->printer->label(&buf, &type->fields[i], i == 0, depth);
		if (buf.size > LABEL_MAX)
			continue;
		copy = buf.failed ? NULL : arena_copy(&page->arena, buf.bytes, buf.size);
		labels[i] = (struct str){ copy, buf.size };
	}
	buf_clear(&buf);
	page->labels[type->index] = labels;
	return labels && copy;
}

/* What all events of the type share. */
static bool add_type(struct page *page, const struct type *type)
{
	const struct row **row = &page->rows[type->index];

	if (page->columns && !(*row = columns_row(page->columns, type, &page->arena)))
		return false;
	return add_labels(page, type);
}

bool page_show(struct page *page, const struct type *type)
{
	bool is_new = !page->shown[type->index];

	page->shown[type->index] = 1;
	return !is_new || !page->labels || add_type(page, type);
}

bool page_ready(struct page *page)
{
	const struct metadata *metadata = &page->chunk.metadata;

	if (page->labels)
		return true;
	page->labels = arena_array(&page->arena, metadata->type_count,
				   sizeof(*page->labels));
	page->rows = arena_array(&page->arena, metadata->type_count,
				 sizeof(*page->rows));
	if (!page->labels || !page->rows || !add_memos(page))
		return false;
	for (size_t i = 0; i < metadata->type_count; i++) {
		if (page->shown[i] && !add_type(page, &metadata->types[i]))
			return false;
	}
	return true;
}

void page_close(struct page *page)
{
	memo_store_free(page->store);
	free(page->shown);
	arena_clear(&page->arena);
	chunk_close(&page->chunk);
}

void page_free(struct page *page)
{
	page_close(page);
	free(page);
}
