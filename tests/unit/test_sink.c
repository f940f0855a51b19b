#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/batch.h"
#include "engine/sink.h"
#include "fault.h"
#include "jfr/header.h"
#include "make.h"
#include "refuse.h"
#include "reread.h"

#define EPOCH_NANOS (INT64_C(1796000000) * 1000000000)

static char base[] = "/tmp/test_sink.XXXXXX";
static struct records *records;
static struct constants *constants;
static struct repository repository;
static struct sink *sink;

static void begin(void)
{
	struct err err;

	cr_assert(mkdtemp(base));
	cr_assert(repository_open(&repository, base, &err), "%s", err.text);
	records = records_new(NULL);
	cr_assert(records);
	constants = constants_new(records, NULL, 0);
	cr_assert(constants);
	constants_epoch(constants, 1);
	sink = sink_new(constants, &repository);
	cr_assert(sink);
}

static void end(void)
{
	char command[200];

	sink_free(sink);
	constants_free(constants);
	records_free(records);
	repository_close(&repository);
	snprintf(command, sizeof(command), "rm -rf %s", base);
	cr_assert_eq(system(command), 0);
}

TestSuite(sink, .init = begin, .fini = end);

/* An event whose thread has a name of that many bytes. */
static void add_event(struct batch *batch, int number, size_t size)
{
	uint64_t key = constants_key(constants, POOL_THREAD);
	struct buf value = { 0 }, name = { 0 };

	buf_fill(&name, 'n', size);
	encode_string(&value, (struct str){ name.bytes, name.size });
	make_values(&value, VALUES(LONG(1), NO_TEXT, LONG(1), KEY(0), BOOLEAN(false)));
	constants_put(constants, POOL_THREAD, key, value.bytes, value.size);
	buf_clear(&value);
	buf_clear(&name);
	batch_begin(batch, EVENT_VIRTUAL_THREAD_START);
	make_values(&batch->buf, VALUES(LONG(number), KEY(key), KEY(0), LONG(number)));
	batch_end(batch);
}

static bool add_number(int number, size_t size, struct err *err)
{
	struct batch batch = { 0 };
	bool is_added;

	add_event(&batch, number, size);
	is_added = sink_add(sink, buf_as_str(&batch.buf), 1, number, err) &&
		   sink_flush(sink, number, err);
	batch_clear(&batch);
	return is_added;
}

static struct header header_of(const char *path)
{
	unsigned char bytes[HEADER_SIZE] = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct header header = { 0 };

	cr_assert_geq(fd, 0);
	cr_expect_eq(read(fd, bytes, sizeof(bytes)), HEADER_SIZE);
	cr_expect(header_read(&header, bytes, sizeof(bytes), NULL));
	close(fd);
	return header;
}

static off_t size_of(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? status.st_size : -1;
}

static void count(void *context, uint64_t type, const uint64_t *fields)
{
	uint64_t *events = context;

	(void)fields;
	*events += type == EVENT_VIRTUAL_THREAD_START;
}

/* How many events there are in the file, which is intact. */
static uint64_t events_in(const char *path)
{
	uint64_t events = 0;

	cr_expect_eq(reread_events(&path, 1, count, &events), 0);
	return events;
}

static struct instant instant(int64_t ticks)
{
	return (struct instant){ EPOCH_NANOS + ticks, ticks };
}

Test(sink, can_be_read_after_each_batch)
{
	struct header header, before;
	struct instant last;
	const char *path;
	struct err err;

	cr_assert(sink_begin(sink, instant(1000), 1, &err), "%s", err.text);
	path = repository_last(&repository);
	before = header_of(path);
	cr_expect_eq(before.chunk_size, size_of(path));
	cr_expect_gt(before.metadata_at, 0);
	cr_expect_eq(before.flags, HEADER_COMPRESSED);
	for (int i = 1; i <= 300; i++) {
		cr_assert(add_number(1000 + i, 10, &err), "%s", err.text);
		header = header_of(path);
		cr_expect_neq(header.state, before.state);
		cr_expect(header.state > 0 && header.state < 255);
		cr_expect_eq(header.chunk_size, size_of(path));
		cr_expect_eq((uint64_t)header.chunk_size, sink_size(sink));
		cr_expect_eq(header.metadata_at, before.metadata_at);
		cr_expect_eq(header.duration_nanos, i);
		before = header;
		if (i % 100 == 1)
			cr_expect_eq(events_in(path), (uint64_t)i);
	}
	cr_assert(sink_end(sink, 2000, true, &last, &err), "%s", err.text);
	header = header_of(path);
	cr_expect_eq(header.state, 0);
	cr_expect_eq(header.flags, HEADER_COMPRESSED | HEADER_FINAL);
	cr_expect_eq(header.duration_nanos, 1000);
	cr_expect_eq(header.ticks_per_second, 1000000000);
	cr_expect_eq(header.chunk_size, size_of(path));
	cr_expect_eq(reread_verify(&path, 1), 0);
	cr_expect_eq(events_in(path), 300);
	cr_expect_eq(sink_size(sink), 0);
	cr_expect_eq(repository.files.items[0].end_nanos, EPOCH_NANOS + 2000);
}

Test(sink, begins_each_chunk_where_the_last_one_ends)
{
	struct instant at = instant(500);
	const char *paths[3];
	struct err err;

	for (int i = 0; i < 3; i++) {
		struct header header;
		struct instant before = at;

		cr_assert(sink_begin(sink, at, 1, &err), "%s", err.text);
		cr_expect_eq(sink_start(sink), at.ticks);
		cr_assert(add_number((int)at.ticks, 5, &err), "%s", err.text);
		/* The second has no length: still the third starts later. */
		cr_assert(sink_end(sink, i == 1 ? at.ticks : at.ticks + 7, i == 2, &at,
				   &err));
		cr_expect_eq(at.ticks, before.ticks + (i == 1 ? 1 : 7));
		cr_expect_eq(at.nanos - before.nanos, at.ticks - before.ticks);
		header = header_of(repository_last(&repository));
		cr_expect_eq(header.start_nanos, before.nanos);
		cr_expect_eq(header.start_ticks, before.ticks);
		cr_expect_eq(!!(header.flags & HEADER_FINAL), i == 2);
	}
	for (size_t i = 0; i < 3; i++)
		paths[i] = repository.files.items[i].path;
	cr_expect_eq(reread_verify(paths, 3), 0);
}

/* A copy of the header ends what can be read, as in HotSpot's chunks. */
Test(sink, ends_with_a_copy_of_the_header)
{
	struct header header, copy;
	unsigned char bytes[HEADER_SIZE];
	struct instant last;
	const char *path;
	struct err err;
	int fd;

	cr_assert(sink_begin(sink, instant(1000), 1, &err));
	cr_assert(add_number(1001, 10, &err));
	cr_assert(sink_end(sink, 2000, true, &last, &err));
	path = repository_last(&repository);
	header = header_of(path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	cr_expect_eq(pread(fd, bytes, HEADER_SIZE, header.chunk_size - HEADER_SIZE),
		     HEADER_SIZE);
	close(fd);
	cr_assert(header_read(&copy, bytes, sizeof(bytes), NULL));
	cr_expect_eq(memcmp(&copy, &header, sizeof(copy)), 0);
}

/* Files must not grow beyond the limit; the default action of the signal is to end us. */
static void limit_files(rlim_t size)
{
	struct rlimit limit = { size, RLIM_INFINITY };

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
}

Test(sink, cuts_back_what_could_not_be_written)
{
	struct err err = { ERR_NONE, "" };
	const char *path;
	uint64_t size;

	cr_assert(sink_begin(sink, instant(1000), 1, &err));
	for (int i = 0; i < 3; i++)
		cr_assert(add_number(1001 + i, 10, &err));
	size = sink_size(sink);
	path = repository_last(&repository);
	limit_files(size + 60);
	cr_expect_not(add_number(1005, 5000, &err));
	limit_files(RLIM_INFINITY);
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect(strstr(err.text, path) && strstr(err.text, "File too large"), "%s",
		  err.text);
	cr_expect_eq((uint64_t)size_of(path), size);
	cr_expect_eq(header_of(path).state, 0);
	cr_expect_eq(header_of(path).flags, HEADER_COMPRESSED | HEADER_FINAL);
	cr_expect_eq(reread_verify(&path, 1), 0);
	cr_expect_eq(events_in(path), 3);
	cr_expect_eq(repository.size, size);
	cr_expect_gt(repository.files.items[0].end_nanos, 0);
}

/* Others close our descriptor, and theirs gets its number. */
Test(sink, does_not_write_to_the_file_of_another)
{
	struct err err = { ERR_NONE, "" };
	char other[] = "/tmp/test_sink_other.XXXXXX";
	int last = dup(STDIN_FILENO), fd;
	const char *path;
	uint64_t size;

	close(last);
	cr_assert(sink_begin(sink, instant(1000), 1, &err));
	cr_assert(add_number(1001, 10, &err));
	size = sink_size(sink);
	path = repository_last(&repository);
	close(last);
	fd = mkstemp(other);
	cr_assert_eq(fd, last);
	cr_expect_not(add_number(1002, 10, &err));
	cr_expect(strstr(err.text, path) && strstr(err.text, "closed it"), "%s",
		  err.text);
	cr_expect_eq(size_of(other), 0);
	cr_expect_neq(fcntl(fd, F_GETFD), -1);
	/* What was written is complete nevertheless. */
	cr_expect_eq((uint64_t)size_of(path), size);
	cr_expect_eq(header_of(path).flags, HEADER_COMPRESSED | HEADER_FINAL);
	cr_expect_eq(reread_verify(&path, 1), 0);
	cr_expect_eq(events_in(path), 1);
	close(fd);
	unlink(other);
}

Test(sink, does_not_write_what_nobody_will_find)
{
	struct err err = { ERR_NONE, "" };

	cr_assert(sink_begin(sink, instant(1000), 1, &err));
	unlink(repository_last(&repository));
	cr_expect_not(add_number(1001, 10, &err));
	cr_expect(strstr(err.text, "it was removed"), "%s", err.text);
	cr_expect_eq(sink_size(sink), 0);
}

Test(sink, leaves_no_file_that_nothing_was_written_to)
{
	struct err err = { ERR_NONE, "" };

	limit_files(100);
	cr_expect_not(sink_begin(sink, instant(1000), 1, &err));
	limit_files(RLIM_INFINITY);
	cr_expect(strstr(err.text, "File too large"), "%s", err.text);
	cr_expect_eq(repository.files.count, 0);
	cr_expect_eq(rmdir(repository.path), 0);
}

/* Parts of what comes together are in the chunk all at once. */
Test(sink, has_what_was_added_when_it_is_flushed)
{
	struct batch batch = { 0 };
	struct buf metadata = { 0 };
	struct instant start = { EPOCH_NANOS, 1000 };
	const char *path;
	uint64_t size;
	struct err err;

	cr_assert(sink_begin(sink, start, 1, &err), "%s", err.text);
	cr_expect_eq(sink_start_nanos(sink), EPOCH_NANOS);
	path = repository_last(&repository);
	size = sink_size(sink);
	for (int i = 1; i <= 3; i++) {
		batch_reset(&batch);
		add_event(&batch, i, 10);
		cr_assert(sink_add(sink, buf_as_str(&batch.buf), 1, 1000 + i, &err));
		cr_expect_eq(sink_size(sink), size);
		cr_expect_eq((uint64_t)header_of(path).chunk_size, size);
	}
	cr_assert(sink_flush(sink, 1004, &err));
	cr_expect_gt(sink_size(sink), size);
	cr_expect_eq((uint64_t)header_of(path).chunk_size, sink_size(sink));
	cr_expect_eq(events_in(path), 3);
	sink_metadata(sink, &metadata);
	cr_expect_gt(metadata.size, 1000);
	buf_clear(&metadata);
	batch_clear(&batch);
}

Test(sink, refuses_what_are_no_events)
{
	struct batch batch = { 0 };
	struct err err = { ERR_NONE, "" };
	const char *path;

	cr_assert(sink_begin(sink, instant(1000), 1, &err));
	cr_assert(add_number(1001, 10, &err));
	path = repository_last(&repository);
	buf_text(&batch.buf, "\3\176\1");
	cr_expect_not(sink_add(sink, buf_as_str(&batch.buf), 1, 1002, &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	cr_expect_eq(events_in(path), 1);
	cr_expect_eq(reread_verify(&path, 1), 0);
	batch_clear(&batch);
}

/* Whatever fails, what is there can be read. */
Test(sink, survives_without_memory)
{
	struct instant at = instant(1000);
	struct err err = { ERR_NONE, "" };
	bool is_done = false;

	for (size_t n = 1; !is_done; n++) {
		const char *path;
		bool is_good;

		fault_at(n);
		is_good = sink_begin(sink, at, 1, &err);
		for (int i = 0; i < 3 && is_good; i++)
			is_good = add_number((int)at.ticks, 10, &err);
		is_good = is_good && sink_end(sink, at.ticks + 5, false, &at, &err);
		is_done = !fault_happened();
		fault_at(0);
		at = instant(at.ticks + 10);
		cr_expect(is_good || err.kind != ERR_NONE);
		path = repository_last(&repository);
		if (path)
			events_in(path);
	}
	cr_expect_gt(repository.files.count, 2);
}

/* Each write is refused once: what counts by then stays, and no more than that. */
static int add_with_refused(size_t n, int64_t start)
{
	struct err err = { ERR_NONE, "" };
	struct instant last;
	const char *path;
	uint64_t size;
	bool is_good;
	int added = 0;

	cr_assert(sink_begin(sink, instant(start), 1, &err));
	path = repository_last(&repository);
	size = sink_size(sink);
	refuse_write(n);
	for (int i = 1; i <= 2 && sink_size(sink); i++) {
		is_good = add_number((int)start + i, 10, &err);
		cr_expect(is_good || err.kind == ERR_SYSTEM);
		added += is_good;
		if (is_good)
			cr_expect_gt(sink_size(sink), size);
		cr_expect_eq(events_in(path), (uint64_t)added);
	}
	if (sink_size(sink))
		sink_end(sink, start + 10, true, &last, &err);
	refuse_write(0);
	cr_expect_eq(header_of(path).chunk_size, size_of(path));
	cr_expect_eq(header_of(path).state, 0);
	cr_expect_eq(header_of(path).flags, HEADER_COMPRESSED | HEADER_FINAL);
	cr_expect_eq(events_in(path), (uint64_t)added);
	return added;
}

Test(sink, takes_nothing_back)
{
	int added = 0;
	size_t n = 0;

	do {
		n++;
		added += add_with_refused(n, 1000 * (int64_t)n);
	} while (refuse_happened());
	cr_expect_geq(n, 3 * 5);
	cr_expect_gt(added, (int)n);
}
