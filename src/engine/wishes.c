#include "engine/wishes.h"

#include <string.h>

void wishes_clear(struct wishes *wishes)
{
	vec_clear(&wishes->of);
}

static bool is_more(const struct event_settings *settings,
		    const struct event_settings *own, enum event_id id)
{
	return event_settings_want(settings, id) &&
	       (!event_settings_want(own, id) ||
		event_setting_of(own, id)->threshold >
			event_setting_of(settings, id)->threshold);
}

static bool wants_all(const struct event_settings *own,
		      const struct event_settings *settings)
{
	for (size_t i = 0; i < EVENT_COUNT; i++) {
		if (is_more(settings, own, EVENT_FIRST + i))
			return false;
	}
	return true;
}

static struct sieve sieve_of(const struct event_settings *settings)
{
	struct sieve sieve;

	for (size_t i = 0; i < EVENT_COUNT; i++) {
		sieve.least[i] = event_settings_want(settings, EVENT_FIRST + i)
					 ? settings->of[i].threshold
					 : SIEVE_NONE;
	}
	return sieve;
}

static struct wish *last_of(struct wishes *wishes)
{
	return wishes->of.count ? &wishes->of.items[wishes->of.count - 1] : NULL;
}

static bool is_same(const struct wish *one, const struct wish *other)
{
	return one->is_all == other->is_all &&
	       memcmp(&one->sieve, &other->sieve, sizeof(one->sieve)) == 0;
}

static void add(struct wishes *wishes, const struct wish *new)
{
	struct wish *last;

	while ((last = last_of(wishes)) != NULL && last->chunk >= new->chunk)
		wishes->of.count--;
	if (last && is_same(last, new))
		return;
	/* What holds instead must not be stricter. */
	if (!vec_push(&wishes->of, *new) && (last = last_of(wishes)) != NULL)
		last->is_all = true;
}

void wishes_set(struct wishes *wishes, uint64_t chunk, const struct event_settings *own,
		const struct event_settings *before, const struct event_settings *now)
{
	struct wish wish = { .sieve = sieve_of(own) };
	bool is_all = wants_all(own, now);

	wish.chunk = chunk;
	wish.is_all = is_all && wants_all(own, before);
	add(wishes, &wish);
	wish.chunk = chunk + 1;
	wish.is_all = is_all;
	add(wishes, &wish);
}

void wishes_drop(struct wishes *wishes, uint64_t first)
{
	struct wish *items = wishes->of.items;
	size_t gone = 0;

	while (gone + 1 < wishes->of.count && items[gone + 1].chunk <= first)
		gone++;
	if (gone == 0)
		return;
	wishes->of.count -= gone;
	memmove(items, items + gone, wishes->of.count * sizeof(*items));
}

const struct sieve *wishes_sieve(const struct wishes *wishes, uint64_t chunk)
{
	size_t i = wishes->of.count;

	while (i > 0 && wishes->of.items[i - 1].chunk > chunk)
		i--;
	if (i == 0 || wishes->of.items[i - 1].is_all)
		return NULL;
	return &wishes->of.items[i - 1].sieve;
}
