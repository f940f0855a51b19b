#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/batch.h"
#include "engine/sink.h"
#include "fault.h"
#include "jfr/encode.h"
#include "jfr/header.h"
#include "jfr/sieve.h"
#include "make.h"
#include "named.h"
#include "reread.h"
#include "unit/place.h"

#define FLUSHES 60
#define EVENTS 7		/* of each type in each flush */
#define ALL (FLUSHES * EVENTS)
#define DUMPS 3
#define DUMP_SIZE 300000	/* more than is in memory at a time */

/* What the engine writes chunks with. */
static struct engine {
	struct records *records;
	struct constants *constants;
	struct repository repository;
	struct sink *sink;
	struct instant at;
	struct buf buf;
} engine;

static void begin(void)
{
	struct err err;

	place_open();
	cr_assert(repository_open(&engine.repository, place_folder, &err), "%s", err.text);
	engine.records = records_new(NULL);
	engine.constants = constants_new(engine.records, NULL, 0);
	constants_epoch(engine.constants, 1);
	engine.sink = sink_new(engine.constants, &engine.repository);
	engine.at = (struct instant){ INT64_C(1796000000) * 1000000000, 5000 };
}

static void end(void)
{
	sink_free(engine.sink);
	constants_free(engine.constants);
	records_free(engine.records);
	repository_close(&engine.repository);
	buf_clear(&engine.buf);
	place_close();
}

TestSuite(sieve, .init = begin, .fini = end);

/* --- a chunk ----------------------------------------------------------------------- */

/* A method that was called, for so long; and a virtual thread that started. */
static void add_events(struct batch *batch, int64_t start, int64_t duration)
{
	struct constants *constants = engine.constants;
	uint64_t thread = constants_key(constants, POOL_THREAD);
	uint64_t class, method, stack;
	char name[40];

	snprintf(name, sizeof(name), "test/Class%lld", (long long)duration);
	named_thread(constants, &engine.buf, thread, name, 1, duration);
	class = named_class(constants, &engine.buf, name);
	method = named_method(constants, &engine.buf, class, "run");
	stack = named_stack(constants, &engine.buf, class, 4, (uint64_t)duration);
	batch_begin(batch, EVENT_METHOD_TRACE);
	make_values(&batch->buf, VALUES(LONG(start), LONG(duration), KEY(thread),
					KEY(stack), KEY(method)));
	batch_end(batch);
	batch_begin(batch, EVENT_VIRTUAL_THREAD_START);
	make_values(&batch->buf, VALUES(LONG(start), KEY(thread), KEY(stack),
					LONG(duration)));
	batch_end(batch);
}

static void add_dump(struct batch *batch, int64_t start)
{
	char *text = malloc(DUMP_SIZE);

	memset(text, 'd', DUMP_SIZE);
	batch_begin(batch, EVENT_THREAD_DUMP);
	encode_long(&batch->buf, start);
	encode_string(&batch->buf, (struct str){ text, DUMP_SIZE });
	batch_end(batch);
	free(text);
}

/*
 * Writes the next chunk; its file. Methods take from 0 to ALL - 1 nanoseconds. Some
 * flushes are empty.
 */
static const char *make_chunk(bool is_last)
{
	struct err err;

	cr_assert(sink_begin(engine.sink, engine.at, 1, &err), "%s", err.text);
	for (int flush = 0; flush < FLUSHES; flush++) {
		struct batch batch = { 0 };
		int64_t start = engine.at.ticks + flush;

		for (int i = 0; i < EVENTS; i++)
			add_events(&batch, start, flush * EVENTS + i);
		if (flush % (FLUSHES / DUMPS) == 5)
			add_dump(&batch, start);
		cr_assert(sink_add(engine.sink, buf_as_str(&batch.buf), 1, start, &err) &&
			  sink_flush(engine.sink, start, &err), "%s", err.text);
		cr_assert(flush % 10 || sink_flush(engine.sink, start, &err));
		batch_clear(&batch);
	}
	cr_assert(sink_end(engine.sink, engine.at.ticks + 1000, is_last, &engine.at, &err));
	return repository_last(&engine.repository);
}

static struct buf bytes_of(const char *path)
{
	struct buf bytes = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;

	cr_assert(fd >= 0 && fstat(fd, &status) == 0);
	cr_assert(buf_room(&bytes, (size_t)status.st_size));
	cr_assert_eq(read(fd, bytes.bytes, (size_t)status.st_size), status.st_size);
	bytes.size = (size_t)status.st_size;
	close(fd);
	return bytes;
}

/* --- what is left ------------------------------------------------------------------ */

static struct sieve sieve;

static void want(enum event_id id, int64_t least)
{
	sieve.least[id - EVENT_FIRST] = least;
}

/* Puts what is left of the chunk behind what is in the file. */
static bool sift(const char *from, const char *to, struct err *err)
{
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	struct stat before, after;
	uint64_t size = 0;
	bool is_good;

	cr_assert(in >= 0 && out >= 0 && fstat(out, &before) == 0);
	lseek(out, 0, SEEK_END);
	is_good = sieve_chunk(&sieve, in, out, &size, err);
	cr_assert_eq(fstat(out, &after), 0);
	cr_expect(!is_good || S_ISCHR(after.st_mode) ||
		  size == (uint64_t)(after.st_size - before.st_size));
	close(in);
	close(out);
	return is_good;
}

/* Of each type: how many, and the sum of what is told of them. */
struct count {
	uint64_t events[EVENT_COUNT];
	uint64_t sums[EVENT_COUNT];
};

static void count_event(void *context, uint64_t type, const uint64_t *fields)
{
	struct count *count = context;

	if (type < EVENT_FIRST || type >= EVENT_END)
		return;
	count->events[type - EVENT_FIRST]++;
	count->sums[type - EVENT_FIRST] += fields[type == EVENT_METHOD_TRACE ? 1 : 3];
}

static void expect_left(const char *path, uint64_t chunks, uint64_t least,
			uint64_t threads, uint64_t dumps)
{
	struct count count = { .events = { 0 } };
	uint64_t sum = 0;

	for (uint64_t i = least; i < ALL; i++)
		sum += i;
	cr_expect_eq(reread_events(&path, 1, count_event, &count), 0);
	cr_expect_eq(count.events[EVENT_METHOD_TRACE - EVENT_FIRST], chunks * (ALL - least));
	cr_expect_eq(count.sums[EVENT_METHOD_TRACE - EVENT_FIRST], chunks * sum);
	cr_expect_eq(count.events[EVENT_VIRTUAL_THREAD_START - EVENT_FIRST], threads);
	cr_expect_eq(count.events[EVENT_THREAD_DUMP - EVENT_FIRST], dumps);
	cr_expect_eq(reread_findings(&path, 1), 0);
}

static void expect_sifted(uint64_t least, uint64_t threads, uint64_t dumps)
{
	const char *from = make_chunk(true), *to = place_of("left.jfr");
	struct err err;

	cr_assert(sift(from, to, &err), "%s", err.text);
	expect_left(to, 1, least, threads, dumps);
}

Test(sieve, leaves_a_chunk_as_it_is_if_all_is_wanted)
{
	const char *from = make_chunk(true), *to = place_of("left.jfr");
	struct buf was, is;
	struct err err;

	want(EVENT_METHOD_TRACE, -1);
	cr_assert(sift(from, to, &err), "%s", err.text);
	was = bytes_of(from);
	is = bytes_of(to);
	cr_expect(str_is(buf_as_str(&was), buf_as_str(&is)));
	expect_left(to, 1, 0, ALL, DUMPS);
	buf_clear(&was);
	buf_clear(&is);
}

Test(sieve, leaves_out_what_is_too_short)
{
	want(EVENT_METHOD_TRACE, 100);
	expect_sifted(100, ALL, DUMPS);
}

Test(sieve, leaves_out_events_that_are_not_wanted)
{
	want(EVENT_METHOD_TRACE, SIEVE_NONE);
	want(EVENT_VIRTUAL_THREAD_START, SIEVE_NONE);
	expect_sifted(ALL, 0, DUMPS);
}

Test(sieve, leaves_out_large_events)
{
	want(EVENT_THREAD_DUMP, SIEVE_NONE);
	want(EVENT_METHOD_TRACE, 1);
	expect_sifted(1, ALL, 0);
}

/* They are short for ever. */
Test(sieve, knows_no_length_of_events_without_one)
{
	want(EVENT_VIRTUAL_THREAD_START, INT64_MAX - 1);
	want(EVENT_METHOD_TRACE, INT64_MAX - 1);
	expect_sifted(ALL, ALL, DUMPS);
}

Test(sieve, leaves_nothing_but_constants)
{
	for (int id = EVENT_FIRST; id < EVENT_END; id++)
		want((enum event_id)id, SIEVE_NONE);
	expect_sifted(ALL, 0, 0);
}

Test(sieve, puts_chunk_behind_chunk)
{
	const char *to = place_of("left.jfr");
	struct err err;

	want(EVENT_METHOD_TRACE, 200);
	want(EVENT_VIRTUAL_THREAD_START, SIEVE_NONE);
	for (int i = 0; i < 3; i++)
		cr_assert(sift(make_chunk(i == 2), to, &err), "%s", err.text);
	expect_left(to, 3, 200, 0, 3 * DUMPS);
}

/* Copies of the header lead to where things are now, as the header does. */
Test(sieve, patches_each_copy_of_the_header)
{
	const char *to = place_of("left.jfr");
	struct buf bytes;
	struct err err;
	int copies = 0;

	want(EVENT_METHOD_TRACE, 200);
	cr_assert(sift(make_chunk(true), to, &err));
	bytes = bytes_of(to);
	for (size_t at = 1; at + HEADER_SIZE <= bytes.size; at++) {
		const unsigned char *here = (const unsigned char *)bytes.bytes + at;
		struct header copy, header;

		if (!header_is_likely(here, bytes.size - at))
			continue;
		copies++;
		cr_assert(header_read(&copy, here, HEADER_SIZE, &err));
		cr_assert(header_read(&header, here - at, HEADER_SIZE, &err));
		cr_expect_eq(copy.chunk_size, (int64_t)(at + HEADER_SIZE));
		cr_expect_eq(copy.metadata_at, header.metadata_at);
		cr_expect(copy.checkpoint_at < (int64_t)at &&
			  copy.checkpoint_at + 100 > (int64_t)at);
		if (at + HEADER_SIZE == bytes.size)
			cr_expect_eq(copy.checkpoint_at, header.checkpoint_at);
	}
	cr_expect_gt(copies, FLUSHES);
	buf_clear(&bytes);
}

/* --- what cannot be ---------------------------------------------------------------- */

/* What is wrong with the chunk of these bytes. */
static const char *fault_of(const struct buf *bytes)
{
	static struct err err;
	const char *from = place_of("broken.jfr"), *to = place_of("left.jfr");
	int fd = open(from, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	err = (struct err){ 0 };
	cr_assert_eq(write(fd, bytes->bytes, bytes->size), (ssize_t)bytes->size);
	close(fd);
	cr_assert_not(sift(from, to, &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	return err.text;
}

static void put(struct buf *bytes, size_t at, uint64_t number)
{
	encode_big_at(bytes->bytes + at, number, 8);
}

Test(sieve, refuses_what_is_no_finished_chunk)
{
	struct buf bytes = bytes_of(make_chunk(true));
	size_t size = bytes.size;

	bytes.bytes[64] = 1;
	cr_expect_str_eq(fault_of(&bytes), "the chunk is not finished");
	bytes.bytes[64] = 0;
	bytes.size = size - 1;
	cr_expect(str_ends(str_of(fault_of(&bytes)), STR("the file ends before its chunk")));
	bytes.size = 10;
	cr_expect_str_eq(fault_of(&bytes), "at byte 0: the file ends before its chunk");
	bytes.size = 0;
	cr_expect_str_eq(fault_of(&bytes), "at byte 0: the file ends before its chunk");
	bytes.size = size;
	put(&bytes, 8, (uint64_t)-1);
	cr_expect_str_eq(fault_of(&bytes), "the chunk is not finished");
	put(&bytes, 8, 67);
	cr_expect_str_eq(fault_of(&bytes), "the chunk is not finished");
	put(&bytes, 8, size - 1);
	cr_expect(str_ends(str_of(fault_of(&bytes)),
			   STR("an event reaches past the end of its chunk")));
	put(&bytes, 8, INT64_MAX);
	cr_expect(str_ends(str_of(fault_of(&bytes)), STR("the file ends before its chunk")));
	bytes.bytes[0] = 'x';
	cr_expect_str_eq(fault_of(&bytes), "not a Flight Recorder chunk");
	buf_clear(&bytes);
}

Test(sieve, refuses_broken_events)
{
	struct buf bytes = bytes_of(make_chunk(true));
	size_t size = bytes.size;

	put(&bytes, 16, 100);
	cr_expect(str_ends(str_of(fault_of(&bytes)),
			   STR("its header points to other places")));
	put(&bytes, 24, 0);
	cr_expect(str_ends(str_of(fault_of(&bytes)),
			   STR("its header points to other places")));
	memcpy(bytes.bytes + HEADER_SIZE, "\0\0\0", 3);
	cr_expect_str_eq(fault_of(&bytes), "at byte 68: an event has no size");
	memcpy(bytes.bytes + HEADER_SIZE, "\1\177\0", 3);
	cr_expect_str_eq(fault_of(&bytes),
			 "at byte 68: an event has no room for its type");
	memcpy(bytes.bytes + HEADER_SIZE, "\3\1\0", 3);
	cr_expect_str_eq(fault_of(&bytes), "at byte 68: a checkpoint is cut short");
	memcpy(bytes.bytes + HEADER_SIZE, "\7\1\0\0\5\0\0", 7);
	cr_expect_str_eq(fault_of(&bytes),
			 "at byte 68: the chain of checkpoints is broken");
	bytes.size = size;
	buf_clear(&bytes);
}

Test(sieve, tells_where_it_cannot_write)
{
	const char *from = make_chunk(true);
	int in = open(from, O_RDONLY | O_CLOEXEC), ends[2];
	struct err err;
	uint64_t size;

	cr_assert_eq(pipe(ends), 0);
	cr_expect_not(sieve_chunk(&sieve, in, ends[1], &size, &err));
	cr_expect(err.kind == ERR_SYSTEM && size == 0);
	cr_expect_not(sift(from, "/dev/full", &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect_str_eq(err.text, "a chunk cannot be written (No space left on device)");
	cr_expect_not(sieve_chunk(&sieve, ends[0], in, &size, &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	close(in);
	close(ends[0]);
	close(ends[1]);
}

Test(sieve, survives_without_memory)
{
	const char *from = make_chunk(true);
	bool is_good = false;

	for (size_t n = 1; !is_good; n++) {
		int in = open(from, O_RDONLY | O_CLOEXEC);
		int out = open(place_of("left.jfr"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		struct err err = { 0 };
		uint64_t size;

		fault_at(n);
		is_good = sieve_chunk(&sieve, in, out, &size, &err);
		cr_expect_eq(is_good, !fault_happened());
		cr_expect(is_good || err.kind == ERR_MEMORY);
		fault_at(0);
		close(in);
		close(out);
	}
}
