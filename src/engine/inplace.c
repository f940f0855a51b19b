#include "engine/inplace.h"

#include <errno.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>

#define ZFS_MAGIC 0x2fc12fc1
#define BCACHEFS_MAGIC 0xca451a4e

static bool is_copying(int fd)
{
	static const unsigned systems[] = {
		BTRFS_SUPER_MAGIC,
		ZFS_MAGIC,
		BCACHEFS_MAGIC,
		NILFS_SUPER_MAGIC,
	};
	struct statfs status;

	if (fstatfs(fd, &status) != 0)
		return false;
	for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++) {
		if ((unsigned)status.f_type == systems[i])
			return true;
	}
	return false;
}

/*
 * That is tried everywhere: overlayfs, which is none of these, passes it on. What is
 * said of compression, as the folder may do, must go before.
 */
bool inplace_set(int fd)
{
	const int compression = FS_COMPR_FL | FS_NOCOMP_FL;
	int flags = 0;

	if (ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0 && (flags & compression)) {
		flags &= ~compression;
		ioctl(fd, FS_IOC_SETFLAGS, &flags);
	}
	flags |= FS_NOCOW_FL;
	if (ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0 || !is_copying(fd))
		return true;
	errno = EOPNOTSUPP;
	return false;
}
