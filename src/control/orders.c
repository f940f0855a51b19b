#include "control/orders.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/now.h"
#include "base/number.h"
#include "control/outname.h"
#include "jfr/rawsample.h"

#define KILOBYTE INT64_C(1024)
#define MEGABYTE (1024 * KILOBYTE)

struct row {
	struct str key;
	enum { TEXT, NUMBER, FLAG } kind;
	size_t offset;
};

#define ROW(key_, kind_, member_)                                              \
	{ STR(key_), kind_, offsetof(struct orders, member_) }

/* All but the settings, in the order in which they are written. */
static const struct row rows[] = {
	ROW("name", TEXT, name),
	ROW("destination", TEXT, destination),
	ROW("repository", TEXT, repository),
	ROW("socket", TEXT, socket),
	ROW("delay", NUMBER, delay),
	ROW("duration", NUMBER, duration),
	ROW("max-age", NUMBER, max_age),
	ROW("flush-interval", NUMBER, flush_interval),
	ROW("max-size", NUMBER, max_size),
	ROW("max-chunk-size", NUMBER, max_chunk_size),
	ROW("memory-size", NUMBER, memory_size),
	ROW("buffer-size", NUMBER, buffer_size),
	ROW("stack-depth", NUMBER, stack_depth),
	ROW("samples-wall", FLAG, samples_wall),
	ROW("threads", TEXT, threads),
	ROW("dump-classes", TEXT, dump_classes),
	ROW("disk", FLAG, to_disk),
	ROW("spill-file", FLAG, spill_file),
	ROW("preserve", FLAG, preserve),
	ROW("redact", FLAG, redact),
};

#define SETTING_KEY STR("setting")

/* Bytes that stand behind a backslash, and what stands there for them. */
static const char escaped[] = { '\\', '\n', '=' };
static const char letters[] = { '\\', 'n', '=' };

void orders_init(struct orders *orders)
{
	*orders = (struct orders){
		.flush_interval = ORDERS_FLUSH_SECONDS * SECOND,
		.max_chunk_size = ORDERS_CHUNK_MB * MEGABYTE,
		.memory_size = ORDERS_MEMORY_MB * MEGABYTE,
		.buffer_size = ORDERS_BUFFER_KB * KILOBYTE,
		.stack_depth = ORDERS_STACK_DEPTH,
		.to_disk = true,
		.redact = true,
	};
}

int64_t orders_buffer_of(int64_t size)
{
	return (size + ORDERS_BUFFER_UNIT - 1) / ORDERS_BUFFER_UNIT * ORDERS_BUFFER_UNIT;
}

int64_t orders_buffer_for(int64_t stack_depth)
{
	size_t size = ORDERS_BUFFER_EXTRA + rawsample_room((uint32_t)stack_depth);

	return orders_buffer_of((int64_t)size);
}

int64_t orders_memory_of_buffers(const struct orders *orders)
{
	int64_t all = orders->memory_size;

	return orders->to_disk ? all : all - all / 4 * 3;
}

bool orders_text(struct orders *orders, struct str *member, struct str text)
{
	const char *copy = arena_copy(&orders->arena, text.bytes, text.size);

	if (copy)
		*member = (struct str){ copy, text.size };
	return copy != NULL;
}

bool orders_set(struct orders *orders, struct str key, struct str value)
{
	struct order_setting setting;

	return orders_text(orders, &setting.key, key) &&
	       orders_text(orders, &setting.value, value) &&
	       vec_push(&orders->settings, setting);
}

/* A value may have "=" in it as it is, the key of a setting may not. */
static void write_text(struct buf *to, struct str text, bool is_key)
{
	for (size_t i = 0; i < text.size; i++) {
		const char *at = memchr(escaped, text.bytes[i], sizeof(escaped));

		if (at && (is_key || *at != '=')) {
			buf_byte(to, '\\');
			buf_byte(to, letters[at - escaped]);
		} else {
			buf_byte(to, text.bytes[i]);
		}
	}
}

static void write_row(const struct orders *orders, const struct row *row,
		      struct buf *to)
{
	const void *member = (const char *)orders + row->offset;

	if (row->kind == TEXT && ((const struct str *)member)->size == 0)
		return;
	buf_str(to, row->key);
	buf_byte(to, '=');
	if (row->kind == TEXT)
		write_text(to, *(const struct str *)member, false);
	else if (row->kind == NUMBER)
		buf_integer(to, *(const int64_t *)member);
	else
		buf_text(to, *(const bool *)member ? "true" : "false");
	buf_byte(to, '\n');
}

void orders_write(const struct orders *orders, struct buf *to)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		write_row(orders, &rows[i], to);
	for (size_t i = 0; i < orders->settings.count; i++) {
		const struct order_setting *setting = &orders->settings.items[i];

		buf_str(to, SETTING_KEY);
		buf_byte(to, '=');
		write_text(to, setting->key, true);
		buf_byte(to, '=');
		write_text(to, setting->value, false);
		buf_byte(to, '\n');
	}
}

/*
 * Takes a text off the front, up to a "=" that is meant as one, or all of it; a copy
 * without backslashes. ERR_FORMAT, or ERR_MEMORY.
 */
static bool take_text(struct orders *orders, struct str *rest, bool is_key,
		      struct str *text, struct err *err)
{
	char *copy = arena_alloc(&orders->arena, rest->size + 1);
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

static bool read_number(struct str text, int64_t *number, struct err *err)
{
	int64_t read;

	if (!number_java(text, &read) || read < 0)
		return err_set(err, ERR_FORMAT, "'%.*s' is no number from 0 on",
			       (int)str_front(text, 60).size, text.bytes);
	*number = read;
	return true;
}

bool orders_flag(struct str text, bool *flag, enum err_kind kind, struct err *err)
{
	bool is_true = str_is(text, STR("true"));

	if (!is_true && !str_is(text, STR("false")))
		return err_set(err, kind, "'%.*s' is neither true nor false",
			       (int)str_front(text, 60).size, text.bytes);
	*flag = is_true;
	return true;
}

static bool read_row(struct orders *orders, const struct row *row, struct str text,
		     struct err *err)
{
	void *member = (char *)orders + row->offset;

	if (row->kind == TEXT)
		return take_text(orders, &text, false, member, err);
	return row->kind == NUMBER ? read_number(text, member, err)
				   : orders_flag(text, member, ERR_FORMAT, err);
}

static bool read_setting(struct orders *orders, struct str text, struct err *err)
{
	struct order_setting setting;

	if (!take_text(orders, &text, true, &setting.key, err))
		return false;
	if (text.size == 0)
		return err_set(err, ERR_FORMAT, "a setting without a value");
	text.bytes++;
	text.size--;
	return take_text(orders, &text, false, &setting.value, err) &&
	       (vec_push(&orders->settings, setting) || err_memory(err));
}

static bool read_line(struct orders *orders, struct str line, struct err *err)
{
	const char *mark = memchr(line.bytes, '=', line.size);
	struct str key, text;

	if (!mark)
		return err_set(err, ERR_FORMAT, "no '='");
	key = (struct str){ line.bytes, (size_t)(mark - line.bytes) };
	text = (struct str){ mark + 1, line.size - key.size - 1 };
	if (str_is(key, SETTING_KEY))
		return read_setting(orders, text, err);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (str_is(key, rows[i].key))
			return read_row(orders, &rows[i], text, err) ||
			       err_within(err, "%s", rows[i].key.bytes);
	}
	return err_set(err, ERR_FORMAT, "'%.*s' is unknown here",
		       (int)str_front(key, 60).size, key.bytes);
}

bool orders_read(struct orders *orders, struct str text, struct err *err)
{
	struct str line;

	for (int number = 1; str_split(&text, '\n', &line); number++) {
		if (!read_line(orders, line, err))
			return err_within(err, "line %d", number);
	}
	return true;
}

bool orders_copy(struct orders *to, const struct orders *from, struct err *err)
{
	struct buf text = { 0 };
	bool is_good;

	orders_init(to);
	orders_write(from, &text);
	is_good = !text.failed ? orders_read(to, buf_as_str(&text), err)
			       : err_memory(err);
	buf_clear(&text);
	return is_good;
}

bool orders_name_recording(struct orders *orders, int64_t begin_nanos, struct err *err)
{
	char *name = orders->destination.size
			     ? outname_expand(orders->destination.bytes, getpid(),
					      begin_nanos)
			     : NULL;
	bool is_good = !orders->destination.size ||
		       (name && orders_text(orders, &orders->destination, str_of(name)));

	free(name);
	return is_good || err_memory(err);
}

void orders_clear(struct orders *orders)
{
	vec_clear(&orders->settings);
	arena_clear(&orders->arena);
	*orders = (struct orders){ .to_disk = false };
}
