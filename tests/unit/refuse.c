#include "refuse.h"

#include <errno.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <unistd.h>

static size_t writes, refused_write;
static bool happened;
static size_t refused_locks;
static long system_type;
static bool are_flags_refused, are_links_refused;

void refuse_write(size_t n)
{
	writes = 0;
	refused_write = n;
	if (n)
		happened = false;
}

bool refuse_happened(void)
{
	return happened;
}

void refuse_locks(size_t count)
{
	refused_locks = count;
}

void refuse_flags(long type, bool are_refused)
{
	system_type = type;
	are_flags_refused = are_refused;
}

void refuse_links(bool are_refused)
{
	are_links_refused = are_refused;
}

/* The linker sends our calls to __wrap_x, and our __real_x to the library. */
ssize_t __real_pwrite(int fd, const void *bytes, size_t size, off_t at);
int __real_flock(int fd, int operation);
int __real_link(const char *from, const char *to);
int __real_fstatfs(int fd, struct statfs *status);
int __real_ioctl(int fd, unsigned long request, ...);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t at);
int __wrap_flock(int fd, int operation);
int __wrap_link(const char *from, const char *to);
int __wrap_fstatfs(int fd, struct statfs *status);
int __wrap_ioctl(int fd, unsigned long request, ...);

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	if (++writes != refused_write)
		return __real_pwrite(fd, bytes, size, at);
	happened = true;
	errno = EIO;
	return -1;
}

int __wrap_flock(int fd, int operation)
{
	if (refused_locks == 0)
		return __real_flock(fd, operation);
	refused_locks--;
	errno = EWOULDBLOCK;
	return -1;
}

int __wrap_fstatfs(int fd, struct statfs *status)
{
	int result = __real_fstatfs(fd, status);

	if (system_type)
		status->f_type = system_type;
	return result;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list list;
	void *argument;

	va_start(list, request);
	argument = va_arg(list, void *);
	va_end(list);
	if (system_type && request == FS_IOC_SETFLAGS) {
		errno = EOPNOTSUPP;
		return are_flags_refused ? -1 : 0;
	}
	return __real_ioctl(fd, request, argument);
}

int __wrap_link(const char *from, const char *to)
{
	if (!are_links_refused)
		return __real_link(from, to);
	errno = EPERM;
	return -1;
}
