#include "jfc/methodfilter.h"

#include "base/utf.h"
#include "jfc/identifier.h"

/* --- reading a filter ---------------------------------------------------------- */

/* Goes through one filter; after the first fault it stays where that is. */
struct reader {
	struct str text;
	size_t at;
	const char *reason;
};

static struct str rest_of(const struct reader *reader)
{
	return (struct str){ reader->text.bytes + reader->at,
			     reader->text.size - reader->at };
}

static bool sees(const struct reader *reader, const char *expected)
{
	return str_starts(rest_of(reader), str_of(expected));
}

static bool accept(struct reader *reader, const char *expected)
{
	if (reader->reason || !sees(reader, expected))
		return false;
	reader->at += strlen(expected);
	return true;
}

static void fail(struct reader *reader, const char *reason)
{
	if (!reader->reason)
		reader->reason = reason;
}

/* The hints are for those who have the grammar of another tool in mind. */
static void fail_at_character(struct reader *reader)
{
	static const struct {
		const char *text;
		const char *reason;
	} hints[] = {
		{ ",", "filters are separated by ; and not by commas" },
		{ "#", "a method stands behind ::" },
		{ ":", "a method stands behind ::" },
		{ "<init>", "a method stands behind ::" },
		{ "<clinit>", "a method stands behind ::" },
		{ "?", "* stands for any characters, ? does not" },
		{ "|", "filters are separated by ; and not by |" },
		{ "{", "names have no braces; filters are separated by ;" },
		{ "\\", "filters are no regular expressions" },
		{ "^", "filters are no regular expressions" },
		{ "[", "filters are no regular expressions" },
		{ "\"", "names have no quotes" },
		{ "'", "names have no quotes" },
		{ "/", "names have dots, not slashes" },
		{ ".", "a name is missing at the dot" },
		{ "<", "only <init> and <clinit> have angle brackets" },
		{ ">", "only <init> and <clinit> have angle brackets" },
		{ "(", "parameters follow the name of a method" },
		{ "!", "! stands in front" },
		{ "+", "+ stands in front, behind ! if there is one" },
		{ "@", "@ stands in front, behind ! if there is one" },
	};

	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
		if (sees(reader, hints[i].text))
			fail(reader, hints[i].reason);
	}
	if (utf_blanks(rest_of(reader)))
		fail(reader, "filters are separated by ; and have no blanks");
	fail(reader, "names have no such character");
}

static struct str since(const struct reader *reader, size_t start)
{
	return (struct str){ reader->text.bytes + start, reader->at - start };
}

/* Goes as far as there are characters of names, which may be nowhere. */
static struct str take_name(struct reader *reader)
{
	size_t start = reader->at;

	while (!reader->reason && reader->at < reader->text.size) {
		struct str rest = rest_of(reader);
		uint32_t point = utf_next(&rest);

		if (point != '-' && point != '*' && !identifier_is_part(point))
			break;
		reader->at = reader->text.size - rest.size;
	}
	return since(reader, start);
}

/* Where there is a character, that is what is wrong. */
static void fail_behind_dot(struct reader *reader)
{
	if (reader->at < reader->text.size && !strchr(".:(),;", *rest_of(reader).bytes))
		fail_at_character(reader);
	fail(reader, "a name is missing behind a dot");
}

/* Names with dots between them. */
static struct str take_path(struct reader *reader)
{
	size_t start = reader->at;

	if (take_name(reader).size) {
		while (!sees(reader, "...") && accept(reader, ".")) {
			if (!take_name(reader).size)
				fail_behind_dot(reader);
		}
	}
	return since(reader, start);
}

static struct str take_method(struct reader *reader)
{
	size_t start = reader->at;

	if (accept(reader, "<init>") || accept(reader, "<clinit>"))
		return since(reader, start);
	if (!take_name(reader).size && reader->at == reader->text.size)
		fail(reader, "the name of a method is missing");
	return since(reader, start);
}

static void skip_blanks(struct reader *reader)
{
	if (!reader->reason)
		reader->at += utf_blanks(rest_of(reader));
}

static void take_type(struct reader *reader)
{
	bool is_last;

	skip_blanks(reader);
	if (!take_path(reader).size)
		fail(reader, "the type of a parameter is missing");
	skip_blanks(reader);
	while (accept(reader, "[]"))
		;
	is_last = accept(reader, "...");
	skip_blanks(reader);
	if (is_last && !sees(reader, ")"))
		fail(reader, "only the last parameter can have ...");
}

/* Behind the parenthesis that opens; what is between the two. */
static struct str take_parameters(struct reader *reader)
{
	size_t start = reader->at;
	struct str parameters;

	skip_blanks(reader);
	if (!sees(reader, ")")) {
		do
			take_type(reader);
		while (accept(reader, ","));
	}
	parameters = since(reader, start);
	if (sees(reader, "<"))
		fail(reader, "types are written without <...>");
	if (!accept(reader, ")"))
		fail(reader, "parameters are types with commas between, and end in )");
	if (reader->at < reader->text.size)
		fail(reader, "nothing follows the parameters");
	return parameters;
}

static void take_annotation(struct reader *reader, struct methodfilter_item *item)
{
	item->is_annotation = true;
	item->class_name = take_path(reader);
	if (item->class_name.size == 0)
		fail(reader, "the name of an annotation is missing");
	if (sees(reader, "::") || sees(reader, "("))
		fail(reader, "an annotation stands alone");
}

static void take_class(struct reader *reader, struct methodfilter_item *item)
{
	if (sees(reader, "-"))
		fail(reader, "what is taken out begins with !");
	item->class_name = take_path(reader);
	if (item->class_name.size == 0) {
		item->class_name.bytes = NULL;
		if (reader->at == reader->text.size ||
		    (item->has_subtypes && sees(reader, "::")))
			fail(reader, "the name of a class is missing");
	}
	if (!accept(reader, "::"))
		return;
	item->method = take_method(reader);
	if (sees(reader, "."))
		fail(reader, "methods have no dots");
	if (item->method.size && accept(reader, "("))
		item->parameters = take_parameters(reader);
}

/* Reads all of an item; where there is a fault, the rest does not count. */
static void take_item(struct reader *reader, struct methodfilter_item *item)
{
	item->is_excluded = accept(reader, "!");
	item->has_subtypes = accept(reader, "+");
	if (item->has_subtypes && sees(reader, "@"))
		fail(reader, "annotations have no subtypes");
	if (accept(reader, "@"))
		take_annotation(reader, item);
	else
		take_class(reader, item);
	if (reader->at < reader->text.size)
		fail_at_character(reader);
}

/* --- what the JDK knows ---------------------------------------------------------- */

static bool is_class_name(struct str text)
{
	const char *dot;

	while (text.size && (dot = memchr(text.bytes, '.', text.size))) {
		struct str name = { text.bytes, (size_t)(dot - text.bytes) };

		if (!identifier_is(name))
			return false;
		text = (struct str){ dot + 1, text.size - name.size - 1 };
	}
	return identifier_is(text);
}

/* Of an item without a fault. */
static bool is_jdk(const struct methodfilter_item *item)
{
	struct str method = item->method;

	if (item->is_excluded || item->has_subtypes || item->parameters.bytes)
		return false;
	if (item->class_name.bytes && !is_class_name(item->class_name))
		return false;
	return !method.bytes || *method.bytes == '<' || identifier_is(method);
}

/* Says what it is that the JDK does not know. */
static void fail_as_jdk(struct reader *reader)
{
	static const struct {
		char mark;
		const char *reason;
	} hints[] = {
		{ '!', "JEP 520 cannot take methods out" },
		{ '+', "JEP 520 does not know subtypes" },
		{ '*', "JEP 520 does not know *" },
		{ '(', "JEP 520 does not know parameters" },
	};

	reader->at = 0;
	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
		const char *mark = memchr(reader->text.bytes, hints[i].mark,
					  reader->text.size);

		if (mark && !reader->reason) {
			reader->at = (size_t)(mark - reader->text.bytes);
			reader->reason = hints[i].reason;
		}
	}
	fail(reader, "JEP 520 only knows names that Java allows");
}

/* --- reading a text -------------------------------------------------------------- */

/* Takes the next filter off the front of `rest`; false if there is none. */
static bool next_item(struct str text, struct str *rest, struct methodfilter_item *item)
{
	struct str piece;

	while (str_split(rest, ';', &piece)) {
		piece = utf_strip(piece);
		if (piece.size == 0)
			continue;
		*item = (struct methodfilter_item){
			.text = piece, .at = (size_t)(piece.bytes - text.bytes)
		};
		return true;
	}
	return false;
}

static bool read_item(struct methodfilter_item *item, enum methodfilter_mode mode,
		      struct methodfilter_fault *fault)
{
	struct reader reader = { .text = item->text };

	take_item(&reader, item);
	item->is_jdk = !reader.reason && is_jdk(item);
	if (mode == METHODFILTER_JDK && !reader.reason && !item->is_jdk)
		fail_as_jdk(&reader);
	if (!reader.reason)
		return true;
	*fault = (struct methodfilter_fault){ item->at + reader.at, item->text,
					      reader.reason };
	return false;
}

size_t methodfilter_check(struct str text, enum methodfilter_mode mode,
			  methodfilter_told *told, void *context)
{
	struct methodfilter_item item;
	struct methodfilter_fault fault;
	struct str rest = text;
	size_t count = 0;

	while (next_item(text, &rest, &item)) {
		if (read_item(&item, mode, &fault))
			continue;
		told(context, &fault);
		count++;
	}
	return count;
}

/* "String ,int..." becomes "String,int[]", which is no longer. */
static bool keep_parameters(struct str *parameters, struct arena *arena)
{
	struct str rest = *parameters;
	char *to = arena_alloc(arena, rest.size + 1);

	if (!to)
		return false;
	*parameters = (struct str){ to, 0 };
	while (rest.size) {
		size_t blanks = utf_blanks(rest);
		bool is_many = str_starts(rest, STR("..."));

		if (blanks == 0)
			to[parameters->size++] = is_many ? '[' : *rest.bytes;
		if (is_many)
			to[parameters->size++] = ']';
		blanks += is_many ? 3 : blanks == 0;
		rest = (struct str){ rest.bytes + blanks, rest.size - blanks };
	}
	return true;
}

static bool keep(struct methodfilter *filter, struct methodfilter_item *item)
{
	return (!item->parameters.bytes ||
		keep_parameters(&item->parameters, &filter->arena)) &&
	       vec_push(&filter->items, *item);
}

bool methodfilter_read(struct methodfilter *filter, struct str text,
		       enum methodfilter_mode mode, struct methodfilter_fault *fault)
{
	struct methodfilter_item item;
	struct str copy = { NULL, text.size }, rest;

	*filter = (struct methodfilter){ 0 };
	*fault = (struct methodfilter_fault){ 0 };
	if (text.size == 0)
		return true;
	copy.bytes = arena_copy(&filter->arena, text.bytes, text.size);
	if (!copy.bytes)
		return false;
	rest = copy;
	while (next_item(copy, &rest, &item)) {
		if (!read_item(&item, mode, fault)) {
			fault->item.bytes = text.bytes + item.at;
			return false;
		}
		if (!keep(filter, &item))
			return false;
	}
	return true;
}

/* --- asking ---------------------------------------------------------------------- */

/* Where to go back to: the rest of the pattern is tried from a later place on. */
struct star {
	bool is_set;
	size_t after;		/* in the pattern */
	size_t at;		/* in the text */
};

/* Names of the JVM have slashes where those of Java have dots. */
static char character(struct str text, size_t at)
{
	return text.bytes[at] == '/' ? '.' : text.bytes[at];
}

/* Not one that has come to a dot. At the end of the text it can, which is of no use. */
static bool can_move(struct star near, struct str text)
{
	return near.is_set &&
	       (near.at == text.size || character(text, near.at) != '.');
}

static size_t stars_at(struct str pattern, size_t at)
{
	size_t end = at;

	while (end < pattern.size && pattern.bytes[end] == '*')
		end++;
	return end - at;
}

/*
 * `*` is any run without a dot, `**` any run. Only the last of each can need to take
 * more, and of the former only one behind the latter: what an earlier one gives up, the
 * later one can take.
 */
bool methodfilter_matches(struct str pattern, struct str text)
{
	struct star near = { 0 }, far = { 0 }, *back;
	size_t p = 0, t = 0;

	while (p < pattern.size || t < text.size) {
		size_t stars = stars_at(pattern, p);

		if (stars) {
			p += stars;
			near = (struct star){ true, p, t };
			if (stars > 1) {
				far = near;
				near.is_set = false;
			}
		} else if (p < pattern.size && t < text.size &&
			   pattern.bytes[p] == character(text, t)) {
			p++;
			t++;
		} else {
			back = can_move(near, text) ? &near : &far;
			if (!back->is_set || back->at == text.size)
				return false;
			near.is_set = back == &near;
			p = back->after;
			t = ++back->at;
		}
	}
	return true;
}

/* A type without a package is that of any. */
static bool matches_type(struct str pattern, struct str type)
{
	bool is_full = memchr(pattern.bytes, '.', pattern.size) != NULL;

	return methodfilter_matches(pattern, is_full ? type : str_after_last(type, '.'));
}

static bool match_parameters(struct str patterns, struct str types)
{
	struct str pattern, type;

	while (str_split(&patterns, ',', &pattern)) {
		if (!str_split(&types, ',', &type) || !matches_type(pattern, type))
			return false;
	}
	return types.size == 0;
}

/* A bridge has the name of what it leads to: with it, one call would be two. */
static bool can_include(const struct methodfilter_item *item,
			const struct methodfilter_method *method)
{
	struct str name = item->method;

	if (method->is_bridge)
		return item->parameters.bytes ||
		       (name.bytes && memchr(name.bytes, '*', name.size));
	return !method->is_synthetic || name.bytes;
}

bool methodfilter_item_accepts(const struct methodfilter_item *item,
			       const struct methodfilter_method *method,
			       methodfilter_kind *is_kind, void *context)
{
	if (!item->is_excluded && !can_include(item, method))
		return false;
	if (item->method.bytes && !methodfilter_matches(item->method, method->method))
		return false;
	if (item->parameters.bytes &&
	    !(method->parameters.bytes &&
	      match_parameters(item->parameters, method->parameters)))
		return false;
	if (!item->is_annotation &&
	    (!item->class_name.bytes ||
	     methodfilter_matches(item->class_name, method->class_name)))
		return true;
	return (item->is_annotation || item->has_subtypes) && is_kind &&
	       is_kind(context, item, method);
}

bool methodfilter_accepts(const struct methodfilter *filter,
			  const struct methodfilter_method *method,
			  methodfilter_kind *is_kind, void *context)
{
	bool is_included = false;

	for (size_t i = 0; i < filter->items.count; i++) {
		const struct methodfilter_item *item = &filter->items.items[i];

		if (is_included && !item->is_excluded)
			continue;
		if (!methodfilter_item_accepts(item, method, is_kind, context))
			continue;
		if (item->is_excluded)
			return false;
		is_included = true;
	}
	return is_included;
}

void methodfilter_clear(struct methodfilter *filter)
{
	vec_clear(&filter->items);
	arena_clear(&filter->arena);
}
