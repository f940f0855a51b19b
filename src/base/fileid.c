#include "base/fileid.h"

#include <sys/stat.h>
#include <unistd.h>

struct fileid fileid_of(int fd)
{
	struct stat status;

	if (fd < 0 || fstat(fd, &status) != 0)
		return (struct fileid){ 0 };
	return (struct fileid){ status.st_dev, status.st_ino, status.st_nlink > 0 };
}

/* No file has the number 0. */
static bool is_same(const struct fileid *id, const struct fileid *now)
{
	return now->inode != 0 && now->inode == id->inode && now->device == id->device;
}

bool fileid_is(const struct fileid *id, int fd)
{
	struct fileid now = fileid_of(fd);

	return is_same(id, &now);
}

bool fileid_is_removed(const struct fileid *id, int fd)
{
	struct fileid now = fileid_of(fd);

	return is_same(id, &now) && id->has_name && !now.has_name;
}

void fileid_close(const struct fileid *id, int fd)
{
	if (fileid_is(id, fd))
		close(fd);
}
