#include "recipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dice.h"

#define STRING "java.lang.String"
#define ANNOTATION "java.lang.annotation.Annotation"
#define CONTENT_TYPE "jdk.jfr.ContentType"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define PUSH(vec, item) must(vec_push(vec, item))

static void must(bool good)
{
	if (good)
		return;
	fputs("random: out of memory\n", stderr);
	exit(1);
}

char *recipe_copy(struct recipe *recipe, struct buf *text)
{
	char *copy = arena_copy(&recipe->arena, text->bytes ? text->bytes : "",
				text->size);

	must(copy != NULL && !text->failed);
	buf_reset(text);
	return copy;
}

static const char *joined(struct recipe *recipe, const char *a, const char *b)
{
	struct buf text = { 0 };
	char *copy;

	buf_text(&text, a);
	buf_text(&text, b);
	copy = recipe_copy(recipe, &text);
	buf_clear(&text);
	return copy;
}

static const char *random_text(struct recipe *recipe)
{
	struct buf text = { 0 };
	const char *copy;

	if (dice_chance(50))
		dice_name(&text, false);
	else
		dice_text(&text);
	copy = recipe_copy(recipe, &text);
	buf_clear(&text);
	return copy;
}

/* A name no other has: of a field, or with a package in front. */
static const char *random_name(struct recipe *recipe, const char *package,
			       bool of_event)
{
	struct buf text = { 0 };
	const char *copy;

	buf_text(&text, package);
	dice_name(&text, of_event);
	if (dice_chance(1))
		buf_fill(&text, 'n', 150);
	buf_integer(&text, ++recipe->last_id);
	copy = recipe_copy(recipe, &text);
	buf_clear(&text);
	return copy;
}

/* The last ones are nothing for events, whose names must be good ones. */
static const char *random_package(bool of_event)
{
	static const char *const packages[] = { "odd.",	     "odd.", "a.b.c.",
						"",	     "jdk.", "jdk.jfr.",
						"\xc3\xa9.", "Odd$", "odd..",
						"." };

	return packages[dice_below(COUNT(packages) - 2 * of_event)];
}

static int64_t next_id(struct recipe *recipe)
{
	recipe->last_id += 1 + (int64_t)dice_below(dice_chance(90) ? 3 : 1000);
	if (dice_chance(1))
		recipe->last_id += (int64_t)dice_below(INT64_C(1) << 40);
	return recipe->last_id;
}

/* Annotation types. */
enum member { NONE, TEXT_MEMBER, LIST_MEMBER, ALL_MEMBERS };

static const struct note_kind {
	const char *name;
	enum member member;
	bool is_content;
} note_kinds[] = {
	{ "jdk.jfr.Label", TEXT_MEMBER, false },
	{ "jdk.jfr.Description", TEXT_MEMBER, false },
	{ "jdk.jfr.Name", TEXT_MEMBER, false },
	{ "jdk.jfr.Category", LIST_MEMBER, false },
	{ "jdk.jfr.Timestamp", TEXT_MEMBER, true },
	{ "jdk.jfr.Timespan", TEXT_MEMBER, true },
	{ "jdk.jfr.DataAmount", TEXT_MEMBER, true },
	{ "jdk.jfr.Frequency", NONE, true },
	{ "jdk.jfr.Percentage", NONE, true },
	{ "jdk.jfr.MemoryAddress", NONE, true },
	{ "jdk.jfr.Unsigned", NONE, true },
	{ "jdk.jfr.BooleanFlag", NONE, true },
	{ "jdk.jfr.Experimental", NONE, false },
	{ "jdk.jfr.Contextual", NONE, false },
	{ "jdk.jfr.Relational", NONE, false },
	{ "jdk.jfr.Enabled", TEXT_MEMBER, false },
	{ "odd.Unit", NONE, true },
	{ "odd.Values", ALL_MEMBERS, false },
	{ "NoPackage", TEXT_MEMBER, true },
	{ "odd.Outer$List", LIST_MEMBER, false },
};

/* A member of each type, and a text that stands for a value of it. */
static const struct schema_field all_members[] = {
	FIELD("flag", "boolean"),     FIELD("tiny", "byte"),	FIELD("small", "short"),
	FIELD("letter", "char"),      FIELD("number", "int"),	FIELD("large", "long"),
	FIELD("real", "float"),	      FIELD("exact", "double"), FIELD("text", STRING),
	FIELD("list", STRING, ARRAY), { .name = NULL },
};

static const struct schema_member all_values[] = {
	MEMBER("flag", "true"),		 MEMBER("tiny", "-128"),
	MEMBER("small", "32767"),	 MEMBER("letter", "\xe2\x82\xac"),
	MEMBER("number", "-2147483648"), MEMBER("large", "9223372036854775807"),
	MEMBER("real", "1.5"),		 MEMBER("exact", "1.0E-5"),
	MEMBER("text", "a \"text\""),	 MEMBER("list-0", "one"),
	MEMBER("list-1", "two"),	 { .name = NULL },
};

static const struct schema_field text_member[] = { FIELD("value", STRING),
						   { .name = NULL } };
static const struct schema_field list_member[] = { FIELD("value", STRING, ARRAY),
						   { .name = NULL } };

static const struct schema_field *const members_of[] = {
	[NONE] = NULL,
	[TEXT_MEMBER] = text_member,
	[LIST_MEMBER] = list_member,
	[ALL_MEMBERS] = all_members,
};

/* Room for annotations to be appended: at most `count`, and the end. */
static struct schema_note *room_for_notes(struct recipe *recipe, size_t count)
{
	struct schema_note *notes = arena_array(&recipe->arena, count + 1,
						sizeof(*notes));

	must(notes != NULL);
	return notes;
}

/* A list of no, some or many texts as the members value-0, value-1 .. */
static const struct schema_member *random_list(struct recipe *recipe)
{
	static const char *const names[] = { "value-0", "value-1", "value-2",
					     "value-3" };
	static const char *const known[] = {
		"Java Virtual Machine",	  "GC",		  "Big Shop",
		"\xc3\xa4rger \xc3\xb6l", "big Shop  Of", "\xf0\x9f\x98\x80"
	};
	size_t count = dice_below(5);
	struct schema_member *list = arena_array(&recipe->arena, count + 1,
						 sizeof(*list));

	must(list != NULL);
	for (size_t i = 0; i < count; i++)
		list[i] = (struct schema_member)MEMBER(
			names[i], dice_chance(50) ? known[dice_below(COUNT(known))]
						  : random_text(recipe));
	return list;
}

/* An annotation of that type with some value. */
static struct schema_note random_note(struct recipe *recipe, const char *name)
{
	struct schema_note note = { .type = name };
	size_t kind = 0;

	while (strcmp(note_kinds[kind].name, name) != 0)
		kind++;
	switch (note_kinds[kind].member) {
	case TEXT_MEMBER:
		note.value = random_text(recipe);
		break;
	case LIST_MEMBER:
		note.members = random_list(recipe);
		break;
	case ALL_MEMBERS:
		note.members = all_values;
		break;
	case NONE:
		break;
	}
	return note;
}

static void add_type(struct recipe *recipe, struct schema_type type)
{
	type.id = next_id(recipe);
	PUSH(&recipe->types, type);
}

static void add_note_types(struct recipe *recipe)
{
	add_type(recipe, (struct schema_type)TYPE(CONTENT_TYPE, ANNOTATION));
	for (size_t i = 0; i < COUNT(note_kinds); i++) {
		struct schema_type type = TYPE(note_kinds[i].name, ANNOTATION);
		struct schema_note *notes = room_for_notes(recipe, 2);

		type.fields = members_of[note_kinds[i].member];
		type.notes = notes;
		if (dice_chance(note_kinds[i].is_content ? 92 : 4))
			*notes++ = (struct schema_note)MARK(CONTENT_TYPE);
		if (dice_chance(50))
			*notes++ = random_note(recipe, "jdk.jfr.Label");
		add_type(recipe, type);
	}
}

/* The JDK's own types; a field's type with a dot in front has the prefix, too. */
#define LIST(name_) FIELD(name_, ".StackFrame", ARRAY)

static const struct schema_type jdk_types[] = {
	TYPE(".Symbol", NULL, .is_simple = true, FIELDS(FIELD("string", STRING))),
	TYPE(".FrameType", NULL, .is_simple = true,
	     FIELDS(FIELD("description", STRING))),
	TYPE("java.lang.Thread", NULL,
	     FIELDS(FIELD("osName", STRING), FIELD("osThreadId", "long"),
		    FIELD("javaName", STRING), FIELD("javaThreadId", "long"),
		    FIELD("group", ".ThreadGroup", POOLED),
		    FIELD("virtual", "boolean"))),
	TYPE(".ThreadGroup", NULL,
	     FIELDS(FIELD("parent", ".ThreadGroup", POOLED), FIELD("name", STRING))),
	TYPE("java.lang.Class", NULL,
	     FIELDS(FIELD("classLoader", ".ClassLoader", POOLED),
		    FIELD("name", ".Symbol", POOLED),
		    FIELD("package", ".Package", POOLED), FIELD("modifiers", "int"),
		    FIELD("hidden", "boolean"))),
	TYPE(".ClassLoader", NULL,
	     FIELDS(FIELD("type", "java.lang.Class", POOLED),
		    FIELD("name", ".Symbol", POOLED))),
	TYPE(".Package", NULL,
	     FIELDS(FIELD("name", ".Symbol", POOLED),
		    FIELD("module", ".Module", POOLED), FIELD("exported", "boolean"))),
	TYPE(".Module", NULL,
	     FIELDS(FIELD("name", ".Symbol", POOLED),
		    FIELD("version", ".Symbol", POOLED),
		    FIELD("location", ".Symbol", POOLED),
		    FIELD("classLoader", ".ClassLoader", POOLED))),
	TYPE(".Method", NULL,
	     FIELDS(FIELD("type", "java.lang.Class", POOLED),
		    FIELD("name", ".Symbol", POOLED),
		    FIELD("descriptor", ".Symbol", POOLED), FIELD("modifiers", "int"),
		    FIELD("hidden", "boolean"))),
	TYPE(".StackTrace", NULL,
	     FIELDS(FIELD("truncated", "boolean"), LIST("frames"))),
	TYPE(".StackFrame", NULL,
	     FIELDS(FIELD("method", ".Method", POOLED), FIELD("lineNumber", "int"),
		    FIELD("bytecodeIndex", "int"), FIELD("type", ".FrameType", POOLED),
		    FIELD("javaFrame", "boolean"))),
	TYPE(".OldObjectArray", NULL,
	     FIELDS(FIELD("size", "int"), FIELD("index", "int"))),
	TYPE(".OldObjectField", NULL,
	     FIELDS(FIELD("name", STRING), FIELD("modifiers", "short"))),
	TYPE(".Reference", NULL,
	     FIELDS(FIELD("array", ".OldObjectArray", POOLED),
		    FIELD("field", ".OldObjectField", POOLED),
		    FIELD("object", ".OldObject", POOLED), FIELD("skip", "int"))),
	TYPE(".OldObject", NULL,
	     FIELDS(FIELD("address", "long"), FIELD("type", "java.lang.Class", POOLED),
		    FIELD("description", STRING),
		    FIELD("referrer", ".Reference", POOLED))),
};

/* Fields that not every JDK writes; what old objects lack ends their chain. */
static bool is_optional(const char *type, const char *field)
{
	static const char *const optional[] = { "virtual",   "package",
						"hidden",    "bytecodeIndex",
						"truncated", "modifiers" };

	for (size_t i = 0; i < COUNT(optional); i++) {
		if (strcmp(field, optional[i]) == 0)
			return dice_chance(50);
	}
	return (strncmp(type, ".Old", 4) == 0 || strcmp(type, ".Reference") == 0) &&
	       strcmp(field, "address") != 0 && dice_chance(10);
}

/* An odd JDK leaves some out, and has one that others have not. */
static bool is_declared(const char *type, const char *field, bool is_odd)
{
	if (strcmp(field, "javaFrame") == 0)
		return is_odd;
	return !is_odd || !is_optional(type, field);
}

static const char *full_name(struct recipe *recipe, const char *name)
{
	return *name == '.' ? joined(recipe, recipe->prefix, name + 1) : name;
}

const char *recipe_short(const struct recipe *recipe, const char *name)
{
	size_t size = strlen(recipe->prefix);

	return strncmp(name, recipe->prefix, size) == 0 ? name + size - 1 : name;
}

static void shuffle(struct schema_field *fields, size_t count)
{
	for (size_t i = count; i > 1; i--) {
		size_t other = dice_below(i);
		struct schema_field field = fields[i - 1];

		fields[i - 1] = fields[other];
		fields[other] = field;
	}
}

static void add_jdk_types(struct recipe *recipe)
{
	bool is_odd = dice_chance(15);

	for (size_t i = 0; i < COUNT(jdk_types); i++) {
		struct schema_type type = jdk_types[i];
		struct schema_field *fields, *field;

		field = fields = arena_array(&recipe->arena, 8, sizeof(*fields));
		must(fields != NULL);
		for (size_t j = 0; jdk_types[i].fields[j].name; j++) {
			*field = jdk_types[i].fields[j];
			field->type = full_name(recipe, field->type);
			if (is_odd && strstr(field->name, "hreadId") && dice_chance(30))
				field->type = "int";
			if (is_declared(jdk_types[i].name, field->name, is_odd))
				field++;
		}
		if (field == fields)
			field++; /* the last one: no struct is empty */
		if (is_odd)
			shuffle(fields, (size_t)(field - fields));
		*field = (struct schema_field){ .name = NULL };
		type.name = full_name(recipe, type.name);
		type.fields = fields;
		add_type(recipe, type);
	}
}

const struct schema_note *recipe_note(const struct schema_note *notes, const char *type)
{
	for (; notes && notes->type; notes++) {
		if (strcmp(notes->type, type) == 0)
			return notes;
	}
	return NULL;
}

bool recipe_is_contextual(const struct schema_type *event)
{
	for (const struct schema_field *field = event->fields; field->name; field++) {
		if (recipe_note(field->notes, "jdk.jfr.Contextual"))
			return true;
	}
	return false;
}

bool recipe_has_contexts(const struct recipe *recipe)
{
	for (size_t i = 0; i < recipe->events.count; i++) {
		if (recipe_is_contextual(&recipe->events.items[i]))
			return true;
	}
	return false;
}

bool recipe_is_time(const struct schema_field *field)
{
	return recipe_note(field->notes, "jdk.jfr.Timespan") ||
	       recipe_note(field->notes, "jdk.jfr.Timestamp");
}

static bool is_integral(const char *type)
{
	static const char *const integral[] = { "byte", "short", "char", "int",
						"long" };

	for (size_t i = 0; i < COUNT(integral); i++) {
		if (strcmp(type, integral[i]) == 0)
			return true;
	}
	return false;
}

/* The primitive that the type is, or that it stands for; NULL for structs. */
static const char *primitive_of(const struct recipe *recipe, const char *name)
{
	for (size_t i = 0; i < recipe->types.count; i++) {
		const struct schema_type *type = &recipe->types.items[i];

		if (strcmp(type->name, name) == 0)
			return type->is_simple && !type->fields[0].is_pooled
				     ? type->fields[0].type
				     : NULL;
	}
	return name;
}

/* Units that a constant can have must not run over, whatever its value is. */
static const char *random_timespan(bool is_pooled)
{
	static const char *const units[] = { "TICKS", "NANOSECONDS", "MICROSECONDS",
					     "MILLISECONDS", "SECONDS" };

	return units[dice_below(is_pooled ? 2 : 5)];
}

static const char *random_amount(void)
{
	static const char *const units[] = { "BYTES", "BYTES", "BITS", "PARSECS" };

	return units[dice_below(COUNT(units))];
}

/* Annotations that any field may have, with their chance in percent. */
static const struct {
	const char *name;
	int chance;
} common_notes[] = {
	{ "jdk.jfr.Label", 40 },
	{ "jdk.jfr.Description", 15 },
	{ "jdk.jfr.Frequency", 10 },
	{ "jdk.jfr.Percentage", 8 },
	{ "jdk.jfr.MemoryAddress", 8 },
	{ "jdk.jfr.BooleanFlag", 5 },
	{ "jdk.jfr.Experimental", 5 },
	{ "jdk.jfr.Contextual", 3 },
	{ "jdk.jfr.Relational", 3 },
	{ "odd.Unit", 4 },
	{ "odd.Values", 3 },
	{ "NoPackage", 3 },
	{ "odd.Outer$List", 3 },
};

static void field_notes(struct recipe *recipe, struct schema_field *field)
{
	struct schema_note *notes = room_for_notes(recipe, COUNT(common_notes) + 4);
	const char *primitive = primitive_of(recipe, field->type);
	size_t count = 0;

	if (primitive && is_integral(primitive) && !field->is_array) {
		if (dice_chance(20))
			notes[count++] = (struct schema_note)NOTE(
				"jdk.jfr.Timespan", random_timespan(field->is_pooled));
		if (dice_chance(8))
			notes[count++] = (struct schema_note)NOTE(
				"jdk.jfr.Timestamp",
				dice_chance(50) ? "TICKS" : "MILLISECONDS_SINCE_EPOCH");
	}
	if (dice_chance(20) && !field->is_array)
		notes[count++] = (struct schema_note)MARK("jdk.jfr.Unsigned");
	if (dice_chance(15))
		notes[count++] = (struct schema_note)NOTE("jdk.jfr.DataAmount",
							  random_amount());
	for (size_t i = 0; i < COUNT(common_notes); i++) {
		size_t place = dice_below(count + 1);

		if (!dice_chance(common_notes[i].chance))
			continue;
		notes[count++] = notes[place];
		notes[place] = random_note(recipe, common_notes[i].name);
	}
	field->notes = notes;
}

static const char *random_primitive(void)
{
	static const char *const primitives[] = {
		"boolean", "byte", "short", "char",   "int",  "int",  "long",
		"long",	   "long", "float", "double", STRING, STRING, STRING,
	};

	return primitives[dice_below(COUNT(primitives))];
}

static bool is_struct(const struct schema_type *type)
{
	return type->fields && !(type->super && strcmp(type->super, ANNOTATION) == 0);
}

/* Arrays of constants that become objects of the JDK's own kind make it fail. */
static bool can_be_array(const struct recipe *recipe, const struct schema_field *field)
{
	const char *name = recipe_short(recipe, field->type);

	if (!field->is_pooled || strcmp(name, ".Symbol") == 0)
		return true;
	return *name != '.' && strncmp(name, "java.lang.", 10) != 0;
}

/* A field of any type there is so far; simple ones are pooled, or the JDK may fail. */
static void random_field(struct recipe *recipe, struct schema_field *field,
			 bool in_event)
{
	static const char *const names[] = { "duration", "eventThread", "stackTrace",
					     "a.b", "startTime" };
	const struct schema_type *type =
		&recipe->types.items[dice_below(recipe->types.count)];

	*field = (struct schema_field)FIELD(random_name(recipe, "", false),
					    random_primitive());
	if (!in_event && dice_chance(10))
		field->name = names[dice_below(COUNT(names))];
	if (is_struct(type) && dice_chance(60)) {
		field->type = type->name;
		field->is_pooled = type->is_simple || dice_chance(85);
	}
	if (in_event && strcmp(field->type, STRING) == 0)
		field->is_pooled = dice_chance(5);
	if (recipe->has_arrays && can_be_array(recipe, field))
		field->is_array = dice_chance(25);
	field_notes(recipe, field);
	if (strchr(field->name, '.') && recipe_is_time(field))
		field->name = random_name(recipe, "time", true); /* the JDK fails */
}

static bool has_field(const struct schema_field *fields, const struct schema_field *end,
		      const char *name)
{
	for (; fields < end; fields++) {
		if (strcmp(fields->name, name) == 0)
			return true;
	}
	return false;
}

static struct schema_field *room_for_fields(struct recipe *recipe, size_t count)
{
	struct schema_field *fields = arena_array(&recipe->arena, count + 1,
						  sizeof(*fields));

	must(fields != NULL);
	return fields;
}

static void add_struct(struct recipe *recipe)
{
	static const char *const supers[] = { "java.lang.Object",
					      "jdk.jfr.SettingControl" };
	struct schema_type type = TYPE(
		random_name(recipe, random_package(false), false), NULL);
	size_t count = 1 + dice_below(5);
	struct schema_field *fields = room_for_fields(recipe, count), *field = fields;

	for (size_t i = 0; i < count; i++) {
		random_field(recipe, field, false);
		if (!has_field(fields, field, field->name))
			field++;
	}
	*field = (struct schema_field){ .name = NULL };
	if (dice_chance(8))
		type.super = supers[dice_below(2)];
	type.fields = fields;
	add_type(recipe, type);
}

static void add_simple(struct recipe *recipe)
{
	struct schema_type type = TYPE(
		random_name(recipe, random_package(false), false), NULL,
		.is_simple = true);
	struct schema_field *field = room_for_fields(recipe, 1);

	*field = (struct schema_field)FIELD("value", random_primitive());
	type.fields = field;
	add_type(recipe, type);
}

/* startTime, duration: nearly always as they should be. */
static void tick_field(struct recipe *recipe, struct schema_field *field,
		       const char *name, const char *note)
{
	struct schema_note *notes = room_for_notes(recipe, 2);

	*field = (struct schema_field)FIELD(name, "long", .notes = notes);
	if (dice_chance(96))
		*notes++ = (struct schema_note)NOTE(note, "TICKS");
	if (dice_chance(40))
		*notes++ = random_note(recipe, "jdk.jfr.Label");
}

/* eventThread, stackTrace: seldom something that is none. */
static void late_field(struct schema_field *field, const char *name, const char *type)
{
	*field = (struct schema_field)FIELD(name, type, POOLED);
	if (dice_chance(3))
		*field = (struct schema_field)FIELD(name,
						    dice_chance(50) ? STRING : "int");
}

static const struct schema_field *event_fields(struct recipe *recipe)
{
	size_t count = dice_chance(10) ? 0 : dice_below(9), first;
	struct schema_field *fields = room_for_fields(recipe, count + 6),
			    *field = fields;

	tick_field(recipe, field++, "startTime", "jdk.jfr.Timestamp");
	if (dice_chance(60))
		tick_field(recipe, field++, "duration", "jdk.jfr.Timespan");
	first = (size_t)(field - fields);
	if (dice_chance(60))
		late_field(field++, "eventThread", "java.lang.Thread");
	if (dice_chance(50))
		late_field(field++, "stackTrace", full_name(recipe, ".StackTrace"));
	for (size_t i = 0; i < count; i++)
		random_field(recipe, field++, true);
	if (dice_chance(20))
		*field++ = (struct schema_field)FIELD(
			"object", full_name(recipe, ".OldObject"), POOLED);
	if (dice_chance(20))
		*field++ = (struct schema_field)FIELD("arrayElements", "int");
	if (dice_chance(20))
		shuffle(fields + first, (size_t)(field - fields) - first);
	return fields;
}

static const struct schema_note *event_notes(struct recipe *recipe)
{
	static const char *const names[] = { "jdk.jfr.Label",	     "jdk.jfr.Category",
					     "jdk.jfr.Description",  "jdk.jfr.Name",
					     "jdk.jfr.Experimental", "odd.Values",
					     "odd.Outer$List" };
	struct schema_note *notes = room_for_notes(recipe, COUNT(names)), *note = notes;

	for (size_t i = 0; i < COUNT(names); i++) {
		if (dice_chance(i < 2 ? 60 : 15))
			*note++ = random_note(recipe, names[i]);
	}
	return notes;
}

static void add_event(struct recipe *recipe)
{
	static const struct schema_setting settings[] = {
		SETTING("enabled", "odd.Setting", "true"),
		SETTING("filter", "odd.Setting", "*"),
		{ .name = NULL },
	};
	struct schema_type type = TYPE(random_name(recipe, random_package(true), true),
				       "jdk.jfr.Event");

	if (recipe->events.count && dice_chance(4)) /* a class of another loader */
		type.name = recipe->events.items[0].name;
	type.id = next_id(recipe);
	type.fields = event_fields(recipe);
	type.notes = event_notes(recipe);
	type.settings = dice_chance(20) ? settings : NULL;
	PUSH(&recipe->events, type);
}

void recipe_begin(struct recipe *recipe)
{
	bool is_old = recipe->header.major == 1;

	recipe->prefix = is_old ? "com.oracle.jfr.types." : "jdk.types.";
	recipe->last_id = 20; /* primitives are below */
	add_note_types(recipe);
	add_type(recipe,
		 (struct schema_type)TYPE("odd.Setting", "jdk.jfr.SettingControl"));
	add_jdk_types(recipe);
	for (uint64_t i = dice_below(4); i > 0; i--)
		add_simple(recipe);
	for (uint64_t i = dice_below(5); i > 0; i--)
		add_struct(recipe);
	for (uint64_t i = 1 + dice_below(8); i > 0; i--)
		add_event(recipe);
	stock_fill(recipe);
}

/*
 * The same event with a field more, or another one. Not one that is contextual, or
 * becomes so: the JDK asks that of the first event of a type, for all chunks.
 */
static void change_event(struct recipe *recipe, struct schema_type *event)
{
	struct schema_type changed = *event;
	size_t count = 0;
	struct schema_field *fields;

	while (event->fields[count].name)
		count++;
	fields = room_for_fields(recipe, count + 1);
	memcpy(fields, event->fields, count * sizeof(*fields));
	if (count > 4 && dice_chance(50))
		count--;
	random_field(recipe, &fields[count], true);
	changed.fields = fields;
	if (!recipe_is_contextual(event) && !recipe_is_contextual(&changed))
		*event = changed;
}

bool recipe_vary(struct recipe *recipe)
{
	size_t which = dice_below(recipe->events.count);
	struct schema_type *event = &recipe->events.items[which];

	if (dice_chance(50))
		return false;
	if (dice_chance(20)) {
		change_event(recipe, event);
	} else if (recipe->events.count > 1 && dice_chance(40)) {
		PUSH(&recipe->retired, *event);
		*event = recipe->events.items[--recipe->events.count];
	}
	if (dice_chance(40))
		add_event(recipe);
	return true;
}

const struct schema_type *recipe_types(struct recipe *recipe)
{
	size_t count = recipe->types.count + recipe->events.count;
	struct schema_type *types = arena_array(&recipe->arena, count + 1,
						sizeof(*types));

	must(types != NULL);
	for (size_t i = 0; i < count; i++) {
		size_t at = dice_below(i + 1);

		types[i] = types[at];
		types[at] = i < recipe->types.count
				  ? recipe->types.items[i]
				  : recipe->events.items[i - recipe->types.count];
	}
	return types;
}

void recipe_clear(struct recipe *recipe)
{
	for (size_t i = 0; i < recipe->stocks.count; i++)
		vec_clear(&recipe->stocks.items[i].entries);
	vec_clear(&recipe->stocks);
	vec_clear(&recipe->types);
	vec_clear(&recipe->events);
	vec_clear(&recipe->retired);
	arena_clear(&recipe->arena);
	*recipe = (struct recipe){ 0 };
}
