#include "agent/lines.h"

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
