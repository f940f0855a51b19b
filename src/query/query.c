#include "query/query.h"

const struct aggregator_facts aggregator_facts[AGGREGATOR_COUNT_OF_KINDS] = {
	[AGGREGATOR_NONE] = { NULL, NULL, "", "" },
	[AGGREGATOR_AVERAGE] = { "AVG", "AVERAGE", "Avg. ", "", true },
	[AGGREGATOR_COUNT] = { "COUNT", "COUNT", "Count", "" },
	[AGGREGATOR_DIFFERENCE] = { "DIFF", "DIFFERENCE", "Difference ", "" },
	[AGGREGATOR_FIRST] = { "FIRST", "FIRST", "", "" },
	[AGGREGATOR_LAST] = { "LAST", "LAST", "", "" },
	[AGGREGATOR_LIST] = { "LIST", "LIST", "", "s" },
	[AGGREGATOR_SET] = { "SET", "SET", "", "s" },
	[AGGREGATOR_MAXIMUM] = { "MAX", "MAXIMUM", "Max. ", "" },
	[AGGREGATOR_MEDIAN] = { "MEDIAN", "MEDIAN", "Median ", "", true },
	[AGGREGATOR_MINIMUM] = { "MIN", "MINIMUM", "Min. ", "" },
	[AGGREGATOR_P90] = { "P90", "P90", "P90 ", "", true },
	[AGGREGATOR_P95] = { "P95", "P95", "P95 ", "", true },
	[AGGREGATOR_P99] = { "P99", "P99", "P99 ", "", true },
	[AGGREGATOR_P999] = { "P999", "P999", "P99.9 ", "", true },
	[AGGREGATOR_DEVIATION] = { "STDEV", "STANDARD_DEVIATION", "Std. Dev. ", "", true },
	[AGGREGATOR_SUM] = { "SUM", "SUM", "Total ", "" },
	[AGGREGATOR_UNIQUE] = { "UNIQUE", "UNIQUE", "Unique Count ", "" },
	[AGGREGATOR_LAST_BATCH] = { "LAST_BATCH", "LAST_BATCH", "", "" },
};
