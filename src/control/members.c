#include "control/members.h"

#include <string.h>

#include "base/number.h"

/* Bytes that stand behind a backslash, and what stands there for them. */
static const char escaped[] = { '\\', '\n', '=' };
static const char letters[] = { '\\', 'n', '=' };

/* The letter that stands for the byte, or 0. */
static char letter_of(char byte, bool is_key)
{
	const char *at = memchr(escaped, byte, sizeof(escaped));

	return at && (is_key || *at != '=') ? letters[at - escaped] : '\0';
}

void member_escape(struct buf *to, struct str text, bool is_key)
{
	for (size_t i = 0; i < text.size; i++) {
		char letter = letter_of(text.bytes[i], is_key);

		if (letter)
			buf_byte(to, '\\');
		buf_byte(to, letter ? letter : text.bytes[i]);
	}
}

/* As much of the text as needs no more bytes than that. */
static struct str cut(struct str text, size_t most)
{
	size_t size = 0;

	for (size_t i = 0; i < text.size; i++) {
		size += letter_of(text.bytes[i], false) ? 2 : 1;
		if (size > most)
			return str_front(text, i);
	}
	return text;
}

static void write_value(const void *member, const struct member *row, struct buf *to)
{
	uint64_t count;
	int64_t number;

	switch (row->kind) {
	case MEMBER_TEXT:
		member_escape(to, cut(*(const struct str *)member,
				      row->most ? row->most : SIZE_MAX), false);
		break;
	case MEMBER_NUMBER:
		number = *(const int64_t *)member;
		buf_integer(to, number > 0 ? number : 0);
		break;
	case MEMBER_COUNT:
		count = *(const uint64_t *)member;
		buf_unsigned(to, count < INT64_MAX ? count : INT64_MAX);
		break;
	case MEMBER_FLAG:
		buf_text(to, *(const bool *)member ? "true" : "false");
		break;
	case MEMBER_WORD:
		buf_text(to, row->words[*(const unsigned *)member]);
		break;
	}
}

void member_write(const void *object, const struct member *row, struct buf *to)
{
	const void *member = (const char *)object + row->offset;

	if (row->kind == MEMBER_TEXT && ((const struct str *)member)->size == 0)
		return;
	buf_str(to, row->key);
	buf_byte(to, '=');
	write_value(member, row, to);
	buf_byte(to, '\n');
}

void members_write(const void *object, const struct member_table *table,
		   struct buf *to)
{
	for (size_t i = 0; i < table->count; i++)
		member_write(object, &table->rows[i], to);
}

bool member_split(struct str line, struct str *key, struct str *value, struct err *err)
{
	const char *mark = line.size ? memchr(line.bytes, '=', line.size) : NULL;

	if (!mark)
		return err_set(err, ERR_FORMAT, "no '='");
	*key = (struct str){ line.bytes, (size_t)(mark - line.bytes) };
	*value = (struct str){ mark + 1, line.size - key->size - 1 };
	return true;
}

const struct member *member_find(const struct member_table *table, struct str key)
{
	for (size_t i = 0; i < table->count; i++) {
		if (str_is(key, table->rows[i].key))
			return &table->rows[i];
	}
	return NULL;
}

bool member_unescape(struct arena *arena, struct str *rest, bool is_key,
		     struct str *text, struct err *err)
{
	char *copy = arena_alloc(arena, rest->size + 1);
	size_t size = 0, at = 0;

	if (!copy)
		return err_memory(err);
	for (; at < rest->size && !(is_key && rest->bytes[at] == '='); at++) {
		const char *letter;

		if (rest->bytes[at] == '\0')
			return err_set(err, ERR_FORMAT, "a zero byte in a text");
		if (rest->bytes[at] != '\\') {
			copy[size++] = rest->bytes[at];
			continue;
		}
		letter = ++at < rest->size
				 ? memchr(letters, rest->bytes[at], sizeof(letters))
				 : NULL;
		if (!letter)
			return err_set(err, ERR_FORMAT, "a backslash before nothing "
							"that needs one");
		copy[size++] = escaped[letter - letters];
	}
	*text = (struct str){ copy, size };
	*rest = (struct str){ rest->bytes + at, rest->size - at };
	return true;
}

/* The value is not what it should be. */
static bool refuse(struct str value, const char *why, enum err_kind kind,
		   struct err *err)
{
	struct str front = str_front(value, 60);

	return err_set(err, kind, "'%.*s' is %s", (int)front.size, front.bytes, why);
}

static bool read_number(void *member, struct str value, struct err *err)
{
	int64_t number;

	if (!number_java(value, &number) || number < 0)
		return refuse(value, "no number from 0 on", ERR_FORMAT, err);
	memcpy(member, &number, sizeof(number));	/* int64_t or uint64_t */
	return true;
}

bool member_flag(struct str value, bool *flag, enum err_kind kind, struct err *err)
{
	bool is_true = str_is(value, STR("true"));

	if (!is_true && !str_is(value, STR("false")))
		return refuse(value, "neither true nor false", kind, err);
	*flag = is_true;
	return true;
}

static bool read_word(unsigned *member, const char *const *words, struct str value,
		      struct err *err)
{
	for (unsigned i = 0; words[i]; i++) {
		if (str_is(value, str_of(words[i]))) {
			*member = i;
			return true;
		}
	}
	return refuse(value, "unknown here", ERR_FORMAT, err);
}

static bool read_value(void *member, const struct member *row, struct str value,
		       struct arena *arena, struct err *err)
{
	switch (row->kind) {
	case MEMBER_TEXT:
		return member_unescape(arena, &value, false, member, err);
	case MEMBER_FLAG:
		return member_flag(value, member, ERR_FORMAT, err);
	case MEMBER_WORD:
		return read_word(member, row->words, value, err);
	default:
		return read_number(member, value, err);
	}
}

bool member_read(void *object, const struct member *row, struct str value,
		 struct arena *arena, struct err *err)
{
	return read_value((char *)object + row->offset, row, value, arena, err) ||
	       err_within(err, "%s", row->key.bytes);
}

bool member_unknown(struct str key, struct err *err)
{
	return refuse(key, "unknown here", ERR_FORMAT, err);
}
