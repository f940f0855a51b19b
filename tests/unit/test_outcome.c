#include <criterion/criterion.h>
#include <stdio.h>

#include "filter/outcome.h"
#include "make.h"
#include "shop.h"

/* A chunk of some types and the events of the shop, if they are its. */
static void open_chunk(struct made *made, const struct schema_type *types)
{
	writer_describe(&made->writer, make_jdk_types);
	make_begin(made, types);
	shop_constants(&made->writer);
	if (types == shop_types)
		shop_events(&made->writer, 0);
	cr_assert(make_open(made), "%s", made->err.text);
	made->chunk.clock = clock_of(&made->chunk.header);
}

static void add_chunk(struct outcome *outcome, const struct made *made,
		      const struct filter *filter)
{
	struct event_walk walk = event_walk(&made->chunk, NULL);
	struct selection selection = { 0 };
	struct event event;
	int64_t start, end;

	cr_assert(selection_open(&selection, &made->chunk, filter, NULL));
	while (event_next(&walk, &event)) {
		if (event.type && event_ticks(&made->chunk, &event, &start, &end))
			selection_accepts(&selection, &event, start, end);
	}
	cr_assert(outcome_add(outcome, &selection));
	selection_close(&selection);
}

/* All notes with a newline behind each. */
static void notes_of(const struct outcome *outcome, const struct filter *filter,
		     char *text, size_t size)
{
	struct err note = { 0 };
	size_t at = 0, used = 0;

	*text = '\0';
	while (outcome_note(outcome, filter, &at, &note))
		used += (size_t)snprintf(text + used, size - used, "%s\n", note.text);
}

struct request {
	const char *events, *categories, *threads, *min_duration;
	const char *from, *to;
	const char *where[3];
};

static void fill(struct filter *filter, const struct request *request)
{
	*filter = (struct filter){ .events = str_of(request->events),
				   .categories = str_of(request->categories),
				   .threads = str_of(request->threads) };
	if (request->min_duration)
		cr_assert(filter_set_min_duration(filter, str_of(request->min_duration),
						  NULL));
	if (request->from)
		cr_assert(filter_set_from(filter, str_of(request->from), NULL));
	if (request->to)
		cr_assert(filter_set_to(filter, str_of(request->to), NULL));
	for (size_t i = 0; i < 3 && request->where[i]; i++)
		cr_assert(
			filter_add_condition(filter, str_of(request->where[i]), NULL));
	filter_resolve(filter, 0, 0, 0);
}

static const struct {
	struct request request;
	const char *notes;
} cases[] = {
	{ { .events = NULL }, "" },
	{ { .events = "Sale" }, "" },
	{ { .events = "Sael" },
	  "no event type of the recording matches; the nearest is shop.Sale\n" },
	{ { .events = "shop.Deliver" },
	  "no event type of the recording matches; the nearest is shop.Delivery\n" },
	{ { .events = "Thread" }, "no event type of the recording matches\n" },
	{ { .categories = "GC" }, "no event type of the recording matches\n" },
	/* Without types there is nothing else to say. */
	{ { .events = "x", .threads = "x", .min_duration = "1s", .where = { "x = 1" } },
	  "no event type of the recording matches\n" },
	{ { .min_duration = "1ms" }, "" },
	{ { .events = "Delivery", .min_duration = "1ms" },
	  "no selected event type has a duration\n" },
	{ { .threads = "main" }, "" },
	{ { .events = "Spans", .threads = "main" },
	  "no selected event type has a thread\n" },
	{ { .threads = "mian" }, "no thread matches 'mian'; the nearest is main\n" },
	{ { .threads = "nobody" }, "no thread matches 'nobody'\n" },
	/* Nobody was asked: nothing is known. */
	{ { .threads = "mian", .from = "300d", .to = "302d" },
	  "no selected event is in the window from 1970-10-28 00:00:00 to "
	  "1970-10-30 00:00:00\n" },
	{ { .where = { "item = tea" } }, "" },
	{ { .where = { "item = nothing" } }, "" },
	{ { .where = { "itme = tea" } },
	  "no selected event type has a field 'itme'; the nearest is item\n" },
	{ { .where = { "nowhere.such = tea" } },
	  "no selected event type has a field 'nowhere.such'\n" },
	{ { .where = { "item.x = tea" } },
	  "no selected event type has a field 'item.x'\n" },
	{ { .where = { "eventThread.jvaName = main" } },
	  "no selected event type has a field 'eventThread.jvaName'; the nearest is "
	  "eventThread.javaName\n" },
	{ { .where = { "stackTrace.frames.method.typ = main" } },
	  "no selected event type has a field 'stackTrace.frames.method.typ'; the nearest is "
	  "stackTrace.frames.method.type\n" },
	{ { .events = "Primitives", .where = { "item = tea" } },
	  "no selected event type has a field 'item'\n" },
	{ { .where = { "duration > 20" } },
	  "the value '20' fits no field 'duration' (a timespan: write 20ms)\n" },
	{ { .where = { "count = many" } },
	  "the value 'many' fits no field 'count' (a number: write 20)\n" },
	{ { .where = { "duration ~ 2*" } },
	  "the value '2*' fits no field 'duration' (patterns are for texts)\n" },
	/* It fits one of the fields of that name, a number, but not the other. */
	{ { .where = { "address = 5" } }, "" },
	{ { .where = { "address = Bern" } },
	  "the value 'Bern' fits no field 'address' (an address: write 0x7f0012345678)\n" },
	{ { .where = { "itme = tea", "item = tea", "price > cheap" } },
	  "no selected event type has a field 'itme'; the nearest is item\n"
	  "the value 'cheap' fits no field 'price' (a number: write 1.5)\n" },
	{ { .where = { "item = tea", "street = x" } },
	  "no selected event type has a field 'street'\n" },
	{ { .where = { "item = tea", "share > 0" } },
	  "no selected event type has all that is asked for\n" },
	{ { .threads = "main", .where = { "share > 0" } },
	  "no selected event type has all that is asked for\n" },
	{ { .from = "5s", .to = "4s" },
	  "the window from 1970-01-01 00:00:05 to 1970-01-01 00:00:04 ends before it "
	  "starts\n" },
	{ { .to = "1969-01-01" },
	  "no selected event is in the window to 1969-01-01 00:00:00\n" },
	{ { .events = "Sale", .from = "2200-01-01" },
	  "no selected event is in the window from 2200-01-01 00:00:00\n" },
	/* Of a type that is not there nobody was asked. */
	{ { .events = "x", .from = "2200-01-01" },
	  "no event type of the recording matches\n" },
	{ { .from = "1969-01-01" }, "" },
};

Test(outcome, has_notes)
{
	struct made made = { 0 };
	char notes[1000];

	open_chunk(&made, shop_types);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct outcome outcome = { 0 };
		struct filter filter;

		fill(&filter, &cases[i].request);
		add_chunk(&outcome, &made, &filter);
		notes_of(&outcome, &filter, notes, sizeof(notes));
		cr_expect_str_eq(notes, cases[i].notes, "case %zu: %s", i, notes);
		outcome_clear(&outcome);
		filter_clear(&filter);
	}
	make_clear(&made);
}

/* What fits one chunk needs no note, whichever it is. */
Test(outcome, is_that_of_all_chunks)
{
	static const struct request requests[] = {
		{ .events = "Primitives" },
		{ .events = "Primitives", .where = { "i = 1" } },
		{ .threads = "main" },
		{ .events = "Sale,Spans",
		  .min_duration = "1s",
		  .where = { "nanos > 1s" } },
	};
	struct made one = { 0 }, other = { 0 };
	char notes[1000];

	open_chunk(&one, shop_types);
	open_chunk(&other, shop_sale_types);
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		struct outcome outcome = { 0 }, reverse = { 0 };
		struct filter filter;

		fill(&filter, &requests[i]);
		add_chunk(&outcome, &one, &filter);
		add_chunk(&outcome, &other, &filter);
		notes_of(&outcome, &filter, notes, sizeof(notes));
		cr_expect_str_eq(notes, "", "case %zu", i);
		add_chunk(&reverse, &other, &filter);
		add_chunk(&reverse, &one, &filter);
		notes_of(&reverse, &filter, notes, sizeof(notes));
		cr_expect_str_eq(notes, "", "case %zu", i);
		outcome_clear(&outcome);
		outcome_clear(&reverse);
		filter_clear(&filter);
	}
	make_clear(&one);
	make_clear(&other);
}

Test(outcome, of_what_is_not_known_has_no_notes)
{
	struct outcome outcome = { 0 };
	struct filter filter = { .events = STR("Sael") };
	struct made made = { 0 };
	char notes[1000];

	notes_of(&outcome, &filter, notes, sizeof(notes));
	cr_expect_str_eq(notes, "");
	open_chunk(&made, shop_types);
	add_chunk(&outcome, &made, &filter);
	outcome.is_partial = true;
	notes_of(&outcome, &filter, notes, sizeof(notes));
	cr_expect_str_eq(notes, "");
	outcome.is_partial = false;
	notes_of(&outcome, &filter, notes, sizeof(notes));
	cr_expect_str_eq(notes,
			 "no event type of the recording matches; the nearest is "
			 "shop.Sale\n");
	outcome_clear(&outcome);
	make_clear(&made);
}

/* Names that are too long for a note are not proposed. */
Test(outcome, does_without_long_names)
{
	static char name[OUTCOME_NAME_SIZE + 2], text[OUTCOME_NAME_SIZE + 40];
	struct schema_field fields[] = { { .name = "startTime", .type = "long" },
					 { .name = name, .type = "int" },
					 { .name = NULL } };
	struct schema_type types[] = { { .name = "a.E", .super = "jdk.jfr.Event",
					 .fields = fields }, { .name = NULL } };
	struct outcome outcome = { 0 };
	struct filter filter = { .has_min_duration = false };
	struct made made = { 0 };
	char notes[1000];

	for (size_t size = OUTCOME_NAME_SIZE - 1; size <= OUTCOME_NAME_SIZE + 1;
	     size++) {
		memset(name, 'x', size);
		memset(text, 'x', size);
		memcpy(text + size - 1, "y = 1", 6);
		open_chunk(&made, types);
		cr_assert(filter_add_condition(&filter, str_of(text), NULL));
		add_chunk(&outcome, &made, &filter);
		notes_of(&outcome, &filter, notes, sizeof(notes));
		cr_expect_eq(strstr(notes, "; the nearest is") != NULL,
			     size < OUTCOME_NAME_SIZE, "%zu", size);
		outcome_clear(&outcome);
		filter_clear(&filter);
		make_clear(&made);
	}
}

static const struct schema_type type_one[] = {
	TYPE("a.One", "jdk.jfr.Event", .id = 100, FIELDS(FIELD("startTime", "long"))),
	TYPES_END,
};

static const struct schema_type type_two[] = {
	TYPE("a.Two", "jdk.jfr.Event", .id = 100, FIELDS(FIELD("startTime", "long"))),
	TYPE("a.Three", "jdk.jfr.Event", .id = 101, FIELDS(FIELD("startTime", "long"))),
	TYPES_END,
};

/* Types are told apart by their numbers: that in the second chunk is the same one. */
Test(outcome, tells_rules_that_matched_nothing)
{
	static const struct rule rules[] = {
		{ RULE_EVENTS, false, STR("One") }, { RULE_EVENTS, true, STR("Two") },
		{ RULE_EVENTS, true, STR("a.Th*") },
		{ RULE_CATEGORIES, false, STR("Uncategorized") },
		{ RULE_CATEGORIES, false, STR("JVM") }, { RULE_THREADS, false, STR("x") },
	};
	static const bool is_idle[] = { false, true, false, false, true, false };
	struct outcome outcome = { 0 };
	struct filter filter = { .has_min_duration = false };
	struct made made = { 0 };

	for (size_t i = 0; i < 6; i++)
		cr_assert(filter_add_rule(&filter, &rules[i]));
	open_chunk(&made, type_one);
	add_chunk(&outcome, &made, &filter);
	cr_expect(outcome_is_idle(&outcome, 2));
	make_clear(&made);
	open_chunk(&made, type_two);
	add_chunk(&outcome, &made, &filter);
	for (size_t i = 0; i < 6; i++)
		cr_expect_eq(outcome_is_idle(&outcome, i), is_idle[i], "%zu", i);
	outcome_clear(&outcome);
	filter_clear(&filter);
	make_clear(&made);
}
