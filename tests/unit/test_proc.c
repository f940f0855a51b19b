#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fault.h"
#include "host/proc.h"

static struct proc_stat stat_of(const char *text)
{
	struct proc_stat stat;

	cr_assert(proc_stat_parse(str_of(text), &stat), "%s", text);
	return stat;
}

Test(proc, finds_times_behind_any_name)
{
	static const char *const names[] = {
		"java", "", "a b", "x) S 1 (y", "))", "two\nlines", "\xff\xfe", "(",
	};
	char text[256];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct proc_stat stat;

		snprintf(text, sizeof(text),
			 "12 (%s) S 1 2 3 -1 4 4194560 5 6 7 8 90 21 0 0 20\n",
			 names[i]);
		stat = stat_of(text);
		cr_expect(str_is(stat.name, str_of(names[i])));
		cr_expect_eq(stat.user, 90);
		cr_expect_eq(stat.system, 21);
	}
}

Test(proc, has_no_times_in_what_is_cut)
{
	const char *text = "12 (java) S 1 2 3 -1 4 4194560 5 6 7 8 90 21";
	struct proc_stat stat;

	cr_expect_eq(stat_of(text).system, 21);
	for (size_t size = 0; size < strlen(text) - 2; size++)
		cr_expect_not(proc_stat_parse((struct str){ text, size }, &stat), "%zu",
			      size);
	cr_expect_not(proc_stat_parse(STR(")12 (java S"), &stat));
	cr_expect_not(proc_stat_parse(STR("1 (x) S 1 2 3 4 5 6 7 8 9 10 -9 1"), &stat));
	cr_expect_not(proc_stat_parse(STR("1 (x) S 1 2 3 4 5 6 7 8 9 10 x 1"), &stat));
}

Test(proc, adds_up_the_machine)
{
	struct proc_machine machine;

	cr_assert(proc_machine_parse(
		STR("cpu  1 2 4 1000 2000 8 16 4000 99 99\ncpu0 1 1 1 1\n"), &machine));
	cr_expect_eq(machine.busy, 31);
	cr_expect_eq(machine.total, 7031);
	cr_assert(
		proc_machine_parse(STR("cpu  1 2 4 1000\ncpu0 5 6 7 8 9\n"), &machine));
	cr_expect_eq(machine.total, 1007);
	cr_expect_not(proc_machine_parse(STR("cpu  1 2 4\n8 9"), &machine));
	cr_expect_not(proc_machine_parse(STR("cpu0 1 2 4 8 9"), &machine));
	cr_expect_not(proc_machine_parse(STR(""), &machine));
}

Test(proc, reads_memory)
{
	struct proc_memory memory;

	cr_assert(proc_memory_parse(STR("MemTotal:       24684092 kB\n"
					"MemFree:        20877980 kB\n"
					"MemAvailable:   24106880 kB\n"), &memory));
	cr_expect_eq(memory.total, 24684092 * UINT64_C(1024));
	cr_expect_eq(memory.available, 24106880 * UINT64_C(1024));
	cr_expect_not(
		proc_memory_parse(STR("MemTotal: 1 kB\nMemFree: 1 kB\n"), &memory));
	cr_expect_not(
		proc_memory_parse(STR("MemTotal:\nMemAvailable: 1 kB\n"), &memory));
	cr_expect_not(proc_memory_parse(STR(""), &memory));
}

static void burn(void)
{
	int64_t end = proc_thread_total(gettid()) + 30000000;

	while (proc_thread_total(gettid()) < end) {
	}
}

Test(proc, knows_times_of_this_process)
{
	struct proc_times before, after;

	cr_assert(proc_process_times(&before));
	burn();
	cr_assert(proc_process_times(&after));
	cr_expect_geq(after.user + after.system,
		      before.user + before.system + 25000000);
	cr_expect_lt(after.user + after.system, INT64_C(100) * 1000000000);
}

static void *stay(void *tid)
{
	burn();
	*(pid_t *)tid = gettid();
	for (;;)
		pause();
	return NULL;
}

Test(proc, knows_times_of_another_thread)
{
	static volatile pid_t tid;
	long threads = proc_thread_count();
	struct proc_times times;
	pthread_t thread;
	int64_t total;

	cr_expect_geq(threads, 1);
	cr_assert_eq(pthread_create(&thread, NULL, stay, (void *)&tid), 0);
	while (!tid)
		usleep(1000);
	cr_expect_eq(proc_thread_count(), threads + 1);
	total = proc_thread_total(tid);
	cr_expect_geq(total, 30000000);
	cr_assert(proc_thread_times(tid, &times));
	cr_expect(times.user >= 0 && times.system >= 0);
	cr_expect_geq(times.user + times.system, total);
	pthread_cancel(thread);
	pthread_join(thread, NULL);
	/* The system may still be taking it away. */
	for (int i = 0; i < 2000 && proc_is_thread(tid); i++)
		usleep(1000);
	cr_expect_eq(proc_thread_total(tid), -1);
	cr_expect_not(proc_thread_times(tid, &times));
}

Test(proc, knows_times_of_the_calling_thread)
{
	struct proc_times before, after;
	int64_t total;

	cr_assert(proc_own_times(&before));
	burn();
	total = proc_thread_total(gettid());
	cr_assert(proc_own_times(&after));
	cr_expect_gt(after.user + after.system, before.user + before.system + 20000000);
	cr_expect_geq(after.user + after.system, total - 1000000);
}

Test(proc, knows_names_of_threads)
{
	struct buf name = { 0 };

	prctl(PR_SET_NAME, "a name\nof two");
	cr_expect(proc_is_thread(gettid()));
	cr_assert(proc_thread_name(&name, gettid()));
	cr_expect(str_is(buf_as_str(&name), STR("a name\nof two")));
	buf_clear(&name);
	cr_expect_not(proc_is_thread(1));
	cr_expect_not(proc_thread_name(&name, 1));
	buf_clear(&name);
}

Test(proc, knows_nothing_of_threads_of_others)
{
	struct proc_times times;

	cr_expect_eq(proc_thread_total(1), -1);
	cr_expect_not(proc_thread_times(1, &times));
}

Test(proc, knows_the_machine)
{
	struct proc_machine machine;
	struct proc_memory memory;

	cr_assert(proc_machine(&machine));
	cr_expect(machine.busy > 0 && machine.busy <= machine.total);
	cr_assert(proc_memory(&memory));
	cr_expect(memory.available > 0 && memory.available <= memory.total);
	cr_expect_eq(proc_tick(), 1000000000 / sysconf(_SC_CLK_TCK));
}

Test(proc, lists_processes_and_threads)
{
	struct proc_list list;
	size_t found = 0;
	pid_t id;

	cr_assert(proc_list_open(&list, "/proc"));
	while (proc_list_next(&list, &id))
		found += id == getpid();
	proc_list_close(&list);
	cr_expect_eq(found, 1);
	found = 0;
	cr_assert(proc_list_open(&list, "/proc/self/task"));
	while (proc_list_next(&list, &id))
		found += id == gettid();
	proc_list_close(&list);
	cr_expect_eq(found, 1);
	cr_expect_not(proc_list_open(&list, "/proc/none"));
	proc_list_close(&list);
}

Test(proc, lists_numbers_only)
{
	static const char *const names[] = {
		"12", "x", "12x", "-1", "99999999999", "7"
	};
	char folder[] = "/tmp/proc-XXXXXX", path[128];
	struct proc_list list;
	int sum = 0;
	pid_t id;

	cr_assert_not_null(mkdtemp(folder));
	for (size_t i = 0; i < 6; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		cr_assert_eq(mkdir(path, 0700), 0);
	}
	cr_assert(proc_list_open(&list, folder));
	while (proc_list_next(&list, &id))
		sum += id;
	proc_list_close(&list);
	cr_expect_eq(sum, 19);
	for (size_t i = 0; i < 6; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		rmdir(path);
	}
	rmdir(folder);
}

Test(proc, reads_files_of_any_size)
{
	struct buf text = { 0 }, again = { 0 };
	char small[8], all[64];
	size_t size = sizeof(small);

	cr_assert(proc_read(&text, "/proc/self/maps"));
	cr_expect_gt(text.size, 4096);
	cr_expect_eq(text.bytes[text.size - 1], '\n');
	cr_assert(proc_read_into(small, &size, "/proc/stat"));
	cr_expect_eq(size, sizeof(small));
	cr_expect_arr_eq(small, "cpu ", 4);
	size = sizeof(all);
	cr_assert(proc_read_into(all, &size, "/proc/sys/kernel/ostype"));
	cr_expect(str_is((struct str){ all, size }, STR("Linux\n")));
	cr_expect_not(proc_read(&again, "/proc/none"));
	cr_expect_not(proc_read_into(small, &size, "/proc/none"));
	cr_expect_not(proc_read(&again, "/proc"));
	buf_clear(&text);
	buf_clear(&again);
}

Test(proc, reads_no_more_than_it_may)
{
	struct buf text = { 0 };

	cr_assert(proc_read(&text, "/dev/zero"));
	cr_expect_eq(text.size, PROC_FILE_MAX);
	buf_clear(&text);
}

Test(proc, says_that_memory_ran_out)
{
	struct buf text = { 0 };

	fault_at(1);
	cr_expect_not(proc_read(&text, "/proc/self/maps"));
	fault_at(0);
	cr_expect(text.failed);
	buf_clear(&text);
}

static size_t open_descriptors(void)
{
	struct proc_list list;
	size_t count = 0;
	pid_t id;

	cr_assert(proc_list_open(&list, "/proc/self/fd"));
	while (proc_list_next(&list, &id))
		count++;
	proc_list_close(&list);
	return count;
}

Test(proc, leaves_no_descriptor_open)
{
	size_t before = open_descriptors();
	struct buf text = { 0 };
	struct proc_times times;
	struct proc_memory memory;

	proc_read(&text, "/proc/self/maps");
	proc_thread_times(gettid(), &times);
	proc_memory(&memory);
	proc_read(&text, "/proc");
	cr_expect_eq(open_descriptors(), before);
	buf_clear(&text);
}
