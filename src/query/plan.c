#include "query/plan.h"

void plan_clear(struct plan *plan)
{
	arena_clear(&plan->arena);
	*plan = (struct plan){ 0 };
}

bool plan_is_experimental(const struct plan *plan)
{
	for (size_t i = 0; i < plan->visible_count; i++) {
		const struct column *column = &plan->columns[i];

		for (size_t j = 0; j < column->input_count; j++) {
			if (plan->sources[column->inputs[j].source].is_experimental)
				return true;
		}
	}
	return false;
}

bool column_is_list(const struct column *column)
{
	enum aggregator aggregator = column->aggregator;

	if (aggregator == AGGREGATOR_COUNT || aggregator == AGGREGATOR_UNIQUE)
		return false;
	return column->is_array || aggregator == AGGREGATOR_LIST ||
	       aggregator == AGGREGATOR_SET;
}
