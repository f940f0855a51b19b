#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/repository.h"
#include "fault.h"
#include "refuse.h"

static char base[] = "/tmp/test_repository.XXXXXX";

static void make_base(void)
{
	cr_assert(mkdtemp(base));
}

static void remove_base(void)
{
	char command[200];

	snprintf(command, sizeof(command), "rm -rf %s", base);
	cr_assert_eq(system(command), 0);
}

TestSuite(repository, .init = make_base, .fini = remove_base);

static mode_t mode_of(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? status.st_mode & 07777 : 0;
}

/* A file of that size; with an end, it is complete. */
static void add(struct repository *repository, int64_t start, uint64_t size,
		int64_t end, unsigned epoch)
{
	int fd = repository_begin(repository, start, epoch, NULL);

	cr_assert_geq(fd, 0);
	close(fd);
	repository_grown(repository, size, end);
}

Test(repository, is_for_the_owner_alone)
{
	struct repository repository;
	struct err err;

	umask(0);
	cr_assert(repository_open(&repository, base, &err), "%s", err.text);
	cr_expect_eq(mode_of(repository.path), 0700);
	add(&repository, 1, 1, 0, 1);
	cr_expect_eq(mode_of(repository_last(&repository)), 0600);
	repository_close(&repository);
}

Test(repository, has_the_names_that_hotspot_gives)
{
	struct repository repository, other;
	struct err err;
	char expected[300];

	setenv("TZ", "UTC", 1);
	cr_assert(repository_open(&repository, base, &err));
	cr_assert(repository_open(&other, base, &err));
	cr_expect_str_neq(repository.path, other.path);
	for (int i = 0; i < 3; i++) {
		add(&repository, INT64_C(1796000000999999999), 1, 0, 1);
		if (i == 0)
			snprintf(expected, sizeof(expected),
				 "%s/2026_11_30_00_53_20.jfr", repository.path);
		else
			snprintf(expected, sizeof(expected),
				 "%s/2026_11_30_00_53_20_%02d.jfr", repository.path, i);
		cr_expect_str_eq(repository_last(&repository), expected);
	}
	repository_close(&other);
	repository_close(&repository);
}

Test(repository, says_what_it_cannot_make)
{
	struct repository repository;
	char path[100];
	struct err err;
	int fd;

	snprintf(path, sizeof(path), "%s/not/there", base);
	cr_expect_not(repository_open(&repository, path, &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect(strstr(err.text, path) && strstr(err.text, "No such file"));
	snprintf(path, sizeof(path), "%s/new", base);
	cr_assert(repository_open(&repository, path, &err));
	cr_assert_eq(rmdir(repository.path), 0);
	fd = repository_begin(&repository, 1, 1, &err);
	cr_expect_eq(fd, -1);
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect(strstr(err.text, repository.path));
	cr_expect_null(repository_last(&repository));
	repository_close(&repository);
}

Test(repository, abandons_the_last_file)
{
	struct repository repository;
	struct err err;
	char *last;

	cr_assert(repository_open(&repository, base, &err));
	add(&repository, 1, 100, 10, 3);
	add(&repository, 10, 50, 0, 5);
	last = strdup(repository_last(&repository));
	repository_abandon(&repository);
	cr_expect_neq(access(last, F_OK), 0);
	cr_expect_eq(repository.size, 100);
	cr_expect_eq(repository.files.count, 1);
	free(last);
	repository_close(&repository);
}

Test(repository, leaves_no_file_behind_without_memory)
{
	struct repository repository;
	struct err err;
	size_t n = 0;
	bool is_done = false;

	while (!is_done) {
		int fd = -1;

		fault_at(++n);
		if (repository_open(&repository, base, &err))
			fd = repository_begin(&repository, 1, 1, &err);
		is_done = !fault_happened();
		fault_at(0);
		if (fd >= 0)
			close(fd);
		else
			cr_expect_eq(err.kind, ERR_MEMORY);
		if (fd < 0 && repository.path)
			cr_expect_eq(rmdir(repository.path), 0);
		repository_close(&repository);
	}
	cr_expect_gt(n, 1);
}

static bool is_locked(const struct repository *repository)
{
	int fd = open(repository->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool is_free = flock(fd, LOCK_SH | LOCK_NB) == 0;

	close(fd);
	return !is_free;
}

/* Who looks at all folders looks into one that is not locked yet, and takes it. */
Test(repository, is_another_one_where_somebody_has_the_lock)
{
	struct repository repository;
	char command[200];
	struct err err;
	size_t size;

	refuse_locks(2);
	cr_assert(repository_open(&repository, base, &err), "%s", err.text);
	cr_expect(is_locked(&repository));
	size = strlen(repository.path);
	cr_expect_str_eq(repository.path + size - 2, "_2");
	snprintf(command, sizeof(command), "test $(ls %s | wc -l) = 1", base);
	cr_expect_eq(system(command), 0, "the others are gone");
	repository_close(&repository);
}

Test(repository, says_when_it_can_never_be_locked)
{
	struct repository repository;
	struct err err;

	refuse_locks(SIZE_MAX);
	cr_expect_not(repository_open(&repository, base, &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect_eq(rmdir(base), 0, "nothing is left");
	cr_assert_eq(mkdir(base, 0700), 0);
}

/* Daemons close all descriptors; theirs get the numbers. */
Test(repository, is_locked_again)
{
	struct repository repository;
	struct err err;
	int other;

	cr_assert(repository_open(&repository, base, &err));
	close(repository.lock);
	cr_expect_not(is_locked(&repository));
	other = open("/dev/null", O_RDONLY | O_CLOEXEC);
	repository_lock_again(&repository);
	cr_expect(is_locked(&repository));
	cr_expect_neq(repository.lock, other);
	repository_lock_again(&repository);
	repository_unlock(&repository);
	cr_expect_not(is_locked(&repository));
	repository_lock_again(&repository);
	cr_expect_not(is_locked(&repository), "it was given up");
	cr_expect_neq(fcntl(other, F_GETFD), -1);
	close(other);
	repository_close(&repository);
}

/* One of that name that others made is not ours. */
Test(repository, is_not_locked_again_when_it_is_not_there)
{
	struct repository repository;
	char path[100];
	struct err err;

	cr_assert(repository_open(&repository, base, &err));
	snprintf(path, sizeof(path), "%s/moved", base);
	cr_assert_eq(rename(repository.path, path), 0);
	close(repository.lock);
	repository_lock_again(&repository);
	cr_assert_eq(mkdir(repository.path, 0700), 0);
	repository_lock_again(&repository);
	cr_expect_not(is_locked(&repository));
	repository_close(&repository);
}
