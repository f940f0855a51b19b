#include "query/planner.h"

#include <stdlib.h>

#include "base/vec.h"
#include "query/hit.h"
#include "query/lack.h"
#include "query/listener.h"
#include "query/parts.h"
#include "query/views.h"

/* A source may need one that is not shown, and recordings have thousands of types. */
#define COLUMNS_MAX 65536

struct planner {
	struct plan *plan;
	const struct query *query;
	const struct metadata *metadata;
	struct hits hits;			/* what was found last */
	VEC(struct origin) origins;
	VEC(struct plan_source) sources;
	VEC(struct column) columns;
	VEC(struct plan_filter) filters;	/* of all sources */
	bool lacks_optional;			/* a type that need not be there is not */
	size_t *at;
	struct err *err;
};

static bool fail(struct planner *planner, size_t at, enum err_kind kind,
		 const char *text)
{
	*planner->at = at;
	return err_set(planner->err, kind, "%s", text);
}

static struct str keep(struct planner *planner, struct str text)
{
	const char *bytes = arena_copy(&planner->plan->arena, text.bytes, text.size);

	return bytes && text.bytes ? (struct str){ bytes, text.size }
				   : (struct str){ NULL, 0 };
}

/* --- FROM -------------------------------------------------------------------------- */

static bool add_source(struct planner *planner, const struct query_source *source,
		       const struct type *type)
{
	struct origin origin = { type, source->alias };
	struct plan_source made = {
		.type_name = keep(planner, type->name),
		.label = keep(planner, hit_type_label(type)),
		/* What may be missing does not make the view an experiment. */
		.is_experimental = !source->is_optional &&
				   type_annotation(type, "jdk.jfr.Experimental"),
	};

	return (!planner->plan->arena.failed && vec_push(&planner->origins, origin) &&
		vec_push(&planner->sources, made)) ||
	       err_memory(planner->err);
}

static bool ends_with_name(const struct type *type, struct str name)
{
	struct str full = type->name;

	return full.size > name.size && str_ends(full, name) &&
	       full.bytes[full.size - name.size - 1] == '.';
}

static bool lack_source(struct planner *planner, const struct query_source *source)
{
	*planner->at = source->at;
	return lack_type(planner->plan, planner->metadata, source->name, planner->err);
}

/* The type whose name is the same but for case and dashes, if there is one. */
static bool plan_similar(struct planner *planner, const struct query_source *source)
{
	const struct metadata *metadata = planner->metadata;

	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];

		if (type->is_event &&
		    (views_is_same_name(type->name, source->name) ||
		     views_is_same_name(type_simple_name(type), source->name)))
			return add_source(planner, source, type);
	}
	return true;
}

/* The JDK knows no optional types: to it a `?` stands for any letter. */
static bool plan_pattern(struct planner *planner, const struct query_source *source)
{
	const struct metadata *metadata = planner->metadata;

	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];
		struct str front = type->name;

		front.size -= front.size > 0;
		if (type->is_event && str_glob(source->name, front) &&
		    !add_source(planner, source, type))
			return false;
	}
	return true;
}

/* All types with a name like that, and the first whose name ends with it. */
static bool plan_from(struct planner *planner, const struct query_source *source)
{
	const struct metadata *metadata = planner->metadata;
	size_t before = planner->origins.count;
	const struct type *ending = NULL;

	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];

		if (!type->is_event)
			continue;
		if (str_glob(source->name, type->name) &&
		    !add_source(planner, source, type))
			return false;
		if (!ending && ends_with_name(type, source->name))
			ending = type;
	}
	if (ending && !add_source(planner, source, ending))
		return false;
	if (planner->origins.count == before && source->is_optional &&
	    !plan_pattern(planner, source))
		return false;
	if (planner->origins.count == before && planner->query->is_lenient &&
	    !plan_similar(planner, source))
		return false;
	if (planner->origins.count == before) {
		planner->lacks_optional |= source->is_optional;
		return source->is_optional || lack_source(planner, source);
	}
	if (source->alias.bytes && planner->origins.count - before > 1)
		return fail(planner, source->at, ERR_USAGE,
			    "an alias can only stand for a single event type");
	return true;
}

static bool plan_sources(struct planner *planner)
{
	const struct query *query = planner->query;

	for (size_t i = 0; i < query->from_count; i++) {
		if (!plan_from(planner, &query->from[i]))
			return false;
	}
	if (planner->origins.count == 0)
		return lack_source(planner, &query->from[0]);
	planner->hits.origins = planner->origins.items;
	planner->hits.origin_count = planner->origins.count;
	return true;
}

/* --- columns ------------------------------------------------------------------------ */

static bool find(struct planner *planner, struct str name, size_t first, size_t end)
{
	planner->hits.items.count = 0;
	hits_find(&planner->hits, name, first, end);
	return !planner->hits.failed || err_memory(planner->err);
}

/* One column for all that was found; of different kinds, as text. */
static struct column *join_hits(struct planner *planner, const struct hit *hits,
				size_t count)
{
	struct plan_input *inputs =
		arena_array(&planner->plan->arena, count, sizeof(*inputs));
	struct column column = hits[0].kind;

	for (size_t i = 0; inputs && i < count; i++) {
		inputs[i] = hits[i].input;
		column.is_text |= !str_is(hits[i].data_type, hits[0].data_type);
	}
	if (column.is_text)
		column.is_left = column.is_lexical = true;
	column.inputs = inputs;
	column.input_count = count;
	if (planner->columns.count == COLUMNS_MAX) {
		fail(planner, 0, ERR_USAGE, "the query has too many columns");
		return NULL;
	}
	if (!inputs || !vec_push(&planner->columns, column)) {
		err_memory(planner->err);
		return NULL;
	}
	return &planner->columns.items[planner->columns.count - 1];
}

static struct column *add_column(struct planner *planner, struct str name, size_t at,
				 size_t first, size_t end)
{
	if (!find(planner, name, first, end))
		return NULL;
	if (planner->hits.items.count > 0)
		return join_hits(planner, planner->hits.items.items,
				 planner->hits.items.count);
	*planner->at = at;
	lack_field(planner->plan, planner->origins.items + first, end - first, name,
		   planner->err);
	return NULL;
}

static bool set_aggregator(struct planner *planner, struct column *column,
			   enum aggregator aggregator)
{
	const struct aggregator_facts *words = &aggregator_facts[aggregator];
	struct buf title = { 0 };
	bool is_good;

	column->aggregator = aggregator;
	if (aggregator == AGGREGATOR_NONE)
		return true;
	if (aggregator == AGGREGATOR_COUNT || aggregator == AGGREGATOR_UNIQUE) {
		column->is_integral = true;
		column->is_fractional = column->is_timestamp = column->is_timespan = false;
		column->is_bytes = column->is_bits = column->is_frequency = false;
		column->is_address = column->is_percentage = false;
		column->is_boolean = false;
		column->role = TYPE_PLAIN;
		column->is_left = column->is_lexical = false;
	}
	if (aggregator == AGGREGATOR_LIST || aggregator == AGGREGATOR_SET)
		column->is_left = column->is_lexical = true;
	buf_text(&title, words->before);
	if (aggregator != AGGREGATOR_COUNT)
		buf_str(&title, column->title);
	buf_text(&title, words->after);
	column->title = keep(planner, (struct str){ title.bytes ? title.bytes : "",
						    title.size });
	is_good = !title.failed && column->title.bytes;
	buf_clear(&title);
	return is_good || err_memory(planner->err);
}

static bool plan_everything(struct planner *planner)
{
	for (size_t i = 0; i < planner->origins.count; i++) {
		planner->hits.items.count = 0;
		hits_add_all(&planner->hits, i);
		if (planner->hits.failed)
			return err_memory(planner->err);
		for (size_t j = 0; j < planner->hits.items.count; j++) {
			struct column *column =
				join_hits(planner, &planner->hits.items.items[j], 1);

			if (!column)
				return false;
			column->is_visible = true;
		}
	}
	return true;
}

static bool plan_select(struct planner *planner)
{
	const struct query *query = planner->query;

	if (query->select_count == 0)
		return plan_everything(planner);
	for (size_t i = 0; i < query->select_count; i++) {
		const struct query_expression *expression = &query->select[i];
		struct column *column =
			add_column(planner, expression->field, expression->at, 0,
				   planner->origins.count);

		if (!column || !set_aggregator(planner, column, expression->aggregator))
			return false;
		column->is_visible = true;
		if (str_is(expression->field, STR("*")) &&
		    expression->aggregator != AGGREGATOR_COUNT)
			return fail(planner, expression->at, ERR_USAGE,
				    "'*' can only be used with COUNT");
	}
	return true;
}

/* The expression of SELECT with that alias; of several, the last. */
static struct column *aliased(struct planner *planner, struct str alias)
{
	const struct query *query = planner->query;

	for (size_t i = query->select_count; i-- > 0;) {
		if (query->select[i].alias.bytes && str_is(query->select[i].alias, alias))
			return &planner->columns.items[i];
	}
	return NULL;
}

/* --- GROUP BY and ORDER BY ------------------------------------------------------------ */

/* All events of all sources are one group. */
static bool plan_single_group(struct planner *planner)
{
	for (size_t i = 0; i < planner->origins.count; i++) {
		struct column *column =
			add_column(planner, STR("startTime"), 0, i, i + 1);
		struct plan_input *one = arena_alloc(&planner->plan->arena, sizeof(*one));

		if (!column)
			return false;
		if (!one)
			return err_memory(planner->err);
		*one = column->inputs[0];
		one->reach = REACH_ONE;
		column->inputs = one;
		column->input_count = 1;
		column->group = 0;
	}
	planner->plan->group_count = 1;
	return true;
}

/*
 * What a column of SELECT has of this source, in a column of its own; or, if it has
 * nothing, what is called so there.
 */
static struct column *add_part(struct planner *planner, const struct column *column,
			       size_t at, size_t source)
{
	size_t index = (size_t)(column - planner->columns.items);
	struct str name = column->name;

	if (!find(planner, planner->query->select[index].field, 0,
		  planner->origins.count))
		return NULL;
	for (size_t i = 0; i < planner->hits.items.count; i++) {
		const struct hit *hit = &planner->hits.items.items[i];

		if (hit->input.source == source)
			return join_hits(planner, hit, 1);
	}
	return add_column(planner, name, at, source, source + 1);
}

/* For each source a column of its own; an alias stands for what it has of the source. */
static bool plan_group(struct planner *planner, const struct query_grouping *grouping,
		       int group)
{
	for (size_t i = 0; i < planner->origins.count; i++) {
		struct column *alias = aliased(planner, grouping->field);
		struct column *column;

		if (alias && alias->aggregator != AGGREGATOR_NONE)
			return fail(planner, grouping->at, ERR_USAGE,
				    "GROUP BY cannot use the alias of an aggregator");
		column = alias ? add_part(planner, alias, grouping->at, i)
			       : add_column(planner, grouping->field, grouping->at, i,
					    i + 1);
		if (!column)
			return false;
		column->group = group;
	}
	return true;
}

static bool has_aggregator(const struct query *query)
{
	for (size_t i = 0; i < query->select_count; i++) {
		if (query->select[i].aggregator != AGGREGATOR_NONE)
			return true;
	}
	return false;
}

static bool plan_groups(struct planner *planner)
{
	const struct query *query = planner->query;

	planner->plan->is_grouped = query->group_count > 0 || has_aggregator(query);
	planner->plan->group_count = query->group_count;
	if (query->group_count == 0)
		return !planner->plan->is_grouped || plan_single_group(planner);
	for (size_t i = 0; i < query->group_count; i++) {
		if (!plan_group(planner, &query->group_by[i], (int)i))
			return false;
	}
	return true;
}

static bool plan_order(struct planner *planner)
{
	const struct query *query = planner->query;

	planner->plan->order_count = query->order_count;
	for (size_t i = 0; i < query->order_count; i++) {
		const struct query_order *order = &query->order_by[i];
		struct column *column = aliased(planner, order->field);

		if (!column)
			column = add_column(planner, order->field, order->at, 0,
					    planner->origins.count);
		if (!column)
			return false;
		column->order = (int)i;
		column->direction = order->direction;
	}
	return true;
}

/* --- WHERE ------------------------------------------------------------------------- */

static bool add_condition(struct planner *planner, struct plan_input input,
			  const struct column *kind,
			  const struct query_condition *where)
{
	struct column *column = arena_alloc(&planner->plan->arena, sizeof(*column));
	struct plan_filter filter = { input, column, keep(planner, where->value),
				      where->is_negated };

	if (!column || !filter.text.bytes || !vec_push(&planner->filters, filter))
		return err_memory(planner->err);
	*column = *kind;
	return true;
}

/* A field that is not there is no condition, as for the JDK. */
static bool plan_condition(struct planner *planner, const struct query_condition *where)
{
	struct column *alias = aliased(planner, where->field);

	if (alias)
		return add_condition(planner, alias->inputs[0], alias, where);
	if (!find(planner, where->field, 0, planner->origins.count))
		return false;
	if (planner->hits.items.count == 0 && !planner->lacks_optional)
		planner->plan->ignored = keep(planner, where->field);
	for (size_t i = 0; i < planner->hits.items.count; i++) {
		const struct hit *hit = &planner->hits.items.items[i];

		if (!add_condition(planner, hit->input, &hit->kind, where))
			return false;
	}
	return true;
}

/* The filters, each with its source. */
static bool deal_filters(struct planner *planner, size_t source)
{
	struct plan_source *to = &planner->sources.items[source];
	struct plan_filter *filters =
		arena_array(&planner->plan->arena, planner->filters.count,
			    sizeof(*filters));

	to->filters = filters;
	for (size_t i = 0; filters && i < planner->filters.count; i++) {
		if (planner->filters.items[i].input.source == source)
			filters[to->filter_count++] = planner->filters.items[i];
	}
	return filters || err_memory(planner->err);
}

static bool plan_where(struct planner *planner)
{
	const struct query *query = planner->query;

	for (size_t i = 0; i < query->where_count; i++) {
		if (!plan_condition(planner, &query->where[i]))
			return false;
	}
	for (size_t i = 0; i < planner->origins.count; i++) {
		if (!deal_filters(planner, i))
			return false;
	}
	return true;
}

/* --- COLUMN and FORMAT ---------------------------------------------------------------- */

static bool plan_titles(struct planner *planner)
{
	const struct query *query = planner->query;

	if (query->column_count == 0)
		return true;
	if (query->column_count != query->select_count)
		return fail(planner, query->columns_at, ERR_USAGE,
			    "COLUMN must have as many titles as SELECT has fields");
	for (size_t i = 0; i < query->column_count; i++) {
		planner->columns.items[i].title = keep(planner, query->columns[i]);
		if (!planner->columns.items[i].title.bytes)
			return err_memory(planner->err);
	}
	return true;
}

static bool set_format(struct planner *planner, struct column *column,
		       const struct query_format *format)
{
	column->is_normalized |= format->is_normalized;
	column->is_share_of_run |= format->is_share_of_run;
	column->is_in_order |= format->is_in_order;
	column->is_percentage |= format->is_normalized || format->is_share_of_run;
	if (format->truncation != TRUNCATE_DEFAULT)
		column->truncation = format->truncation;
	if (format->cell_height)
		column->cell_height = format->cell_height;
	if (format->precision >= 0)
		column->precision = format->precision;
	if (format->missing.bytes)
		column->missing = keep(planner, format->missing);
	return column->missing.bytes || err_memory(planner->err);
}

static bool plan_formats(struct planner *planner)
{
	const struct query *query = planner->query;

	if (query->format_count == 0)
		return true;
	if (query->format_count != query->select_count)
		return fail(planner, query->formats_at, ERR_USAGE,
			    "FORMAT must have as many entries as SELECT has fields");
	for (size_t i = 0; i < query->format_count; i++) {
		if (!set_format(planner, &planner->columns.items[i], &query->formats[i]))
			return false;
	}
	return true;
}

/* --- all of it ------------------------------------------------------------------------ */

static int compare_settings(const void *a, const void *b)
{
	const struct plan_setting *one = a, *other = b;

	return one->id < other->id ? -1 : one->id > other->id;
}

static bool plan_settings(struct planner *planner)
{
	const struct metadata *metadata = planner->metadata;
	struct plan *plan = planner->plan;
	struct plan_setting *settings =
		arena_array(&plan->arena, metadata->type_count, sizeof(*settings));

	for (size_t i = 0; settings && i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];
		struct str label = hit_type_label(type);
		struct plan_setting setting = {
			type->id, keep(planner, label.bytes ? label : type->name)
		};

		if (type->is_event)
			settings[plan->setting_count++] = setting;
	}
	if (!settings || plan->arena.failed)
		return err_memory(planner->err);
	qsort(settings, plan->setting_count, sizeof(*settings), compare_settings);
	plan->settings = settings;
	return true;
}

static bool uses_settings(const struct planner *planner)
{
	for (size_t i = 0; i < planner->columns.count; i++) {
		const struct column *column = &planner->columns.items[i];

		for (size_t j = 0; j < column->input_count; j++) {
			if (column->inputs[j].reach == REACH_SETTING_TYPE)
				return true;
		}
	}
	for (size_t i = 0; i < planner->filters.count; i++) {
		if (planner->filters.items[i].input.reach == REACH_SETTING_TYPE)
			return true;
	}
	return false;
}

static bool seal(struct planner *planner)
{
	struct plan *plan = planner->plan;
	struct column *columns =
		arena_array(&plan->arena, planner->columns.count, sizeof(*columns));
	struct plan_source *sources =
		arena_array(&plan->arena, planner->sources.count, sizeof(*sources));

	if (!columns || !sources)
		return err_memory(planner->err);
	for (size_t i = 0; i < planner->columns.count; i++) {
		columns[i] = planner->columns.items[i];
		plan->visible_count += columns[i].is_visible;
	}
	memcpy(sources, planner->sources.items,
	       planner->sources.count * sizeof(*sources));
	plan->columns = columns;
	plan->column_count = planner->columns.count;
	plan->sources = sources;
	plan->source_count = planner->sources.count;
	if (!listeners_make(plan) || !parts_make(plan, columns))
		return err_memory(planner->err);
	return !uses_settings(planner) || plan_settings(planner);
}

bool plan_make(struct plan *plan, const struct query *query, const struct metadata *metadata,
	       size_t *at, struct err *err)
{
	struct err own = { .kind = ERR_NONE };
	struct planner planner = {
		.plan = plan, .query = query, .metadata = metadata,
		.hits = { .arena = &plan->arena }, .at = at, .err = &own,
	};
	bool is_good;

	*plan = (struct plan){ 0 };
	is_good = plan_sources(&planner) && plan_select(&planner) &&
		  plan_groups(&planner) && plan_order(&planner) &&
		  plan_titles(&planner) && plan_formats(&planner) &&
		  plan_where(&planner) && seal(&planner);
	vec_clear(&planner.hits.items);
	vec_clear(&planner.origins);
	vec_clear(&planner.sources);
	vec_clear(&planner.columns);
	vec_clear(&planner.filters);
	if (is_good && plan->arena.failed)
		is_good = err_memory(&own);
	if (!is_good && err)
		*err = own;
	return is_good;
}
