#include "filter/selection.h"

#include "jfr/measure.h"

/* As event_ticks sees it. */
static bool is_ticks(const struct field *field)
{
	return field && field->shown && field->shown->primitive >= OP_BYTE &&
	       field->shown->primitive <= OP_LONG && !field->array && !field->pooled;
}

/* Ticks of which more are never less time: no need to convert them. */
static bool is_plain_duration(const struct field *field, const struct clock *clock)
{
	return clock->divisor > 0 && !field->is_unsigned &&
	       (field->unit == UNIT_TIMESPAN_TICKS || field->unit == UNIT_NONE);
}

/* The least ticks that take so long. The most of all are no length, but forever. */
static int64_t find_ticks(const struct clock *clock, int64_t nanos)
{
	int64_t low = INT64_MIN, high = INT64_MAX;

	while (low < high) {
		int64_t middle = (low >> 1) + (high >> 1) + (low & high & 1);

		if (clock_span(clock, middle) >= nanos)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static bool is_long_enough(const struct selection *selection, const struct event *event,
			   int64_t start, int64_t end)
{
	const struct choice *choice = &selection->choices[event->type->index];
	int64_t ticks = (int64_t)((uint64_t)end - (uint64_t)start);
	struct time least = time_of_nanos(selection->filter->min_duration);
	struct field field;

	if (choice->is_plain)
		return ticks >= selection->min_ticks;
	field = *event->type->duration;
	if (!unit_is_timespan(field.unit))
		field.unit = UNIT_TIMESPAN_TICKS;
	return time_compare(measure_timespan(&field, ticks, &selection->chunk->clock),
			    least) >= 0;
}

/* Each test may rule the type out; all are made, for the notes. */
static void choose_by_time(struct selection *selection, const struct type *type,
			   struct choice *choice)
{
	const struct filter *filter = selection->filter;

	if (filter_has_window(filter) && !is_ticks(type->start))
		choice->is_wanted = false;
	if (!filter->has_min_duration)
		return;
	if (!is_ticks(type->duration)) {
		choice->is_wanted = false;
		return;
	}
	selection->has_duration = true;
	choice->is_plain = is_plain_duration(type->duration, &selection->chunk->clock);
}

static void choose_by_thread(struct selection *selection, const struct type *type,
			     struct choice *choice)
{
	enum fit fit;

	if (!selection->filter->threads.bytes)
		return;
	choice->thread = probe_plan(&selection->threads, type, &fit);
	selection->failed |= selection->threads.failed;
	if (choice->thread)
		selection->has_thread = true;
	else
		choice->is_wanted = false;
}

/* Without a thread nothing matches: then an including rule takes no event at all. */
static void choose_by_rules(struct selection *selection, const struct type *type,
			    struct choice *choice)
{
	const struct filter *filter = selection->filter;
	size_t count = filter->rules.count;
	enum fit fit;

	choice->gates = arena_array(&selection->arena, count, sizeof(*choice->gates));
	selection->failed |= !choice->gates;
	for (size_t i = 0; choice->gates && i < count; i++) {
		const struct rule *rule = &filter->rules.items[i];

		if (rule->kind != RULE_THREADS)
			continue;
		choice->gates[i] = probe_plan(&selection->gates[i], type, &fit);
		selection->failed |= selection->gates[i].failed;
		if (!choice->gates[i] && !rule->is_excluding)
			choice->is_wanted = false;
	}
}

static void choose_by_conditions(struct selection *selection, const struct type *type,
				 struct choice *choice)
{
	size_t count = selection->filter->conditions.count;

	choice->steps = arena_array(&selection->arena, count, sizeof(*choice->steps));
	selection->failed |= !choice->steps;
	for (size_t i = 0; choice->steps && i < count; i++) {
		struct probe *probe = &selection->probes[i];
		enum fit fit;

		choice->steps[i] = probe_plan(probe, type, &fit);
		selection->failed |= probe->failed;
		if (fit > selection->fits[i])
			selection->fits[i] = fit;
		if (!choice->steps[i])
			choice->is_wanted = false;
	}
}

static void choose(struct selection *selection, const struct type *type)
{
	struct choice *choice = &selection->choices[type->index];

	if (!type->is_event || !filter_accepts(selection->filter, type))
		return;
	selection->has_type = true;
	choice->is_named = choice->is_wanted = true;
	choose_by_time(selection, type, choice);
	choose_by_thread(selection, type, choice);
	choose_by_rules(selection, type, choice);
	choose_by_conditions(selection, type, choice);
	selection->has_all |= choice->is_wanted;
}

static bool add_gates(struct selection *selection)
{
	const struct filter *filter = selection->filter;
	size_t count = filter->rules.count;

	selection->gates = arena_array(&selection->arena, count,
				       sizeof(*selection->gates));
	for (size_t i = 0; selection->gates && i < count; i++) {
		const struct threads threads = { filter->rules.items[i].patterns, true };

		probe_open_threads(&selection->gates[i], selection->chunk, &threads);
	}
	return selection->gates != NULL;
}

static bool add_probes(struct selection *selection)
{
	const struct filter *filter = selection->filter;
	size_t count = filter->conditions.count;
	const struct threads threads = { filter->threads, false };
	struct arena *arena = &selection->arena;

	selection->probes = arena_array(arena, count, sizeof(*selection->probes));
	selection->fits = arena_array(arena, count, sizeof(*selection->fits));
	if (!selection->probes || !selection->fits)
		return false;
	for (size_t i = 0; i < count; i++)
		probe_open(&selection->probes[i], selection->chunk,
			   filter->conditions.items[i]);
	probe_open_threads(&selection->threads, selection->chunk, &threads);
	return add_gates(selection);
}

bool selection_open(struct selection *selection, const struct chunk *chunk,
		    const struct filter *filter, struct err *err)
{
	const struct metadata *metadata = &chunk->metadata;

	selection->chunk = chunk;
	selection->filter = filter;
	selection->choices = arena_array(&selection->arena, metadata->type_count,
					 sizeof(*selection->choices));
	if (!selection->choices || !add_probes(selection))
		return err_memory(err);
	if (filter_has_window(filter))
		selection->window = window_of(&chunk->clock, filter->window_from,
					      filter->window_to);
	if (filter->has_min_duration)
		selection->min_ticks = find_ticks(&chunk->clock, filter->min_duration);
	for (size_t i = 0; i < metadata->type_count && !selection->failed; i++)
		choose(selection, &metadata->types[i]);
	return !selection->failed || err_memory(err);
}

void selection_close(struct selection *selection)
{
	for (size_t i = 0; selection->probes && i < selection->filter->conditions.count;
	     i++)
		probe_close(&selection->probes[i]);
	for (size_t i = 0; selection->gates && i < selection->filter->rules.count; i++)
		probe_close(&selection->gates[i]);
	probe_close(&selection->threads);
	arena_clear(&selection->arena);
	*selection = (struct selection){ 0 };
}

static bool probe_accepts(struct selection *selection, struct probe *probe,
			  const struct step *step, const struct event *event)
{
	bool takes = probe_takes(probe, step, event, &selection->fault);

	selection->failed |= probe->failed;
	return takes;
}

static bool is_in_window(struct selection *selection, int64_t start, int64_t end)
{
	bool is_in = window_has(&selection->window, start, end);

	selection->has_asked_time = true;
	selection->has_time |= is_in;
	return is_in;
}

/* False also if nobody can tell: then selection->fault says why. */
static bool passes_rules(struct selection *selection, const struct choice *choice,
			 const struct event *event)
{
	const struct filter *filter = selection->filter;

	for (size_t i = 0; i < filter->rules.count; i++) {
		bool takes;

		if (!choice->gates[i])
			continue;
		takes = probe_accepts(selection, &selection->gates[i], choice->gates[i],
				      event);
		if (selection->fault || takes == filter->rules.items[i].is_excluding)
			return false;
	}
	return true;
}

bool selection_accepts(struct selection *selection, const struct event *event,
		       int64_t start, int64_t end)
{
	const struct filter *filter = selection->filter;
	const struct choice *choice;

	selection->fault = NULL;
	if (!event->type)
		return false;
	choice = &selection->choices[event->type->index];
	if (!choice->is_wanted)
		return false;
	if (filter_has_window(filter) && !is_in_window(selection, start, end))
		return false;
	if (filter->has_min_duration && !is_long_enough(selection, event, start, end))
		return false;
	if (choice->thread && !probe_accepts(selection, &selection->threads,
					     choice->thread, event))
		return false;
	if (!passes_rules(selection, choice, event))
		return false;
	for (size_t i = 0; i < filter->conditions.count; i++) {
		if (!probe_accepts(selection, &selection->probes[i], choice->steps[i],
				   event))
			return false;
	}
	return true;
}
