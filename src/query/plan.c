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

bool column_counts(const struct column *column)
{
	return column->aggregator == AGGREGATOR_COUNT ||
	       column->aggregator == AGGREGATOR_UNIQUE;
}

bool column_is_list(const struct column *column)
{
	return !column_counts(column) &&
	       (column->is_array || column->aggregator == AGGREGATOR_LIST ||
		column->aggregator == AGGREGATOR_SET);
}

bool column_is_share(const struct column *column)
{
	bool is_difference = column->aggregator == AGGREGATOR_DIFFERENCE;
	bool is_time = column->is_timestamp && !is_difference;
	bool is_span = column->is_timespan || (column->is_timestamp && is_difference);

	if (column_is_list(column) || is_time ||
	    (column->is_text && !column_counts(column)))
		return false;
	if (is_span)
		return column->is_share_of_run;
	return column->is_normalized && (column->is_integral || column->is_fractional);
}
