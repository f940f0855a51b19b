/*
 * fuzz_query.c - queries and files of views.
 *
 * The input is taken as either. What was read as a query and written out must be read and
 * written the same again; a file must give views that can be found and asked for, beside
 * one that is there from the start.
 */
#include <stdlib.h>
#include <string.h>

#include "query/query.h"
#include "query/views.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good)
{
	if (!good)
		abort();
}

/* True if it was read; what it is written as is added. */
static bool rewrite(struct str text, struct buf *to)
{
	struct arena arena = { 0 };
	struct err err = { 0 };
	struct query query;
	size_t at = 0;
	bool is_read = query_parse(&query, text, &arena, &at, &err);

	must(at <= text.size || err.kind != ERR_USAGE);
	if (is_read) {
		query_write(&query, to);
	} else {
		must(err.kind == ERR_USAGE && err.text[0]);
		must(strlen(err.text) < sizeof(err.text));
	}
	arena_clear(&arena);
	return is_read && !to->failed;
}

/* What has no quotes, which are lost, and no aggregators, which get other names. */
static bool is_plain(struct str text)
{
	return !memchr(text.bytes, '"', text.size) &&
	       !memchr(text.bytes, '\'', text.size) && !memchr(text.bytes, '(', text.size);
}

static void ask_query(struct str text)
{
	struct buf once = { 0 }, twice = { 0 };

	if (rewrite(text, &once) && is_plain(text) && once.size <= 64 << 10) {
		struct str written = { once.bytes, once.size };

		must(rewrite(written, &twice));
		must(str_is(written, (struct str){ twice.bytes, twice.size }));
	}
	buf_clear(&once);
	buf_clear(&twice);
}

static void check_view(const struct views *views, const struct view *view)
{
	struct buf written = { 0 };

	must(view->name.size && view->category.size && view->label.bytes);
	must(views_find(views, view->name) == view);
	must(rewrite(view->query, &written));
	buf_clear(&written);
}

static void ask_views(struct str text)
{
	struct views views = { 0 };
	struct err err = { 0 };
	struct str first = STR("[a.b] table='SELECT * FROM X'");

	must(views_add(&views, first, "first", NULL));
	if (!views_add(&views, text, "input", &err))
		must(err.kind == ERR_USAGE && strncmp(err.text, "input: ", 7) == 0);
	must(views_find(&views, STR("b")));
	for (size_t i = 0; i < views.items.count; i++)
		check_view(&views, &views.items.items[i]);
	views_find(&views, text);
	views_clear(&views);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };

	ask_query(text);
	ask_views(text);
	return 0;
}
