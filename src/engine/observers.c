#include "engine/observers.h"

#include <stdio.h>

/* Goes over the events that observers tell, and that are wanted, one by one. */
struct walk {
	const struct observers *observers;
	size_t observer;
	const struct periodic *next;
};

static bool is_out(const struct observers *observers, size_t observer)
{
	return observers->is_out >> observer & 1;
}

static int64_t period_of(const struct observers *observers,
			 const struct periodic *periodic)
{
	return event_setting_of(observers->settings, periodic->event)->period;
}

static struct walk walk_of(const struct observers *observers)
{
	const struct observer *first = observers->list[0];

	return (struct walk){ observers, 0, first ? first->periodic : NULL };
}

static const struct periodic *walk_next(struct walk *walk)
{
	const struct observers *observers = walk->observers;

	while (observers->list[walk->observer]) {
		while (!is_out(observers, walk->observer) && walk->next &&
		       walk->next->tell) {
			const struct periodic *periodic = walk->next++;

			if (event_setting_of(observers->settings, periodic->event)
				    ->is_enabled)
				return periodic;
		}
		walk->observer++;
		walk->next = observers->list[walk->observer]
				     ? observers->list[walk->observer]->periodic
				     : NULL;
	}
	return NULL;
}

static void leave_out(struct observers *observers, size_t observer, const char *why,
		      void (*log)(const char *text))
{
	char line[600];

	observers->is_out |= UINT64_C(1) << observer;
	snprintf(line, sizeof(line), "%s: %s; these events are left out",
		 observers->list[observer]->name, why);
	if (log)
		log(line);
}

static int64_t *due_of(struct observers *observers, const struct periodic *periodic)
{
	return &observers->due[periodic->event - EVENT_FIRST];
}

/* They have collected now. */
static void set_collect_due(struct observers *observers, int64_t now)
{
	observers->collect_due = INT64_MAX;
	for (size_t i = 0; observers->list[i]; i++) {
		int64_t each = observers->list[i]->collect_each;

		if (each > 0 && !is_out(observers, i) &&
		    now + each < observers->collect_due)
			observers->collect_due = now + each;
	}
}

void observers_start(struct observers *observers, int64_t now,
		     void (*log)(const char *text))
{
	struct err err = { ERR_NONE, "" };
	const struct periodic *periodic;
	struct walk walk;

	observers->are_stopped = false;
	observers->is_out = 0;
	observers->translator = NULL;
	for (size_t i = 0; observers->list[i]; i++) {
		const struct observer *observer = observers->list[i];

		if (observer->start && !observer->start(observers->recorder, &err))
			leave_out(observers, i, err.text, log);
		else if (observer->translate)
			observers->translator = observer;
	}
	walk = walk_of(observers);
	while ((periodic = walk_next(&walk)) != NULL)
		*due_of(observers, periodic) = now + period_of(observers, periodic);
	set_collect_due(observers, now);
}

static void change(struct observers *observers, size_t index,
		   void (*log)(const char *text))
{
	const struct observer *observer = observers->list[index];
	struct err err = { ERR_NONE, "" };

	if (!observer->change || is_out(observers, index) ||
	    observer->change(observers->recorder, &err))
		return;
	if (observer->stop)
		observer->stop(observers->recorder);
	leave_out(observers, index, err.text, log);
}

void observers_change(struct observers *observers, const struct event_settings *before,
		      int64_t now, void (*log)(const char *text))
{
	const struct periodic *periodic;
	struct walk walk;

	for (size_t i = 0; observers->list[i]; i++)
		change(observers, i, log);
	walk = walk_of(observers);
	while ((periodic = walk_next(&walk)) != NULL) {
		const struct event_setting *of =
			event_setting_of(before, periodic->event);
		int64_t period = period_of(observers, periodic);

		if (!of->is_enabled || of->period != period)
			*due_of(observers, periodic) = now + period;
	}
	set_collect_due(observers, now);
}

void observers_stop(struct observers *observers)
{
	if (observers->are_stopped)
		return;
	observers->are_stopped = true;
	for (size_t i = 0; observers->list[i]; i++) {
		if (observers->list[i]->stop && !is_out(observers, i))
			observers->list[i]->stop(observers->recorder);
	}
}

void observers_collect(struct observers *observers, int64_t now)
{
	for (size_t i = 0; observers->list[i]; i++) {
		if (observers->list[i]->collect && !is_out(observers, i))
			observers->list[i]->collect(observers->recorder);
	}
	set_collect_due(observers, now);
}

void observers_translate(struct observers *observers, struct batch *batch,
			 const char *bytes, size_t size)
{
	if (!observers->translator)
		return;
	batch_end(batch);
	observers->translator->translate(observers->recorder, batch, bytes, size);
	batch_end(batch);
}

static void tell(struct observers *observers, const struct periodic *periodic,
		 struct batch *batch, int64_t now)
{
	batch->now = now;
	periodic->tell(observers->recorder, batch);
	batch_end(batch);
}

void observers_tell_due(struct observers *observers, struct batch *batch, int64_t now)
{
	struct walk walk = walk_of(observers);
	const struct periodic *periodic;

	while ((periodic = walk_next(&walk)) != NULL) {
		int64_t period = period_of(observers, periodic);
		int64_t *due = due_of(observers, periodic);

		if (period <= 0 || *due > now)
			continue;
		*due += ((now - *due) / period + 1) * period;
		tell(observers, periodic, batch, now);
	}
}

void observers_tell_chunk(struct observers *observers, struct batch *batch, int64_t now,
			  int64_t period)
{
	struct walk walk = walk_of(observers);
	const struct periodic *periodic;

	while ((periodic = walk_next(&walk)) != NULL) {
		int64_t own = period_of(observers, periodic);

		if (own == period || own == PERIOD_EVERY_CHUNK)
			tell(observers, periodic, batch, now);
	}
}

void observers_tell_last(struct observers *observers, struct batch *batch, int64_t now)
{
	struct walk walk = walk_of(observers);
	const struct periodic *periodic;

	observers_tell_chunk(observers, batch, now, PERIOD_END_CHUNK);
	while ((periodic = walk_next(&walk)) != NULL) {
		if (observers->list[walk.observer]->tells_last &&
		    period_of(observers, periodic) > 0)
			tell(observers, periodic, batch, now);
	}
}

int64_t observers_due(const struct observers *observers)
{
	struct walk walk = walk_of(observers);
	const struct periodic *periodic;
	int64_t first = observers->collect_due;

	while ((periodic = walk_next(&walk)) != NULL) {
		int64_t due = observers->due[periodic->event - EVENT_FIRST];

		if (period_of(observers, periodic) > 0 && due < first)
			first = due;
	}
	return first;
}
