#include "jfc/settings.h"

void settings_key(struct buf *to, const struct node *setting)
{
	buf_str(to, node_get(setting->parent, STR("name")));
	buf_byte(to, '#');
	buf_str(to, node_get(setting, STR("name")));
}

bool settings_add_node(struct settings *settings, const struct node *setting)
{
	struct settings_item item = { .value = setting->content,
				      .order = settings->items.count };
	struct buf *key = &settings->key;

	buf_reset(key);
	settings_key(key, setting);
	if (key->failed)
		return false;
	item.key.bytes = arena_copy(&settings->arena, key->bytes, key->size);
	item.key.size = key->size;
	return item.key.bytes && vec_push(&settings->items, item);
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
	buf_clear(&settings->key);
}
