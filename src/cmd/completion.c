#include "cmd/completion.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void completion_skip(struct completion *completion, size_t size)
{
	if (!completion->front.bytes)
		completion->front.bytes = completion->word.bytes;
	completion->front.size += size;
	completion->word.bytes += size;
	completion->word.size -= size;
}

void completion_offer(struct completion *completion, struct str candidate)
{
	struct str front = completion->front;
	char *copy;

	if (!str_starts(candidate, completion->word))
		return;
	copy = arena_alloc(&completion->arena, front.size + candidate.size + 1);
	if (!copy)
		return;
	if (front.size)
		memcpy(copy, front.bytes, front.size);
	memcpy(copy + front.size, candidate.bytes, candidate.size);
	candidate = (struct str){ copy, front.size + candidate.size };
	if (!vec_push(&completion->found, candidate))
		completion->arena.failed = true;
}

void completion_offer_each(struct completion *completion, struct str choices)
{
	struct str choice;

	while (str_split(&choices, '|', &choice))
		completion_offer(completion, choice);
}

bool completion_would_wait(const char *path)
{
	struct stat status;

	return strcmp(path, "-") == 0 ||
	       (stat(path, &status) == 0 && !S_ISREG(status.st_mode) &&
		!S_ISDIR(status.st_mode));
}

static int compare(const void *a, const void *b)
{
	return str_compare(*(const struct str *)a, *(const struct str *)b);
}

void completion_write(struct completion *completion, struct out *out)
{
	struct str *found = completion->found.items;
	size_t count = completion->arena.failed ? 0 : completion->found.count;

	if (count)
		qsort(found, count, sizeof(*found), compare);
	for (size_t i = 0; i < count; i++) {
		if (i > 0 && str_is(found[i], found[i - 1]))
			continue;
		buf_str(&out->buf, found[i]);
		buf_byte(&out->buf, '\n');
	}
}

void completion_clear(struct completion *completion)
{
	vec_clear(&completion->found);
	arena_clear(&completion->arena);
}
