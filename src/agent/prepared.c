#include "agent/prepared.h"

#include <stdlib.h>
#include <string.h>

#include "jfr/cursor.h"
#include "jfr/encode.h"

/* A class in the making --------------------------------------------------------- */

void prepared_begin(struct prepared_draft *draft, const char *name)
{
	buf_text_nul(&draft->text, name);
}

void prepared_add(struct prepared_draft *draft, uint64_t id, const char *name,
		  const char *descriptor, uint16_t modifiers,
		  const struct lines *lines)
{
	struct prepared_method method = { id, (uint32_t)draft->text.size, modifiers };
	struct buf encoded = { 0 };

	buf_text_nul(&draft->text, name);
	buf_text_nul(&draft->text, descriptor);
	lines_encode(&encoded, lines);
	encode_long(&draft->text, (int64_t)encoded.size);
	buf_str(&draft->text, buf_as_str(&encoded));
	draft->failed |= encoded.failed;
	buf_clear(&encoded);
	draft->failed |= draft->text.size > UINT32_MAX ||
			 !vec_push(&draft->methods, method);
}

/* Behind their size. */
static struct str lines_behind(const char *text)
{
	struct cursor cursor = cursor_of((const unsigned char *)text, ENCODE_VARINT_MAX);
	uint64_t size = cursor_varint(&cursor);

	return (struct str){ (const char *)cursor.at, size };
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

/* Owners ------------------------------------------------------------------------ */

static struct prepared_owner *find_owner(const struct prepared *prepared, uint64_t tag)
{
	uint32_t index = map_find(&prepared->by_tag, tag);

	return index == MAP_NONE ? NULL : &prepared->owners.items[index];
}

bool prepared_own(struct prepared *prepared, uint64_t tag, void *reference)
{
	struct prepared_owner owner = { tag, reference, NULL };
	uint32_t index = (uint32_t)prepared->owners.count;

	if (find_owner(prepared, tag) || !vec_push(&prepared->owners, owner))
		return false;
	if (map_put(&prepared->by_tag, tag, index))
		return true;
	prepared->owners.count--;
	return false;
}

bool prepared_is_owner(const struct prepared *prepared, uint64_t tag)
{
	return find_owner(prepared, tag) != NULL;
}

/* The last one takes the place, which needs no memory. */
void *prepared_disown(struct prepared *prepared, uint64_t tag)
{
	struct prepared_owner *owner = find_owner(prepared, tag);
	const struct prepared_owner *last;
	void *reference;

	if (!owner || owner->first)
		return NULL;
	reference = owner->reference;
	map_remove(&prepared->by_tag, tag);
	last = &prepared->owners.items[--prepared->owners.count];
	if (last != owner) {
		*owner = *last;
		map_put(&prepared->by_tag, owner->tag,
			(uint32_t)(owner - prepared->owners.items));
	}
	return reference;
}

/* Classes that are there ---------------------------------------------------------- */

/* Only where they lead to that class: numbers might be used again. */
static void remove_ids(struct prepared *prepared, const struct prepared_class *class)
{
	for (uint32_t i = 0; i < class->count; i++) {
		if (map_find(&prepared->by_id, class->methods[i].id) == class->index)
			map_remove(&prepared->by_id, class->methods[i].id);
	}
}

static bool put_ids(struct prepared *prepared, const struct prepared_class *class)
{
	for (uint32_t i = 0; i < class->count; i++) {
		if (!map_put(&prepared->by_id, class->methods[i].id, class->index))
			return false;
	}
	return true;
}

static const struct prepared_class *find_class(const struct prepared *prepared,
					       uint64_t id)
{
	uint32_t index = map_find(&prepared->by_id, id);

	return index == MAP_NONE ? NULL : prepared->all.items[index];
}

static bool is_there(const struct prepared *prepared, const struct prepared_class *made)
{
	const struct prepared_class *class =
		made->count ? find_class(prepared, made->methods[0].id) : NULL;

	return class && class->type.owner == made->type.owner;
}

bool prepared_put(struct prepared *prepared, struct prepared_class *made)
{
	struct prepared_owner *owner = find_owner(prepared, made->type.owner);

	made->index = (uint32_t)prepared->all.count;
	if (!owner || is_there(prepared, made) || !vec_push(&prepared->all, made))
		return false;
	if (!put_ids(prepared, made)) {
		remove_ids(prepared, made);
		prepared->all.count--;
		return false;
	}
	made->next = owner->first;
	owner->first = made;
	return true;
}

/* The last one takes the place, which needs no memory. */
static void fill_place(struct prepared *prepared, uint32_t index)
{
	struct prepared_class *last = prepared->all.items[--prepared->all.count];
	uint32_t old = last->index;

	if (old == index)
		return;
	prepared->all.items[index] = last;
	last->index = index;
	for (uint32_t i = 0; i < last->count; i++) {
		if (map_find(&prepared->by_id, last->methods[i].id) == old)
			map_put(&prepared->by_id, last->methods[i].id, index);
	}
}

bool prepared_has(const struct prepared *prepared, uint64_t id)
{
	return find_class(prepared, id) != NULL;
}

struct prepared_class *prepared_take(struct prepared *prepared, uint64_t tag)
{
	struct prepared_owner *owner = find_owner(prepared, tag);
	struct prepared_class *class = owner ? owner->first : NULL;

	if (!class)
		return NULL;
	owner->first = class->next;
	remove_ids(prepared, class);
	fill_place(prepared, class->index);
	return class;
}

bool prepared_find(const struct prepared *prepared, uint64_t id,
		   struct prepared_names *names)
{
	const struct prepared_class *class = find_class(prepared, id);
	const char *text;
	uint32_t i = 0;

	while (class && i < class->count && class->methods[i].id != id)
		i++;
	if (!class || i == class->count)
		return false;
	text = (const char *)(class->methods + class->count);
	*names = (struct prepared_names){
		.type = &class->type,
		.reference = find_owner(prepared, class->type.owner)->reference,
		.type_name = text,
		.name = text + class->methods[i].text,
		.modifiers = class->methods[i].modifiers,
	};
	names->descriptor = names->name + strlen(names->name) + 1;
	names->lines = lines_behind(names->descriptor + strlen(names->descriptor) + 1);
	return true;
}

void prepared_set_key(struct prepared *prepared, uint64_t id, uint64_t key)
{
	uint32_t index = map_find(&prepared->by_id, id);

	if (index != MAP_NONE)
		prepared->all.items[index]->type.key = key;
}

void prepared_clear(struct prepared *prepared)
{
	for (size_t i = 0; i < prepared->all.count; i++)
		free(prepared->all.items[i]);
	vec_clear(&prepared->all);
	vec_clear(&prepared->owners);
	map_clear(&prepared->by_id);
	map_clear(&prepared->by_tag);
}
