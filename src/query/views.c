#include "query/views.h"

#include "query/lex.h"
#include "query/own.h"
#include "query/query.h"

/* Views beyond that are not written by people. */
#define FILE_SIZE_MAX (1 << 20)

/* So much of a word is repeated in a message. */
#define SHOWN_MAX 60

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

enum key {
	KEY_LABEL,
	KEY_ABOUT,
	KEY_TABLE,
	KEY_FORM,
	KEY_COUNT,
};

static const struct str keys[KEY_COUNT] = {
	[KEY_LABEL] = STR("label"),
	[KEY_ABOUT] = STR("about"),
	[KEY_TABLE] = STR("table"),
	[KEY_FORM] = STR("form"),
};

/* The command has a use of its own for these. */
static const struct str reserved[] = {
	STR("all-events"),
	STR("all-views"),
	STR("types"),
};

/* A section that is being read; text.bytes NULL: the key was not given. */
struct section {
	struct str category, name;
	size_t at;
	struct word values[KEY_COUNT];
};

struct reader {
	struct views *views;
	struct lex lex;
	const char *file;
	bool is_ours;
	struct err *err;
};

/* --- names ------------------------------------------------------------------ */

/* The next letter that counts, in lower case; '\0' at the end. */
static char next_letter(struct str *name)
{
	while (name->size) {
		char letter = *name->bytes++;

		name->size--;
		if (letter == '-' || letter == '_')
			continue;
		return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a')
						      : letter;
	}
	return '\0';
}

bool views_is_same_name(struct str a, struct str b)
{
	char letter;

	do {
		letter = next_letter(&a);
		if (letter != next_letter(&b))
			return false;
	} while (letter);
	return true;
}

static struct view *find_similar(const struct views *views, struct str name)
{
	for (size_t i = 0; i < views->items.count; i++) {
		if (views_is_same_name(views->items.items[i].name, name))
			return &views->items.items[i];
	}
	return NULL;
}

const struct view *views_find(const struct views *views, struct str name)
{
	for (size_t i = 0; i < views->items.count; i++) {
		if (str_is(views->items.items[i].name, name))
			return &views->items.items[i];
	}
	return find_similar(views, name);
}

/* Names are typed in a shell, and told in messages. */
static bool is_name(struct str name, const char *others)
{
	for (size_t i = 0; i < name.size; i++) {
		char letter = (char)(name.bytes[i] | 0x20);
		bool is_digit = name.bytes[i] >= '0' && name.bytes[i] <= '9';

		if (!(letter >= 'a' && letter <= 'z') && !is_digit &&
		    (!name.bytes[i] || !strchr(others, name.bytes[i])))
			return false;
	}
	return name.size && *name.bytes != '-';
}

/* --- what is told ----------------------------------------------------------- */

/* Adds the place to what is wrong with the text. */
static bool fail_line(const struct reader *reader, size_t line)
{
	if (reader->err && reader->err->kind != ERR_USAGE)
		return false;
	return err_within(reader->err, "%s: line %zu",
			  reader->file ? reader->file : "views", line);
}

/* The same of the line that this byte is in. */
static bool fail_at(const struct reader *reader, size_t at)
{
	return fail_line(reader, lex_line(reader->lex.text, at));
}

static bool fail_word(const struct reader *reader, const struct word *word,
		      const char *format)
{
	struct str shown = str_front(word->raw, SHOWN_MAX);

	err_set(reader->err, ERR_USAGE, format, (int)shown.size, shown.bytes);
	return fail_at(reader, word->at);
}

static bool take(struct reader *reader, struct word *word, const char *what)
{
	if (lex_is_end(&reader->lex))
		err_set(reader->err, ERR_USAGE, "expected %s, found the end", what);
	else if (lex_take(&reader->lex, word, &reader->views->arena, reader->err))
		return true;
	return fail_at(reader, reader->lex.at);
}

static bool expect(struct reader *reader, const char *sign, const char *what)
{
	struct word word;

	if (lex_accept(&reader->lex, sign))
		return true;
	if (!take(reader, &word, what))
		return false;
	err_set(reader->err, ERR_USAGE, "expected %s, found '%.*s'", what,
		(int)str_front(word.raw, SHOWN_MAX).size, word.raw.bytes);
	return fail_at(reader, word.at);
}

/* --- a view ----------------------------------------------------------------- */

/*
 * A query must be one now, and not only when it is asked for. Up to its fault it has as
 * many lines in the file as without its quotes.
 */
static bool check_query(const struct reader *reader, const struct word *word)
{
	struct arena arena = { 0 };
	struct query query;
	size_t at;
	bool good = query_parse(&query, word->text, &arena, &at, reader->err);

	arena_clear(&arena);
	return good || fail_line(reader, lex_line(reader->lex.text, word->at) +
						 lex_line(word->text, at) - 1);
}

/* Puts it in the place of that which has its name, or behind all others. */
static bool put(const struct reader *reader, struct view *view)
{
	struct view *old = find_similar(reader->views, view->name);

	if (old) {
		view->is_ours = old->is_ours;
		*old = *view;
		return true;
	}
	return vec_push(&reader->views->items, *view) || err_memory(reader->err);
}

/* More than what separates words goes: control characters, which may be names. */
static struct word trimmed(const struct word *word)
{
	struct word rest = { str_trim(word->text), word->raw, word->at };

	if (word->text.bytes)
		rest.at += (size_t)(rest.text.bytes - word->text.bytes) +
			   (word->raw.size > word->text.size);	/* its quote */
	return rest;
}

static bool end_section(const struct reader *reader, const struct section *section)
{
	const struct word *values = section->values;
	const struct word *table = &values[KEY_TABLE], *form = &values[KEY_FORM];
	struct word query = trimmed(form->text.bytes ? form : table);
	struct view view = {
		.category = section->category,
		.name = section->name,
		.label = values[KEY_LABEL].text.bytes ? values[KEY_LABEL].text
						      : section->name,
		.about = values[KEY_ABOUT].text,
		.query = query.text,
		.is_form = form->text.bytes,
		.is_ours = reader->is_ours,
		.file = reader->file,
	};

	if (!section->name.bytes)
		return true;
	if (!table->text.bytes == !form->text.bytes) {
		struct str shown = str_front(section->name, SHOWN_MAX);

		err_set(reader->err, ERR_USAGE, "%.*s has %s; it must have one of them",
			(int)shown.size, shown.bytes,
			form->text.bytes ? "both table and form"
					 : "neither table nor form");
		return fail_at(reader, section->at);
	}
	return check_query(reader, &query) && put(reader, &view);
}

/* What is between the brackets. */
static bool begin_section(struct reader *reader, struct section *section)
{
	struct word word;
	struct str name;

	if (!take(reader, &word, "category.name"))
		return false;
	name = str_after_last(word.text, '.');
	*section = (struct section){ .name = name, .at = word.at };
	if (name.size < word.text.size)
		section->category = (struct str){ word.text.bytes,
						  word.text.size - name.size - 1 };
	if (!is_name(section->category, "-_.") || !is_name(name, "-_"))
		return fail_word(reader, &word,
				 "expected category.name, of letters, digits, - and _, "
				 "found '%.*s'");
	for (size_t i = 0; i < COUNT_OF(reserved); i++) {
		if (views_is_same_name(name, reserved[i]))
			return fail_word(reader, &word,
					 "no view can be called so: '%.*s'");
	}
	return expect(reader, "]", "]");
}

static bool fail_key(const struct reader *reader, const struct word *word)
{
	int nearest = str_nearest(word->text, keys, KEY_COUNT);

	if (nearest < 0)
		return fail_word(reader, word,
				 "expected label, about, table or form, found '%.*s'");
	err_set(reader->err, ERR_USAGE, "there is no key '%.*s'; did you mean %s?",
		(int)word->text.size, word->text.bytes, keys[nearest].bytes);
	return fail_at(reader, word->at);
}

/* `=` ends a key, but is allowed in a value that has no quotes. */
static bool read_pair(struct reader *reader, struct section *section)
{
	struct word word;
	size_t key = 0;

	reader->lex.separators = "[];=";
	if (!take(reader, &word, "a key"))
		return false;
	if (!section->name.bytes)
		return fail_word(reader, &word,
				 "expected [category.name], found '%.*s'");
	while (key < KEY_COUNT && !str_is(word.text, keys[key]))
		key++;
	if (key == KEY_COUNT)
		return fail_key(reader, &word);
	if (section->values[key].text.bytes)
		return fail_word(reader, &word, "%.*s is given twice");
	if (!expect(reader, "=", "="))
		return false;
	reader->lex.separators = "[];";
	return take(reader, &section->values[key], "a value");
}

static bool read_file(struct reader *reader)
{
	struct section section = { 0 };

	while (!lex_is_end(&reader->lex)) {
		if (lex_accept(&reader->lex, ";")) {
			lex_skip_line(&reader->lex);
		} else if (lex_accept(&reader->lex, "[")) {
			if (!end_section(reader, &section) ||
			    !begin_section(reader, &section))
				return false;
		} else if (!read_pair(reader, &section)) {
			return false;
		}
	}
	return end_section(reader, &section);
}

/* --- files ------------------------------------------------------------------ */

static bool add(struct views *views, struct str text, const char *file, bool is_ours,
		struct err *err)
{
	struct reader reader = {
		.views = views,
		.lex = { .text = text, .separators = "[];" },
		.file = file,
		.is_ours = is_ours,
		.err = err,
	};

	reader.lex.text.bytes = arena_copy(&views->arena, text.bytes, text.size);
	if (!reader.lex.text.bytes)
		return err_memory(err);
	return read_file(&reader);
}

bool views_add_own(struct views *views, struct err *err)
{
	return add(views, own_jdk, NULL, false, err) &&
	       add(views, own_ours, NULL, true, err);
}

bool views_add(struct views *views, struct str text, const char *file, struct err *err)
{
	if (text.size > FILE_SIZE_MAX) {
		err_set(err, ERR_USAGE, "a file of %zu bytes is too long", text.size);
		return err_within(err, "%s", file);
	}
	return add(views, text, file, true, err);
}

void views_clear(struct views *views)
{
	vec_clear(&views->items);
	arena_clear(&views->arena);
}
