#include "jfc/settings.h"

bool settings_add_node(struct settings *settings, const struct node *setting)
{
	struct str event = node_get(setting->parent, STR("name"));
	struct str name = node_get(setting, STR("name"));
	size_t size = event.size + 1 + name.size;
	char *key = arena_alloc(&settings->arena, size);
	struct settings_item item = { { key, size }, setting->content,
				      settings->items.count };

	if (!key)
		return false;
	if (event.size)
		memcpy(key, event.bytes, event.size);
	key[event.size] = '#';
	if (name.size)
		memcpy(key + event.size + 1, name.bytes, name.size);
	return vec_push(&settings->items, item);
}

bool settings_add_all(struct settings *settings, const struct configuration *all)
{
	for (const struct node *at = configuration_setting(all); at;
	     at = configuration_next_setting(at)) {
		if (at->content.bytes && !settings_add_node(settings, at))
			return false;
	}
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct settings_item *one = a, *other = b;
	int order = str_compare(one->key, other->key);

	if (order)
		return order;
	return one->order < other->order ? -1 : one->order > other->order;
}

void settings_settle(struct settings *settings)
{
	struct settings_item *items = settings->items.items;
	size_t count = settings->items.count, kept = 0;

	if (count == 0)
		return;
	qsort(items, count, sizeof(*items), compare);
	for (size_t i = 0; i < count; i++) {
		if (i + 1 == count || !str_is(items[i].key, items[i + 1].key))
			items[kept++] = items[i];
	}
	settings->items.count = kept;
}

void settings_reset(struct settings *settings)
{
	settings->items.count = 0;
	arena_reset(&settings->arena);
}

void settings_clear(struct settings *settings)
{
	vec_clear(&settings->items);
	arena_clear(&settings->arena);
}
