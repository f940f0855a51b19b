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
	struct str name;

	while (str_split(&path, '.', &name)) {
		const struct field *field = type_named_field(type, name);

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
static struct getter share(const struct plan *plan, const struct plan_listener *listener,
			   const struct getter *getters, size_t index)
{
	const struct getter *own = &getters[index];

	for (size_t i = 0; i < index; i++) {
		const struct getter *other = &getters[i];

		if (own->kind >= GETTER_VALUE && own->kind <= GETTER_CONSTANT &&
		    own->kind == other->kind &&
		    own->slot == other->slot && own->field == other->field &&
		    own->recall == other->recall && own->reach == other->reach &&
		    !is_made_text(&plan->columns[listener->uses[i].column], true))
			return (struct getter){ .kind = GETTER_SAME,
						.slot = (uint32_t)i };
	}
	return *own;
}

struct fetch *fetch_new(struct depict *depict, const struct plan *plan,
			const struct plan_listener *listener, const struct type *type,
			const bool *is_wanted, struct arena *arena)
{
	const struct plan_source *source = &plan->sources[listener->source];
	struct fetch *fetch = arena_alloc(arena, sizeof(*fetch));
	struct getter *getters =
		arena_array(arena, listener->use_count, sizeof(*getters));
	struct fetch_filter *filters =
		arena_array(arena, source->filter_count, sizeof(*filters));

	if (!fetch || !getters || !filters)
		return NULL;
	*fetch = (struct fetch){ .plan = plan, .listener = listener,
				 .getters = getters, .filters = filters,
				 .filter_count = source->filter_count };
	for (size_t i = 0; i < listener->use_count; i++) {
		const struct plan_use *use = &listener->uses[i];

		getters[i] = is_wanted[use->column]
				     ? getter_of(depict, type, &use->input)
				     : fixed(DATUM_NONE);
		need(fetch, &getters[i]);
		getters[i] = share(plan, listener, getters, i);
	}
	for (size_t i = 0; i < source->filter_count; i++) {
		filters[i].filter = &source->filters[i];
		filters[i].getter = getter_of(depict, type, &source->filters[i].input);
		need(fetch, &filters[i].getter);
	}
	return fetch;
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

		if (!str_is(text_of(depict, filter->column, &datum, zone),
			    filter->text))
			return false;
	}
	return true;
}

void fetch_values(const struct fetch *fetch, struct depict *depict,
		  const struct value *values, int zone, struct datum *data)
{
	for (size_t i = 0; i < fetch->listener->use_count; i++) {
		const struct column *column =
			&fetch->plan->columns[fetch->listener->uses[i].column];

		if (fetch->getters[i].kind == GETTER_SAME)
			data[i] = data[fetch->getters[i].slot];
		else
			data[i] = get(fetch, depict, &fetch->getters[i], values);
		if (is_made_text(column, data[i].kind == DATUM_LIST))
			data[i] = lexicon_text(depict->lexicon,
					       text_of(depict, column, &data[i], zone));
	}
}
