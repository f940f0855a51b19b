#include "agent/lodging.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control/places.h"

#define USUAL "/tmp"

static bool lock(struct lodging *lodging)
{
	int fd = open(lodging->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0)
		return false;
	/* Where nothing can be locked, nobody does. */
	if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
		close(fd);
		errno = EWOULDBLOCK;
		return false;
	}
	lodging->lock = fd;
	lodging->lock_id = fileid_of(fd);
	return true;
}

static bool make_in(struct lodging *lodging, const char *base)
{
	int size = snprintf(lodging->path, sizeof(lodging->path), "%s/%s", base,
			    PLACES_SESSION);

	if (size < 0 || (size_t)size >= sizeof(lodging->path)) {
		errno = ENAMETOOLONG;
		return false;
	}
	if (!mkdtemp(lodging->path))
		return false;
	if (lock(lodging))
		return true;
	rmdir(lodging->path);
	return false;
}

bool lodging_make(struct lodging *lodging, const char *base, struct err *err)
{
	const char *own = getenv("TMPDIR");

	*lodging = (struct lodging){ .is_own = true, .lock = -1 };
	if (base ? make_in(lodging, base)
		 : (own && *own == '/' && make_in(lodging, own)) ||
			   make_in(lodging, USUAL))
		return true;
	lodging->is_own = false;
	return err_system(err, "cannot make a folder in %s", base ? base : USUAL);
}

void lodging_at(struct lodging *lodging, const char *path)
{
	*lodging = (struct lodging){ .lock = -1 };
	snprintf(lodging->path, sizeof(lodging->path), "%s", path);
}

void lodging_hold_again(struct lodging *lodging)
{
	struct fileid before = lodging->lock_id;

	if (!lodging->is_own || fileid_is(&before, lodging->lock) || !lock(lodging))
		return;
	if (fileid_is(&before, lodging->lock))
		return;
	/* Somebody else's by now. */
	fileid_close(&lodging->lock_id, lodging->lock);
	lodging->lock = -1;
	lodging->lock_id = before;
}

bool lodging_leave(struct lodging *lodging)
{
	bool is_gone = true;
	int fd;

	if (!lodging->is_own)
		return true;
	fd = open(lodging->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (fd >= 0) {
		is_gone = places_empty_session(fd) && rmdir(lodging->path) == 0;
		close(fd);
	}
	fileid_close(&lodging->lock_id, lodging->lock);
	*lodging = (struct lodging){ .lock = -1 };
	return is_gone;
}
