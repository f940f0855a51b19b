/*
 * fuzz_orders.c - orders, as an agent reads them, and the settings in them.
 *
 * What is read is written, read and written again: the same.
 */
#include <stdlib.h>
#include <string.h>

#include "control/eventsettings.h"
#include "control/threadfilter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good)
{
	if (!good)
		abort();
}

/* True if they were read; then they are to be cleared. */
static bool read(struct orders *orders, struct str text)
{
	struct err err = { 0 };

	orders_init(orders);
	if (orders_read(orders, text, &err))
		return true;
	must(err.kind == ERR_FORMAT && strncmp(err.text, "line ", 5) == 0);
	orders_clear(orders);
	return false;
}

static void write(const struct orders *orders, struct buf *to)
{
	orders_write(orders, to);
	must(!to->failed);
}

static void check_text(struct str text)
{
	must(text.size == 0 || strlen(text.bytes) == text.size);
}

static void check(const struct orders *orders)
{
	must(orders->max_age >= 0 && orders->max_size >= 0 && orders->stack_depth >= 0);
	check_text(orders->name);
	check_text(orders->socket);
	check_text(orders->threads);
	threadfilter_matches(orders->threads, orders->name);
	for (size_t i = 0; i < orders->settings.count; i++) {
		check_text(orders->settings.items[i].key);
		check_text(orders->settings.items[i].value);
	}
}

static void check_settings(const struct orders *orders)
{
	struct event_settings settings;
	struct err err = { 0 };

	if (!event_settings_read(&settings, orders, &err)) {
		must(err.kind == ERR_USAGE && strchr(err.text, '#'));
		return;
	}
	for (size_t i = 0; i < EVENT_COUNT; i++) {
		must(settings.of[i].threshold >= 0);
		must(settings.of[i].period >= PERIOD_EVERY_CHUNK);
		must(settings.of[i].period <= 0 || settings.of[i].period >= 1000000);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf first = { 0 }, second = { 0 };
	struct orders orders, again;

	if (!read(&orders, (struct str){ (const char *)data, size }))
		return 0;
	check(&orders);
	check_settings(&orders);
	write(&orders, &first);
	must(read(&again, (struct str){ first.bytes, first.size }));
	write(&again, &second);
	must(first.size == second.size &&
	     memcmp(first.bytes, second.bytes, first.size) == 0);
	must(again.settings.count == orders.settings.count);
	orders_clear(&again);
	orders_clear(&orders);
	buf_clear(&first);
	buf_clear(&second);
	return 0;
}
