#include "tell.h"

#include "jfr/event.h"

void tell_chunk(struct buf *to, const struct chunk *chunk, struct damage *damage)
{
	struct event_walk walk = event_walk(chunk, damage);
	struct value values[PROGRAM_VALUES_MAX];
	struct arena arena = { 0 };
	struct event event;
	const char *blank = "";

	buf_text(to, "[");
	while (event_next(&walk, &event)) {
		if (!event.type)
			continue;
		buf_text(to, blank);
		blank = " ";
		if (event_decode(chunk, &event, values, &arena))
			buf_printf(to, "%d", (int)values[1].number);
		else
			buf_text(to, "?");
	}
	buf_text(to, "]");
	arena_clear(&arena);
}

void tell_damage(struct buf *to, const struct damage *damage, bool with_places)
{
	for (size_t i = 0; i < damage->faults.count; i++) {
		const struct fault *fault = &damage->faults.items[i];

		buf_printf(to, " / %s%s", fault->is_note ? "note: " : "", fault->cause);
		if (!with_places)
			continue;
		buf_printf(to, ": %s x%d", fault->detail, (int)fault->count);
		if (fault->first.chunk != SITE_NO_CHUNK)
			buf_printf(to, " in chunk %zu", fault->first.chunk);
		buf_printf(to, " at %llu", (unsigned long long)fault->first.at);
	}
}
