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
