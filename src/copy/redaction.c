#include "copy/redaction.h"

#include "base/bits.h"
#include "jfr/checkpoint.h"
#include "jfr/event.h"

/* Whatever is asked for besides. */
static const char *const usual_fields[] = {
	"InitialEnvironmentVariable.value", "InitialSystemProperty.value",
	"InitialSecurityProperty.value",    "SecurityPropertyModification.value",
	"JVMInformation.jvmArguments",	    "JVMInformation.jvmFlags",
	"JVMInformation.javaArguments",	    "SystemProcess.commandLine",
	"JavaAgent.options",		    "NativeAgent.options",
	"ProcessStart.command",		    "StringFlag.value",
	"StringFlagChanged.oldValue",	    "StringFlagChanged.newValue",
};

/* --- which fields are secret ------------------------------------------------------ */

/* "value", "InitialSystemProperty.value", "jdk.InitialSystemProperty.value" */
static bool field_matches(struct redaction *redaction, struct str pattern,
			  const struct type *owner, const struct field *field)
{
	struct buf *text = &redaction->text;
	struct str simple = type_simple_name(owner), full;

	if (str_glob(pattern, field->name))
		return true;
	buf_reset(text);
	buf_str(text, owner->name);
	buf_byte(text, '.');
	buf_str(text, field->name);
	redaction->failed |= text->failed;
	if (text->failed)
		return false;
	full = (struct str){ text->bytes, text->size };
	if (str_glob(pattern, full))
		return true;
	full.bytes += owner->name.size - simple.size;
	full.size -= owner->name.size - simple.size;
	return str_glob(pattern, full);
}

static bool is_usual(struct redaction *redaction, const struct type *owner,
		     const struct field *field)
{
	for (size_t i = 0; i < sizeof(usual_fields) / sizeof(usual_fields[0]); i++) {
		if (field_matches(redaction, str_of(usual_fields[i]), owner, field))
			return true;
	}
	return false;
}

/* All patterns are tried, to see which are of use. */
static bool is_asked_for(struct redaction *redaction, const struct type *owner,
			 const struct field *field)
{
	struct redact *redact = redaction->redact;
	bool is_asked = false;

	for (size_t i = 0; i < redact->fields.count; i++) {
		struct redact_field *asked = &redact->fields.items[i];

		if (!field_matches(redaction, asked->pattern, owner, field))
			continue;
		asked->is_used = is_asked = true;
	}
	return is_asked;
}

static bool is_text(const struct type *type)
{
	return type && type->shown && type->shown->primitive == OP_STRING;
}

static bool *own_fields(struct redaction *redaction, const struct type *type)
{
	bool **fields = &redaction->fields[type->index];

	if (!*fields)
		*fields = arena_array(&redaction->arena, type->field_count, sizeof(bool));
	return *fields;
}

/* A simple type that stands in the field itself is asked by its own field. */
static void add_field(struct redaction *redaction, const struct type *owner, size_t at)
{
	const struct field *field = &owner->fields[at];
	bool *fields = own_fields(redaction, owner);

	if (fields)
		fields[at] = true;
	redaction->is_concerned[owner->index] = true;
	if (field->pooled || !field->type->is_simple || !field->type->field_count)
		return;
	fields = own_fields(redaction, field->type);
	if (fields)
		fields[0] = true;
}

static void find_fields(struct redaction *redaction, const struct type *owner)
{
	for (size_t i = 0; i < owner->field_count; i++) {
		const struct field *field = &owner->fields[i];
		bool is_secret;

		if (!is_text(field->type))
			continue;
		is_secret = is_asked_for(redaction, owner, field);
		if (is_secret || is_usual(redaction, owner, field))
			add_field(redaction, owner, i);
	}
}

/* A type is concerned if what lies in its values is. */
static void spread(struct redaction *redaction)
{
	const struct metadata *metadata = &redaction->chunk->metadata;
	bool *is_concerned = redaction->is_concerned;
	bool has_changed = true;

	while (has_changed) {
		has_changed = false;
		for (size_t i = 0; i < metadata->type_count; i++) {
			const struct type *type = &metadata->types[i];

			for (size_t j = 0; j < type->field_count && !is_concerned[i]; j++) {
				const struct field *field = &type->fields[j];

				is_concerned[i] = !field->pooled && field->type &&
						  is_concerned[field->type->index];
				has_changed |= is_concerned[i];
			}
		}
	}
}

static bool is_secret_field(const struct redaction *redaction,
			    const struct rewrite_place *place)
{
	const bool *fields = redaction->fields[place->owner->index];

	return place->field && fields && fields[place->field - place->owner->fields];
}

/* --- which values are ------------------------------------------------------------- */

static void collect(struct redaction *redaction, struct str text)
{
	redaction->failed |= !redact_meet(redaction->redact, text);
}

static bool meet_text(void *context, const struct rewrite_place *place, struct str *text)
{
	struct redaction *redaction = context;

	if (is_secret_field(redaction, place))
		collect(redaction, *text);
	return false;
}

static bool meet_constant(void *context, const struct rewrite_place *place,
			  struct str *text)
{
	(void)place;
	collect(context, *text);
	return false;
}

/* Adds a constant to one of the sets. */
static void mark(struct redaction *redaction, uint64_t **sets, const struct pool *pool,
		 uint32_t index)
{
	uint64_t **set = &sets[pool->type->index];

	if (!*set)
		*set = arena_array(&redaction->arena, bits_words(pool->constants.count),
				   sizeof(**set));
	if (*set)
		bits_set(*set, index);
}

static bool is_in(uint64_t *const *sets, const struct type *type, uint32_t index)
{
	return sets[type->index] && bits_has(sets[type->index], index);
}

static void meet_key(void *context, const struct rewrite_place *place,
		     const struct type *type, uint64_t key)
{
	struct redaction *redaction = context;
	const struct pool *pool = chunk_pool(redaction->chunk, type);
	uint32_t index = pool_find(pool, key);

	if (index != MAP_NONE && is_secret_field(redaction, place))
		mark(redaction, redaction->marks, pool, index);
}

static bool is_descriptor(const struct rewrite_place *place)
{
	return place->owner->role == TYPE_METHOD && place->field &&
	       str_is(place->field->name, STR("descriptor"));
}

static void meet_descriptor(void *context, const struct rewrite_place *place,
			    const struct type *type, uint64_t key)
{
	struct redaction *redaction = context;
	const struct pool *pool = chunk_pool(redaction->chunk, type);
	uint32_t index = pool_find(pool, key);

	if (index != MAP_NONE && is_descriptor(place))
		mark(redaction, redaction->descriptors, pool, index);
}

/* Has it meet all texts and keys in the value; of a broken one, those in front of that. */
static void meet(struct redaction *redaction, struct rewrite *rewrite,
		 const struct type *type, struct cursor cursor)
{
	if (!rewrite_value(rewrite, type, &cursor, NULL))
		redaction->failed |= rewrite->arena.failed || rewrite->texts.failed;
}

static bool has_event_type(const struct redaction *redaction)
{
	const struct metadata *metadata = &redaction->chunk->metadata;

	for (size_t i = 0; i < metadata->type_count; i++) {
		if (redaction->is_concerned[i] && metadata->types[i].is_event)
			return true;
	}
	return false;
}

static void meet_events(struct redaction *redaction, struct rewrite *rewrite)
{
	const struct chunk *chunk = redaction->chunk;
	struct event_walk walk = event_walk(chunk, NULL);
	struct event event;

	if (!has_event_type(redaction))
		return;
	while (event_next(&walk, &event)) {
		if (event.type && redaction->is_concerned[event.type->index])
			meet(redaction, rewrite, event.type, event_cursor(chunk, &event));
	}
}

/* Constants of types with such fields; or, of other types, those that are marked. */
static void meet_constants(struct redaction *redaction, struct rewrite *rewrite,
			   bool is_for_marked)
{
	const struct chunk *chunk = redaction->chunk;

	for (size_t i = 0; i < chunk->metadata.type_count; i++) {
		const struct type *type = &chunk->metadata.types[i];
		const struct pool *pool = chunk_pool(chunk, type);
		bool is_asked = is_for_marked ? redaction->marks[i] != NULL
					      : redaction->is_concerned[i];

		for (uint32_t j = 0; is_asked && pool && j < pool->constants.count; j++) {
			if (!is_for_marked || is_in(redaction->marks, type, j))
				meet(redaction, rewrite, type, pool_cursor(pool, j));
		}
	}
}

/* What methods take and give: readers take that apart. */
static void mark_descriptors(struct redaction *redaction)
{
	const struct chunk *chunk = redaction->chunk;
	struct rewrite rewrite = { .pooled = meet_descriptor, .context = redaction };
	bool is_open = rewrite_open(&rewrite, chunk);

	redaction->failed |= !is_open;
	for (size_t i = 0; is_open && i < chunk->metadata.type_count; i++) {
		const struct type *type = &chunk->metadata.types[i];
		const struct pool *pool = chunk_pool(chunk, type);

		for (uint32_t j = 0; type->role == TYPE_METHOD && pool &&
				     j < pool->constants.count; j++)
			meet(redaction, &rewrite, type, pool_cursor(pool, j));
	}
	rewrite_close(&rewrite);
}

/* Marks constants; when collecting, keeps all that is secret. */
static void meet_all(struct redaction *redaction)
{
	struct rewrite fields = { .text = meet_text, .pooled = meet_key,
				  .context = redaction };
	struct rewrite constants = { .text = meet_constant, .context = redaction };

	if (rewrite_open(&fields, redaction->chunk)) {
		meet_events(redaction, &fields);
		meet_constants(redaction, &fields, false);
	} else {
		redaction->failed = true;
	}
	if (rewrite_open(&constants, redaction->chunk))
		meet_constants(redaction, &constants, true);
	else
		redaction->failed = true;
	rewrite_close(&fields);
	rewrite_close(&constants);
}

bool redaction_open(struct redaction *redaction, struct redact *redact,
		    const struct chunk *chunk)
{
	size_t count = chunk->metadata.type_count;
	struct arena *arena = &redaction->arena;

	*redaction = (struct redaction){ .redact = redact, .chunk = chunk };
	redaction->fields = arena_array(arena, count, sizeof(*redaction->fields));
	redaction->marks = arena_array(arena, count, sizeof(*redaction->marks));
	redaction->descriptors =
		arena_array(arena, count, sizeof(*redaction->descriptors));
	redaction->is_concerned = arena_array(arena, count, sizeof(bool));
	if (arena->failed)
		return false;
	for (size_t i = 0; i < count; i++)
		find_fields(redaction, &chunk->metadata.types[i]);
	spread(redaction);
	if (arena->failed)
		return false;
	meet_all(redaction);
	if (!redact->is_collecting)
		mark_descriptors(redaction);
	return !redaction->failed && !arena->failed;
}

void redaction_close(struct redaction *redaction)
{
	arena_clear(&redaction->arena);
	buf_clear(&redaction->text);
	vec_clear(&redaction->spans.spans);
	*redaction = (struct redaction){ .redact = NULL };
}

static bool collect_chunk(struct redact *redact, struct chunk *chunk, struct err *err)
{
	struct redaction redaction;
	struct damage damage = { 0 };
	bool is_good = checkpoint_load(chunk, &damage, err);

	damage_clear(&damage);
	if (!is_good)
		return false;
	is_good = redaction_open(&redaction, redact, chunk);
	redaction_close(&redaction);
	if (is_good)
		return true;
	return redact_is_full(redact)
		? err_set(err, ERR_MEMORY, "there are too many values to be redacted: "
						    "name fewer fields")
		: err_memory(err);
}

bool redaction_collect(struct redact *redact, struct input *input, struct err *err)
{
	struct damage damage = { 0 };
	struct chunk chunk = { .bytes = NULL };
	bool is_good = true;

	redact_start(redact);
	while (is_good && input_open_next(input, &chunk, &damage, err)) {
		is_good = collect_chunk(redact, &chunk, err);
		chunk_close(&chunk);
	}
	damage_clear(&damage);
	if (!is_good || err->kind != ERR_NONE)
		return false;
	input_rewind(input);
	return redact_finish(redact) || err_memory(err);
}

/* --- what stands in their place --------------------------------------------------- */

static void replace_all(struct redaction *redaction, struct str text)
{
	buf_reset(&redaction->text);
	redact_add_pseudonym(redaction->redact, text, &redaction->text);
}

static void replace_parts(struct redaction *redaction, struct str text)
{
	const struct redact *redact = redaction->redact;
	struct buf *to = &redaction->text;
	size_t at = 0;

	buf_reset(to);
	for (size_t i = 0; i < redaction->spans.spans.count; i++) {
		struct finder_span span = redaction->spans.spans.items[i];

		buf_add(to, text.bytes + at, span.start - at);
		redact_add_pseudonym(redact, (struct str){ text.bytes + span.start,
						    span.end - span.start }, to);
		at = span.end;
	}
	buf_add(to, text.bytes + at, text.size - at);
	/* By chance a value may be there again, where pieces were joined. */
	if (!to->failed && finder_has(&redact->values, (struct str){ to->bytes, to->size }))
		replace_all(redaction, text);
}

/* Gives the text with what is secret in it replaced; false: nothing is. */
static bool redact_text(struct redaction *redaction, bool is_secret, struct str *text)
{
	struct finder_spans *spans = &redaction->spans;

	if (!text->size)
		return false;
	if (is_secret) {
		replace_all(redaction, *text);
	} else {
		if (!finder_find(&redaction->redact->values, *text, spans))
			redaction->failed = true;
		if (spans->spans.count == 0)
			return false;
		replace_parts(redaction, *text);
	}
	redaction->failed |= redaction->text.failed;
	*text = redaction->text.size ? (struct str){ redaction->text.bytes,
						     redaction->text.size }
				     : STR("");
	return true;
}

bool redaction_text(void *context, const struct rewrite_place *place, struct str *text)
{
	struct redaction *redaction = context;

	return redact_text(redaction, is_secret_field(redaction, place), text);
}

void redaction_begin(struct redaction *redaction, const struct type *type, uint32_t index)
{
	redaction->is_secret = is_in(redaction->marks, type, index);
	redaction->is_descriptor = is_in(redaction->descriptors, type, index);
}

bool redaction_constant(void *context, const struct rewrite_place *place,
			struct str *text)
{
	struct redaction *redaction = context;

	if (!redact_text(redaction,
			 redaction->is_secret || is_secret_field(redaction, place),
			 text))
		return false;
	/* Readers fail where a descriptor is none; this one is the least of all. */
	if (redaction->is_descriptor || is_descriptor(place))
		*text = STR("()V");
	return true;
}

/* --- metadata --------------------------------------------------------------------- */

/* True if the attribute is for people to read; what others mean is for programs. */
static bool is_for_people(const struct redaction *redaction,
			  const struct element *element, struct str attribute)
{
	const struct type *type;

	if (str_is(element->name, STR("setting")))
		return str_is(attribute, STR("defaultValue"));
	if (!str_is(element->name, STR("annotation")) || str_is(attribute, STR("class")))
		return false;
	type = metadata_type(&redaction->chunk->metadata,
			     element_number(element, "class", -1));
	return type && type->meaning == MEANING_NONE;
}

static struct attribute redact_attribute(struct redaction *redaction,
					 const struct element *element,
					 struct attribute attribute, struct arena *arena)
{
	const struct finder *values = &redaction->redact->values;

	if (is_for_people(redaction, element, attribute.name)) {
		if (redact_text(redaction, false, &attribute.text))
			attribute.text.bytes = arena_copy(arena, attribute.text.bytes,
							  attribute.text.size);
	} else {
		redaction->has_names |= finder_has(values, attribute.text);
	}
	return attribute;
}

/* The element and all below it; NULL without memory. The depth is that of element_read. */
static struct element *redact_element(struct redaction *redaction,
				      const struct element *from, struct arena *arena)
{
	struct attribute *attributes =
		arena_array(arena, from->attribute_count, sizeof(*attributes));
	struct element *element = arena_alloc(arena, sizeof(*element));
	struct element **tail;

	if (!attributes || !element)
		return NULL;
	for (size_t i = 0; i < from->attribute_count; i++)
		attributes[i] = redact_attribute(redaction, from, from->attributes[i],
						 arena);
	*element = (struct element){ .name = from->name, .attributes = attributes,
				     .attribute_count = from->attribute_count };
	tail = &element->children;
	for (const struct element *child = from->children; child; child = child->next) {
		*tail = redact_element(redaction, child, arena);
		if (!*tail)
			return NULL;
		tail = &(*tail)->next;
	}
	return element;
}

const struct element *redaction_tree(struct redaction *redaction,
				     const struct element *root, struct arena *arena)
{
	struct element *copy = redact_element(redaction, root, arena);

	return arena->failed || redaction->failed ? NULL : copy;
}
