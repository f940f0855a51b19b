#include "query/parts.h"

/* Without ORDER BY and aggregators, rows are sorted by what they are grouped by. */
static bool sorts_by_groups(const struct plan *plan)
{
	for (size_t i = 0; i < plan->column_count; i++) {
		if (plan->columns[i].aggregator != AGGREGATOR_NONE)
			return false;
	}
	return plan->order_count == 0;
}

/* The first column that this one is linked with. */
static uint32_t root_of(uint32_t *links, uint32_t column)
{
	while (links[column] != column) {
		links[column] = links[links[column]];
		column = links[column];
	}
	return column;
}

static void join(uint32_t *links, uint32_t one, uint32_t other)
{
	one = root_of(links, one);
	other = root_of(links, other);
	if (one < other)
		links[other] = one;
	else
		links[one] = other;
}

/* What is only grouped by has no part: that is most of a query of all types. */
static void join_columns(const struct plan *plan, const struct plan_listener *listener,
			  uint32_t *links)
{
	uint32_t first = PLAN_NO_PART;

	for (size_t i = 0; i < listener->use_count; i++) {
		uint32_t column = listener->uses[i].column;

		if (plan->columns[column].part == PLAN_NO_PART)
			continue;
		if (first == PLAN_NO_PART)
			first = column;
		join(links, first, column);
	}
}

/* Columns are numbered in their order, within parts that are so, too. */
static void number(struct plan *plan, struct column *columns, uint32_t *links,
		   struct plan_part *parts)
{
	for (uint32_t i = 0; i < plan->column_count; i++) {
		uint32_t root = root_of(links, i);
		struct column *column = &columns[i];

		if (column->part == PLAN_NO_PART)
			continue;
		column->part = root == i ? (uint32_t)plan->part_count++
					 : columns[root].part;
		column->cell = parts[column->part].column_count++;
	}
}

static bool fill(struct plan *plan, struct plan_part *parts)
{
	uint32_t *all = arena_array(&plan->arena, plan->column_count, sizeof(*all));
	uint32_t at = 0;

	if (!all)
		return false;
	for (size_t i = 0; i < plan->part_count; i++) {
		parts[i].columns = all + at;
		at += parts[i].column_count;
	}
	for (uint32_t i = 0; i < plan->column_count; i++) {
		const struct column *column = &plan->columns[i];

		if (column->part != PLAN_NO_PART)
			parts[column->part].columns[column->cell] = i;
	}
	plan->parts = parts;
	return true;
}

bool parts_make(struct plan *plan, struct column *columns)
{
	size_t count = plan->column_count;
	uint32_t *links = arena_array(&plan->arena, count, sizeof(*links));
	struct plan_part *parts = arena_array(&plan->arena, count, sizeof(*parts));
	bool by_groups = sorts_by_groups(plan);

	if (!links || !parts)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		bool is_seen = columns[i].is_visible || columns[i].order >= 0 ||
			       by_groups;

		columns[i].part = is_seen ? 0 : PLAN_NO_PART;
		links[i] = i;
	}
	for (size_t i = 0; i < plan->listener_count; i++)
		join_columns(plan, &plan->listeners[i], links);
	number(plan, columns, links, parts);
	return fill(plan, parts);
}
