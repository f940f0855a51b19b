#include "jfr/lines.h"

#include "jfr/cursor.h"
#include "jfr/encode.h"

bool lines_add(struct lines *lines, uint32_t start, int32_t number)
{
	struct line line = { start, number };
	size_t at = lines->all.count;

	if (!vec_push(&lines->all, line))
		return false;
	for (; at > 0 && lines->all.items[at - 1].start > start; at--)
		lines->all.items[at] = lines->all.items[at - 1];
	lines->all.items[at] = line;
	return true;
}

int32_t lines_at(const struct lines *lines, int64_t bytecode)
{
	size_t low = 0, high = lines->all.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lines->all.items[middle].start <= bytecode)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? lines->all.items[low - 1].number : -1;
}

void lines_clear(struct lines *lines)
{
	vec_clear(&lines->all);
}

/* Small numbers stay small, below 0, too. */
void lines_encode(struct buf *to, const struct lines *lines)
{
	struct line before = { 0, 0 };

	for (size_t i = 0; i < lines->all.count; i++) {
		struct line line = lines->all.items[i];
		int64_t more = (int64_t)line.number - before.number;

		encode_long(to, (int64_t)(line.start - before.start));
		encode_long(to, more < 0 ? -more * 2 - 1 : more * 2);
		before = line;
	}
}

/* They come in the order of their starts: any other would take long to sort. */
bool lines_decode(struct lines *lines, struct str bytes)
{
	struct cursor cursor = cursor_of((const unsigned char *)bytes.bytes, bytes.size);
	struct line line = { 0, 0 };
	bool is_good = true;

	while (is_good && cursor_left(&cursor) > 0) {
		uint64_t start = cursor_varint(&cursor), more = cursor_varint(&cursor);
		uint32_t half = (uint32_t)(more >> 1);

		is_good = !cursor.bad && start <= UINT32_MAX - line.start;
		line.start += (uint32_t)start;
		line.number =
			(int32_t)((uint32_t)line.number + (more & 1 ? ~half : half));
		is_good = is_good && lines_add(lines, line.start, line.number);
	}
	return is_good;
}
