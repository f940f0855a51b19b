#include "tried.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "begun.h"
#include "engine/emit.h"
#include "reread.h"

struct recorder tried;
struct orders tried_orders;
struct buf tried_logged;
char tried_folder[] = "/tmp/test_recorder.XXXXXX";

static uint64_t counts[EVENT_COUNT];

static void log_line(const char *text)
{
	buf_text(&tried_logged, text);
	buf_byte(&tried_logged, '\n');
}

bool tried_log_has(const char *text)
{
	return tried_logged.size &&
	       memmem(tried_logged.bytes, tried_logged.size, text, strlen(text));
}

void tried_begin(void)
{
	cr_assert(mkdtemp(tried_folder));
}

void tried_end(void)
{
	char command[200];

	recorder_close(&tried);
	orders_clear(&tried_orders);
	buf_clear(&tried_logged);
	snprintf(command, sizeof(command), "rm -rf %s", tried_folder);
	cr_assert_eq(system(command), 0);
}

void tried_order(const char *lines)
{
	struct buf text = { 0 };
	struct err err;

	buf_printf(&text, "repository=%s\nflush-interval=1\n%s", tried_folder, lines);
	orders_init(&tried_orders);
	cr_assert(orders_read(&tried_orders, buf_as_str(&text), &err), "%s", err.text);
	buf_clear(&text);
}

void tried_open(const struct observer *const *observers, void *context,
		const char *lines)
{
	struct err err;

	tried_order(lines);
	cr_assert(recorder_open(&tried, &tried_orders, observers, context, &err), "%s",
		  err.text);
	tried.log = log_line;
}

bool tried_record(struct err *err)
{
	return begun_record(&tried, &tried_orders, err);
}

void tried_start(const struct observer *const *observers, void *context,
		 const char *lines)
{
	struct err err;

	tried_open(observers, context, lines);
	cr_assert(tried_record(&err), "%s", err.text);
}

int tried_send(struct lane *lane, int events)
{
	int sent = 0;

	for (int i = 0; i < events; i++) {
		struct emit event;

		if (!emit_begin(&event, lane, EVENT_VIRTUAL_THREAD_END, EMIT_ROOM(3)))
			continue;
		emit_long(&event, now_ticks());
		emit_long(&event, 0);
		emit_long(&event, i);
		sent += emit_commit(&event);
	}
	return sent;
}

static void count(void *context, uint64_t type, const uint64_t *fields)
{
	(void)context;
	(void)fields;
	counts[type - EVENT_FIRST]++;
}

void tried_read(void)
{
	size_t files = tried.repository.files.count;
	const char **paths = calloc(files + 1, sizeof(*paths));

	cr_assert(paths);
	for (size_t i = 0; i < files; i++)
		paths[i] = tried.repository.files.items[i].path;
	memset(counts, 0, sizeof(counts));
	cr_expect_eq(reread_verify(paths, files), 0);
	cr_expect_eq(reread_events(paths, files, count, NULL), 0);
	free(paths);
}

uint64_t tried_found(enum event_id id)
{
	return counts[id - EVENT_FIRST];
}
