#include <criterion/criterion.h>

#include "query/plan.h"

Test(plan, knows_columns_that_count)
{
	cr_expect(column_counts(&(const struct column){ .aggregator = AGGREGATOR_COUNT }));
	cr_expect(column_counts(&(const struct column){ .aggregator = AGGREGATOR_UNIQUE }));
	cr_expect_not(column_counts(&(const struct column){ .is_integral = true }));
	cr_expect_not(
		column_counts(&(const struct column){ .aggregator = AGGREGATOR_SUM }));
}

Test(plan, knows_columns_of_lists)
{
	static const struct {
		enum aggregator aggregator;
		bool is_array, is_list;
	} columns[] = {
		{ AGGREGATOR_NONE, false, false },  { AGGREGATOR_NONE, true, true },
		{ AGGREGATOR_LIST, false, true },   { AGGREGATOR_SET, false, true },
		{ AGGREGATOR_LIST, true, true },    { AGGREGATOR_LAST, true, true },
		{ AGGREGATOR_COUNT, true, false },  { AGGREGATOR_UNIQUE, true, false },
		{ AGGREGATOR_MAXIMUM, false, false },
	};

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		const struct column column = { .aggregator = columns[i].aggregator,
					       .is_array = columns[i].is_array };

		cr_expect_eq(column_is_list(&column), columns[i].is_list, "%zu", i);
	}
}

#define SHARE(...) column_is_share(&(const struct column){ __VA_ARGS__ })

/* FORMAT asks for a share; that of a text there is none. */
Test(plan, knows_columns_of_shares)
{
	cr_expect(SHARE(.is_normalized = true, .is_integral = true));
	cr_expect(SHARE(.is_normalized = true, .is_fractional = true));
	cr_expect_not(SHARE(.is_integral = true));
	cr_expect_not(SHARE(.is_normalized = true));
	cr_expect_not(SHARE(.is_normalized = true, .is_integral = true, .is_text = true));
	cr_expect(SHARE(.is_normalized = true, .is_integral = true, .is_text = true,
			.aggregator = AGGREGATOR_COUNT));
	cr_expect_not(SHARE(.is_normalized = true, .is_integral = true,
			    .aggregator = AGGREGATOR_LIST));
}

Test(plan, knows_timespans_that_are_shares_of_the_run)
{
	cr_expect(SHARE(.is_share_of_run = true, .is_integral = true,
			.is_timespan = true));
	cr_expect(SHARE(.is_share_of_run = true, .is_integral = true,
			.is_timestamp = true, .aggregator = AGGREGATOR_DIFFERENCE));
	cr_expect_not(SHARE(.is_share_of_run = true, .is_integral = true));
	cr_expect_not(SHARE(.is_share_of_run = true, .is_integral = true,
			    .is_timestamp = true));
	cr_expect_not(SHARE(.is_normalized = true, .is_integral = true,
			    .is_timespan = true));
}
