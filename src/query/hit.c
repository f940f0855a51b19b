#include "query/hit.h"

#include "base/buf.h"
#include "jfr/measure.h"

/* Aliases may lead to aliases; a name is looked up no more often than that. */
#define DEPTH_MAX 8

/* Structs are spread over columns of SELECT * down to the fields of a field. */
#define SPREAD_MAX 4096

#define MISSING STR("N/A")

static struct str label_of(const struct annotation *label)
{
	return annotation_member(label, STR("value"));
}

struct str hit_type_label(const struct type *type)
{
	return label_of(type_annotation(type, "jdk.jfr.Label"));
}

static struct str copy(struct hits *hits, struct str text)
{
	const char *bytes = arena_copy(hits->arena, text.bytes, text.size);

	hits->failed |= !bytes;
	return bytes ? (struct str){ bytes, text.size } : STR("");
}

/* Both texts, one behind the other, with `between` between them. */
static struct str join(struct hits *hits, struct str a, const char *between, struct str b)
{
	struct buf joined = { 0 };
	struct str text;

	buf_str(&joined, a);
	buf_text(&joined, between);
	buf_str(&joined, b);
	hits->failed |= joined.failed;
	text = copy(hits, (struct str){ joined.bytes ? joined.bytes : "", joined.size });
	buf_clear(&joined);
	return text;
}

/* --- what a column is like ------------------------------------------------------ */

static bool is_known_type(struct str name)
{
	static const char *const known[] = {
		"java.lang.String",    "java.lang.Thread",     "java.lang.Class",
		"jdk.types.ThreadGroup", "jdk.types.ClassLoader", "jdk.types.Method",
		"jdk.types.StackFrame", "jdk.types.StackTrace",
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (str_is(name, str_of(known[i])))
			return true;
	}
	return false;
}

static struct str type_name(const struct field *field)
{
	return field->shown ? field->shown->name : STR("");
}

/* Titles that the JDK gives to fields of these names, instead of their labels. */
static struct str title_of(const struct field *field, bool has_duration)
{
	struct str label = label_of(field_annotation(field, "jdk.jfr.Label"));

	if (str_is(type_name(field), STR("jdk.types.StackFrame")))
		return STR("Method");
	if (!label.bytes)
		return field->name;
	if (str_is(field->name, STR("gcId")))
		return STR("GC ID");
	if (str_is(field->name, STR("compilerId")))
		return STR("Compiler ID");
	if (str_is(field->name, STR("startTime")) && !has_duration)
		return STR("Time");
	return label;
}

static void describe_number(struct column *kind, const struct field *field)
{
	switch (field->shown ? field->shown->primitive : OP_NONE) {
	case OP_BYTE:
	case OP_SHORT:
	case OP_INT:
	case OP_LONG:
		kind->is_integral = true;
		kind->is_left = false;
		break;
	case OP_FLOAT:
	case OP_DOUBLE:
		kind->is_fractional = true;
		kind->is_left = false;
		break;
	case OP_BOOLEAN:
		kind->is_boolean = true;
		kind->is_left = false;
		break;
	default:
		break;
	}
}

static void describe_unit(struct column *kind, enum unit unit)
{
	kind->is_timestamp = unit_is_timestamp(unit);
	kind->is_timespan = unit_is_timespan(unit);
	kind->is_percentage = unit == UNIT_PERCENTAGE;
	kind->is_bytes = unit == UNIT_BYTES || unit == UNIT_BYTES_PER_SECOND;
	kind->is_bits = unit == UNIT_BITS || unit == UNIT_BITS_PER_SECOND;
	kind->is_frequency = unit == UNIT_FREQUENCY || unit == UNIT_BYTES_PER_SECOND ||
			     unit == UNIT_BITS_PER_SECOND;
	kind->is_address = unit == UNIT_ADDRESS;
	if (kind->is_timestamp || kind->is_address)
		kind->is_left = true;
	if (kind->is_timespan)
		kind->is_left = false;
}

static struct column new_kind(struct str name)
{
	return (struct column){ .name = name, .cell_height = 1, .precision = -1,
				.missing = MISSING, .group = -1, .order = -1,
				.is_left = true };
}

static struct str data_type_of(const struct column *kind, const struct field *field)
{
	if (kind->is_timestamp)
		return STR("java.time.Instant");
	return kind->is_timespan ? STR("java.time.Duration") : type_name(field);
}

/* --- where a name leads ---------------------------------------------------------- */

static const struct type *type_of(const struct hits *hits, size_t origin)
{
	return hits->origins[origin].type;
}

static void add(struct hits *hits, struct hit hit)
{
	hits->failed |= !vec_push(&hits->items, hit);
}

static void add_field(struct hits *hits, size_t origin, enum reach reach,
		      struct str name, struct str path, const struct field *field)
{
	bool has_duration = type_field(type_of(hits, origin), "duration") != NULL;
	struct hit hit = { { (uint32_t)origin, reach, copy(hits, path) },
			   new_kind(copy(hits, name)), STR("") };
	bool is_known = is_known_type(type_name(field));

	hit.kind.title = copy(hits, title_of(field, has_duration));
	hit.kind.is_fixed = !is_known;
	hit.kind.is_lexical = is_known;
	hit.kind.role = field->shown ? field->shown->role : TYPE_PLAIN;
	/* Of the frames of a stack trace, others take one. */
	hit.kind.is_array = field->array && reach == REACH_FIELD;
	describe_number(&hit.kind, field);
	describe_unit(&hit.kind, field->unit);
	hit.data_type = data_type_of(&hit.kind, field);
	add(hits, hit);
}

/* A text that is no field. */
static void add_text(struct hits *hits, size_t origin, enum reach reach,
		     struct str name, struct str path, const char *title)
{
	struct hit hit = { { (uint32_t)origin, reach, copy(hits, path) },
			   new_kind(copy(hits, name)), STR("java.lang.String") };

	hit.kind.title = str_of(title);
	hit.kind.is_lexical = true;
	add(hits, hit);
}

/* The field at the end of a path of names with dots between. */
static const struct field *follow(const struct type *type, struct str path)
{
	const struct field *field = NULL;

	while (type && path.size) {
		field = type_path_field(type, &path);
		type = field ? field->shown : NULL;
	}
	if (path.size)
		field = NULL;
	return field;
}

static const struct {
	struct str name;
	enum reach reach;
} top_frames[] = {
	{ STR("stackTrace.topFrame"), REACH_TOP_FRAME },
	{ STR("stackTrace.topApplicationFrame"), REACH_TOP_APPLICATION_FRAME },
	{ STR("stackTrace.topNotInitFrame"), REACH_TOP_NOT_INIT_FRAME },
};

/* "stackTrace.topFrame" or what is in it; false if the name is none of these. */
static bool find_frame(struct hits *hits, size_t origin, struct str name)
{
	const struct field *frames = follow(type_of(hits, origin), STR("stackTrace.frames"));
	const struct field *field;
	struct str rest;

	for (size_t i = 0; frames && i < sizeof(top_frames) / sizeof(*top_frames); i++) {
		struct str front = top_frames[i].name;

		if (!str_starts(name, front))
			continue;
		rest = (struct str){ name.bytes + front.size, name.size - front.size };
		if (rest.size == 0) {
			add_field(hits, origin, top_frames[i].reach, name, rest, frames);
			return true;
		}
		if (rest.bytes[0] != '.')
			continue;
		rest = (struct str){ rest.bytes + 1, rest.size - 1 };
		field = follow(frames->shown, rest);
		if (field)
			add_field(hits, origin, top_frames[i].reach, name, rest, field);
		else if (str_is(rest, STR("package")))
			add_text(hits, origin, top_frames[i].reach, name, rest, "Package");
		return true;
	}
	return false;
}

static bool find_synthetic(struct hits *hits, size_t origin, struct str name)
{
	static const struct {
		struct str name;
		const char *type;	/* of this alone; NULL: of all */
		enum reach reach;
	} known[] = {
		{ STR("id"), "jdk.ActiveSetting", REACH_SETTING_TYPE },
		{ STR("eventType.label"), NULL, REACH_TYPE_LABEL },
		{ STR("eventType.name"), NULL, REACH_TYPE_NAME },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!str_is(name, known[i].name) ||
		    (known[i].type &&
		     !str_is(type_of(hits, origin)->name, str_of(known[i].type))))
			continue;
		add_text(hits, origin, known[i].reach, name, name, "Event Type");
		return true;
	}
	return false;
}

/* The name, as of a field of that event type and without anything in front. */
static void find_plain(struct hits *hits, size_t origin, struct str name)
{
	const struct field *field;

	if (find_synthetic(hits, origin, name) || find_frame(hits, origin, name))
		return;
	field = follow(type_of(hits, origin), name);
	if (field)
		add_field(hits, origin, REACH_FIELD, name, name, field);
}

/* The name without this qualifier and a dot in front; false if it has no such front. */
static bool strip(struct str *name, struct str qualifier)
{
	if (!qualifier.bytes || name->size <= qualifier.size ||
	    !str_starts(*name, qualifier) || name->bytes[qualifier.size] != '.')
		return false;
	name->bytes += qualifier.size + 1;
	name->size -= qualifier.size + 1;
	return true;
}

static void find(struct hits *hits, struct str name, size_t first, size_t end, int depth);

/* "[A|B].field": A.field, then B.field; false if it is nothing like that. */
static bool find_union(struct hits *hits, struct str name, size_t first, size_t end,
		       int depth)
{
	const char *close = memchr(name.bytes, ']', name.size);
	struct str parts, suffix, part;

	if (!str_starts(name, STR("[")) || !close)
		return false;
	parts = (struct str){ name.bytes + 1, (size_t)(close - name.bytes) - 1 };
	suffix = (struct str){ close + 1, name.size - parts.size - 2 };
	while (str_split(&parts, '|', &part))
		find(hits, join(hits, part, "", suffix), first, end, depth + 1);
	return true;
}

static void find_qualified(struct hits *hits, struct str name, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		struct str rest = name;

		if (strip(&rest, type_of(hits, i)->name))
			find_plain(hits, i, rest);
		rest = name;
		if (strip(&rest, type_simple_name(type_of(hits, i))))
			find_plain(hits, i, rest);
	}
}

/* Of sources with the same alias the last one has it. */
static bool has_alias(const struct hits *hits, size_t origin)
{
	struct str alias = hits->origins[origin].alias;

	for (size_t i = origin + 1; alias.bytes && i < hits->origin_count; i++) {
		if (hits->origins[i].alias.bytes &&
		    str_is(alias, hits->origins[i].alias))
			return false;
	}
	return alias.bytes != NULL;
}

/* An alias counts whichever types are asked about. */
static void find_aliased(struct hits *hits, struct str name, int depth)
{
	for (size_t i = 0; i < hits->origin_count; i++) {
		struct str rest = name;

		if (has_alias(hits, i) && strip(&rest, hits->origins[i].alias))
			find(hits, join(hits, type_of(hits, i)->name, ".", rest), i,
			     i + 1, depth + 1);
	}
}

static void find(struct hits *hits, struct str name, size_t first, size_t end, int depth)
{
	if (depth > DEPTH_MAX || hits->failed)
		return;
	if (str_is(name, STR("*")))
		name = STR("startTime");
	if (find_union(hits, name, first, end, depth))
		return;
	if (memchr(name.bytes, '.', name.size))
		find_qualified(hits, name, first, end);
	find_aliased(hits, name, depth);
	for (size_t i = first; i < end; i++)
		find_plain(hits, i, name);
}

void hits_find(struct hits *hits, struct str name, size_t first, size_t end)
{
	find(hits, name, first, end, 0);
}

/* --- SELECT * --------------------------------------------------------------------- */

/* What was shown of a type already. A type has few fields: they are searched through. */
struct spread {
	struct hits *hits;
	size_t origin;
	VEC(const struct field *) seen;
};

/* Each field that is declared is shown once, even where several have its struct. */
static bool is_new(struct spread *spread, const struct field *field)
{
	for (size_t i = 0; i < spread->seen.count; i++) {
		if (spread->seen.items[i] == field)
			return false;
	}
	spread->hits->failed |= !vec_push(&spread->seen, field);
	return spread->seen.count <= SPREAD_MAX;
}

static bool is_struct(const struct field *field)
{
	return field->shown && field->shown->primitive == OP_NONE &&
	       field->shown->field_count > 0 && !is_known_type(field->shown->name);
}

static void set_title(struct hits *hits, struct str title)
{
	if (!hits->failed)
		hits->items.items[hits->items.count - 1].kind.title = title;
}

static void spread_struct(struct spread *spread, const struct field *outer,
			  struct str title)
{
	struct hits *hits = spread->hits;

	for (size_t i = 0; i < outer->shown->field_count; i++) {
		const struct field *inner = &outer->shown->fields[i];
		struct str path;

		if (!is_new(spread, inner) || is_struct(inner))
			continue;
		path = join(hits, outer->name, ".", inner->name);
		add_field(hits, spread->origin, REACH_FIELD, path, path, inner);
		set_title(hits, join(hits, title, " : ", title_of(inner, false)));
	}
}

void hits_add_all(struct hits *hits, size_t origin)
{
	const struct type *type = type_of(hits, origin);
	bool has_duration = type_field(type, "duration") != NULL;
	struct spread spread = { .hits = hits, .origin = origin };

	for (size_t i = 0; i < type->field_count && !hits->failed; i++) {
		const struct field *field = &type->fields[i];
		struct str title = title_of(field, has_duration);

		if (!is_new(&spread, field))
			continue;
		if (is_struct(field))
			spread_struct(&spread, field, title);
		else if (find_synthetic(hits, origin, field->name))
			set_title(hits, copy(hits, title));
		else
			add_field(hits, origin, REACH_FIELD, field->name, field->name,
				  field);
	}
	vec_clear(&spread.seen);
}
