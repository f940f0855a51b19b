#include "engine/sources.h"

#include <stdio.h>

/* The most there may be: each is a bit in is_out. */
#define SOURCES_MAX 64

/* Goes over the events that sources tell, and that are wanted, one after the other. */
struct walk {
	const struct sources *sources;
	size_t source;
	const struct periodic *next;
};

static bool is_out(const struct sources *sources, size_t source)
{
	return source >= SOURCES_MAX || (sources->is_out >> source & 1);
}

static int64_t period_of(const struct sources *sources, const struct periodic *periodic)
{
	return event_setting_of(sources->settings, periodic->event)->period;
}

static struct walk walk_of(const struct sources *sources)
{
	const struct source *first = sources->list[0];

	return (struct walk){ sources, 0, first ? first->periodic : NULL };
}

static const struct periodic *walk_next(struct walk *walk)
{
	const struct sources *sources = walk->sources;

	while (sources->list[walk->source]) {
		while (!is_out(sources, walk->source) && walk->next &&
		       walk->next->tell) {
			const struct periodic *periodic = walk->next++;

			if (event_setting_of(sources->settings, periodic->event)
				    ->is_enabled)
				return periodic;
		}
		walk->source++;
		walk->next = sources->list[walk->source]
				     ? sources->list[walk->source]->periodic
				     : NULL;
	}
	return NULL;
}

static void leave_out(struct sources *sources, size_t source, const char *why,
		      void (*log)(const char *text))
{
	char line[600];

	if (source < SOURCES_MAX)
		sources->is_out |= UINT64_C(1) << source;
	snprintf(line, sizeof(line), "%s: %s; these events are left out",
		 sources->list[source]->name, why);
	if (log)
		log(line);
}

static int64_t *due_of(struct sources *sources, const struct periodic *periodic)
{
	return &sources->due[periodic->event - EVENT_FIRST];
}

void sources_start(struct sources *sources, int64_t now, void (*log)(const char *text))
{
	struct err err = { ERR_NONE, "" };
	const struct periodic *periodic;
	struct walk walk;

	for (size_t i = 0; sources->list[i]; i++) {
		const struct source *source = sources->list[i];

		if (i >= SOURCES_MAX)
			leave_out(sources, i, "there are too many sources", log);
		else if (source->start && !source->start(sources->recorder, &err))
			leave_out(sources, i, err.text, log);
	}
	walk = walk_of(sources);
	while ((periodic = walk_next(&walk)) != NULL)
		*due_of(sources, periodic) = now + period_of(sources, periodic);
}

void sources_stop(struct sources *sources)
{
	for (size_t i = 0; sources->list[i]; i++) {
		if (sources->list[i]->stop && !is_out(sources, i))
			sources->list[i]->stop(sources->recorder);
	}
	sources->is_out = UINT64_MAX;
}

static void tell(struct sources *sources, const struct periodic *periodic,
		 struct batch *batch, int64_t now)
{
	batch->now = now;
	periodic->tell(sources->recorder, batch);
	batch_end(batch);
}

void sources_tell_due(struct sources *sources, struct batch *batch, int64_t now)
{
	struct walk walk = walk_of(sources);
	const struct periodic *periodic;

	while ((periodic = walk_next(&walk)) != NULL) {
		int64_t period = period_of(sources, periodic);
		int64_t *due = due_of(sources, periodic);

		if (period <= 0 || *due > now)
			continue;
		*due += ((now - *due) / period + 1) * period;
		tell(sources, periodic, batch, now);
	}
}

void sources_tell_chunk(struct sources *sources, struct batch *batch, int64_t now,
			int64_t period)
{
	struct walk walk = walk_of(sources);
	const struct periodic *periodic;

	while ((periodic = walk_next(&walk)) != NULL) {
		int64_t own = period_of(sources, periodic);

		if (own == period || own == PERIOD_EVERY_CHUNK)
			tell(sources, periodic, batch, now);
	}
}

int64_t sources_due(const struct sources *sources)
{
	struct walk walk = walk_of(sources);
	const struct periodic *periodic;
	int64_t first = INT64_MAX;

	while ((periodic = walk_next(&walk)) != NULL) {
		int64_t due = sources->due[periodic->event - EVENT_FIRST];

		if (period_of(sources, periodic) > 0 && due < first)
			first = due;
	}
	return first;
}
