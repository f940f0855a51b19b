#include "base/fully.h"

#include <errno.h>
#include <unistd.h>

bool fully_write(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size > 0) {
		ssize_t written = write(fd, at, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return false;
		at += written;
		size -= (size_t)written;
	}
	return true;
}

ssize_t fully_pass(int from, int to, size_t most)
{
	char bytes[16 << 10];
	ssize_t got;

	do
		got = read(from, bytes, most < sizeof(bytes) ? most : sizeof(bytes));
	while (got < 0 && errno == EINTR);
	return got > 0 && !fully_write(to, bytes, (size_t)got) ? -1 : got;
}
