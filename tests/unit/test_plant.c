#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jvms/plant.h"
#include "place.h"

static struct visit visit;

/* A root of its own, with a /tmp; whose process is ourselves. */
static void begin(void)
{
	place_open();
	memset(&visit, 0, sizeof(visit));
	unsetenv("TMPDIR");
	cr_assert(process_open(&visit.process, getpid()));
	visit.rooted.fd = open(place_folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	visit.rooted.path = strdup(place_folder);
	visit.cwd = -1;
	visit.host = geteuid();
	chmod(place_folder, 0755);
	chmod(place_make("tmp"), 01777);
}

static void end(void)
{
	rooted_end(&visit.rooted);
	process_close(&visit.process);
	place_close();
}

TestSuite(plant, .init = begin, .fini = end);

static bool is_empty(const char *name)
{
	return rmdir(place_of(name)) == 0 && mkdir(place_of(name), 0755) == 0;
}

Test(plant, is_ours_alone_and_leaves_nothing)
{
	struct plant_search search = { 0 };
	struct err err = { .kind = ERR_NONE };
	struct plant plant;
	struct stat status;

	cr_assert(plant_make(&plant, &search, &visit, false, &err), "%s", err.text);
	cr_expect_eq(strncmp(plant.inside, "/tmp/cjfr-for-", 14), 0, "%s",
		     plant.inside);
	cr_expect_eq(fstat(plant.folder, &status), 0);
	cr_expect_eq(status.st_mode & 07777, 0700);
	cr_expect_eq(status.st_uid, geteuid());
	close(openat(plant.folder, "left", O_WRONLY | O_CREAT, 0600));
	plant_remove(&plant);
	cr_expect(is_empty("tmp"));
	buf_clear(&search.tried);
}

Test(plant, has_a_copy_of_the_library)
{
	struct plant_search search = { 0 };
	struct plant plant;
	char bytes[8] = "";
	int library = open(place_put("library", "text"), O_RDONLY), copy;

	cr_assert(plant_make(&plant, &search, &visit, false, NULL));
	cr_assert(plant_copy(&plant, &search, library, "copy.so"));
	copy = openat(plant.folder, "copy.so", O_RDONLY);
	cr_expect_eq(read(copy, bytes, sizeof(bytes)), 4);
	cr_expect_str_eq(bytes, "text");
	close(copy);
	plant_remove(&plant);
	cr_expect(is_empty("tmp"));
	close(library);
	buf_clear(&search.tried);
}

/* Those could put theirs in its place. */
Test(plant, is_not_where_others_may_change_it)
{
	struct plant_search search = { 0 };
	struct err err = { .kind = ERR_NONE };
	struct plant plant;

	chmod(place_of("tmp"), 0777);
	chmod(place_make("var/tmp"), 0755);
	chmod(place_of("var"), 0777);
	cr_expect_not(plant_make(&plant, &search, &visit, false, &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect(strstr(err.text,
			 "has no folder that cjfr may share with it (/tmp: other "
			 "users may change it; /dev/shm: No such file or "
			 "directory; /var/tmp: other users may change it"),
		  "%s", err.text);
	cr_expect(is_empty("tmp"));
	cr_expect(is_empty("var/tmp"));
	buf_clear(&search.tried);
}

Test(plant, goes_on_where_the_last_one_did_not_do)
{
	struct plant_search search = { 0 };
	struct plant plant;

	chmod(place_make("var/tmp"), 0755);
	cr_assert(plant_make(&plant, &search, &visit, false, NULL));
	plant_reject(&plant, &search, "no");
	cr_expect(is_empty("tmp"));
	cr_assert(plant_make(&plant, &search, &visit, false, NULL));
	cr_expect_eq(strncmp(plant.inside, "/var/tmp/", 9), 0, "%s", plant.inside);
	plant_remove(&plant);
	cr_expect(is_empty("var/tmp"));
	buf_clear(&search.tried);
}
