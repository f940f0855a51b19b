#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/recorder.h"
#include "fault.h"
#include "host/hostobservers.h"
#include "host/proc.h"
#include "jfr/cursor.h"

/* When all is told. */
#define NOW 1234

static struct recorder recorder;
static struct orders orders = { .redact = true };
static struct batch batch;

static void ask(const struct observer *observer)
{
	recorder.orders = &orders;
	batch.now = NOW;
	for (const struct periodic *row = observer->periodic; row->tell; row++)
		row->tell(&recorder, &batch);
}

/* The next event of the batch: its fields, behind the time. False at the end. */
static bool next(struct cursor *batch_at, enum event_id type, struct cursor *fields)
{
	const unsigned char *start = batch_at->at;
	uint64_t size;

	if (!cursor_left(batch_at))
		return false;
	size = cursor_varint(batch_at);
	cr_assert(size > 0 && size <= (size_t)(batch_at->end - start));
	*fields = cursor_of(start, size);
	cursor_varint(fields);
	cr_assert_eq(cursor_varint(fields), type);
	cr_assert_eq(cursor_varint(fields), NOW);
	batch_at->at = start + size;
	return true;
}

static struct str string(struct cursor *fields)
{
	uint8_t encoding = cursor_byte(fields);
	size_t size;

	cr_assert(encoding == STRING_UTF8 || encoding == STRING_EMPTY, "%d", encoding);
	if (encoding == STRING_EMPTY)
		return STR("");
	size = cursor_varint(fields);
	return (struct str){ (const char *)cursor_bytes(fields, size), size };
}

static float real(struct cursor *fields)
{
	uint32_t bits = 0;
	float number;

	for (int i = 0; i < 4; i++)
		bits = bits << 8 | cursor_byte(fields);
	memcpy(&number, &bits, sizeof(number));
	return number;
}

static struct cursor told(const struct observer *observer)
{
	batch_reset(&batch);
	ask(observer);
	cr_assert_not(batch.buf.failed);
	return cursor_of((const unsigned char *)batch.buf.bytes, batch.buf.size);
}

/* The only event that the observer tells. */
static struct cursor one(const struct observer *observer, enum event_id type)
{
	struct cursor all = told(observer), fields, more;

	cr_assert(next(&all, type, &fields));
	cr_assert_not(next(&all, type, &more));
	return fields;
}

static void expect_end(const struct cursor *fields)
{
	cr_expect_not(fields->bad);
	cr_expect_eq(cursor_left(fields), 0);
}

static bool has(struct str text, const char *part)
{
	return memmem(text.bytes, text.size, part, strlen(part)) != NULL;
}

Test(observers, tell_the_operating_system)
{
	struct cursor fields = one(&operatingsystem_observer, EVENT_OS_INFORMATION);
	struct str text = string(&fields);

	expect_end(&fields);
	cr_expect(has(text, "\nuname: Linux "));
	cr_expect(str_ends(text, STR("\n")));
	cr_expect_gt(memmem(text.bytes, text.size, "uname", 5), (void *)text.bytes);
}

Test(observers, tell_the_processors)
{
	struct cursor fields = one(&processor_observer, EVENT_CPU_INFORMATION);
	uint64_t sockets, cores, threads;

	cr_expect_gt(string(&fields).size, 0);
	cr_expect(has(string(&fields), ": "));
	sockets = cursor_varint(&fields);
	cores = cursor_varint(&fields);
	threads = cursor_varint(&fields);
	expect_end(&fields);
	cr_expect(sockets > 0 && sockets <= cores && cores <= threads);
	cr_expect_eq(threads, (uint64_t)sysconf(_SC_NPROCESSORS_CONF));
}

/* Something to see. */
static void burn(int64_t nanos)
{
	int64_t end = proc_thread_total(gettid()) + nanos;

	while (proc_thread_total(gettid()) < end) {
	}
}

Test(observers, tell_the_load)
{
	struct cursor fields;
	float user, system, machine;

	cr_assert(load_observer.start(&recorder, NULL));
	burn(200000000);
	fields = one(&load_observer, EVENT_CPU_LOAD);
	user = real(&fields);
	system = real(&fields);
	machine = real(&fields);
	expect_end(&fields);
	cr_expect(user >= 0 && system >= 0 && machine <= 1.0001f);
	cr_expect(user + system > 0 && user + system <= machine + 0.0001f);
}

Test(observers, tell_the_memory)
{
	struct cursor fields = one(&memory_observer, EVENT_PHYSICAL_MEMORY);
	uint64_t total = cursor_varint(&fields), used = cursor_varint(&fields);

	expect_end(&fields);
	cr_expect(used > 0 && used < total);
	cr_expect_geq(total, (uint64_t)sysconf(_SC_PHYS_PAGES) * 4096 / 2);
}

/* A process of ours, and the command line that is told of it; the caller frees it. */
static char *line_of(pid_t pid)
{
	struct cursor all = told(&processes_observer), fields;
	char id[16], *line = NULL;

	snprintf(id, sizeof(id), "%d", (int)pid);
	while (next(&all, EVENT_SYSTEM_PROCESS, &fields)) {
		struct str its_id = string(&fields), its_line = string(&fields);

		expect_end(&fields);
		cr_expect_gt(its_line.size, 0);
		if (!str_is(its_id, str_of(id)))
			continue;
		cr_expect_null(line);
		line = strndup(its_line.bytes, its_line.size);
	}
	return line;
}

static pid_t run(const char *const *arguments)
{
	int ready[2];
	pid_t pid;
	char byte;

	cr_assert_eq(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	cr_assert_geq(pid, 0);
	if (pid == 0) {
		execv("/bin/sleep", (char *const *)arguments);
		_exit(1);
	}
	close(ready[1]);
	cr_expect_eq(read(ready[0], &byte, 1), 0);	/* it has been executed */
	close(ready[0]);
	return pid;
}

Test(observers, tell_processes_without_secrets)
{
	pid_t pid = run((const char *const[]){ "a\n\xff --key=x", "60", NULL });
	char *line = line_of(pid);

	cr_assert_not_null(line);
	cr_expect_str_eq(line, "a\n\xef\xbf\xbd --key=<redacted> 60");
	free(line);
	orders.redact = false;
	line = line_of(pid);
	cr_expect_str_eq(line, "a\n\xef\xbf\xbd --key=x 60");
	free(line);
	kill(pid, SIGKILL);
	cr_expect_eq(waitpid(pid, NULL, 0), pid);
}

Test(observers, tell_the_libraries)
{
	struct cursor all = told(&libraries_observer), fields;
	uint64_t here = (uint64_t)(uintptr_t)&getppid;
	size_t around = 0, count = 0;

	while (next(&all, EVENT_NATIVE_LIBRARY, &fields)) {
		struct str name = string(&fields);
		uint64_t start = cursor_varint(&fields), end = cursor_varint(&fields);

		expect_end(&fields);
		cr_expect_gt(name.size, 0);
		cr_expect(start < end && start % 4096 == 0 && end % 4096 == 0);
		around += start <= here && here < end && has(name, "libc");
		count++;
	}
	cr_expect_eq(around, 1);
	cr_expect_gt(count, 2);
}

Test(observers, tell_the_environment_as_it_was)
{
	struct cursor all, fields;
	size_t found = 0;

	setenv("HOST_TEST_LATE", "1", 1);
	all = told(&environment_observer);
	while (next(&all, EVENT_INITIAL_ENVIRONMENT_VARIABLE, &fields)) {
		struct str key = string(&fields), value = string(&fields);

		expect_end(&fields);
		cr_expect_not(str_is(key, STR("HOST_TEST_LATE")));
		found += str_is(key, STR("PATH")) && has(value, "/bin");
	}
	cr_expect_eq(found, 1);
}

Test(observers, say_that_memory_ran_out)
{
	static const struct observer *const all[] = {
		&operatingsystem_observer, &processor_observer, &load_observer,
		&memory_observer,	   &processes_observer, &libraries_observer,
		&environment_observer,
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		bool is_refused = true;

		for (size_t n = 1; is_refused; n = n < 20 ? n + 1 : n * 2) {
			batch_clear(&batch);
			fault_at(n);
			ask(all[i]);
			is_refused = fault_happened();
			cr_expect(!is_refused || batch.buf.failed, "%s, request %zu",
				  all[i]->name, n);
		}
		fault_at(0);
	}
	batch_clear(&batch);
}
