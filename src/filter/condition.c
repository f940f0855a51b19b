#include "filter/condition.h"

#include <stdlib.h>

/* So much of a text is repeated in a message. */
#define SHOWN_MAX 60

/* A sign that begins like another stands in front of it. */
static const struct sign {
	const char *text;
	enum relation relation;
	bool is_negated;
} signs[] = {
	{ "==", RELATION_SAME, false },	   { "=~", RELATION_LIKE, false },
	{ "!=", RELATION_SAME, true },	   { "!~", RELATION_LIKE, true },
	{ "<=", RELATION_AT_MOST, false }, { ">=", RELATION_AT_LEAST, false },
	{ "=", RELATION_SAME, false },	   { "~", RELATION_LIKE, false },
	{ "<", RELATION_LESS, false },	   { ">", RELATION_GREATER, false },
};

/* A condition and the texts that it consists of. */
struct storage {
	struct condition condition;
	char bytes[];
};

static bool fail(struct err *err, struct str text, const char *why)
{
	struct str shown = str_front(text, SHOWN_MAX);

	return err_set(err, ERR_USAGE, "'%.*s' %s", (int)shown.size, shown.bytes, why);
}

static const struct sign *find_sign(struct str text)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (str_starts(text, str_of(signs[i].text)))
			return &signs[i];
	}
	return NULL;
}

static bool is_name(struct str name)
{
	for (size_t i = 0; i < name.size; i++) {
		if ((unsigned char)name.bytes[i] <= ' ' || strchr("'\"", name.bytes[i]))
			return false;
	}
	return name.size > 0;
}

/* The names in the path, of which `copy` is a copy that may be cut. */
static bool read_path(struct condition *condition, char *copy, struct str text,
		      struct err *err)
{
	struct str rest = { copy, condition->path.size }, name;

	if (rest.size == 0)
		return fail(err, text, "has no field in front of its operator");
	if (rest.bytes[rest.size - 1] == '.')
		return fail(err, text, "has no field behind the last dot");
	while (str_split(&rest, '.', &name)) {
		if (!is_name(name))
			return fail(err, text,
				    "names no field; write eventThread.javaName "
				    "or the like in front of the operator");
		if (condition->part_count == CONDITION_PARTS_MAX)
			return fail(err, text, "has too many dots");
		condition->parts[condition->part_count++] = name.bytes;
		copy[name.bytes - copy + (ptrdiff_t)name.size] = '\0';
	}
	return true;
}

/* Takes the quotes off; false if there is one alone. */
static bool unquote(struct str *value, bool *is_quoted)
{
	char quote = value->size ? *value->bytes : '\0';
	const char *end;

	*is_quoted = quote == '"' || quote == '\'';
	if (!*is_quoted)
		return true;
	end = memchr(value->bytes + 1, quote, value->size - 1);
	if (end != value->bytes + value->size - 1 || value->size < 2)
		return false;
	value->bytes++;
	value->size -= 2;
	return true;
}

static bool read_value(struct condition *condition, struct str text, struct err *err)
{
	struct str *value = &condition->value;
	bool is_quoted;

	if (!unquote(value, &is_quoted))
		return fail(err, text, "has a quote in its value that does not end it");
	if (!is_quoted && value->size == 0)
		return fail(err, text,
			    "has no value; write null for what is missing, '' "
			    "for an empty text");
	condition->is_null = !is_quoted && (str_is(*value, STR("null")) ||
					    str_is(*value, STR("N/A")));
	if (condition->is_null && condition->relation != RELATION_SAME)
		return fail(err, text,
			    "compares with null; that goes with = and != only");
	return true;
}

/* A copy with a zero behind it; *room moves on. */
static char *keep(char **room, struct str text)
{
	char *copy = *room;

	if (text.size)
		memcpy(copy, text.bytes, text.size);
	copy[text.size] = '\0';
	*room += text.size + 1;
	return copy;
}

/* The copy of the value that has dots for slashes. */
static struct str keep_dotted(char **room, struct str value)
{
	char *dotted = keep(room, value);

	for (size_t i = 0; i < value.size; i++) {
		if (dotted[i] == '/')
			dotted[i] = '.';
	}
	return (struct str){ dotted, value.size };
}

/* Where the operator begins; the end of the text if there is none. */
static size_t find_operator(struct str text)
{
	for (size_t at = 0; at < text.size; at++) {
		if (find_sign((struct str){ text.bytes + at, text.size - at }))
			return at;
	}
	return text.size;
}

static bool check_text(struct str text, size_t at, struct err *err)
{
	if (text.size == 0)
		return err_set(err, ERR_USAGE,
			       "a condition is empty; write <field> <operator> "
			       "<value>, as in 'duration > 20ms'");
	if (text.size > CONDITION_SIZE_MAX)
		return fail(err, text, "is too long");
	if (memchr(text.bytes, '\0', text.size))
		return err_set(err, ERR_USAGE, "a condition holds a zero byte");
	if (!find_sign((struct str){ text.bytes + at, text.size - at }))
		return fail(err, text,
			    "has no operator; there are = != < <= > >= ~ !~");
	return true;
}

/* Splits the text, of which all is kept, at its operator. */
static bool read_text(struct condition *condition, char **room, struct str text,
		      size_t at, struct err *err)
{
	const struct sign *sign = find_sign(
		(struct str){ text.bytes + at, text.size - at });
	size_t end = at + strlen(sign->text);

	condition->sign = sign->text;
	condition->relation = sign->relation;
	condition->is_negated = sign->is_negated;
	condition->path = str_trim((struct str){ text.bytes, at });
	condition->path.bytes = keep(room, condition->path);
	condition->value = str_trim((struct str){ text.bytes + end, text.size - end });
	if (!read_value(condition, text, err))
		return false;
	condition->value.bytes = keep(room, condition->value);
	condition->dotted = keep_dotted(room, condition->value);
	return true;
}

static struct condition *new_condition(struct str text, size_t at, bool is_path,
				       struct err *err)
{
	struct storage *storage;
	struct condition *condition;
	char *room;

	if (!check_text(text, at, err))
		return NULL;
	/* Twice the path, twice the value, and a zero behind each. */
	storage = calloc(1, sizeof(*storage) + 2 * text.size + 4);
	if (!storage) {
		err_memory(err);
		return NULL;
	}
	condition = &storage->condition;
	room = storage->bytes;
	if (read_text(condition, &room, text, at, err) &&
	    (!is_path || read_path(condition, keep(&room, condition->path), text, err)))
		return condition;
	free(storage);
	return NULL;
}

struct condition *condition_new(struct str text, struct err *err)
{
	struct str trimmed = str_trim(text);

	return new_condition(trimmed, find_operator(trimmed), true, err);
}

struct condition *condition_new_at(struct str text, size_t at, struct err *err)
{
	return new_condition(text, at, false, err);
}

void condition_free(struct condition *condition)
{
	free(condition);
}
