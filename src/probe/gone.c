#include "probe/gone.h"

static struct gone_method *find(struct gone *gone, const struct probed_copy *of)
{
	uint32_t at = map_find(&gone->by_name, probedcopy_hash(of));

	while (at != MAP_NONE) {
		struct gone_method *method = &gone->methods.items[at];

		if (probedcopy_is_same(&method->of, of))
			return method;
		at = method->next;
	}
	return NULL;
}

/* False: without memory, or there are too many. */
static bool add(struct gone *gone, const struct probed_copy *of)
{
	uint64_t number = probedcopy_hash(of);
	struct gone_method method = { .of = *of,
				      .next = map_find(&gone->by_name, number) };

	method.of.is_gone = true;
	method.of.class_key = 0;
	if (gone->methods.count == gone->max ||
	    !probedcopy_texts(&method.of, &gone->texts) ||
	    !vec_push(&gone->methods, method))
		return false;
	if (map_put(&gone->by_name, number, (uint32_t)gone->methods.count - 1))
		return true;
	gone->methods.count--;
	return false;
}

void gone_add(struct gone *gone, const struct probed_copy *of)
{
	struct gone_method *method = find(gone, of);

	if (method)
		probedcopy_add(&method->of, of);
	else if (!add(gone, of))
		gone->lost++;
}

void gone_clear(struct gone *gone)
{
	vec_clear(&gone->methods);
	map_clear(&gone->by_name);
	arena_clear(&gone->texts);
}
