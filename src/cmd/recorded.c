#include "cmd/recorded.h"

#include <string.h>

#include "cmd/progress.h"
#include "cmd/reading.h"
#include "cmd/writing.h"

/* A chunk that is not finished is no fault; the caller knows more about it. */
static bool take_notes(struct damage *damage)
{
	size_t kept = 0, count = damage->faults.count;

	for (size_t i = 0; i < count; i++) {
		if (!damage->faults.items[i].is_note)
			damage->faults.items[kept++] = damage->faults.items[i];
	}
	damage->faults.count = kept;
	return kept < count;
}

bool recorded_write(const struct invocation *invocation, const char *repository,
		    const char *path, bool is_quiet, struct recorded *recorded)
{
	char *paths[] = { (char *)(uintptr_t)repository };
	const struct words words = { paths, 1 };
	struct copy copy = { .sink = NULL };
	struct reading reading;
	bool is_good;

	if (reading_open(&reading, invocation, &words) != STATUS_DONE)
		return false;
	if (!is_quiet)
		reading_show_progress(&reading, false);
	is_good = writing_run(&reading, path, &copy, writing_all);
	*recorded = (struct recorded){ copy.chunks, copy.events, copy.bytes,
				       is_good && take_notes(&reading.damage) };
	switch (reading_close(&reading, is_good)) {
	case STATUS_DONE:
	case STATUS_PARTLY:
		return true;
	default:
		return false;
	}
}

static void add_grouped(struct buf *to, uint64_t number)
{
	if (number >= 1000) {
		add_grouped(to, number / 1000);
		buf_printf(to, ",%03u", (unsigned)(number % 1000));
	} else {
		buf_unsigned(to, number);
	}
}

void recorded_add_sums(struct buf *to, uint64_t events, uint64_t bytes)
{
	char size[PROGRESS_SIZE_MAX];

	add_grouped(to, events);
	progress_size(size, bytes);
	buf_printf(to, " event%s, %s", events == 1 ? "" : "s", size);
}

static bool is_plain(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || (byte & 0x80) ||
	       (byte && strchr("-_./%+,:=@", byte));
}

void recorded_add_word(struct buf *to, const char *path)
{
	const char *at = path;

	while (is_plain(*at))
		at++;
	if (!*at && at > path) {
		buf_text(to, path);
		return;
	}
	buf_byte(to, '\'');
	for (at = path; *at; at++) {
		if (*at == '\'')
			buf_text(to, "'\\''");
		else
			buf_byte(to, *at);
	}
	buf_byte(to, '\'');
}
