#include "base/held.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

bool held_is(int within, const char *name)
{
	int folder = openat(within, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool is_held;

	if (folder < 0)
		return false;
	is_held = flock(folder, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
	close(folder);
	return is_held;
}
