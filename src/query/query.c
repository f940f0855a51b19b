#include "query/query.h"

const struct aggregator_words aggregator_words[AGGREGATOR_COUNT_OF_KINDS] = {
	[AGGREGATOR_NONE] = { NULL, NULL, "", "" },
	[AGGREGATOR_AVERAGE] = { "AVG", "AVERAGE", "Avg. ", "" },
	[AGGREGATOR_COUNT] = { "COUNT", "COUNT", "Count", "" },
	[AGGREGATOR_DIFFERENCE] = { "DIFF", "DIFFERENCE", "Difference ", "" },
	[AGGREGATOR_FIRST] = { "FIRST", "FIRST", "", "" },
	[AGGREGATOR_LAST] = { "LAST", "LAST", "", "" },
	[AGGREGATOR_LIST] = { "LIST", "LIST", "", "s" },
	[AGGREGATOR_SET] = { "SET", "SET", "", "s" },
	[AGGREGATOR_MAXIMUM] = { "MAX", "MAXIMUM", "Max. ", "" },
	[AGGREGATOR_MEDIAN] = { "MEDIAN", "MEDIAN", "Median ", "" },
	[AGGREGATOR_MINIMUM] = { "MIN", "MINIMUM", "Min. ", "" },
	[AGGREGATOR_P90] = { "P90", "P90", "P90 ", "" },
	[AGGREGATOR_P95] = { "P95", "P95", "P95 ", "" },
	[AGGREGATOR_P99] = { "P99", "P99", "P99 ", "" },
	[AGGREGATOR_P999] = { "P999", "P999", "P99.9 ", "" },
	[AGGREGATOR_DEVIATION] = { "STDEV", "STANDARD_DEVIATION", "Std. Dev. ", "" },
	[AGGREGATOR_SUM] = { "SUM", "SUM", "Total ", "" },
	[AGGREGATOR_UNIQUE] = { "UNIQUE", "UNIQUE", "Unique Count ", "" },
	[AGGREGATOR_LAST_BATCH] = { "LAST_BATCH", "LAST_BATCH", "", "" },
};
