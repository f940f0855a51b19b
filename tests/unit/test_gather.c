#include <criterion/criterion.h>
#include <stdlib.h>

#include "ask.h"
#include "fault.h"
#include "planned.h"
#include "query/gather.h"

static const struct schema_type types[] = {
	TYPE("test.E", "jdk.jfr.Event",
	     FIELDS(START, FIELD("key", "long"), FIELD("other", "long"),
		    FIELD("text", "java.lang.String"))),
	TYPE("test.F", "jdk.jfr.Event",
	     FIELDS(START, FIELD("key", "long"), FIELD("number", "long"))),
	TYPES_END,
};

static struct made made;

static void open_chunk(void)
{
	make_begin(&made, types);
	cr_assert(make_open(&made), "%s", made.err.text);
}

static void close_chunk(void)
{
	make_clear(&made);
}

TestSuite(gather, .init = open_chunk, .fini = close_chunk);

/* A query and what was gathered for it, of all chunks. */
struct gathered {
	struct planned planned;
	struct shape shape;
	struct lexicon lexicon;
	struct gathering total;
};

static void begin(struct gathered *gathered, const char *text)
{
	struct planned *planned = &gathered->planned;

	*gathered = (struct gathered){ .total = { .failed = false } };
	planned_of(planned, &made.chunk, text);
	cr_assert(planned->is_good, "%s", planned->err.text);
	cr_assert(shape_of(&gathered->shape, &planned->plan, &planned->arena));
	gathered->total.shape = &gathered->shape;
	gathered->total.lexicon = &gathered->lexicon;
}

static void end(struct gathered *gathered)
{
	gather_clear(&gathered->total);
	lexicon_clear(&gathered->lexicon);
	planned_clear(&gathered->planned);
}

/* What an event has in the fields that are asked for. */
struct event_of {
	int64_t key, other;
	const char *text;
	struct rank rank;
};

static struct datum value_of(const struct event_of *event, struct str field,
			     struct lexicon *lexicon)
{
	if (str_is(field, STR("key")))
		return datum_of_integer(DATUM_LONG, event->key);
	if (str_is(field, STR("other")))
		return datum_of_integer(DATUM_LONG, event->other);
	if (str_is(field, STR("text")))
		return lexicon_text(lexicon, event->text ? str_of(event->text)
							 : (struct str){ NULL, 0 });
	return datum_of_integer(DATUM_INT, 1);
}

static void add_event(struct gathering *gathering, size_t listener,
		      const struct event_of *event)
{
	const struct plan *plan = gathering->shape->plan;
	const struct plan_listener *of = &plan->listeners[listener];
	struct datum values[8];

	for (size_t i = 0; i < of->use_count; i++)
		values[i] = value_of(event, plan->columns[of->uses[i].column].name,
				     gathering->lexicon);
	gather_add(gathering, of, values, false, &event->rank);
}

/* A chunk of these events, of listeners in turn, merged into the total. */
static void add_some(struct gathered *gathered, const struct event_of *events,
		     size_t count, size_t first_listener, size_t listeners)
{
	struct lexicon lexicon = { 0 };
	struct gathering chunk = { .shape = &gathered->shape, .lexicon = &lexicon };

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < listeners; k++) {
			struct event_of event = events[i];

			event.rank.turn = (uint32_t)k;
			add_event(&chunk, first_listener + k, &event);
		}
	}
	gather_settle(&chunk);
	chunk.failed |= lexicon.arena.failed;
	gather_merge(&gathered->total, &chunk);
	gather_clear(&chunk);
	lexicon_clear(&lexicon);
}

static void add_chunk(struct gathered *gathered, const struct event_of *events,
		      size_t count)
{
	add_some(gathered, events, count, 0, gathered->shape.plan->listener_count);
}

/* The rows as they were gathered, not sorted; false without memory. */
static bool tell(struct gathered *gathered, struct buf *to)
{
	struct result result = { .plan = gathered->shape.plan };
	bool is_good = gather_result(&gathered->total, &result);

	if (is_good)
		ask_tell_rows(to, &result);
	buf_byte(to, '\0');
	result_clear(&result);
	return is_good && !to->failed;
}

static void expect(struct gathered *gathered, const char *wanted, int line)
{
	struct buf text = { 0 };

	cr_expect(tell(gathered, &text), "line %d", line);
	cr_expect_str_eq(text.bytes, wanted, "line %d: got\n%s", line, text.bytes);
	buf_clear(&text);
	end(gathered);
}

#define EVENTS_MAX 16

/* Of these keys, one after the other, in a single chunk. */
static void expect_keys(const char *query, const int64_t *keys, size_t count,
			const char *wanted, int line)
{
	struct event_of events[EVENTS_MAX];
	struct gathered gathered;

	for (size_t i = 0; i < count; i++)
		events[i] = (struct event_of){ .key = keys[i], .other = (int64_t)i,
					       .rank = { .at = i } };
	begin(&gathered, query);
	add_chunk(&gathered, events, count);
	expect(&gathered, wanted, line);
}

#define KEYS(...)                                                              \
	(const int64_t[]){ __VA_ARGS__ },                                      \
		sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t)
#define NO_KEYS NULL, 0
#define GATHERS(query, keys, wanted) expect_keys(query, keys, wanted, __LINE__)

/* --- rows ----------------------------------------------------------------------------- */

Test(gather, has_a_row_for_each_event)
{
	GATHERS("SELECT key, other FROM E", KEYS(5, 5, 7),
		"long 5 | long 0\nlong 5 | long 1\nlong 7 | long 2\n");
	GATHERS("SELECT key FROM E LIMIT 1", KEYS(3, 2), "long 3\nlong 2\n");
}

/* By flush, end, and place in the chunk; chunk after chunk. */
Test(gather, has_rows_in_the_order_of_ranks)
{
	static const struct event_of first[] = {
		{ .key = 5, .rank = { .segment = 1, .end = 1, .at = 1 } },
		{ .key = 3, .rank = { .segment = 0, .end = 9, .at = 2 } },
		{ .key = 2, .rank = { .segment = 0, .end = 8, .at = 3 } },
		{ .key = 1, .rank = { .segment = 0, .end = 7, .at = 5 } },
		{ .key = 4, .rank = { .segment = 0, .end = 9, .at = 4 } },
	};
	static const struct event_of second[] = {
		{ .key = 7, .rank = { .end = 1 } }, { .key = 6, .rank = { .end = 0 } },
	};
	struct gathered gathered;

	begin(&gathered, "SELECT key FROM E");
	add_chunk(&gathered, first, 5);
	add_chunk(&gathered, second, 2);
	expect(&gathered,
	       "long 1\nlong 2\nlong 3\nlong 4\nlong 5\nlong 6\nlong 7\n", __LINE__);
}

/* Columns of other listeners are null. */
Test(gather, has_a_row_for_each_listener)
{
	GATHERS("SELECT A.key, B.other FROM E AS A, E AS B WHERE A.text = 'x'",
		KEYS(5, 6),
		"long 5 | null\nnull | long 0\nlong 6 | null\nnull | long 1\n");
}

/* --- groups --------------------------------------------------------------------------- */

/* As JDK 25 has them: by bucket, the newest of each first. */
Test(gather, has_groups_in_the_order_of_a_hash_map)
{
	const char *query = "SELECT key FROM E GROUP BY key";

	GATHERS(query, KEYS(1, 17, 33, 2), "long 33\nlong 17\nlong 1\nlong 2\n");
	GATHERS(query,
		KEYS(-1, -2, 5, INT64_C(0x100000001), INT64_MAX, 3),
		"long 9223372036854775807\nlong 4294967297\nlong -1\nlong -2\nlong 3\n"
		"long 5\n");
	GATHERS(query, KEYS(16, 32, 48, 64, 80, 96, 112, 128, 144, 160),
		"long 160\nlong 128\nlong 96\nlong 64\nlong 32\nlong 144\nlong 112\n"
		"long 80\nlong 48\nlong 16\n");
}

/* It has grown, if anything came behind the thirteenth. */
Test(gather, has_groups_in_the_order_of_one_that_grows)
{
	const char *query = "SELECT key FROM E GROUP BY key";

	GATHERS(query, KEYS(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6),
		"long 16\nlong 0\nlong 17\nlong 1\nlong 18\nlong 2\nlong 19\nlong 3\n"
		"long 20\nlong 4\nlong 21\nlong 5\nlong 6\n");
	GATHERS(query, KEYS(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 0),
		"long 0\nlong 1\nlong 2\nlong 3\nlong 4\nlong 5\nlong 6\nlong 16\n"
		"long 17\nlong 18\nlong 19\nlong 20\nlong 21\n");
}

/* What counts is the order of ranks, not that of the file. */
Test(gather, has_groups_newest_by_rank)
{
	static const struct event_of events[] = {
		{ .key = 1, .rank = { .end = 3 } },
		{ .key = 17, .rank = { .end = 1 } },
		{ .key = 33, .rank = { .end = 2 } },
		{ .key = 1, .rank = { .end = 0 } },
	};
	struct gathered gathered;

	begin(&gathered, "SELECT key FROM E GROUP BY key");
	add_chunk(&gathered, events, 4);
	expect(&gathered, "long 33\nlong 17\nlong 1\n", __LINE__);
}

Test(gather, has_one_group_without_group_by)
{
	GATHERS("SELECT COUNT(*), SUM(key), key FROM E", KEYS(5, 6, 7),
		"long 3 | long 18 | long 7\n");
	GATHERS("SELECT COUNT(*) FROM E", KEYS(5), "long 1\n");
}

/* The same values in another order are the same group: so it is in the JDK. */
Test(gather, has_groups_of_several_fields)
{
	static const struct event_of events[] = {
		{ .key = 1, .other = 2, .rank = { .at = 1 } },
		{ .key = 2, .other = 1, .rank = { .at = 2 } },
		{ .key = 2, .other = 2, .rank = { .at = 3 } },
	};
	struct gathered gathered;

	begin(&gathered, "SELECT key, COUNT(*) FROM E GROUP BY key, other");
	add_chunk(&gathered, events, 3);
	expect(&gathered, "long 2 | long 1\nlong 2 | long 2\n", __LINE__);
}

Test(gather, has_groups_of_texts)
{
	static const struct event_of events[] = {
		{ .text = "tea", .rank = { .at = 1 } },
		{ .text = NULL, .rank = { .at = 2 } },
		{ .text = "coffee", .rank = { .at = 3 } },
		{ .text = "tea", .rank = { .at = 4 } },
	};
	struct gathered gathered;

	begin(&gathered, "SELECT text, COUNT(*) FROM E GROUP BY text");
	add_chunk(&gathered, events, 4);
	add_chunk(&gathered, events, 2);
	expect(&gathered, "null | long 2\n'tea' | long 3\n'coffee' | long 1\n", __LINE__);
}

/* The key of the event before, if who adds knows that it is the same. */
Test(gather, takes_the_word_for_the_same_key)
{
	struct gathered gathered;
	const struct datum values[] = {
		datum_of_integer(DATUM_LONG, 1), datum_of_integer(DATUM_LONG, 1),
	};
	const struct datum others[] = {
		datum_of_integer(DATUM_LONG, 2), datum_of_integer(DATUM_LONG, 2),
	};
	const struct plan_listener *listener;

	begin(&gathered, "SELECT SUM(key) FROM E GROUP BY key");
	listener = gathered.planned.plan.listeners;
	gather_add(&gathered.total, listener, values, true, &(struct rank){ .at = 1 });
	gather_add(&gathered.total, listener, values, true, &(struct rank){ .at = 2 });
	gather_add(&gathered.total, listener, others, false, &(struct rank){ .at = 3 });
	cr_expect_eq(gathered.total.groups.count, 2);
	gather_add(&gathered.total, listener, values, true, &(struct rank){ .at = 4 });
	cr_expect_eq(gathered.total.groups.count, 2);
	gather_settle(&gathered.total);
	expect(&gathered, "long 2\nlong 3\n", __LINE__);
}

/* --- the last batch --------------------------------------------------------------------- */

#define ENDING(key_, other_, end_)                                             \
	{ .key = (key_), .other = (other_),                                    \
	  .rank = { .end = (end_), .at = (other_), .nanos = (end_) * 10 } }

static const char *const batch = "SELECT key, LAST_BATCH(other) FROM E GROUP BY key";

/* Groups that the last events do not belong to are gone. */
Test(gather, has_the_groups_of_the_last_batch)
{
	static const struct event_of first[] = {
		ENDING(1, 1, 5), ENDING(2, 2, 5), ENDING(3, 3, 5),
		ENDING(1, 4, 6), ENDING(3, 5, 6),
	};
	static const struct event_of second[] = { ENDING(2, 6, 7), ENDING(3, 7, 7) };
	struct gathered gathered;

	begin(&gathered, batch);
	add_chunk(&gathered, first, 3);
	expect(&gathered, "long 1 | long 1\nlong 2 | long 2\nlong 3 | long 3\n",
	       __LINE__);
	begin(&gathered, batch);
	add_chunk(&gathered, first, 5);
	expect(&gathered, "long 1 | long 4\nlong 3 | long 5\n", __LINE__);
	begin(&gathered, batch);
	add_chunk(&gathered, first, 5);
	add_chunk(&gathered, second, 2);
	expect(&gathered, "long 2 | long 6\nlong 3 | long 7\n", __LINE__);
}

/* The last by rank, which may have an earlier time than one before it. */
Test(gather, has_the_last_batch_by_rank)
{
	static const struct event_of events[] = {
		{ .key = 1, .rank = { .segment = 1, .end = 1, .nanos = 10 } },
		{ .key = 2, .rank = { .segment = 0, .end = 9, .nanos = 90 } },
	};
	struct gathered gathered;

	begin(&gathered, batch);
	add_chunk(&gathered, events, 2);
	expect(&gathered, "long 1 | long 0\n", __LINE__);
}

/* A chunk with earlier times comes behind all the same. */
Test(gather, has_the_last_batch_of_the_last_chunk)
{
	static const struct event_of first[] = { ENDING(1, 1, 9) };
	static const struct event_of second[] = { ENDING(2, 2, 3) };
	struct gathered gathered;

	begin(&gathered, batch);
	add_chunk(&gathered, first, 1);
	add_chunk(&gathered, second, 1);
	expect(&gathered, "long 2 | long 2\n", __LINE__);
}

/* --- chunks ----------------------------------------------------------------------------- */

static const char *const every_kind[] = {
	"SELECT key, other, text FROM E",
	"SELECT COUNT(*), SUM(key), AVG(other), FIRST(text), LAST(text) FROM E",
	"SELECT text, MIN(key), MAX(other), DIFF(key), UNIQUE(other) FROM E GROUP BY text",
	"SELECT key, LIST(text), SET(other), MEDIAN(other) FROM E GROUP BY key",
	"SELECT COUNT(*), LAST(other) FROM E GROUP BY key, text",
	"SELECT A.key, COUNT(B.other) FROM E AS A, E AS B WHERE A.key = '1' GROUP BY key",
	"SELECT key, LAST_BATCH(other), P90(other), STDEV(other) FROM E GROUP BY key",
};

#define MANY 60

/* So many that maps grow, groups meet again, and none is in the order of ranks. */
static void make_many(struct event_of *events)
{
	static const char *const texts[] = { "a", "b", NULL, "c", "", "d", "e" };

	for (size_t i = 0; i < MANY; i++)
		events[i] = (struct event_of){
			.key = (int64_t)(i * i % 23) * 16, .other = (int64_t)(i * 7 % 60),
			.text = texts[i % 7],
			.rank = { .segment = (uint32_t)i / 20, .end = (int64_t)(i / 3),
				  .at = i, .nanos = (int64_t)(i / 3) },
		};
}

static void tell_split(const char *query, const struct event_of *events, size_t first,
		       size_t second, struct buf *to)
{
	struct gathered gathered;

	begin(&gathered, query);
	add_chunk(&gathered, events, first);
	add_chunk(&gathered, events + first, second - first);
	add_chunk(&gathered, events + second, MANY - second);
	cr_expect(tell(&gathered, to));
	end(&gathered);
}

Test(gather, gives_the_same_in_one_chunk_and_in_several)
{
	struct event_of events[MANY];

	make_many(events);
	for (size_t i = 0; i < sizeof(every_kind) / sizeof(every_kind[0]); i++) {
		struct buf wanted = { 0 };

		tell_split(every_kind[i], events, 0, 0, &wanted);
		cr_expect_gt(wanted.size, 20);
		for (size_t first = 0; first <= MANY; first += 7) {
			struct buf text = { 0 };

			tell_split(every_kind[i], events, first, (first + MANY) / 2,
				   &text);
			cr_expect_str_eq(text.bytes, wanted.bytes, "%s, from %zu",
					 every_kind[i], first);
			buf_clear(&text);
		}
		buf_clear(&wanted);
	}
}

static void swap(struct event_of *one, struct event_of *other)
{
	struct event_of kept = *one;

	*one = *other;
	*other = kept;
}

Test(gather, gives_the_same_in_any_order_of_the_file)
{
	struct event_of events[MANY];

	make_many(events);
	for (size_t i = 0; i < sizeof(every_kind) / sizeof(every_kind[0]); i++) {
		struct buf wanted = { 0 }, text = { 0 };

		tell_split(every_kind[i], events, 0, 0, &wanted);
		for (size_t k = 0; k < MANY; k++)
			swap(&events[k], &events[k * 17 % MANY]);
		tell_split(every_kind[i], events, 0, 0, &text);
		cr_expect_str_eq(text.bytes, wanted.bytes, "%s", every_kind[i]);
		buf_clear(&wanted);
		buf_clear(&text);
	}
}

Test(gather, begins_anew_when_it_is_reset)
{
	static const struct event_of events[] = { ENDING(1, 1, 5), ENDING(17, 2, 6) };
	struct gathered gathered;

	for (size_t i = 0; i < 3; i++) {
		begin(&gathered, i == 0 ? "SELECT key FROM E" : batch);
		add_event(&gathered.total, 0, &events[1]);
		add_event(&gathered.total, 0, &events[0]);
		gather_settle(&gathered.total);
		gather_reset(&gathered.total);
		cr_expect_eq(gathered.total.groups.count, 0);
		cr_expect_eq(gathered.total.rows.count, 0);
		add_event(&gathered.total, 0, &events[0]);
		gather_settle(&gathered.total);
		expect(&gathered, i == 0 ? "long 1\n" : "long 1 | long 1\n", __LINE__);
	}
}

Test(gather, has_no_rows_without_events)
{
	GATHERS("SELECT key FROM E", NO_KEYS, "");
	GATHERS("SELECT COUNT(*) FROM E", NO_KEYS, "");
	GATHERS(batch, NO_KEYS, "");
}

/* --- parts -------------------------------------------------------------------------------- */

Test(gather, has_nulls_where_a_row_is_of_another_type)
{
	static const struct event_of event = { .key = 5, .other = 7 };
	struct gathered gathered;

	begin(&gathered, "SELECT E.key, F.number, E.other FROM E, F");
	add_some(&gathered, &event, 1, 0, 1);
	add_some(&gathered, &event, 1, 1, 1);
	expect(&gathered, "long 5 | null | long 7\nnull | int 1 | null\n", __LINE__);
}

/* An empty list is none that is missing. */
Test(gather, has_what_aggregators_say_of_nothing_where_a_group_is_of_another_type)
{
	static const struct event_of event = { .key = 5, .other = 7 };
	struct gathered gathered;

	begin(&gathered, "SELECT SUM(E.other), COUNT(F.number), LIST(F.number), "
			 "SUM(F.number), UNIQUE(F.number) FROM E, F GROUP BY key");
	add_some(&gathered, &event, 1, 0, 1);
	expect(&gathered, "long 7 | long 0 | [] | null | int 0\n", __LINE__);
}

Test(gather, has_groups_of_several_types)
{
	static const struct event_of events[] = {
		{ .key = 5, .other = 7, .rank = { .at = 1 } },
		{ .key = 5, .other = 8, .rank = { .at = 2 } },
	};
	struct gathered gathered;

	begin(&gathered, "SELECT SUM(E.other), COUNT(F.number) FROM E, F GROUP BY key");
	add_some(&gathered, events, 2, 0, 1);
	add_some(&gathered, events, 2, 1, 1);
	add_some(&gathered, events, 2, 0, 2);
	expect(&gathered, "long 30 | long 4\n", __LINE__);
}

/* Of a query of all types there are many of them. */
Test(gather, takes_no_memory_for_columns_that_are_only_grouped_by)
{
	struct gathered gathered;

	begin(&gathered, "SELECT COUNT(*) FROM E, F GROUP BY key, startTime");
	cr_assert_eq(gathered.planned.plan.part_count, 1);
	cr_expect_eq(gathered.shape.sizes[0],
		     aggregate_function(&gathered.planned.plan.columns[0])->size);
	end(&gathered);
}

/* --- memory ------------------------------------------------------------------------------- */

/* False if it failed; the plan is made already. */
static bool gather_all(const struct plan *plan, const struct event_of *events,
		       struct buf *text)
{
	struct gathered gathered = { .total = { .failed = false } };
	struct arena arena = { 0 };
	bool is_good;

	if (!shape_of(&gathered.shape, plan, &arena)) {
		arena_clear(&arena);
		return false;
	}
	gathered.total = (struct gathering){ .shape = &gathered.shape,
					     .lexicon = &gathered.lexicon };
	add_chunk(&gathered, events, MANY / 2);
	add_chunk(&gathered, events + MANY / 2, MANY / 2);
	is_good = tell(&gathered, text);
	gather_clear(&gathered.total);
	lexicon_clear(&gathered.lexicon);
	arena_clear(&arena);
	return is_good;
}

static void expect_survival(const char *query, const struct event_of *events)
{
	struct buf wanted = { 0 }, text = { 0 };
	struct planned planned;
	bool is_refused, is_good;
	size_t n = 0;

	planned_of(&planned, &made.chunk, query);
	cr_assert(gather_all(&planned.plan, events, &wanted));
	do {
		buf_clear(&text);
		fault_at(++n);
		is_good = gather_all(&planned.plan, events, &text);
		is_refused = fault_happened();
		fault_at(0);
		/* Some memory only makes it faster. */
		cr_expect(is_good ? strcmp(text.bytes, wanted.bytes) == 0 : is_refused,
			  "%s, request %zu", query, n);
	} while (is_refused);
	cr_expect_gt(n, 10);
	buf_clear(&wanted);
	buf_clear(&text);
	planned_clear(&planned);
}

Test(gather, tells_that_memory_ran_out)
{
	struct event_of events[MANY];

	make_many(events);
	for (size_t i = 0; i < sizeof(every_kind) / sizeof(every_kind[0]); i++)
		expect_survival(every_kind[i], events);
}
