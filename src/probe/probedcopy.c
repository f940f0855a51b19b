#include "probe/probedcopy.h"

#include "probe/text.h"

uint64_t probedcopy_hash(const struct probed_copy *of)
{
	return text_hash(text_hash(text_hash(0, of->class_name), of->name),
			 of->descriptor);
}

bool probedcopy_is_same(const struct probed_copy *a, const struct probed_copy *b)
{
	return str_is(a->class_name, b->class_name) && str_is(a->name, b->name) &&
	       str_is(a->descriptor, b->descriptor);
}

void probedcopy_add(struct probed_copy *to, const struct probed_copy *of)
{
	to->kinds |= of->kinds;
	to->was_done |= of->was_done;
	to->newest = of->newest;
	counter_add(&to->sum, &of->sum);
}

bool probedcopy_texts(struct probed_copy *of, struct arena *arena)
{
	return text_copy(&of->class_name, arena, of->class_name) &&
	       text_copy(&of->name, arena, of->name) &&
	       text_copy(&of->descriptor, arena, of->descriptor);
}
