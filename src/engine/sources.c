#include "engine/sources.h"

#include <stdio.h>

/* The most there may be: each is a bit in recorder->is_out. */
#define SOURCES_MAX 64

/* Goes over the events that sources tell, and that are wanted, one after the other. */
struct walk {
	const struct recorder *recorder;
	size_t source;
	const struct periodic *next;
};

static bool is_out(const struct recorder *recorder, size_t source)
{
	return source >= SOURCES_MAX || (recorder->is_out >> source & 1);
}

static const struct event_setting *setting_of(const struct recorder *recorder,
					      const struct periodic *periodic)
{
	return event_setting_of(&recorder->settings, periodic->event);
}

static struct walk walk_of(const struct recorder *recorder)
{
	const struct source *first = recorder->sources[0];

	return (struct walk){ recorder, 0, first ? first->periodic : NULL };
}

static const struct periodic *walk_next(struct walk *walk)
{
	const struct source *const *sources = walk->recorder->sources;

	while (sources[walk->source]) {
		while (!is_out(walk->recorder, walk->source) && walk->next &&
		       walk->next->tell) {
			const struct periodic *periodic = walk->next++;

			if (setting_of(walk->recorder, periodic)->is_enabled)
				return periodic;
		}
		walk->source++;
		walk->next = sources[walk->source] ? sources[walk->source]->periodic
						   : NULL;
	}
	return NULL;
}

static void leave_out(struct recorder *recorder, size_t source, const char *why)
{
	char line[600];

	if (source < SOURCES_MAX)
		recorder->is_out |= UINT64_C(1) << source;
	snprintf(line, sizeof(line), "%s: %s; these events are left out",
		 recorder->sources[source]->name, why);
	if (recorder->log)
		recorder->log(line);
}

static int64_t *due_of(struct recorder *recorder, const struct periodic *periodic)
{
	return &recorder->due[periodic->event - EVENT_FIRST];
}

void sources_start(struct recorder *recorder)
{
	struct err err = { ERR_NONE, "" };
	const struct periodic *periodic;
	struct walk walk;

	for (size_t i = 0; recorder->sources[i]; i++) {
		const struct source *source = recorder->sources[i];

		if (i >= SOURCES_MAX)
			leave_out(recorder, i, "there are too many sources");
		else if (source->start && !source->start(recorder, &err))
			leave_out(recorder, i, err.text);
	}
	walk = walk_of(recorder);
	while ((periodic = walk_next(&walk)) != NULL)
		*due_of(recorder, periodic) = recorder->start_ticks +
					      setting_of(recorder, periodic)->period;
}

void sources_stop(struct recorder *recorder)
{
	for (size_t i = 0; recorder->sources[i]; i++) {
		if (recorder->sources[i]->stop && !is_out(recorder, i))
			recorder->sources[i]->stop(recorder);
	}
	recorder->is_out = UINT64_MAX;
}

static void tell(struct recorder *recorder, const struct periodic *periodic, int64_t now)
{
	recorder->batch.now = now;
	periodic->tell(recorder, &recorder->batch);
	batch_end(&recorder->batch);
}

void sources_tell_due(struct recorder *recorder, int64_t now)
{
	struct walk walk = walk_of(recorder);
	const struct periodic *periodic;

	while ((periodic = walk_next(&walk)) != NULL) {
		int64_t period = setting_of(recorder, periodic)->period;
		int64_t *due = due_of(recorder, periodic);

		if (period <= 0 || *due > now)
			continue;
		*due += ((now - *due) / period + 1) * period;
		tell(recorder, periodic, now);
	}
}

void sources_tell_chunk(struct recorder *recorder, int64_t now, int64_t period)
{
	struct walk walk = walk_of(recorder);
	const struct periodic *periodic;

	while ((periodic = walk_next(&walk)) != NULL) {
		int64_t own = setting_of(recorder, periodic)->period;

		if (own == period || own == PERIOD_EVERY_CHUNK)
			tell(recorder, periodic, now);
	}
}

int64_t sources_due(const struct recorder *recorder)
{
	struct walk walk = walk_of(recorder);
	const struct periodic *periodic;
	int64_t first = INT64_MAX;

	while ((periodic = walk_next(&walk)) != NULL) {
		int64_t due = recorder->due[periodic->event - EVENT_FIRST];

		if (setting_of(recorder, periodic)->period > 0 && due < first)
			first = due;
	}
	return first;
}
