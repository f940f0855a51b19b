#include "jfr/damage.h"

#include <string.h>

static void damage_count(struct damage *damage, const struct fault *fault)
{
	for (size_t i = 0; i < damage->faults.count; i++) {
		if (strcmp(damage->faults.items[i].cause, fault->cause) == 0) {
			damage->faults.items[i].count += fault->count;
			return;
		}
	}
	(void)vec_push(&damage->faults, *fault);	/* without memory: untold */
}

void damage_add(struct damage *damage, const char *cause, struct str type, size_t chunk,
		uint64_t at)
{
	struct fault fault = { .cause = cause, .chunk = chunk, .at = at, .count = 1 };
	size_t size = type.size, most = sizeof(fault.type) - 1;

	if (size > most)
		size = most;
	if (size)
		memcpy(fault.type, type.bytes, size);
	damage_count(damage, &fault);
}

void damage_add_chunk(struct damage *damage, const struct err *why)
{
	if (damage->lost_chunks++ == 0)
		damage->lost = *why;
}

void damage_merge(struct damage *damage, struct damage *from)
{
	for (size_t i = 0; i < from->faults.count; i++)
		damage_count(damage, &from->faults.items[i]);
	from->faults.count = 0;
	if (damage->lost_chunks == 0 && from->lost_chunks > 0)
		damage->lost = from->lost;
	damage->lost_chunks += from->lost_chunks;
	from->lost_chunks = 0;
	if (damage->stop.kind == ERR_NONE && from->stop.kind != ERR_NONE)
		damage->stop = from->stop;
	from->stop.kind = ERR_NONE;
}

void damage_clear(struct damage *damage)
{
	vec_clear(&damage->faults);
	damage->lost_chunks = 0;
	damage->stop.kind = ERR_NONE;
}
