#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/inplace.h"
#include "refuse.h"

/* errno for a file on a file system of that type; 0: it is written where it lies. */
static int error_on(long type, bool are_flags_refused)
{
	char path[] = "/tmp/test_inplace.XXXXXX";
	int fd = mkstemp(path), error;

	cr_assert_geq(fd, 0);
	unlink(path);
	refuse_flags(type, are_flags_refused);
	error = inplace_set(fd) ? 0 : errno;
	refuse_flags(0, false);
	close(fd);
	return error;
}

Test(inplace, is_what_others_do_anyway)
{
	cr_expect_eq(error_on(0, false), 0);
	cr_expect_eq(error_on(EXT4_SUPER_MAGIC, true), 0);
	cr_expect_eq(error_on(TMPFS_MAGIC, true), 0);
}

Test(inplace, is_what_btrfs_does_if_told_to)
{
	cr_expect_eq(error_on(BTRFS_SUPER_MAGIC, false), 0);
	cr_expect_eq(error_on(BTRFS_SUPER_MAGIC, true), EOPNOTSUPP);
}

Test(inplace, is_what_some_never_do)
{
	cr_expect_eq(error_on(0x2fc12fc1, true), EOPNOTSUPP, "ZFS");
	cr_expect_eq(error_on(0xca451a4e, true), EOPNOTSUPP, "bcachefs");
}
