#include "query/listener.h"

static bool has_same_filters(const struct plan_source *a, const struct plan_source *b)
{
	if (a->filter_count != b->filter_count)
		return false;
	for (size_t i = 0; i < a->filter_count; i++) {
		if (!str_is(a->filters[i].column->name, b->filters[i].column->name) ||
		    !str_is(a->filters[i].text, b->filters[i].text) ||
		    a->filters[i].is_negated != b->filters[i].is_negated)
			return false;
	}
	return true;
}

/* The first source that is like this one: the listener is called after it. */
static uint32_t original(const struct plan *plan, uint32_t source)
{
	for (uint32_t i = 0; i < source; i++) {
		if (str_is(plan->sources[i].type_name,
			   plan->sources[source].type_name) &&
		    has_same_filters(&plan->sources[i], &plan->sources[source]))
			return i;
	}
	return source;
}

/* Calls `visit` for each use of a column, in order, with the source of its listener. */
static void each_use(const struct plan *plan, const uint32_t *originals,
		     void (*visit)(struct plan_listener *of_source,
				   const struct plan_use *use, uint32_t source),
		     struct plan_listener *of_source)
{
	for (size_t i = 0; i < plan->column_count; i++) {
		const struct column *column = &plan->columns[i];

		for (size_t j = 0; j < column->input_count; j++) {
			struct plan_use use = { (uint32_t)i, column->inputs[j] };

			visit(of_source, &use, originals[use.input.source]);
		}
	}
}

static void count_use(struct plan_listener *of_source, const struct plan_use *use,
		      uint32_t source)
{
	(void)use;
	of_source[source].use_count++;
}

static void add_use(struct plan_listener *of_source, const struct plan_use *use,
		    uint32_t source)
{
	struct plan_listener *listener = &of_source[source];

	listener->uses[listener->use_count++] = *use;
}

static bool make_room(struct plan *plan, struct plan_listener *of_source)
{
	for (size_t i = 0; i < plan->source_count; i++) {
		of_source[i].source = (uint32_t)i;
		of_source[i].uses = arena_array(&plan->arena, of_source[i].use_count,
						sizeof(struct plan_use));
		of_source[i].use_count = 0;
		if (!of_source[i].uses)
			return false;
	}
	return true;
}

/* Those that have something to do, in the order in which columns first name them. */
static void put_in_order(struct plan *plan, struct plan_listener *listeners,
			 const struct plan_listener *of_source,
			 const uint32_t *originals, bool *is_taken)
{
	for (size_t i = 0; i < plan->column_count; i++) {
		const struct column *column = &plan->columns[i];

		for (size_t j = 0; j < column->input_count; j++) {
			uint32_t source = originals[column->inputs[j].source];

			if (!is_taken[source])
				listeners[plan->listener_count++] = of_source[source];
			is_taken[source] = true;
		}
	}
}

bool listeners_make(struct plan *plan)
{
	size_t count = plan->source_count;
	struct plan_listener *of_source =
		arena_array(&plan->arena, count, sizeof(*of_source));
	struct plan_listener *listeners =
		arena_array(&plan->arena, count, sizeof(*listeners));
	uint32_t *originals = arena_array(&plan->arena, count, sizeof(*originals));
	bool *is_taken = arena_array(&plan->arena, count, sizeof(*is_taken));

	if (!of_source || !listeners || !originals || !is_taken)
		return false;
	for (uint32_t i = 0; i < count; i++)
		originals[i] = original(plan, i);
	each_use(plan, originals, count_use, of_source);
	if (!make_room(plan, of_source))
		return false;
	each_use(plan, originals, add_use, of_source);
	put_in_order(plan, listeners, of_source, originals, is_taken);
	plan->listeners = listeners;
	return true;
}
