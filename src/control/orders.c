#include "control/orders.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/now.h"
#include "control/members.h"
#include "control/outname.h"
#include "jfr/rawsample.h"

#define KILOBYTE INT64_C(1024)
#define MEGABYTE (1024 * KILOBYTE)

#define ROW(key_, kind_, member_)                                              \
	MEMBER_ROW(struct orders, key_, MEMBER_##kind_, member_)

/* All but the settings, in the order in which they are written. */
static const struct member rows[] = {
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
	ROW("made-up", FLAG, made_up),
};

static const struct member_table table = MEMBER_TABLE(rows);

#define SETTING_KEY STR("setting")

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

void orders_write(const struct orders *orders, struct buf *to)
{
	members_write(orders, &table, to);
	for (size_t i = 0; i < orders->settings.count; i++) {
		const struct order_setting *setting = &orders->settings.items[i];

		buf_str(to, SETTING_KEY);
		buf_byte(to, '=');
		member_escape(to, setting->key, true);
		buf_byte(to, '=');
		member_escape(to, setting->value, false);
		buf_byte(to, '\n');
	}
}

static bool read_setting(struct orders *orders, struct str text, struct err *err)
{
	struct order_setting setting;

	if (!member_unescape(&orders->arena, &text, true, &setting.key, err))
		return false;
	if (text.size == 0)
		return err_set(err, ERR_FORMAT, "a setting without a value");
	text.bytes++;
	text.size--;
	return member_unescape(&orders->arena, &text, false, &setting.value, err) &&
	       (vec_push(&orders->settings, setting) || err_memory(err));
}

static bool read_line(struct orders *orders, struct str line, struct err *err)
{
	const struct member *row;
	struct str key, text;

	if (!member_split(line, &key, &text, err))
		return false;
	if (str_is(key, SETTING_KEY))
		return read_setting(orders, text, err);
	row = member_find(&table, key);
	return row ? member_read(orders, row, text, &orders->arena, err)
		   : member_unknown(key, err);
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
