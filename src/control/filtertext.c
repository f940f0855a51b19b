#include "control/filtertext.h"

#include "base/buf.h"
#include "base/map.h"
#include "base/siphash.h"
#include "base/utf.h"

/* Takes the next filter off a text; false at the end. */
static bool next_filter(struct str *rest, struct str *filter)
{
	while (str_split(rest, ';', filter)) {
		*filter = utf_strip(*filter);
		if (filter->size)
			return true;
	}
	return false;
}

static bool takes_out(struct str filter)
{
	return *filter.bytes == '!';
}

bool filtertext_selects(struct str text)
{
	struct str filter;

	while (next_filter(&text, &filter)) {
		if (!takes_out(filter))
			return true;
	}
	return false;
}

/* Filters that were met: in the first text, in the second, and in what they become. */
enum { IN_ONE = 1, IN_OTHER = 2, IN_UNITED = 4 };

static uint64_t number_of(struct str filter)
{
	static const struct siphash_key key = { { 0x66, 0x74 } };

	return siphash(&key, filter.bytes, filter.size);
}

static unsigned places_of(const struct map *met, uint64_t number)
{
	uint32_t places = map_find(met, number);

	return places == MAP_NONE ? 0 : places;
}

static bool meet(struct map *met, struct str text, unsigned place)
{
	struct str filter;

	while (next_filter(&text, &filter)) {
		uint64_t number = number_of(filter);

		if (!map_put(met, number, places_of(met, number) | place))
			return false;
	}
	return true;
}

static void add(struct buf *to, struct map *met, struct str text)
{
	struct str filter;

	while (next_filter(&text, &filter)) {
		uint64_t number = number_of(filter);
		unsigned places = places_of(met, number);

		if (places & IN_UNITED ||
		    (takes_out(filter) && places != (IN_ONE | IN_OTHER)))
			continue;
		map_put(met, number, places | IN_UNITED);	/* it is there */
		if (to->size)
			buf_byte(to, ';');
		buf_str(to, filter);
	}
}

static bool unite(struct buf *to, struct str one, struct str other)
{
	struct map met = { .count = 0 };
	bool is_good = meet(&met, one, IN_ONE) && meet(&met, other, IN_OTHER);

	if (is_good) {
		add(to, &met, one);
		add(to, &met, other);
	}
	map_clear(&met);
	return is_good && !to->failed;
}

bool filtertext_unite(struct str one, struct str other, struct arena *arena,
		      struct str *united)
{
	struct buf text = { 0 };
	bool is_good = true;

	if (str_is(one, other) || !filtertext_selects(other)) {
		*united = one;
	} else if (!filtertext_selects(one)) {
		*united = other;
	} else {
		is_good = unite(&text, one, other);
		*united = (struct str){ NULL, text.size };
		if (is_good)
			united->bytes = arena_copy(arena, text.bytes, text.size);
		is_good = united->bytes != NULL;
	}
	buf_clear(&text);
	return is_good;
}
