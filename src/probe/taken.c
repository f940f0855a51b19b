#include "probe/taken.h"

#include "probe/text.h"

unsigned taken_add(struct taken *taken, uint64_t loader, struct str class_name,
		   const struct classfile_method *method, unsigned kinds)
{
	uint64_t number = text_hash(text_hash(text_hash(loader, class_name), method->name),
				    method->descriptor);
	uint32_t before;

	pthread_mutex_lock(&taken->lock);
	before = map_find(&taken->kinds, number);
	if (before == MAP_NONE)
		before = 0;
	if (taken->kinds.count >= TAKEN_MAX ||
	    !map_put(&taken->kinds, number, before | kinds))
		kinds = 0;
	pthread_mutex_unlock(&taken->lock);
	return kinds & ~before;
}

void taken_clear(struct taken *taken)
{
	map_clear(&taken->kinds);
}
