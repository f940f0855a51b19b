#include "host/secret.h"

#include <string.h>

/* Names ------------------------------------------------------------------------ */

/* Where a word must stand in a word of the name. */
enum fit {
	ANYWHERE,		/* PGPASSWORDS */
	AT_END,			/* authtoken */
	WHOLE,			/* key, but not monkey */
	NOT_ALONE,		/* MYSQL_PWD, but not PWD */
};

/* In lower case. */
static const struct {
	const char *word;
	enum fit fit;
} secret_words[] = {
	{ "password", ANYWHERE },
	{ "passwd", ANYWHERE },
	{ "passphrase", ANYWHERE },
	{ "secret", ANYWHERE },
	{ "credential", ANYWHERE },
	{ "token", AT_END },
	{ "tokens", AT_END },
	{ "key", WHOLE },
	{ "keys", WHOLE },
	{ "apikey", AT_END },
	{ "accesskey", AT_END },
	{ "authkey", AT_END },
	{ "privatekey", AT_END },
	{ "pass", WHOLE },
	{ "sshpass", WHOLE },
	{ "pwd", NOT_ALONE },
	{ "authorization", WHOLE },
};

/* What a name that ends so means is told about a secret, and is none. */
static const char *const harmless_ends[] = {
	"file", "path", "dir", "store", "type", "size", "length", "alias", "provider",
	"algorithm",
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static bool is_upper(char byte)
{
	return byte >= 'A' && byte <= 'Z';
}

static bool is_lower(char byte)
{
	return byte >= 'a' && byte <= 'z';
}

static bool is_letter_or_digit(char byte)
{
	return is_upper(byte) || is_lower(byte) || (byte >= '0' && byte <= '9');
}

/* "dbPassword" and "DBPassword" are db and password. */
static bool is_word_start(struct str name, size_t i)
{
	const char *at = name.bytes + i;

	return is_upper(at[0]) &&
	       (!is_upper(at[-1]) || (i + 1 < name.size && is_lower(at[1])));
}

/* Takes the next word off the front of the name. */
static bool take_word(struct str *name, struct str *word)
{
	size_t start = 0, end;

	while (start < name->size && !is_letter_or_digit(name->bytes[start]))
		start++;
	end = start;
	while (end < name->size && is_letter_or_digit(name->bytes[end]) &&
	       (end == start || !is_word_start(*name, end)))
		end++;
	*word = (struct str){ name->bytes + start, end - start };
	name->bytes += end;
	name->size -= end;
	return word->size > 0;
}

/* Case does not matter; the locale does not, either: it is the application's. */
static bool is_at(const char *at, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if ((is_upper(at[i]) ? at[i] - 'A' + 'a' : at[i]) != text[i])
			return false;
	}
	return true;
}

static bool is_same(struct str word, const char *text)
{
	return strlen(text) == word.size && is_at(word.bytes, text, word.size);
}

static bool has(struct str word, const char *text)
{
	size_t size = strlen(text);

	for (size_t i = 0; i + size <= word.size; i++) {
		if (is_at(word.bytes + i, text, size))
			return true;
	}
	return false;
}

static bool is_end(struct str word, const char *text)
{
	size_t size = strlen(text);

	return size <= word.size && is_at(word.bytes + word.size - size, text, size);
}

static bool is_secret_word(struct str word, bool is_alone)
{
	for (size_t i = 0; i < COUNT(secret_words); i++) {
		const char *text = secret_words[i].word;

		switch (secret_words[i].fit) {
		case ANYWHERE:
			if (has(word, text))
				return true;
			break;
		case AT_END:
			if (is_end(word, text))
				return true;
			break;
		case WHOLE:
			if (is_same(word, text))
				return true;
			break;
		case NOT_ALONE:
			if (!is_alone && is_same(word, text))
				return true;
			break;
		}
	}
	return false;
}

static bool is_harmless_end(struct str word)
{
	for (size_t i = 0; i < COUNT(harmless_ends); i++) {
		if (is_same(word, harmless_ends[i]))
			return true;
	}
	return false;
}

bool secret_is_name(struct str name)
{
	bool is_secret = false, is_harmless = false;
	struct str word;

	for (size_t i = 0; take_word(&name, &word); i++) {
		is_secret |= is_secret_word(word, i == 0 && name.size == 0);
		is_harmless = is_harmless_end(word);
	}
	return is_secret && !is_harmless;
}

/* Lines ------------------------------------------------------------------------ */

/* How a secret that is due will end. */
enum due {
	NOT_DUE,
	DUE_WORD,		/* with the next blank, or the argument */
	DUE_PART,		/* with the next mark of any kind, too */
};

struct scan {
	struct buf *to;
	struct str rest;
	char before;		/* the last byte that was passed; 0: none */
	bool is_argument;	/* the text is one argument, with its blanks */
	bool is_front;		/* no mark but "=" since the word began */
	enum due due;
};

static bool is_blank(char byte)
{
	return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool is_quote(char byte)
{
	return byte == '"' || byte == '\'';
}

static bool is_mark(char byte)
{
	return is_blank(byte) || is_quote(byte) ||
	       (byte && strchr("&;,|<>(){}[]", byte));
}

static bool is_name_byte(char byte)
{
	return is_letter_or_digit(byte) || byte == '_' || byte == '.' || byte == '-';
}

/* Appends the next bytes, as they are. */
static void pass(struct scan *scan, size_t size)
{
	buf_add(scan->to, scan->rest.bytes, size);
	scan->before = scan->rest.bytes[size - 1];
	scan->rest.bytes += size;
	scan->rest.size -= size;
}

/* Leaves the next bytes out, if there are any. */
static void hide(struct scan *scan, size_t size)
{
	if (!size)
		return;
	buf_text(scan->to, SECRET_STANDIN);
	scan->before = scan->rest.bytes[size - 1];
	scan->rest.bytes += size;
	scan->rest.size -= size;
}

/* How many bytes there are before one of these; all, if there is none. */
static size_t span(struct str text, bool (*is_end_byte)(char byte))
{
	size_t size = 0;

	while (size < text.size && !is_end_byte(text.bytes[size]))
		size++;
	return size;
}

static size_t span_quoted(struct str text, char quote)
{
	size_t size = 0;

	while (size < text.size && text.bytes[size] != quote)
		size += text.bytes[size] == '\\' && size + 1 < text.size ? 2 : 1;
	return size;
}

/* "Bearer x": the secret comes behind it. */
static bool is_scheme(struct str word)
{
	static const char *const schemes[] = { "bearer", "basic", "digest", "token" };

	for (size_t i = 0; i < COUNT(schemes); i++) {
		if (is_same(word, schemes[i]))
			return true;
	}
	return false;
}

/* What comes next is a secret. */
static void hide_due(struct scan *scan)
{
	struct str rest = scan->rest;
	enum due due = scan->due;
	struct str word = { rest.bytes,
			    span(rest, due == DUE_WORD ? is_blank : is_mark) };

	scan->due = NOT_DUE;
	if (is_quote(*rest.bytes)) {
		pass(scan, 1);
		hide(scan, span_quoted(scan->rest, *rest.bytes));
	} else if (due == DUE_PART && is_scheme(word)) {
		pass(scan, word.size);
		scan->due = DUE_PART;
	} else if (due == DUE_WORD && scan->is_argument && !scan->before) {
		hide(scan, rest.size);
	} else if (word.size) {
		hide(scan, word.size);
	} else {
		pass(scan, 1);
	}
	scan->is_front = false;
}

/* https://me:secret@host */
static bool hide_password(struct scan *scan)
{
	struct str rest = scan->rest;
	size_t end = 3, at = 0, colon = 0;

	if (!str_starts(rest, STR("://")))
		return false;
	for (; end < rest.size; end++) {
		char byte = rest.bytes[end];

		if (is_blank(byte) || is_quote(byte) || strchr("/?#", byte))
			break;
		if (byte == '@')
			at = end;
		if (byte == ':' && !colon)
			colon = end;
	}
	if (!colon || at < colon)
		return false;
	pass(scan, colon + 1);
	hide(scan, at - colon - 1);
	return true;
}

/* A name without what marks it as an option or a property. */
static struct str bare(struct str name)
{
	if (str_starts(name, STR("-D")))
		return (struct str){ name.bytes + 2, name.size - 2 };
	return name;
}

/* "=" behind a name. */
static void pass_equals(struct scan *scan, bool is_secret)
{
	struct str *rest = &scan->rest;

	pass(scan, 1);
	if (!is_secret)
		return;
	if (!rest->size || is_blank(*rest->bytes))
		return;
	if (!scan->is_front)
		scan->due = DUE_PART;
	else if (scan->is_argument)
		hide(scan, rest->size);
	else
		scan->due = DUE_WORD;
}

/* `"name" :` is a name, too. */
static void pass_closing(struct scan *scan)
{
	struct str rest = scan->rest;
	size_t size = 1;

	if (!rest.size || !is_quote(*rest.bytes))
		return;
	while (size < rest.size && is_blank(rest.bytes[size]))
		size++;
	if (size < rest.size && rest.bytes[size] == ':')
		pass(scan, size);
}

/* "a: b" and "a":"b", but not "a:b", which is no more than a path. */
static bool is_colon(const struct scan *scan, bool is_quoted)
{
	struct str rest = scan->rest;

	return rest.size && *rest.bytes == ':' &&
	       (is_quoted || rest.size == 1 || is_blank(rest.bytes[1]) ||
		is_quote(rest.bytes[1]));
}

/* A name, and whether the next is its value. */
static void pass_name(struct scan *scan)
{
	struct str name = { scan->rest.bytes, 0 };
	bool is_option, is_secret;

	while (name.size < scan->rest.size && is_name_byte(name.bytes[name.size]))
		name.size++;
	is_option = *name.bytes == '-' && (!scan->before || is_blank(scan->before));
	is_secret = secret_is_name(bare(name));
	pass(scan, name.size);
	pass_closing(scan);
	if (scan->rest.size && *scan->rest.bytes == '=') {
		pass_equals(scan, is_secret);
	} else if (is_secret &&
		   is_colon(scan, scan->rest.bytes > name.bytes + name.size)) {
		pass(scan, 1);
		scan->due = DUE_PART;
	} else if (is_secret && is_option &&
		   (!scan->rest.size || is_blank(*scan->rest.bytes))) {
		scan->due = DUE_WORD;
	}
}

static void scan_all(struct scan *scan)
{
	while (scan->rest.size) {
		char byte = *scan->rest.bytes;

		if (is_blank(byte)) {
			pass(scan, 1);
			scan->is_front = true;
			scan->is_argument = false;
		} else if (scan->due && !(scan->due == DUE_WORD && byte == '-' &&
					  (!scan->before || is_blank(scan->before)))) {
			hide_due(scan);
		} else if (is_name_byte(byte)) {
			scan->due = NOT_DUE;
			pass_name(scan);
		} else if (!hide_password(scan)) {
			pass(scan, 1);
			scan->is_front = false;
		}
	}
}

void secret_add_line(struct buf *to, struct str line, bool redact)
{
	struct scan scan = { .to = to, .rest = line, .is_front = true };

	if (!redact)
		buf_str(to, line);
	else
		scan_all(&scan);
}

void secret_add_argument(struct buf *to, struct str argument, bool *is_due,
			 bool redact)
{
	struct scan scan = {
		.to = to, .rest = argument, .is_argument = true, .is_front = true,
		.due = *is_due ? DUE_WORD : NOT_DUE,
	};

	if (!redact) {
		buf_str(to, argument);
		return;
	}
	scan_all(&scan);
	*is_due = argument.size && scan.due != NOT_DUE;
}

void secret_add_value(struct buf *to, struct str name, struct str value, bool redact)
{
	if (redact && value.size && secret_is_name(name))
		buf_text(to, SECRET_STANDIN);
	else
		secret_add_line(to, value, redact);
}
