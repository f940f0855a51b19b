#include "jfr/frame.h"

size_t frame_hop(const unsigned char *bytes, size_t size, size_t at)
{
	struct frame frame;

	while (at < size && !frame_read(bytes, size, at, &frame))
		at += frame.size;
	return at;
}
