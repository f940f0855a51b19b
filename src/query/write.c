#include "query/query.h"

/* A comma in front of all but the first. */
static void add_comma(struct buf *to, size_t index)
{
	buf_text(to, index ? ", " : "");
}

static void add_alias(struct buf *to, struct str alias)
{
	if (!alias.bytes)
		return;
	buf_text(to, " AS ");
	buf_str(to, alias);
}

static void add_column_and_format(struct buf *to, const struct query *query)
{
	for (size_t i = 0; i < query->column_count; i++) {
		buf_text(to, i ? ", '" : "COLUMN '");
		buf_str(to, query->columns[i]);
		buf_byte(to, '\'');
	}
	buf_text(to, query->column_count ? " " : "");
	for (size_t i = 0; i < query->format_count; i++) {
		buf_text(to, i ? ", " : "FORMAT ");
		buf_str(to, query->formats[i].text);
	}
	buf_text(to, query->format_count ? " " : "");
}

/* True if any expression has an aggregator. */
static bool add_select(struct buf *to, const struct query *query)
{
	bool is_aggregated = false;

	buf_text(to, query->select_count ? "SELECT " : "SELECT *");
	for (size_t i = 0; i < query->select_count; i++) {
		const struct query_expression *expression = &query->select[i];

		add_comma(to, i);
		if (expression->aggregator) {
			is_aggregated = true;
			buf_text(to,
				 aggregator_facts[expression->aggregator].long_name);
			buf_byte(to, '(');
		}
		buf_str(to, expression->field);
		buf_text(to, expression->aggregator ? ")" : "");
		add_alias(to, expression->alias);
	}
	return is_aggregated;
}

static void add_from(struct buf *to, const struct query *query)
{
	buf_text(to, " FROM ");
	for (size_t i = 0; i < query->from_count; i++) {
		add_comma(to, i);
		buf_str(to, query->from[i].name);
		buf_text(to, query->from[i].is_optional ? "?" : "");
		add_alias(to, query->from[i].alias);
	}
}

static void add_where(struct buf *to, const struct query *query)
{
	for (size_t i = 0; i < query->where_count; i++) {
		buf_text(to, i ? " AND " : " WHERE ");
		buf_str(to, query->where[i].field);
		buf_text(to, query->where[i].is_negated ? " != '" : " = '");
		buf_str(to, query->where[i].value);
		buf_byte(to, '\'');
	}
}

static void add_group_by(struct buf *to, const struct query *query)
{
	for (size_t i = 0; i < query->group_count; i++) {
		buf_text(to, i ? ", " : " GROUP BY ");
		buf_str(to, query->group_by[i].field);
	}
}

static void add_order_by(struct buf *to, const struct query *query)
{
	static const char *const directions[] = {
		[ORDER_DEFAULT] = "",
		[ORDER_ASCENDING] = " ASC",
		[ORDER_DESCENDING] = " DESC",
	};

	for (size_t i = 0; i < query->order_count; i++) {
		buf_text(to, i ? ", " : " ORDER BY ");
		buf_str(to, query->order_by[i].field);
		buf_text(to, directions[query->order_by[i].direction]);
	}
}

void query_write(const struct query *query, struct buf *to)
{
	bool is_aggregated;

	add_column_and_format(to, query);
	is_aggregated = add_select(to, query);
	add_from(to, query);
	add_where(to, query);
	add_group_by(to, query);
	/* An aggregator without GROUP BY makes one group, which the JDK writes so. */
	if (is_aggregated && query->group_count == 0)
		buf_text(to, " GROUP BY startTime");
	add_order_by(to, query);
	if (query->limit != QUERY_NO_LIMIT)
		buf_printf(to, " LIMIT %zu", query->limit);
}
