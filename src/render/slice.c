#include "render/slice.h"

#include "base/surrogate.h"
#include "base/utf.h"

/* What of the rest makes up to so many units, which are counted; a pair stays whole. */
static struct str take_whole(struct str *rest, size_t units, size_t *taken)
{
	struct str piece = { rest->bytes, 0 };

	/* Most text is ASCII. */
	while (units - *taken >= 8 && rest->size >= 8 && utf_is_ascii(rest->bytes, 8)) {
		*rest = (struct str){ rest->bytes + 8, rest->size - 8 };
		*taken += 8;
	}
	while (*taken < units && rest->size) {
		struct str after = *rest;
		size_t size = utf_next(&after) > 0xffff ? 2 : 1;

		if (size > units - *taken)
			break;
		*taken += size;
		*rest = after;
	}
	piece.size = (size_t)(rest->bytes - piece.bytes);
	return piece;
}

size_t slice_take(struct slice *slice, size_t units, struct buf *to)
{
	struct buf nowhere = { .failed = true };
	struct str piece;
	size_t taken = 0;

	to = to ? to : &nowhere;
	if (slice->low && units) {
		utf_add(to, slice->low);
		slice->low = 0;
		taken = 1;
	}
	piece = take_whole(&slice->rest, units, &taken);
	buf_str(to, piece);
	if (taken < units && slice->rest.size) {
		uint32_t point = utf_next(&slice->rest);

		utf_add(to, surrogate_high(point));
		slice->low = surrogate_low(point);
		taken++;
	}
	return taken;
}
