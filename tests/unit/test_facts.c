#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "control/facts.h"
#include "control/message.h"
#include "fault.h"

static const struct recording_facts recording = {
	.id = 3,
	.name = { "of\nthe checkout", 15 },
	.destination = { "/tmp/a=b.jfr", 12 },
	.why = { "no space", 8 },
	.state = FACTS_FAILED,
	.begun = 1796036400000000001,
	.ended = 1796036400000000002,
	.duration = 4,
	.max_age = 5,
	.max_size = 6,
	.to_disk = true,
	.bytes = 7,
	.chunks = 8,
	.lost_events = 9,
};

static const struct engine_facts engine = {
	.pid = 4711,
	.version = { "1.0", 3 },
	.repository = { "/tmp/cjfr-abcdef", 16 },
	.attached = 1,
	.is_launched = true,
	.events = 2,
	.lost_events = 3,
	.lost_bytes = 4,
	.memory_size = 5,
	.memory_used = 6,
	.cpu_flusher = 7,
	.cpu_handler = 8,
	.probed_classes = 9,
	.probed_methods = 10,
	.interval = 11,
};

#define RECORDING                                                              \
	"id=3\nname=of\\nthe checkout\ndestination=/tmp/a=b.jfr\nwhy=no space\n"   \
	"state=failed\nbegun=1796036400000000001\nended=1796036400000000002\n" \
	"duration=4\nmax-age=5\nmax-size=6\ndisk=true\nbytes=7\nchunks=8\n"    \
	"lost-events=9\n"
#define ENGINE                                                                 \
	"pid=4711\nversion=1.0\nrepository=/tmp/cjfr-abcdef\nattached=1\n"       \
	"launched=true\nevents=2\nlost-events=3\nlost-bytes=4\nmemory-size=5\n" \
	"memory-used=6\ncpu-flusher=7\ncpu-handler=8\nprobed-classes=9\n"      \
	"probed-methods=10\ninterval=11\n"

static void expect_text(struct buf *buf, const char *text)
{
	cr_expect(str_is(buf_as_str(buf), str_of(text)), "%.*s", (int)buf->size,
		  buf->bytes);
	buf_clear(buf);
}

Test(facts, of_a_recording_are_written_and_read)
{
	struct recording_facts read;
	struct arena arena = { 0 };
	struct buf buf = { 0 };
	struct err err;

	recording_facts_write(&recording, &buf);
	expect_text(&buf, RECORDING);
	cr_assert(recording_facts_read(&read, STR(RECORDING), &arena, &err), "%s",
		  err.text);
	cr_expect_str_eq(read.name.bytes, "of\nthe checkout");
	cr_expect_eq(read.state, FACTS_FAILED);
	recording_facts_write(&read, &buf);
	expect_text(&buf, RECORDING);
	arena_clear(&arena);
}

Test(facts, of_an_engine_are_written_and_read)
{
	struct engine_facts read;
	struct arena arena = { 0 };
	struct buf buf = { 0 };
	struct err err;

	engine_facts_write(&engine, &buf);
	expect_text(&buf, ENGINE);
	cr_assert(engine_facts_read(&read, STR(ENGINE), &arena, &err), "%s", err.text);
	cr_expect_eq(read.interval, 11);
	engine_facts_write(&read, &buf);
	expect_text(&buf, ENGINE);
	arena_clear(&arena);
}

Test(facts, may_be_those_of_another_version)
{
	struct arena arena = { 0 };
	struct recording_facts facts = recording;
	struct err err;

	cr_assert(recording_facts_read(&facts, STR("id=2\nmood=good\n"), &arena, &err));
	cr_expect(facts.id == 2 && facts.name.size == 0 && facts.bytes == 0);
	cr_expect_eq(facts.state, FACTS_DELAYED);
	cr_assert_not(recording_facts_read(&facts, STR("id=2\nstate=tired\n"), &arena,
					   &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	cr_expect_str_eq(err.text, "line 2: state: 'tired' is unknown here");
	cr_assert_not(recording_facts_read(&facts, STR("id=2\n\n"), &arena, &err));
	cr_expect_str_eq(err.text, "line 2: no '='");
	arena_clear(&arena);
}

/* Whatever texts there are. */
Test(facts, are_one_message)
{
	struct recording_facts facts;
	struct engine_facts more;
	char *texts = malloc(100000);
	struct buf buf = { 0 };

	memset(texts, '\\', 100000);
	memset(&facts, 0xff, sizeof(facts));
	memset(&more, 0xff, sizeof(more));
	facts.to_disk = more.is_launched = true;
	facts.state = FACTS_RUNNING;
	facts.name = facts.why = facts.destination = (struct str){ texts, 100000 };
	more.version = more.repository = facts.name;
	recording_facts_write(&facts, &buf);
	cr_expect_lt(buf.size, MESSAGE_MAX - 100);
	buf_reset(&buf);
	engine_facts_write(&more, &buf);
	cr_expect_lt(buf.size, MESSAGE_MAX - 100);
	buf_clear(&buf);
	free(texts);
}

Test(facts, survive_without_memory)
{
	bool is_good = false;

	for (size_t n = 1; !is_good; n++) {
		struct recording_facts facts;
		struct arena arena = { 0 };
		struct err err = { 0 };

		fault_at(n);
		is_good = recording_facts_read(&facts, STR(RECORDING), &arena, &err);
		cr_expect_eq(is_good, !fault_happened());
		cr_expect(is_good || err.kind == ERR_MEMORY);
		fault_at(0);
		arena_clear(&arena);
	}
}
