/*
 * stock.c - the values of a recipe: of its constants, and of the fields of events.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dice.h"
#include "jfr/encode.h"
#include "recipe.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Nothing ever has this key. */
#define MISSING_KEY UINT64_C(0x7ead000000000001)

#define STRING "java.lang.String"

/* A value that is being written. */
struct making {
	struct recipe *recipe;
	struct buf *to;
	const struct schema_type *type; /* whose fields these are */
	const struct stock *stock;	/* NULL: an event */
	size_t index;			/* in the stock */
	int64_t tick;
};

static void put_field(const struct making *making, const struct schema_field *field);
static void put_single(const struct making *making, const struct schema_field *field,
		       bool must);

static struct stock *stock_of(const struct recipe *recipe, const char *type)
{
	for (size_t i = 0; i < recipe->stocks.count; i++) {
		if (strcmp(recipe->stocks.items[i].type.name, type) == 0)
			return &recipe->stocks.items[i];
	}
	fprintf(stderr, "random: no constants of %s\n", type);
	abort();
}

static bool stock_has(const struct stock *stock, uint64_t key)
{
	for (size_t i = 0; i < stock->entries.count; i++) {
		if (stock->entries.items[i].key == key)
			return true;
	}
	return false;
}

static uint64_t new_key(const struct stock *stock)
{
	uint64_t key;

	do {
		key = dice_below(dice_chance(80) ? 200 : 1000000);
		if (dice_chance(10))
			key = dice_bits();
	} while (key == UINT64_MAX || (key == 0 && dice_chance(70)) ||
		 stock_has(stock, key));
	return key;
}

static uint64_t random_key(const struct stock *stock)
{
	return stock->entries.items[dice_below(stock->entries.count)].key;
}

static struct stock_entry *stock_add(struct stock *stock)
{
	struct stock_entry entry = { .key = new_key(stock) };

	if (!vec_push(&stock->entries, entry))
		abort();
	return &stock->entries.items[stock->entries.count - 1];
}

void recipe_varint(const struct recipe *recipe, struct buf *to, uint64_t number)
{
	char bytes[ENCODE_VARINT_MAX];
	int width = (int)(encode_varint_at(bytes, number) - bytes);

	if (recipe->is_padded && dice_chance(20))
		width += (int)dice_below((uint64_t)(ENCODE_VARINT_MAX + 1 - width));
	encode_padded(to, number, width);
}

/* Texts. */
static void put_raw_utf8(struct buf *to)
{
	static const char *const odd[] = {
		"a\xff!", "\xc0\x80", "\xed\xa0\xbd\xed\xb8\x80", "\xe2\x82",
		"\xf0\x9f\x98", "\xf8\x88\x80\x80\x80", "\x80",
		"\xf4\x90\x80\x80", "\xc3(",
	};
	const char *text = odd[dice_below(COUNT(odd))];

	buf_byte(to, STRING_UTF8);
	encode_varint(to, strlen(text));
	buf_text(to, text);
}

static void put_text(const struct recipe *recipe, struct buf *to, bool can_be_pooled)
{
	static const enum string_encoding encodings[] = { STRING_UTF8, STRING_CHARS,
							  STRING_LATIN1 };
	const struct stock *strings = stock_of(recipe, STRING);
	struct buf text = { 0 };
	uint64_t choice = dice_below(20);

	if (choice == 0) {
		buf_byte(to, STRING_NULL);
	} else if (choice == 1) {
		buf_byte(to, STRING_EMPTY);
	} else if (choice == 2) {
		put_raw_utf8(to);
	} else if (choice < 7 && can_be_pooled) {
		encode_string_key(to, dice_chance(95) ? random_key(strings)
						      : MISSING_KEY);
	} else {
		/* No bytes can be null to the JDK, no units are not. */
		dice_text(&text);
		encode_string_as(to,
				 text.size ? encodings[dice_below(3)] : STRING_CHARS,
				 (struct str){ text.bytes, text.size });
	}
	buf_clear(&text);
}

/*
 * The key of a new symbol with that text. In events any symbol will do: of what is in
 * them, and no constant, the JDK knows no meaning.
 */
static uint64_t symbol(const struct making *making, const char *text)
{
	struct recipe *recipe = making->recipe;
	struct buf name = { 0 }, bytes = { 0 };
	struct stock *stock;
	struct stock_entry *entry;

	buf_text(&name, recipe->prefix);
	buf_text(&name, "Symbol");
	stock = stock_of(recipe, recipe_copy(recipe, &name));
	buf_clear(&name);
	if (!making->stock)
		return random_key(stock);
	entry = stock_add(stock);
	encode_string_as(&bytes, *text ? STRING_UTF8 : STRING_CHARS, str_of(text));
	entry->bytes.size = bytes.size;
	entry->bytes.bytes = recipe_copy(recipe, &bytes);
	buf_clear(&bytes);
	return entry->key;
}

/* References. */
static const char *const web[] = { "java.lang.Class", ".ClassLoader", ".Package",
				   ".Module" };

static bool in_web(const char *name)
{
	for (size_t i = 0; i < COUNT(web); i++) {
		if (strcmp(web[i], name) == 0)
			return true;
	}
	return false;
}

/* How many of the target's constants this one may refer to, so that no ring forms. */
static size_t limit_of(const struct making *making, const struct stock *target)
{
	const char *from, *to = recipe_short(making->recipe, target->type.name);
	size_t limit = target->entries.count;

	if (!making->stock)
		return limit;
	from = recipe_short(making->recipe, making->stock->type.name);
	if (strcmp(from, to) == 0 ||
	    (strcmp(from, ".ClassLoader") == 0 && strcmp(to, "java.lang.Class") == 0) ||
	    (strcmp(from, ".OldObject") == 0 && strcmp(to, ".Reference") == 0))
		return making->index < limit ? making->index : limit;
	if ((in_web(from) && in_web(to)) || strcmp(from, ".Reference") == 0)
		return making->index + 1 < limit ? making->index + 1 : limit;
	return limit;
}

/* A key without a constant. At times there is one for 0, which could close a ring. */
static uint64_t null_key(const struct stock *target)
{
	return dice_chance(50) || stock_has(target, 0) ? MISSING_KEY : 0;
}

static void put_key(const struct making *making, const char *type, bool must)
{
	const struct stock *target = stock_of(making->recipe, type);
	size_t limit = limit_of(making, target);
	uint64_t key = null_key(target);

	if (limit && (must || dice_chance(92)))
		key = target->entries.items[dice_below(limit)].key;
	recipe_varint(making->recipe, making->to, key);
}

/* Numbers. */
static int64_t in_ticks(const struct recipe *recipe, int64_t nanos)
{
	return (int64_t)((double)nanos *
			 ((double)recipe->header.ticks_per_second / 1e9));
}

static int64_t random_timespan(const struct recipe *recipe, const char *unit)
{
	static const struct {
		const char *name;
		int64_t nanos;
	} units[] = {
		{ "SECONDS", 1000000000 },
		{ "MILLISECONDS", 1000000 },
		{ "MICROSECONDS", 1000 },
		{ "NANOSECONDS", 1 },
	};
	static const int64_t special[] = { 0, INT64_MIN, INT64_MAX, 1, -1 };

	if (dice_chance(15))
		return special[dice_below(COUNT(special))];
	for (size_t i = 0; i < COUNT(units); i++) {
		if (strcmp(units[i].name, unit) == 0)
			return recipe->is_wild && i < 2 && dice_chance(20)
				     ? dice_integer() / 2
				     : dice_nanos() / units[i].nanos;
	}
	return in_ticks(recipe, dice_nanos());
}

static int64_t random_timestamp(const struct making *making, const char *unit)
{
	const struct header *header = &making->recipe->header;

	if (dice_chance(10))
		return dice_chance(50) ? INT64_MIN : dice_integer();
	if (*unit == 'M')
		return header->start_nanos / 1000000 + (int64_t)dice_below(100000);
	return making->tick + in_ticks(making->recipe, dice_nanos() % 1000000000000);
}

static int64_t random_number(void)
{
	static const int64_t edges[] = {
		0,	   1,	      -1,	  2,	     100,	127,
		-128,	   128,	      255,	  1023,	     1024,	-1023,
		-1024,	   32767,     -32768,	  65535,     1048575,	1048576,
		INT32_MAX, INT32_MIN, UINT32_MAX, INT64_MAX, INT64_MIN,
	};

	return dice_chance(60) ? edges[dice_below(COUNT(edges))] : dice_integer();
}

static int64_t number_of(const struct making *making, const struct schema_field *field)
{
	const struct schema_note *span = recipe_note(field->notes, "jdk.jfr.Timespan");
	const struct schema_note *stamp = recipe_note(field->notes,
						      "jdk.jfr.Timestamp");

	if (span)
		return random_timespan(making->recipe, span->value);
	return stamp ? random_timestamp(making, stamp->value) : random_number();
}

/* Narrow integers may come with bits that do not belong to them. */
static void put_narrow(const struct making *making, uint64_t number, uint64_t mask)
{
	recipe_varint(making->recipe, making->to,
		      making->recipe->is_padded && dice_chance(5) ? number
								  : number & mask);
}

static void put_boolean(const struct making *making, const struct schema_field *field)
{
	(void)field;
	encode_byte(making->to,
		    dice_chance(95) ? (int8_t)dice_below(2) : (int8_t)dice_bits());
}

static void put_byte(const struct making *making, const struct schema_field *field)
{
	encode_byte(making->to, (int8_t)number_of(making, field));
}

static void put_short(const struct making *making, const struct schema_field *field)
{
	put_narrow(making, (uint64_t)number_of(making, field), UINT16_MAX);
}

static void put_char(const struct making *making, const struct schema_field *field)
{
	static const uint16_t units[] = { 'a',	  '"',	  '\\',	  '/',	 '<',
					  '\n',	  0,	  0x7f,	  0x80,	 0xe9,
					  0x20ac, 0xd83d, 0xde00, 0xffff };

	if (field->notes && field->notes->type)
		put_narrow(making, (uint64_t)number_of(making, field), UINT16_MAX);
	else
		encode_char(making->to, units[dice_below(COUNT(units))]);
}

static void put_int(const struct making *making, const struct schema_field *field)
{
	put_narrow(making, (uint64_t)number_of(making, field), UINT32_MAX);
}

static void put_long(const struct making *making, const struct schema_field *field)
{
	recipe_varint(making->recipe, making->to, (uint64_t)number_of(making, field));
}

static void put_float(const struct making *making, const struct schema_field *field)
{
	static const float edges[] = { 0, -0.0f, 1, NAN, INFINITY, -INFINITY, 0.125f };

	(void)field;
	encode_float(making->to,
		     dice_chance(40) ? edges[dice_below(COUNT(edges))] : dice_float());
}

static void put_double(const struct making *making, const struct schema_field *field)
{
	static const double edges[] = { 0,	  -0.0,	     1,	    NAN,
					INFINITY, -INFINITY, 0.005, 0.99995 };

	(void)field;
	encode_double(making->to, dice_chance(40) ? edges[dice_below(COUNT(edges))]
						  : dice_double());
}

static void put_string(const struct making *making, const struct schema_field *field)
{
	(void)field;
	put_text(making->recipe, making->to, true);
}

static const struct {
	const char *type;
	void (*put)(const struct making *making, const struct schema_field *field);
} primitives[] = {
	{ "boolean", put_boolean }, { "byte", put_byte },     { "short", put_short },
	{ "char", put_char },	    { "int", put_int },	      { "long", put_long },
	{ "float", put_float },	    { "double", put_double }, { STRING, put_string },
};

/* What must not be any value at all. */
static const char *random_class(void)
{
	static const char *const names[] = {
		"shop/Shop",
		"shop/Shop$Clerk",
		"java/lang/String",
		"[I",
		"[[J",
		"int",
		"Main",
		"[Ljava/lang/String;",
		"[[[Lshop/Shop$Clerk;",
		"[X",
		"[IJ",
		"a/\xc3\xa9/\xe4\xb8\xad",
		"shop/Shop$$Lambda+0x00007f0001000000",
		"",
		"/",
		"a.b",
		"[La;x",
	};

	return names[dice_below(COUNT(names))];
}

static void put_class_name(const struct making *making,
			   const struct schema_field *field)
{
	(void)field;
	recipe_varint(making->recipe, making->to, symbol(making, random_class()));
}

static void put_loader_type(const struct making *making,
			    const struct schema_field *field)
{
	if (making->index % 2)
		put_key(making, field->type, true);
	else
		recipe_varint(making->recipe, making->to,
			      null_key(stock_of(making->recipe, field->type)));
}

static void put_loader_name(const struct making *making,
			    const struct schema_field *field)
{
	if (making->index % 2)
		put_key(making, field->type, false);
	else
		recipe_varint(making->recipe, making->to, symbol(making, "bootstrap"));
}

static void put_descriptor(const struct making *making,
			   const struct schema_field *field)
{
	static const char *const descriptors[] = {
		"()V",	       "([Ljava/lang/String;)V",
		"(IJZDFSCB)I", "(Ljava/util/Map$Entry;[[I)V",
		"(XI)V",       "abc)",
		"((I)V",       "(L;)V",
		"(La;)V)",     "(LNoPackage;J)Ljava/lang/Object;",
		"([[[Z)V",     "(La/\xc3\xa9;)V",
		"(L/;La.;)V",
	};

	(void)field;
	recipe_varint(making->recipe, making->to,
		      symbol(making, descriptors[dice_below(COUNT(descriptors))]));
}

static void put_valid_key(const struct making *making, const struct schema_field *field)
{
	put_key(making, field->type, true);
}

static void put_line(const struct making *making, const struct schema_field *field)
{
	if (dice_chance(5))
		put_int(making, field);
	else
		recipe_varint(making->recipe, making->to,
			      (uint32_t)((int32_t)dice_below(1000) - 1));
}

static void put_thread_id(const struct making *making, const struct schema_field *field)
{
	if (dice_chance(30))
		put_long(making, field);
	else
		recipe_varint(making->recipe, making->to, dice_below(40) / 2);
}

static void put_frames(const struct making *making, const struct schema_field *field)
{
	static const uint8_t counts[] = { 0, 1, 2, 4, 5, 6, 63, 64, 65 };
	uint64_t count = dice_chance(70) ? counts[dice_below(COUNT(counts))]
					 : dice_below(71);

	recipe_varint(making->recipe, making->to, count);
	while (count--)
		put_single(making, field, false);
}

static void put_elements(const struct making *making, const struct schema_field *field)
{
	(void)field;
	recipe_varint(making->recipe, making->to,
		      dice_chance(50) ? dice_below(500) : (uint32_t)INT32_MIN);
}

static void put_holder(const struct making *making, const struct schema_field *field)
{
	(void)field;
	encode_string_as(making->to, STRING_CHARS, str_of(random_class()));
}

static void put_skip(const struct making *making, const struct schema_field *field)
{
	(void)field;
	recipe_varint(making->recipe, making->to, dice_below(3));
}

static const struct {
	const char *type, *field; /* a NULL type: of an event */
	void (*put)(const struct making *making, const struct schema_field *field);
} specials[] = {
	{ "java.lang.Class", "name", put_class_name },
	{ ".ClassLoader", "type", put_loader_type },
	{ ".ClassLoader", "name", put_loader_name },
	{ ".Method", "type", put_valid_key },
	{ ".Method", "descriptor", put_descriptor },
	{ ".StackFrame", "method", put_valid_key },
	{ ".StackFrame", "lineNumber", put_line },
	{ ".StackTrace", "frames", put_frames },
	{ ".Reference", "object", put_valid_key },
	{ "java.lang.Thread", "javaThreadId", put_thread_id },
	{ "java.lang.Thread", "osThreadId", put_thread_id },
	{ ".Reference", "skip", put_skip },
	{ ".OldObjectField", "name", put_holder },
	{ NULL, "arrayElements", put_elements },
};

static bool put_special(const struct making *making, const struct schema_field *field)
{
	const char *name = recipe_short(making->recipe, making->type->name);
	bool is_event = making->type->super &&
			strcmp(making->type->super, "jdk.jfr.Event") == 0;

	for (size_t i = 0; i < COUNT(specials); i++) {
		if (strcmp(specials[i].field, field->name) != 0 ||
		    (specials[i].type ? strcmp(specials[i].type, name) != 0
				      : !is_event))
			continue;
		specials[i].put(making, field);
		return true;
	}
	return false;
}

static const struct schema_type *find_type(const struct recipe *recipe,
					   const char *name)
{
	for (size_t i = 0; i < recipe->types.count; i++) {
		if (strcmp(recipe->types.items[i].name, name) == 0)
			return &recipe->types.items[i];
	}
	return NULL;
}

/* The fields; of a simple type only the first, annotated as what it stands for. */
static void put_struct(const struct making *making, const struct schema_type *type,
		       const struct schema_note *notes)
{
	struct making inner = *making;

	inner.type = type;
	for (const struct schema_field *field = type->fields; field && field->name;
	     field++) {
		struct schema_field shown = *field;

		if (type->is_simple)
			shown.notes = notes;
		put_field(&inner, &shown);
		if (type->is_simple)
			break;
	}
}

/* The JDK converts it, and cannot convert null. */
static bool is_converted(const struct schema_field *field)
{
	return recipe_is_time(field) || recipe_note(field->notes, "jdk.jfr.Unsigned");
}

static void put_single(const struct making *making, const struct schema_field *field,
		       bool must)
{
	if (field->is_pooled) {
		put_key(making, field->type, must || is_converted(field));
		return;
	}
	for (size_t i = 0; i < COUNT(primitives); i++) {
		if (strcmp(primitives[i].type, field->type) == 0) {
			primitives[i].put(making, field);
			return;
		}
	}
	put_struct(making, find_type(making->recipe, field->type), field->notes);
}

static void put_field(const struct making *making, const struct schema_field *field)
{
	uint64_t count;

	if (put_special(making, field))
		return;
	if (!field->is_array) {
		put_single(making, field, false);
		return;
	}
	count = dice_below(4);
	recipe_varint(making->recipe, making->to, count);
	while (count--)
		put_single(making, field,
			   !find_type(making->recipe, field->type) ||
				   !find_type(making->recipe, field->type)->is_simple);
}

/* Strings first: all others may refer to them. */
static void fill_strings(struct recipe *recipe)
{
	struct stock stock = { .type = TYPE(STRING, NULL) };
	struct buf bytes = { 0 };

	if (!vec_push(&recipe->stocks, stock))
		abort();
	for (uint64_t i = 1 + dice_below(6); i > 0; i--) {
		struct stock_entry *entry = stock_add(&recipe->stocks.items[0]);

		put_text(recipe, &bytes, false);
		entry->bytes.size = bytes.size;
		entry->bytes.bytes = recipe_copy(recipe, &bytes);
	}
	buf_clear(&bytes);
}

static void fill(struct recipe *recipe, size_t which)
{
	size_t count = recipe->stocks.items[which].entries.count;
	struct buf bytes = { 0 };

	for (size_t i = 0; i < count; i++) {
		struct stock *stock = &recipe->stocks.items[which];
		struct making making = { recipe, &bytes, &stock->type,
					 stock,	 i,	 recipe->header.start_ticks };

		if (stock->entries.items[i].bytes.bytes)
			continue;
		put_struct(&making, &stock->type, NULL);
		stock->entries.items[i].bytes.size = bytes.size;
		stock->entries.items[i].bytes.bytes = recipe_copy(recipe, &bytes);
	}
	buf_clear(&bytes);
}

void stock_fill(struct recipe *recipe)
{
	fill_strings(recipe);
	for (size_t i = 0; i < recipe->types.count; i++) {
		const struct schema_type *type = &recipe->types.items[i];
		struct stock stock = { .type = *type };

		if (!type->fields || (type->super && strstr(type->super, "Annotation")))
			continue;
		for (uint64_t j = 1 + dice_below(6); j > 0; j--)
			stock_add(&stock);
		if (!vec_push(&recipe->stocks, stock))
			abort();
	}
	for (size_t i = 1; i < recipe->stocks.count; i++)
		fill(recipe, i);
}

/*
 * A length of time that is often none, and at times less than that. Not of contextual
 * events: in the JDK those would be around all events that follow.
 */
static int64_t random_duration(const struct recipe *recipe,
			       const struct schema_type *type)
{
	int64_t nanos = dice_nanos();
	bool is_context = recipe_is_contextual(type);

	if (dice_chance(25))
		return 0;
	if (dice_chance(97) || is_context)
		nanos = nanos < 0 ? -nanos : nanos;
	if (dice_chance(50) || is_context)
		nanos %= 3000000000;
	return in_ticks(recipe, nanos);
}

void recipe_event(struct recipe *recipe, struct buf *to, const struct schema_type *type,
		  int64_t tick)
{
	struct making making = { recipe, to, type, NULL, 0, tick };
	const struct schema_field *field = type->fields + 1;

	recipe_varint(recipe, to, (uint64_t)tick);
	if (field->name && strcmp(field->name, "duration") == 0) {
		recipe_varint(recipe, to, (uint64_t)random_duration(recipe, type));
		field++;
	}
	for (; field->name; field++)
		put_field(&making, field);
}
