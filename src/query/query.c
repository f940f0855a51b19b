#include "query/query.h"

const struct aggregator_facts aggregator_facts[AGGREGATOR_COUNT_OF_KINDS] = {
	[AGGREGATOR_NONE] = { NULL, NULL, "", "", false },
	[AGGREGATOR_AVERAGE] = { "AVG", "AVERAGE", "Avg. ", "", true },
	[AGGREGATOR_COUNT] = { "COUNT", "COUNT", "Count", "", false },
	[AGGREGATOR_DIFFERENCE] = { "DIFF", "DIFFERENCE", "Difference ", "", false },
	[AGGREGATOR_FIRST] = { "FIRST", "FIRST", "", "", false },
	[AGGREGATOR_LAST] = { "LAST", "LAST", "", "", false },
	[AGGREGATOR_LIST] = { "LIST", "LIST", "", "s", false },
	[AGGREGATOR_SET] = { "SET", "SET", "", "s", false },
	[AGGREGATOR_MAXIMUM] = { "MAX", "MAXIMUM", "Max. ", "", false },
	[AGGREGATOR_MEDIAN] = { "MEDIAN", "MEDIAN", "Median ", "", true },
	[AGGREGATOR_MINIMUM] = { "MIN", "MINIMUM", "Min. ", "", false },
	[AGGREGATOR_P90] = { "P90", "P90", "P90 ", "", true },
	[AGGREGATOR_P95] = { "P95", "P95", "P95 ", "", true },
	[AGGREGATOR_P99] = { "P99", "P99", "P99 ", "", true },
	[AGGREGATOR_P999] = { "P999", "P999", "P99.9 ", "", true },
	[AGGREGATOR_DEVIATION] = { "STDEV", "STANDARD_DEVIATION", "Std. Dev. ", "", true },
	[AGGREGATOR_SUM] = { "SUM", "SUM", "Total ", "", false },
	[AGGREGATOR_UNIQUE] = { "UNIQUE", "UNIQUE", "Unique Count ", "", false },
	[AGGREGATOR_LAST_BATCH] = { "LAST_BATCH", "LAST_BATCH", "", "", false },
};
