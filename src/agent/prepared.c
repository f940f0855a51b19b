#include "agent/prepared.h"

#include <stdlib.h>

void prepared_clear(struct prepared *prepared)
{
	for (size_t i = 0; i < prepared->all.count; i++)
		free(prepared->all.items[i]);
	vec_clear(&prepared->all);
	map_clear(&prepared->by_id);
	map_clear(&prepared->by_key);
}

/* A class in the making --------------------------------------------------------- */

void prepared_begin(struct prepared_draft *draft, const char *name)
{
	buf_add(&draft->text, name, strlen(name) + 1);
}

void prepared_add(struct prepared_draft *draft, uint64_t id, const char *name,
		  const char *descriptor, uint16_t modifiers)
{
	struct prepared_method method = { id, (uint32_t)draft->text.size, modifiers };

	buf_add(&draft->text, name, strlen(name) + 1);
	buf_add(&draft->text, descriptor, strlen(descriptor) + 1);
	draft->failed |= draft->text.size > UINT32_MAX ||
			 !vec_push(&draft->methods, method);
}

static void clear_draft(struct prepared_draft *draft)
{
	vec_clear(&draft->methods);
	buf_clear(&draft->text);
	draft->failed = false;
}

struct prepared_class *prepared_made(struct prepared_draft *draft,
				     const struct prepared_type *type)
{
	size_t count = draft->methods.count, size = count * sizeof(struct prepared_method);
	struct prepared_class *made = NULL;

	if (!draft->failed && !draft->text.failed)
		made = malloc(sizeof(*made) + size + draft->text.size);
	if (made) {
		*made = (struct prepared_class){
			.type = *type,
			.count = (uint32_t)count,
		};
		if (count > 0)
			memcpy(made->methods, draft->methods.items, size);
		if (draft->text.size > 0)
			memcpy(made->methods + count, draft->text.bytes,
			       draft->text.size);
	}
	clear_draft(draft);
	return made;
}

/* Those that are there ------------------------------------------------------------ */

/* Only where they lead to that class: numbers might be used again. */
static void remove_ids(struct prepared *prepared, const struct prepared_class *class,
		       uint32_t index)
{
	for (uint32_t i = 0; i < class->count; i++) {
		if (map_find(&prepared->by_id, class->methods[i].id) == index)
			map_remove(&prepared->by_id, class->methods[i].id);
	}
}

static bool put_ids(struct prepared *prepared, const struct prepared_class *class,
		    uint32_t index)
{
	for (uint32_t i = 0; i < class->count; i++) {
		if (!map_put(&prepared->by_id, class->methods[i].id, index))
			return false;
	}
	return map_put(&prepared->by_key, class->type.key, index);
}

bool prepared_put(struct prepared *prepared, struct prepared_class *made)
{
	uint32_t index = (uint32_t)prepared->all.count;

	if (prepared_has(prepared, made->type.key) || !vec_push(&prepared->all, made))
		return false;
	if (put_ids(prepared, made, index))
		return true;
	remove_ids(prepared, made, index);
	prepared->all.count--;
	return false;
}

/* The last one takes the place, which needs no memory. */
static void fill_place(struct prepared *prepared, uint32_t index)
{
	uint32_t old = (uint32_t)--prepared->all.count;
	struct prepared_class *last = prepared->all.items[old];

	if (old == index)
		return;
	prepared->all.items[index] = last;
	map_put(&prepared->by_key, last->type.key, index);
	for (uint32_t i = 0; i < last->count; i++) {
		if (map_find(&prepared->by_id, last->methods[i].id) == old)
			map_put(&prepared->by_id, last->methods[i].id, index);
	}
}

bool prepared_has(const struct prepared *prepared, uint64_t key)
{
	return map_find(&prepared->by_key, key) != MAP_NONE;
}

struct prepared_class *prepared_take(struct prepared *prepared, uint64_t key)
{
	uint32_t index = map_find(&prepared->by_key, key);
	struct prepared_class *class;

	if (index == MAP_NONE)
		return NULL;
	class = prepared->all.items[index];
	remove_ids(prepared, class, index);
	map_remove(&prepared->by_key, key);
	fill_place(prepared, index);
	return class;
}

bool prepared_find(const struct prepared *prepared, uint64_t id,
		   struct prepared_names *names)
{
	uint32_t index = map_find(&prepared->by_id, id), i = 0;
	const struct prepared_class *class;
	const char *text;

	if (index == MAP_NONE)
		return false;
	class = prepared->all.items[index];
	while (i < class->count && class->methods[i].id != id)
		i++;
	if (i == class->count)
		return false;
	text = (const char *)(class->methods + class->count);
	*names = (struct prepared_names){
		.type = &class->type,
		.type_name = text,
		.name = text + class->methods[i].text,
		.modifiers = class->methods[i].modifiers,
	};
	names->descriptor = names->name + strlen(names->name) + 1;
	return true;
}
