#include "agent/methodchoice.h"

#include <stdlib.h>

#include "agent/inside.h"

/* Events that have filters, and the probes for them. */
static const struct {
	unsigned kind;
	enum event_id event;
} kinds[METHODCHOICE_KINDS] = {
	{ PROBE_TIMING, EVENT_METHOD_TIMING },
	{ PROBE_TRACE, EVENT_METHOD_TRACE },
};

static struct str text_of(const struct event_settings *settings, size_t kind)
{
	const struct event_setting *setting =
		event_setting_of(settings, kinds[kind].event);

	return setting->is_enabled ? str_trim(setting->filter) : (struct str){ NULL, 0 };
}

bool methodchoice_is_wanted(const struct event_settings *settings)
{
	for (size_t i = 0; i < METHODCHOICE_KINDS; i++) {
		if (text_of(settings, i).size)
			return true;
	}
	return false;
}

static bool read_kind(struct methodchoice *choice, size_t kind, struct str text,
		      struct err *err)
{
	struct str *copy = &choice->texts[kind];

	copy->size = text.size;
	copy->bytes = arena_copy(&choice->arena, text.size ? text.bytes : "",
				 text.size);
	if (!copy->bytes)
		return err_memory(err);
	return filters_add(&choice->filters, kinds[kind].kind, text, err) ||
	       err_within(err, "%s", eventtype_of(kinds[kind].event)->name);
}

struct methodchoice *methodchoice_read(const struct agent *agent, struct err *err)
{
	struct methodchoice *choice = calloc(1, sizeof(*choice));

	if (!choice) {
		err_memory(err);
		return NULL;
	}
	for (size_t i = 0; i < METHODCHOICE_KINDS; i++) {
		if (!read_kind(choice, i, text_of(&agent->recorder.settings, i), err)) {
			methodchoice_free(choice);
			return NULL;
		}
	}
	choice->instrument = (struct instrument){
		.filters = &choice->filters,
		.probed = agent->instrumenter.probed,
		.dump = agent->orders.dump_classes.size ? agent->orders.dump_classes.bytes
							: NULL,
	};
	return choice;
}

void methodchoice_free(struct methodchoice *choice)
{
	if (!choice)
		return;
	filters_clear(&choice->filters);
	taken_clear(&choice->instrument.taken);
	annotations_clear(&choice->instrument.annotations);
	arena_clear(&choice->arena);
	free(choice);
}

bool methodchoice_is_same(const struct methodchoice *choice, const struct agent *agent)
{
	for (size_t i = 0; i < METHODCHOICE_KINDS; i++) {
		if (!str_is(choice->texts[i], text_of(&agent->recorder.settings, i)))
			return false;
	}
	return true;
}

bool methodchoice_has(const struct methodchoice *choice, unsigned kind)
{
	for (size_t i = 0; i < METHODCHOICE_KINDS; i++) {
		if (kinds[i].kind == kind)
			return choice->texts[i].size > 0;
	}
	return false;
}

void methodchoice_hold(struct agent *agent, struct methodchoice *choice)
{
	struct instrumenter *instrumenter = &agent->instrumenter;
	struct methodchoice *before = atomic_exchange(&instrumenter->now, choice);

	if (!before)
		return;
	atomic_store(&before->instrument.is_off, true);
	pthread_mutex_lock(&instrumenter->lock);
	before->next = instrumenter->before;
	instrumenter->before = before;
	pthread_mutex_unlock(&instrumenter->lock);
	methodchoice_tidy(agent);
}

static void put_back(struct instrumenter *instrumenter, struct methodchoice *before)
{
	struct methodchoice *last = before;

	while (last->next)
		last = last->next;
	pthread_mutex_lock(&instrumenter->lock);
	last->next = instrumenter->before;
	instrumenter->before = before;
	pthread_mutex_unlock(&instrumenter->lock);
}

/* Who comes in from now on finds the one that holds. */
void methodchoice_tidy(struct agent *agent)
{
	struct instrumenter *instrumenter = &agent->instrumenter;
	struct methodchoice *before = NULL, *next;

	pthread_mutex_lock(&instrumenter->lock);
	before = instrumenter->before;
	instrumenter->before = NULL;
	pthread_mutex_unlock(&instrumenter->lock);
	if (before && !inside_wait(0)) {
		put_back(instrumenter, before);
		return;
	}
	for (; before; before = next) {
		next = before->next;
		methodchoice_free(before);
	}
}
