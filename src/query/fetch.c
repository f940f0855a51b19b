#include "query/fetch.h"

#include <stdlib.h>

#include "query/hit.h"
#include "query/words.h"

static struct getter fixed(struct datum datum)
{
	return (struct getter){ .kind = GETTER_FIXED, .fixed = datum };
}

/* How many values of the event the getter looks at, from the first on. */
static uint32_t needs_of(const struct getter *getter)
{
	if (getter->kind == GETTER_FIXED)
		return 0;
	if (getter->field && getter->field->shown && !getter->field->pooled &&
	    !getter->field->array && getter->field->shown->primitive == OP_NONE)
		return getter->slot + getter->field->shown->program.count;
	return getter->slot + 1;
}

/* Through the structs that lie in the event itself, and on from where they end. */
static struct getter getter_of_path(struct depict *depict, const struct type *type,
				    struct str path)
{
	struct getter getter = fixed(DATUM_NONE);

	while (path.size) {
		const struct field *field = type_path_field(type, &path);

		if (!field || !field->shown || !field->type)
			return fixed(DATUM_NONE);
		getter.slot += field->slot;
		getter.field = field;
		if (path.size == 0) {
			getter.kind = GETTER_VALUE;
			return getter;
		}
		if (field->array)
			return fixed(DATUM_NONE);
		if (field->pooled) {
			getter.kind = GETTER_CONSTANT;
			getter.recall = depict_recall(depict, field->type, REACH_FIELD,
						      path);
			return getter;
		}
		type = field->shown;
	}
	return fixed(DATUM_NONE);
}

static struct getter getter_of_frame(struct depict *depict, const struct type *type,
				     const struct plan_input *input)
{
	const struct field *field = type_field(type, "stackTrace");
	struct getter getter = { .kind = GETTER_OBJECT, .field = field,
				 .reach = input->reach, .path = input->path };

	if (!field || !field->shown || !field->type || field->array)
		return fixed(DATUM_NONE);
	getter.slot = field->slot;
	if (field->pooled) {
		getter.kind = GETTER_CONSTANT;
		getter.recall =
			depict_recall(depict, field->type, input->reach, input->path);
	}
	return getter;
}

static struct getter getter_of_setting(const struct type *type)
{
	const struct field *field = type_field(type, "id");

	if (!field || field->pooled || field->array || !field->shown ||
	    field->shown->primitive == OP_NONE || field->shown->primitive > OP_LONG)
		return fixed(DATUM_NONE);
	return (struct getter){ .kind = GETTER_SETTING, .slot = field->slot,
				.field = field };
}

static struct getter getter_of(struct depict *depict, const struct type *type,
			       const struct plan_input *input)
{
	switch (input->reach) {
	case REACH_FIELD:
		return getter_of_path(depict, type, input->path);
	case REACH_TYPE_LABEL:
		return fixed(lexicon_text(depict->lexicon, hit_type_label(type)));
	case REACH_TYPE_NAME:
		return fixed(lexicon_text(depict->lexicon, type->name));
	case REACH_SETTING_TYPE:
		return getter_of_setting(type);
	case REACH_ONE:
		return fixed(datum_of_integer(DATUM_INT, 1));
	default:
		return getter_of_frame(depict, type, input);
	}
}

static void need(struct fetch *fetch, const struct getter *getter)
{
	if (needs_of(getter) > fetch->needs)
		fetch->needs = needs_of(getter);
}

/* Values of different types are, and arrays that are to be in a list. */
static bool is_made_text(const struct column *column, bool is_list)
{
	return column->is_text ||
	       (is_list && (column->aggregator == AGGREGATOR_LIST ||
			    column->aggregator == AGGREGATOR_SET));
}

/* What two columns want of an event is looked up once. */
static struct getter share(const struct fetch *fetch, const struct getter *own)
{
	for (size_t i = 0; i < fetch->step_count; i++) {
		const struct getter *other = &fetch->steps[i].getter;

		if (own->kind <= GETTER_CONSTANT && own->kind == other->kind &&
		    own->slot == other->slot && own->field == other->field &&
		    own->recall == other->recall && own->reach == other->reach &&
		    !fetch->steps[i].text)
			return (struct getter){ .kind = GETTER_SAME,
						.slot = fetch->steps[i].use };
	}
	return *own;
}

static void add_use(struct fetch *fetch, struct depict *depict, const struct type *type,
		    uint32_t use)
{
	const struct plan_use *of = &fetch->listener->uses[use];
	const struct column *column = &fetch->plan->columns[of->column];
	struct getter getter = fixed(DATUM_NONE);

	if (column->aggregator != AGGREGATOR_COUNT)	/* it does not look at values */
		getter = getter_of(depict, type, &of->input);
	if (getter.kind == GETTER_FIXED && !column->is_text) {
		fetch->data[use] = getter.fixed;
		return;
	}
	if (column->group >= 0)
		fetch->has_fixed_key = false;
	need(fetch, &getter);
	fetch->steps[fetch->step_count] = (struct fetch_step){
		use, share(fetch, &getter), is_made_text(column, true) ? column : NULL
	};
	fetch->step_count++;
}

struct fetch *fetch_new(struct depict *depict, const struct plan *plan,
			const struct plan_listener *listener, const struct type *type,
			struct arena *arena)
{
	const struct plan_source *source = &plan->sources[listener->source];
	struct fetch *fetch = arena_alloc(arena, sizeof(*fetch));
	size_t count = listener->use_count;
	struct fetch made = {
		.plan = plan, .listener = listener, .has_fixed_key = true,
		.steps = arena_array(arena, count, sizeof(*made.steps)),
		.data = arena_array(arena, count, sizeof(*made.data)),
		.filters = arena_array(arena, source->filter_count,
				       sizeof(*made.filters)),
		.filter_count = source->filter_count,
	};

	if (!fetch || !made.steps || !made.data || !made.filters)
		return NULL;
	*fetch = made;
	for (uint32_t i = 0; i < count; i++)
		add_use(fetch, depict, type, i);
	for (size_t i = 0; i < source->filter_count; i++) {
		struct fetch_filter *filter = &fetch->filters[i];

		filter->filter = &source->filters[i];
		filter->getter = getter_of(depict, type, &source->filters[i].input);
		need(fetch, &filter->getter);
	}
	return fetch;
}

static bool mark(const struct getter *getter, bool *marks)
{
	const struct type *type = getter->field ? getter->field->type : NULL;

	if (getter->recall)
		type = getter->recall->type;
	return !type || type_mark(type, marks);
}

bool fetch_mark(const struct fetch *fetch, bool *marks)
{
	bool is_good = true;

	for (size_t i = 0; is_good && i < fetch->step_count; i++)
		is_good = mark(&fetch->steps[i].getter, marks);
	for (size_t i = 0; is_good && i < fetch->filter_count; i++)
		is_good = mark(&fetch->filters[i].getter, marks);
	return is_good;
}

static int compare_setting(const void *key, const void *item)
{
	int64_t id = *(const int64_t *)key;
	const struct plan_setting *setting = item;

	return id < setting->id ? -1 : id > setting->id;
}

static struct datum get_setting(const struct plan *plan, struct depict *depict,
				int64_t id)
{
	const struct plan_setting *setting =
		plan->setting_count ? bsearch(&id, plan->settings, plan->setting_count,
					      sizeof(*setting), compare_setting)
				    : NULL;

	return setting ? lexicon_text(depict->lexicon, setting->label) : DATUM_NONE;
}

static struct datum get_object(struct depict *depict, const struct getter *getter,
			       const struct value *values)
{
	struct object object;

	if (!object_of_field(depict->chunk, getter->field, values, &object,
			     &depict->scratch))
		return DATUM_NONE;
	return depict_object(depict, &object, getter->reach, getter->path);
}

static struct datum get(const struct fetch *fetch, struct depict *depict,
			const struct getter *getter, const struct value *values)
{
	values += getter->slot;
	switch (getter->kind) {
	case GETTER_VALUE:
		return depict_value(depict, getter->field, values);
	case GETTER_CONSTANT:
		return depict_constant(depict, getter->recall,
				       (uint64_t)values->number);
	case GETTER_OBJECT:
		return get_object(depict, getter, values);
	case GETTER_SETTING:
		return get_setting(fetch->plan, depict, values->number);
	default:
		return getter->fixed;
	}
}

static struct str text_of(struct depict *depict, const struct column *column,
			  const struct datum *datum, int zone)
{
	buf_reset(&depict->text);
	words_add(&depict->text, column, datum, WORDS_FULL, zone);
	depict->failed |= depict->text.failed;
	return (struct str){ depict->text.bytes ? depict->text.bytes : "",
			     depict->text.size };
}

bool fetch_accepts(const struct fetch *fetch, struct depict *depict,
		   const struct value *values, int zone)
{
	for (size_t i = 0; i < fetch->filter_count; i++) {
		const struct plan_filter *filter = fetch->filters[i].filter;
		struct datum datum =
			get(fetch, depict, &fetch->filters[i].getter, values);

		if (str_is(text_of(depict, filter->column, &datum, zone),
			   filter->text) == filter->is_negated)
			return false;
	}
	return true;
}

const struct datum *fetch_values(const struct fetch *fetch, struct depict *depict,
				 const struct value *values, int zone)
{
	struct datum *data = fetch->data;

	for (size_t i = 0; i < fetch->step_count; i++) {
		const struct fetch_step *step = &fetch->steps[i];
		struct datum datum;

		if (step->getter.kind == GETTER_SAME)
			datum = data[step->getter.slot];
		else
			datum = get(fetch, depict, &step->getter, values);
		if (step->text && is_made_text(step->text, datum.kind == DATUM_LIST))
			datum = lexicon_text(depict->lexicon,
					     text_of(depict, step->text, &datum, zone));
		data[step->use] = datum;
	}
	return data;
}
