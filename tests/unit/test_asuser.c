#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jvms/asuser.h"
#include "place.h"

TestSuite(asuser, .init = place_open, .fini = place_close);

#define OTHER 65534

Test(asuser, is_nothing_for_who_we_are)
{
	struct asuser asuser;

	cr_assert(asuser_begin(&asuser, geteuid(), getegid(), NULL));
	cr_expect_not(asuser.is_other);
	asuser_end(&asuser);
}

/* Files are the other user's then, and ours are closed to us. */
Test(asuser, may_no_more_than_that_user)
{
	struct err err = { .kind = ERR_NONE };
	struct asuser asuser;
	const char *secret;
	struct stat status;
	gid_t group;
	int fd;

	if (geteuid() != 0)
		return;
	secret = place_put("secret", "x");
	chmod(secret, 0600);
	chmod(place_make("open"), 0777);
	chmod(place_folder, 0755);
	cr_assert(asuser_begin(&asuser, OTHER, OTHER, &err), "%s", err.text);
	cr_expect_eq(geteuid(), OTHER);
	cr_expect_eq(getegid(), OTHER);
	cr_expect_leq(getgroups(1, &group), 0);
	cr_expect_lt(open(secret, O_RDONLY), 0);
	fd = open(place_of("open/its"), O_WRONLY | O_CREAT | O_EXCL, 0600);
	cr_expect_eq(fstat(fd, &status), 0);
	cr_expect_eq(status.st_uid, OTHER);
	asuser_end(&asuser);
	cr_expect_eq(geteuid(), 0);
	cr_expect_eq(getegid(), 0);
	close(fd);
	fd = open(secret, O_RDONLY);
	cr_expect_geq(fd, 0);
	close(fd);
}

Test(asuser, has_a_name_or_a_number)
{
	char *name = asuser_name(0);

	cr_expect_str_eq(name, "root");
	free(name);
	name = asuser_name(3999999);
	cr_expect_str_eq(name, "3999999");
	free(name);
}
