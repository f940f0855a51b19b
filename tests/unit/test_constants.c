#include <criterion/criterion.h>
#include <stdio.h>

#include "engine/constants.h"
#include "fault.h"
#include "jfr/encode.h"
#include "jfr/header.h"
#include "make.h"

#define ENCODED(...) encoded(VALUES(__VA_ARGS__))

/* The bytes of a value; one at a time. */
static struct str encoded(const struct make_value *values)
{
	static struct buf buf;

	buf_reset(&buf);
	make_values(&buf, values);
	cr_assert_not(buf.failed);
	return (struct str){ buf.bytes, buf.size };
}

static uint64_t intern(struct constants *constants, enum pool_id type, struct str bytes)
{
	return constants_intern(constants, type, bytes.bytes, bytes.size);
}

static bool put(struct constants *constants, enum pool_id type, uint64_t key,
		struct str bytes)
{
	return constants_put(constants, type, key, bytes.bytes, bytes.size);
}

/* Of each test, which has one. */
static struct records *records;

static void free_records(void)
{
	records_free(records);
	records = NULL;
}

TestSuite(constants, .fini = free_records);

static struct constants *begin(void)
{
	struct constants *constants;

	records = records_new(NULL);
	cr_assert(records);
	constants = constants_new(records, NULL, 0);
	cr_assert(constants);
	constants_epoch(constants, 1);
	return constants;
}

/* A stack of one frame, its method, and the class of that: the keys, in this order. */
struct chain {
	uint64_t stack, method, class, name;
};

static struct chain make_chain(struct constants *constants, const char *name)
{
	struct chain chain;

	chain.name = constants_symbol(constants, str_of(name));
	chain.class = constants_key(constants, POOL_CLASS);
	put(constants, POOL_CLASS, chain.class,
	    ENCODED(KEY(0), KEY(chain.name), KEY(0), INT(1), BOOLEAN(false)));
	chain.method = intern(constants, POOL_METHOD,
			      ENCODED(KEY(chain.class), KEY(chain.name),
				      KEY(chain.name), INT(1), BOOLEAN(false)));
	chain.stack = intern(constants, POOL_STACK_TRACE,
			     ENCODED(BOOLEAN(false), COUNT(1), KEY(chain.method),
				     INT(10), INT(3), KEY(1)));
	return chain;
}

/* An event with that thread and stack. */
static void add_event(struct buf *events, uint64_t thread, uint64_t stack)
{
	struct buf event = { 0 };

	encode_varint(&event, EVENT_VIRTUAL_THREAD_START);
	make_values(&event, VALUES(LONG(5), KEY(thread), KEY(stack), LONG(1)));
	encode_event(events, event.bytes, event.size);
	buf_clear(&event);
}

static uint64_t want(struct constants *constants, const struct buf *events,
		     unsigned epoch)
{
	struct err err = { ERR_NONE, "" };
	uint64_t missing = 0;

	cr_assert(constants_want(constants, events->bytes, events->size, epoch,
				 &missing, &err),
		  "%s", err.text);
	return missing;
}

/* The chunk that the events and the constants taken so far make. */
static void open_chunk(struct made *made, const struct buf *events)
{
	writer_end(&made->writer);
	if (events)
		buf_add(&made->writer.buf, events->bytes, events->size);
	cr_assert(make_open(made), "%s", made->err.text);
	cr_expect_eq(made->damage.faults.count, 0);
}

static size_t count_of(const struct made *made, const char *type)
{
	const struct pool *pool = chunk_pool(&made->chunk, make_type(made, type));

	return pool ? pool->constants.count : 0;
}

Test(constants, are_kept_once_under_keys_from_one_on)
{
	struct constants *constants = begin();
	size_t before = constants_count(constants);

	cr_expect_eq(constants_symbol(constants, STR("tea")), 1);
	cr_expect_eq(constants_symbol(constants, STR("coffee")), 2);
	cr_expect_eq(constants_symbol(constants, STR("tea")), 1);
	cr_expect_eq(constants_symbol(constants, STR("")), 3);
	cr_expect_eq(constants_string(constants, POOL_GC_CAUSE, STR("tea")), 1);
	cr_expect_eq(constants_key(constants, POOL_CLASS), 1);
	cr_expect_eq(constants_key(constants, POOL_CLASS), 2);
	cr_expect_eq(constants_symbol(constants, (struct str){ NULL, 0 }), 0);
	cr_expect_eq(constants_count(constants), before + 4);
	constants_free(constants);
}

Test(constants, have_some_names_from_the_start)
{
	struct constants *constants = begin();
	size_t before = constants_count(constants);

	cr_expect_gt(before, 0);
	cr_expect_eq(constants_string(constants, POOL_FRAME_TYPE, STR("Interpreted")),
		     1);
	cr_expect_eq(constants_string(constants, POOL_GC_WHEN, STR("After GC")), 2);
	cr_expect_eq(constants_evict(constants, 1000), 0);
	cr_expect_eq(constants_count(constants), before);
	constants_free(constants);
}

/* Bytes too few, too many, or not of the type. */
Test(constants, refuse_what_is_no_value_of_the_type)
{
	struct constants *constants = begin();
	size_t before = constants_count(constants),
	       memory = constants_memory(constants);

	cr_expect_eq(intern(constants, POOL_METHOD, ENCODED(KEY(7), KEY(8))), 0);
	cr_expect_eq(intern(constants, POOL_SYMBOL, ENCODED(TEXT("x"), INT(1))), 0);
	cr_expect_not(put(constants, POOL_CLASS, 5, ENCODED(KEY(9))));
	cr_expect_not(put(constants, POOL_SYMBOL, 0, ENCODED(TEXT("x"))));
	cr_expect_not(constants_touch(constants, POOL_CLASS, 9));
	cr_expect_eq(constants_count(constants), before);
	cr_expect_leq(constants_memory(constants), memory + 2000);
	constants_free(constants);
}

Test(constants, come_from_buffers_that_did_not_fail)
{
	struct constants *constants = begin();
	struct buf value = { 0 };
	uint64_t key;

	encode_string(&value, STR("tea"));
	key = constants_intern_buf(constants, POOL_SYMBOL, &value);
	cr_expect_eq(key, constants_symbol(constants, STR("tea")));
	cr_expect(constants_put_buf(constants, POOL_SYMBOL, key + 1, &value));
	cr_expect(constants_touch(constants, POOL_SYMBOL, key + 1));
	value.failed = true;
	cr_expect_eq(constants_intern_buf(constants, POOL_SYMBOL, &value), 0);
	cr_expect_not(constants_put_buf(constants, POOL_SYMBOL, key + 2, &value));
	cr_expect_not(constants_touch(constants, POOL_SYMBOL, key + 2));
	buf_clear(&value);
	constants_free(constants);
}

Test(constants, are_written_with_all_that_they_refer_to)
{
	struct constants *constants = begin();
	struct buf events = { 0 };
	struct made made = { 0 };
	struct chain chain;

	constants_symbol(constants, STR("nobody's"));
	chain = make_chain(constants, "a/B");
	make_chain(constants, "a/Unused");
	add_event(&events, 0, chain.stack);
	cr_expect_eq(want(constants, &events, 1), 0);
	make_begin(&made, eventtypes);
	constants_take(constants, &made.writer, 0);
	open_chunk(&made, &events);
	cr_expect_eq(count_of(&made, "jdk.types.StackTrace"), 1);
	cr_expect_eq(count_of(&made, "jdk.types.Method"), 1);
	cr_expect_eq(count_of(&made, "java.lang.Class"), 1);
	cr_expect_eq(count_of(&made, "jdk.types.Symbol"), 1);
	cr_expect_eq(count_of(&made, "jdk.types.FrameType"), 1);
	cr_expect(str_is(make_text(&made, "jdk.types.Symbol", chain.name), STR("a/B")));
	make_clear(&made);
	buf_clear(&events);
	constants_free(constants);
}

Test(constants, are_written_once_in_each_chunk)
{
	struct constants *constants = begin();
	struct chain chain = make_chain(constants, "a/B"), other;
	struct buf events = { 0 };
	struct made made = { 0 };
	size_t before;

	make_begin(&made, eventtypes);
	add_event(&events, 0, chain.stack);
	for (int i = 0; i < 2; i++) {
		cr_expect_eq(want(constants, &events, 1), 0);
		before = made.writer.buf.size;
		constants_take(constants, &made.writer, 0);
		cr_expect_eq(made.writer.buf.size > before, i == 0);
		before = made.writer.buf.size;
		constants_take(constants, &made.writer, 0);
		cr_expect_eq(made.writer.buf.size, before);
		want(constants, &events, 2);
		constants_take(constants, &made.writer, 0);
		cr_expect_eq(made.writer.buf.size, before);
	}
	other = make_chain(constants, "a/C");
	add_event(&events, 0, other.stack);
	want(constants, &events, 2);
	constants_take(constants, &made.writer, 0);
	open_chunk(&made, NULL);
	cr_expect_eq(count_of(&made, "jdk.types.StackTrace"), 2);
	cr_expect_eq(count_of(&made, "jdk.types.FrameType"), 1);
	constants_restart(constants);
	make_clear(&made);
	made = (struct made){ 0 };
	make_begin(&made, eventtypes);
	cr_expect_eq(want(constants, &events, 3), 0);
	constants_take(constants, &made.writer, 0);
	open_chunk(&made, NULL);
	cr_expect_eq(count_of(&made, "jdk.types.StackTrace"), 2);
	make_clear(&made);
	buf_clear(&events);
	constants_free(constants);
}

/* Between the marking and the writing somebody gave it another value. */
Test(constants, are_written_as_they_are_then)
{
	struct constants *constants = begin();
	uint64_t thread = constants_key(constants, POOL_THREAD), group;
	struct buf events = { 0 };
	struct made made = { 0 };

	put(constants, POOL_THREAD, thread,
	    ENCODED(TEXT("old"), LONG(1), TEXT("old"), LONG(1), KEY(0),
		    BOOLEAN(false)));
	add_event(&events, thread, 0);
	cr_expect_eq(want(constants, &events, 1), 0);
	group = intern(constants, POOL_THREAD_GROUP, ENCODED(KEY(0), TEXT("group")));
	group = intern(constants, POOL_THREAD_GROUP,
		       ENCODED(KEY(group), TEXT("inner")));
	put(constants, POOL_THREAD, thread,
	    ENCODED(TEXT("new"), LONG(1), TEXT("new"), LONG(1), KEY(group),
		    BOOLEAN(false)));
	make_begin(&made, eventtypes);
	constants_take(constants, &made.writer, 0);
	open_chunk(&made, &events);
	cr_expect_eq(count_of(&made, "java.lang.Thread"), 1);
	cr_expect_eq(count_of(&made, "jdk.types.ThreadGroup"), 2);
	make_clear(&made);
	buf_clear(&events);
	constants_free(constants);
}

Test(constants, that_are_not_there_are_counted)
{
	struct constants *constants = begin();
	struct buf events = { 0 };
	struct made made = { 0 };
	struct err err;

	add_event(&events, 77, 78);
	cr_expect_eq(want(constants, &events, 1), 2);
	cr_expect_eq(want(constants, &events, 1), 2);
	put(constants, POOL_THREAD, 77,
	    ENCODED(TEXT("t"), LONG(1), TEXT("t"), LONG(1), KEY(79), BOOLEAN(false)));
	cr_expect_eq(want(constants, &events, 1), 2, "the stack and the group");
	make_begin(&made, eventtypes);
	constants_take(constants, &made.writer, 0);
	open_chunk(&made, NULL);
	cr_expect_eq(count_of(&made, "java.lang.Thread"), 1);
	cr_expect_eq(count_of(&made, "jdk.types.ThreadGroup"), 0);
	cr_expect_not(constants_want(constants, events.bytes, events.size - 1, 1, NULL,
				     &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	cr_expect_not(constants_want(constants, "\3\176\1", 3, 1, NULL, &err));
	cr_expect_not(constants_want(constants, "\2\1", 2, 1, NULL, &err),
		      "a checkpoint");
	make_clear(&made);
	buf_clear(&events);
	constants_free(constants);
}

Test(constants, stay_while_they_are_pinned_or_used)
{
	struct constants *constants = begin();
	struct buf events = { 0 };
	struct chain chain = make_chain(constants, "a/B");
	size_t all = constants_count(constants);

	cr_expect_eq(constants_evict(constants, 1), 0);
	constants_epoch(constants, 5);
	cr_expect(constants_touch(constants, POOL_STACK_TRACE, chain.stack));
	cr_expect_eq(constants_evict(constants, 5), 0, "the stack keeps the others");
	add_event(&events, 0, chain.stack);
	want(constants, &events, 7);
	cr_expect_eq(constants_evict(constants, 7), 0);
	cr_expect_eq(constants_evict(constants, 8), 2, "the class is pinned");
	cr_expect_eq(constants_count(constants), all - 2);
	cr_expect_not(constants_touch(constants, POOL_STACK_TRACE, chain.stack));
	cr_expect_not(constants_touch(constants, POOL_METHOD, chain.method));
	cr_expect(constants_touch(constants, POOL_SYMBOL, chain.name));
	constants_epoch(constants, 9);
	constants_unpin(constants, POOL_CLASS, chain.class);
	cr_expect_eq(constants_evict(constants, 9), 0, "it was used until now");
	cr_expect_eq(constants_evict(constants, 10), 2);
	cr_expect_eq(constants_count(constants), all - 4);
	cr_expect_eq(want(constants, &events, 10), 1);
	buf_clear(&events);
	constants_free(constants);
}

Test(constants, get_new_keys_when_they_come_again)
{
	struct constants *constants = begin();
	struct chain old = make_chain(constants, "a/B"), again;

	constants_unpin(constants, POOL_CLASS, old.class);
	cr_expect_eq(constants_evict(constants, 2), 4);
	again = make_chain(constants, "a/B");
	cr_expect_gt(again.stack, old.stack);
	cr_expect_gt(again.method, old.method);
	cr_expect_gt(again.class, old.class);
	cr_expect_gt(again.name, old.name);
	constants_free(constants);
}

/* A reference to what comes later counts all the same. */
Test(constants, may_be_referred_to_before_they_are_there)
{
	struct constants *constants = begin();
	size_t before = constants_count(constants);
	uint64_t loader = constants_key(constants, POOL_CLASS_LOADER);
	uint64_t class = constants_key(constants, POOL_CLASS);

	put(constants, POOL_CLASS, class,
	    ENCODED(KEY(loader), KEY(0), KEY(0), INT(0), BOOLEAN(false)));
	cr_expect_not(constants_touch(constants, POOL_CLASS_LOADER, loader));
	put(constants, POOL_CLASS_LOADER, loader, ENCODED(KEY(0), KEY(0)));
	constants_unpin(constants, POOL_CLASS_LOADER, loader);
	cr_expect_eq(constants_evict(constants, 9), 0);
	put(constants, POOL_CLASS, class,
	    ENCODED(KEY(0), KEY(0), KEY(0), INT(0), BOOLEAN(false)));
	cr_expect_eq(constants_evict(constants, 9), 1, "nobody refers to it any more");
	constants_unpin(constants, POOL_CLASS, class);
	cr_expect_eq(constants_evict(constants, 9), 1);
	cr_expect_eq(constants_count(constants), before);
	constants_free(constants);
}

/* Weeks of classes that come and go, of which ten epochs are retained. */
Test(constants, that_come_and_go_take_no_more_memory)
{
	struct constants *constants = begin();
	size_t count = 0, memory = 0;
	char name[40];

	for (unsigned epoch = 1; epoch <= 400; epoch++) {
		struct buf events = { 0 };

		constants_epoch(constants, epoch);
		constants_restart(constants);
		for (unsigned i = 0; i < 250; i++) {
			struct chain chain;

			snprintf(name, sizeof(name), "a/Class%u_%u", epoch, i);
			chain = make_chain(constants, name);
			add_event(&events, 0, chain.stack);
			constants_unpin(constants, POOL_CLASS, chain.class);
		}
		cr_assert_eq(want(constants, &events, epoch), 0);
		buf_clear(&events);
		constants_evict(constants, epoch > 10 ? epoch - 10 : 0);
		if (epoch == 20) {
			count = constants_count(constants);
			memory = constants_memory(constants);
		} else if (epoch > 20) {
			cr_assert_eq(constants_count(constants), count);
			cr_assert_lt(constants_memory(constants), memory * 11 / 10);
		}
	}
	constants_free(constants);
}

/* All of the above, with whatever memory there is; what is there stays consistent. */
static void work(void)
{
	struct constants *constants;
	struct buf events = { 0 };
	struct made made = { 0 };
	struct err err;

	records = records_new(NULL);
	constants = records ? constants_new(records, NULL, 0) : NULL;
	if (!constants) {
		free_records();
		return;
	}
	for (unsigned epoch = 1; epoch <= 4; epoch++) {
		struct chain chain;

		constants_epoch(constants, epoch);
		chain = make_chain(constants, epoch % 2 ? "a/B" : "a/C");
		add_event(&events, 0, chain.stack);
		if (!events.failed)
			constants_want(constants, events.bytes, events.size, epoch,
				       NULL, &err);
		make_begin(&made, NULL);
		constants_take(constants, &made.writer, 0);
		constants_restart(constants);
		constants_unpin(constants, POOL_CLASS, chain.class);
		constants_evict(constants, epoch);
	}
	constants_evict(constants, 100);
	cr_expect_eq(constants_count(constants), 6);
	writer_clear(&made.writer);
	buf_clear(&events);
	constants_free(constants);
	free_records();
}

Test(constants, survive_without_memory)
{
	size_t n = 0;

	do {
		fault_at(++n);
		work();
	} while (fault_happened());
	fault_at(0);
	cr_expect_gt(n, 100);
}

/* Those of another process: keys are as there, and values are found. */
Test(constants, are_restored)
{
	struct constants *constants = begin();
	struct str name = ENCODED(TEXT("a/B"));
	uint64_t key;

	cr_expect(constants_restore(constants, POOL_SYMBOL, 70, name.bytes, name.size, NULL));
	cr_expect_eq(constants_symbol(constants, STR("a/B")), 70);
	cr_expect_eq(constants_symbol(constants, STR("a/C")), 71);
	cr_expect(constants_restore(constants, POOL_SYMBOL, 70, name.bytes, name.size, NULL));
	name = ENCODED(TEXT("a/D"));
	cr_expect(constants_restore(constants, POOL_SYMBOL, 70, name.bytes, name.size, NULL));
	cr_expect_eq(constants_symbol(constants, STR("a/D")), 70);
	cr_expect_neq(constants_symbol(constants, STR("a/B")), 70);
	key = constants_key(constants, POOL_CLASS);
	constants_skip(constants, 1000);
	cr_expect_eq(constants_key(constants, POOL_CLASS), 1001);
	cr_expect_lt(key, 1000);
	cr_expect_not(constants_restore(constants, POOL_CLASS, 1, "x", 1, NULL));
	cr_expect_not(constants_restore(constants, SPILL_METHOD, 1, "", 0, NULL));
	constants_free(constants);
}

/* Types of a recording, and those that have other numbers. */
Test(constants, are_of_the_types_of_a_metadata_event)
{
	struct buf recording = { 0 };
	struct constants *constants;
	struct header header;

	records = records_new(NULL);
	cr_assert(eventtypes_recording(&recording, NULL));
	cr_assert(header_read(&header, (unsigned char *)recording.bytes, recording.size,
			      NULL));
	constants = constants_new(records, recording.bytes + header.metadata_at,
				  recording.size - (size_t)header.metadata_at);
	cr_assert(constants);
	buf_clear(&recording);
	cr_expect_gt(make_chain(constants, "a/B").stack, 0);
	constants_free(constants);
	cr_expect_null(constants_new(records, "\3\0\0", 3));
}
