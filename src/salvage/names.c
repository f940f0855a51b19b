#include "salvage/names.h"

#include "base/utf.h"
#include "engine/stack.h"
#include "engine/threadname.h"

/* The last note of a method is as good as the one before. */
bool names_add(struct names *names, uint64_t id, const char *bytes, size_t size,
	       struct err *err)
{
	char *copy = arena_copy(&names->arena, bytes, size);
	struct name name = { .has_lines = false };

	if (!copy)
		return err_memory(err);
	if (!methodnote_read(&name.note, copy, size) ||
	    !utf_is_java(name.note.waiting.bytes, name.note.waiting.size))
		return err_set(err, ERR_FORMAT, "a note of a method cannot be read");
	return (map_put(&names->by_id, id, (uint32_t)names->all.count) &&
		vec_push(&names->all, name)) ||
	       err_memory(err);
}

static struct name *find(struct names *names, uint64_t id)
{
	uint32_t index = map_find(&names->by_id, id);

	return index < names->all.count ? &names->all.items[index] : NULL;
}

/* Lines that cannot be read are not known. */
static const struct lines *lines_of(struct name *name)
{
	if (!name->has_lines && !lines_decode(&name->lines, name->note.lines))
		lines_clear(&name->lines);
	name->has_lines = true;
	return &name->lines;
}

static struct method_place place_of(void *context, uint64_t id, int32_t bytecode)
{
	struct names *names = context;
	struct name *name = find(names, id);

	if (!name ||
	    !constants_touch(names->constants, POOL_METHOD, name->note.method))
		return (struct method_place){
			.method = stack_unknown_method(names->constants),
			.line = -1,
		};
	return (struct method_place){
		.method = name->note.method,
		.line = lines_at(lines_of(name), bytecode),
		.is_native = name->note.is_native,
		.waiting = name->note.waiting,
	};
}

static uint64_t thread_of(void *context, uint64_t number)
{
	struct names *names = context;

	return threadname_of_number(names->constants, number);
}

struct namer names_namer(struct names *names)
{
	return (struct namer){ names, place_of, thread_of };
}

void names_clear(struct names *names)
{
	for (size_t i = 0; i < names->all.count; i++)
		lines_clear(&names->all.items[i].lines);
	vec_clear(&names->all);
	map_clear(&names->by_id);
	arena_clear(&names->arena);
	*names = (struct names){ .constants = NULL };
}
