#include "query/heading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A title that has been given out, of column number `place`, counted from 1. */
struct claim {
	struct str title;
	size_t place;		/* 0: to none */
};

static int compare_claims(const void *a, const void *b)
{
	const struct claim *one = a, *other = b;
	int order = str_compare(one->title, other->title);

	return order ? order : (one->place > other->place) - (one->place < other->place);
}

static int compare_title(const void *title, const void *claim)
{
	return str_compare(*(const struct str *)title, ((const struct claim *)claim)->title);
}

/* "Event Type 2"; bytes NULL without memory. */
static struct str add_number(struct str title, size_t number, struct arena *arena)
{
	char tail[24];
	size_t size = (size_t)snprintf(tail, sizeof(tail), " %zu", number);
	char *bytes = arena_alloc(arena, title.size + size + 1);

	if (!bytes)
		return (struct str){ NULL, 0 };
	memcpy(bytes, title.bytes, title.size);
	memcpy(bytes + title.size, tail, size);
	return (struct str){ bytes, title.size + size };
}

/* A key that no other title is equal to: what is no copy keeps its title. */
static struct str make_key(const struct claim *claims, size_t count, struct str title,
			   size_t *number, struct arena *arena)
{
	struct str key;

	do
		key = add_number(title, ++*number, arena);
	while (key.bytes && bsearch(&key, claims, count, sizeof(*claims), compare_title));
	return key;
}

static void give_keys(struct str *keys, const struct claim *claims, size_t count,
		      struct arena *arena)
{
	size_t number = 1;

	for (size_t i = 0; i < count; i++) {
		struct str title = claims[i].title;
		bool is_copy = i && str_is(title, claims[i - 1].title);

		number = is_copy ? number : 1;
		if (claims[i].place == 0)
			continue;
		keys[claims[i].place - 1] =
			is_copy ? make_key(claims, count, title, &number, arena)
				: title;
	}
}

/* A title up to its first NUL, of which a key has none. */
static struct str copy_title(struct str title, struct arena *arena)
{
	size_t size = strnlen(title.bytes, title.size);

	return (struct str){ arena_copy(arena, title.bytes, size), size };
}

const struct str *heading_all(const struct plan *plan, const char *taken,
			      struct arena *arena)
{
	size_t count = plan->visible_count, claimed = 0;
	struct claim *claims = arena_array(arena, count + 1, sizeof(*claims));
	struct str *keys = arena_array(arena, count, sizeof(*keys));

	if (!claims || !keys)
		return NULL;
	if (taken)
		claims[claimed++].title = str_of(taken);
	for (size_t i = 0; i < count; i++) {
		struct str title = copy_title(plan->columns[i].title, arena);

		claims[claimed++] = (struct claim){ title, i + 1 };
	}
	if (arena->failed)
		return NULL;
	qsort(claims, claimed, sizeof(*claims), compare_claims);
	give_keys(keys, claims, claimed, arena);
	return arena->failed ? NULL : keys;
}

static bool is_same_word(struct str a, struct str b)
{
	return a.size == b.size && strncasecmp(a.bytes, b.bytes, a.size) == 0;
}

size_t heading_find(const struct plan *plan, const struct str *headings, struct str name)
{
	static bool (*const ways[])(struct str a, struct str b) = { str_is,
								    is_same_word };

	for (size_t way = 0; way < sizeof(ways) / sizeof(ways[0]); way++) {
		for (size_t i = 0; i < plan->visible_count; i++) {
			if (ways[way](headings[i], name))
				return i;
		}
		for (size_t i = 0; i < plan->visible_count; i++) {
			if (ways[way](plan->columns[i].name, name))
				return i;
		}
	}
	return HEADING_NONE;
}

size_t heading_find_front(const struct plan *plan, const struct str *headings,
			  struct str text, struct str *rest)
{
	size_t found = HEADING_NONE;

	/* A title may hold such a character itself: the last that fits ends it. */
	for (size_t i = 1; i < text.size; i++) {
		struct str front = { text.bytes, i };
		size_t column;

		if (!strchr("=!<>~", text.bytes[i]))
			continue;
		column = heading_find(plan, headings, str_trim(front));
		if (column == HEADING_NONE)
			continue;
		found = column;
		*rest = (struct str){ text.bytes + i, text.size - i };
	}
	return found;
}

bool heading_lack(const struct plan *plan, const struct str *headings, struct str name,
		  struct err *err)
{
	int nearest = str_nearest(name, headings, plan->visible_count);
	struct str near = nearest < 0 ? STR("") : headings[nearest];

	return err_set(err, ERR_USAGE, "the view has no column '%.*s'%s%.*s",
		       (int)name.size, name.bytes, nearest < 0 ? "" : "; the nearest is ",
		       (int)near.size, near.bytes);
}
