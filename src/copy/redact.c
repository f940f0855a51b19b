#include "copy/redact.h"

#include <stdio.h>

#include "base/digest.h"
#include "base/utf.h"

/* Shorter values, in UTF-16 units, are not sought elsewhere. */
#define SOUGHT_LEAST 4

/* Bytes of all values together. */
#define VALUES_MAX ((size_t)8 << 20)

/* What no secret can be, and is in many texts. */
static const char *const plain_words[] = {
	"true", "false", "null", "none", "default", "unknown", "release", "main", "root",
	"auto", "enabled", "disabled", "java",
};

/* So often another number is tried where a value is in the pseudonym by chance. */
#define TRIES 8

bool redact_set_fields(struct redact *redact, struct str patterns)
{
	struct redact_field field = { .is_used = false };

	while (str_item(&patterns, &field.pattern)) {
		if (!vec_push(&redact->fields, field))
			return false;
	}
	return true;
}

void redact_set_key(struct redact *redact, struct str text)
{
	static const struct siphash_key halves[] = { { { 0, 0 } }, { { 1, 1 } } };

	for (size_t i = 0; i < 2; i++)
		redact->key.words[i] = text.bytes
			? siphash(&halves[i], text.bytes, text.size)
			: digest_secret(&redact->key.words[i]);
}

void redact_clear(struct redact *redact)
{
	finder_clear(&redact->values);
	vec_clear(&redact->fields);
}

static bool is_plain(struct str text)
{
	for (size_t i = 0; i < sizeof(plain_words) / sizeof(plain_words[0]); i++) {
		if (str_is(text, str_of(plain_words[i])))
			return true;
	}
	return false;
}

static bool seek(struct redact *redact, struct str text)
{
	return utf_units(text) < SOUGHT_LEAST || is_plain(text) ||
	       finder_add(&redact->values, text);
}

/* True if it has a character beyond U+FFFF, which takes four bytes. */
static bool has_beyond(struct str text)
{
	for (size_t i = 0; i < text.size; i++) {
		if ((unsigned char)text.bytes[i] >= 0xf0)
			return true;
	}
	return false;
}

/*
 * The same as readers see it where a JVM wrote the UTF-8 of its own, as it does in names
 * of threads: there a character beyond U+FFFF is two, each of which is an error.
 */
static bool seek_halves(struct redact *redact, struct str text)
{
	struct buf halves = { 0 };
	bool is_good;

	if (!has_beyond(text))
		return true;
	while (text.size) {
		uint32_t point = utf_next(&text);

		if (point > 0xffff) {
			utf_add(&halves, UTF_REPLACEMENT);
			point = UTF_REPLACEMENT;
		}
		utf_add(&halves, point);
	}
	is_good = !halves.failed &&
		  seek(redact, (struct str){ halves.bytes, halves.size });
	buf_clear(&halves);
	return is_good;
}

/* What is read from a file often has a line end behind it, which nobody passes on. */
bool redact_meet(struct redact *redact, struct str text)
{
	struct str trimmed = str_trim(text);

	return !redact->is_collecting ||
	       (seek(redact, text) && seek(redact, trimmed) &&
		seek_halves(redact, trimmed));
}

void redact_start(struct redact *redact)
{
	redact->is_collecting = true;
	redact->values.limit = VALUES_MAX;
}

bool redact_is_full(const struct redact *redact)
{
	return redact->values.nodes.count > VALUES_MAX;
}

bool redact_finish(struct redact *redact)
{
	redact->is_collecting = false;
	return finder_build(&redact->values);
}

static bool is_clean(const struct redact *redact, const char *text)
{
	return !finder_has(&redact->values, str_of(text));
}

void redact_add_pseudonym(const struct redact *redact, struct str text, struct buf *to)
{
	static const char *const forms[] = { "<redacted-%012llx>", "%012llx" };
	struct siphash_key key = redact->key;
	char pseudonym[40];

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		for (int tries = 0; tries < TRIES; tries++) {
			uint64_t number = siphash(&key, text.bytes, text.size);

			snprintf(pseudonym, sizeof(pseudonym), i ? forms[1] : forms[0],
				 (unsigned long long)number >> 16);
			if (is_clean(redact, pseudonym)) {
				buf_text(to, pseudonym);
				return;
			}
			key.words[1]++;
		}
	}
}
