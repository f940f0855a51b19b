#include <criterion/criterion.h>

#include "fault.h"
#include "query/lexicon.h"

/* A class, a method of it, and a frame in that. */
static const struct thing method = {
	.kind = THING_METHOD, .hash = 5, .text = { "a.B.c(int)", 10 },
	.compact = { "a.B.c(...)", 10 }, .detail = { "(I)V", 4 }, .id = 7,
};

static const struct thing *add_frame(struct lexicon *lexicon, int64_t id)
{
	struct thing own = method, frame = { .kind = THING_FRAME, .hash = 5 };

	own.id = id;
	frame.method = lexicon_add(lexicon, &own);
	return frame.method ? lexicon_add(lexicon, &frame) : NULL;
}

/* Of frames in methods of the classes 1, 2, 1. */
static const struct thing *add_stack(struct lexicon *lexicon)
{
	const struct thing *frames[] = {
		add_frame(lexicon, 1), add_frame(lexicon, 2), add_frame(lexicon, 1),
	};
	const struct thing stack = {
		.kind = THING_STACK, .hash = 9, .frames = frames, .frame_count = 3,
	};

	if (!frames[0] || !frames[1] || !frames[2])
		return NULL;
	return lexicon_add(lexicon, &stack);
}

Test(lexicon, keeps_a_thing_once)
{
	struct lexicon lexicon = { 0 };
	char text[] = "a.B.c(int)";
	struct thing content = method;
	const struct thing *kept = lexicon_add(&lexicon, &method);

	content.text.bytes = text;
	cr_assert(kept && kept != &method);
	cr_expect_eq(lexicon_add(&lexicon, &content), kept);
	cr_expect_eq(lexicon.entries.count, 1);
	text[0] = 'x';
	cr_expect(str_is(kept->text, method.text));
	cr_expect_neq(kept->text.bytes, method.text.bytes);
	cr_expect(str_is(kept->compact, method.compact));
	cr_expect(str_is(kept->detail, method.detail));
	cr_expect_eq(kept->kind, THING_METHOD);
	cr_expect_eq(kept->hash, 5);
	cr_expect_eq(kept->id, 7);
	lexicon_clear(&lexicon);
}

/* One after the other, each member is another one. */
Test(lexicon, tells_contents_apart)
{
	struct lexicon lexicon = { 0 };
	const struct thing *other = lexicon_add(&lexicon, &method);
	const struct thing *frames[] = { other };
	struct thing contents[11];
	size_t count = sizeof(contents) / sizeof(contents[0]);

	for (size_t i = 0; i < count; i++)
		contents[i] = method;
	contents[0].kind = THING_OBJECT;
	contents[1].hash = 6;
	contents[2].text = STR("a.B.d(int)");
	contents[3].text = (struct str){ NULL, 0 };
	contents[4].text = STR("");
	contents[5].compact = (struct str){ NULL, 0 };
	contents[6].compact = STR("");
	contents[7].detail = STR("(I)I");
	contents[8].id = 8;
	contents[9].method = other;
	contents[10].frames = frames;
	contents[10].frame_count = 1;
	for (size_t i = 0; i < count; i++) {
		const struct thing *kept = lexicon_add(&lexicon, &contents[i]);

		cr_expect_eq(lexicon.entries.count, i + 2, "%zu", i);
		cr_expect_eq(lexicon_add(&lexicon, &contents[i]), kept, "%zu", i);
		cr_expect_eq(!kept->text.bytes, !contents[i].text.bytes);
	}
	lexicon_clear(&lexicon);
}

/* If all had one digest, it would be slow, and right. */
Test(lexicon, follows_equal_digests)
{
	struct lexicon lexicon = { 0 };
	const struct thing *first = lexicon_text(&lexicon, STR("first")).thing;
	const struct thing *second = lexicon_text(&lexicon, STR("second")).thing;

	cr_assert_eq(lexicon.entries.items[1].older, MAP_NONE);
	lexicon.entries.items[1].older = 0;
	for (size_t i = 0; i < lexicon.places.capacity; i++)
		if (lexicon.places.slots[i].index == 0)
			lexicon.places.slots[i].index = 1;
	cr_expect_eq(lexicon_text(&lexicon, STR("first")).thing, first);
	cr_expect_eq(lexicon_text(&lexicon, STR("second")).thing, second);
	lexicon_clear(&lexicon);
}

Test(lexicon, gives_texts_the_hash_of_java)
{
	struct lexicon lexicon = { 0 };
	struct datum datum = lexicon_text(&lexicon, STR("java"));

	cr_expect_eq(datum.kind, DATUM_THING);
	cr_expect_eq(datum.thing->kind, THING_TEXT);
	cr_expect_eq(datum.thing->hash, 3254818);
	cr_expect_eq(lexicon_text(&lexicon, STR("java")).thing, datum.thing);
	cr_expect_eq(lexicon_text(&lexicon, (struct str){ NULL, 0 }).kind, DATUM_NULL);
	cr_expect_eq(lexicon_text(&lexicon, STR("")).kind, DATUM_THING);
	lexicon_clear(&lexicon);
}

static bool is_from(const struct lexicon *lexicon, const struct thing *thing)
{
	for (size_t i = 0; i < lexicon->entries.count; i++)
		if (lexicon->entries.items[i].thing == thing)
			return true;
	return false;
}

Test(lexicon, imports_a_stack_with_all_there_is)
{
	struct lexicon foreign = { 0 }, own = { 0 };
	struct datum datum = { .kind = DATUM_THING, .thing = add_stack(&foreign) };
	const struct thing *stack = lexicon_import(&own, &datum).thing;

	cr_assert(is_from(&own, stack));
	cr_expect_eq(stack->hash, 9);
	cr_assert_eq(stack->frame_count, 3);
	for (size_t i = 0; i < 3; i++) {
		cr_expect(is_from(&own, stack->frames[i]));
		cr_expect(is_from(&own, stack->frames[i]->method));
		cr_expect_eq(stack->frames[i]->method->id, i == 1 ? 2 : 1);
	}
	cr_expect_eq(stack->frames[0], stack->frames[2]);
	lexicon_clear(&foreign);
	cr_expect(str_is(stack->frames[0]->method->text, method.text));
	cr_expect_eq(add_stack(&own), stack);
	cr_expect_eq(own.entries.count, 5);
	cr_expect_eq(own.frames.count, 0);
	lexicon_clear(&own);
}

Test(lexicon, imports_lists_and_what_is_no_thing)
{
	struct lexicon foreign = { 0 }, own = { 0 };
	struct datum_list *list = lexicon_list(&foreign, 3);
	struct datum datum = { .kind = DATUM_LIST, .list = list }, number, copy;

	list->items[0] = number = datum_of_integer(DATUM_INT, 7);
	list->items[1] = lexicon_text(&foreign, STR("one"));
	cr_expect_eq(list->items[2].kind, DATUM_NULL);
	copy = lexicon_import(&own, &datum);
	cr_assert_eq(copy.kind, DATUM_LIST);
	cr_assert_eq(copy.list->count, 3);
	cr_expect(datum_is(&copy.list->items[0], &number));
	cr_expect_eq(copy.list->items[1].thing, lexicon_text(&own, STR("one")).thing);
	cr_expect_eq(copy.list->items[2].kind, DATUM_NULL);
	copy = lexicon_import(&own, &number);
	cr_expect(datum_is(&copy, &number));
	lexicon_clear(&foreign);
	lexicon_clear(&own);
}

/* What is remembered of imports is not taken for what stands in their place later. */
Test(lexicon, knows_imports_from_those_that_went)
{
	struct lexicon foreign = { 0 }, own = { 0 };
	const void *place = NULL;
	size_t again = 0;

	for (int i = 0; i < 20; i++) {
		char text[] = { (char)('a' + i) };
		struct datum datum = lexicon_text(&foreign, (struct str){ text, 1 });
		struct datum first = lexicon_import(&own, &datum);
		struct datum second = lexicon_import(&own, &datum);

		again += place == datum.thing;
		place = datum.thing;
		cr_expect(str_is(first.thing->text, (struct str){ text, 1 }));
		cr_expect_eq(first.thing, second.thing);
		lexicon_reset(&foreign);
	}
	cr_expect_gt(again, 0, "the test does not show anything");
	cr_expect_eq(own.entries.count, 20);
	lexicon_clear(&foreign);
	lexicon_clear(&own);
}

Test(lexicon, imports_anew_after_a_reset)
{
	struct lexicon foreign = { 0 }, own = { 0 };
	struct datum datum = lexicon_text(&foreign, STR("x")), copy;

	lexicon_import(&own, &datum);
	lexicon_reset(&own);
	cr_expect_eq(own.entries.count, 0);
	copy = lexicon_import(&own, &datum);
	cr_expect(is_from(&own, copy.thing));
	cr_expect(str_is(copy.thing->text, STR("x")));
	lexicon_clear(&foreign);
	lexicon_clear(&own);
}

Test(lexicon, keeps_many)
{
	struct lexicon foreign = { 0 }, own = { 0 };

	for (uint32_t round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 20000; i++) {
			const struct str text = { (const char *)&i, sizeof(i) };
			struct datum datum = lexicon_text(&foreign, text);
			struct datum copy = lexicon_import(&own, &datum);

			cr_assert(str_is(copy.thing->text, text));
		}
		cr_assert_eq(foreign.entries.count, 20000);
		cr_assert_eq(own.entries.count, 20000);
	}
	lexicon_clear(&foreign);
	lexicon_clear(&own);
}

/* False, and arena.failed, without memory. */
static bool fill(struct lexicon *foreign, struct lexicon *own)
{
	struct datum datum = { .kind = DATUM_THING, .thing = add_stack(foreign) };
	struct datum_list *list = datum.thing ? lexicon_list(foreign, 1) : NULL;

	if (!list) {
		cr_expect(foreign->arena.failed);
		return false;
	}
	list->items[0] = datum;
	datum = (struct datum){ .kind = DATUM_LIST, .list = list };
	datum = lexicon_import(own, &datum);
	cr_expect_eq(datum.kind == DATUM_NULL, own->arena.failed);
	cr_expect_eq(own->frames.count, 0);
	return datum.kind == DATUM_LIST;
}

Test(lexicon, lives_without_memory)
{
	bool is_refused;
	size_t n = 0;

	do {
		struct lexicon foreign = { 0 }, own = { 0 };
		bool is_good;

		fault_at(++n);
		is_good = fill(&foreign, &own);
		is_refused = fault_happened();
		cr_expect(is_good || is_refused);
		fault_at(0);
		cr_expect_eq(foreign.entries.count, foreign.places.count);
		cr_expect_eq(own.entries.count, own.places.count);
		lexicon_reset(&foreign);
		lexicon_reset(&own);
		cr_expect(fill(&foreign, &own));
		lexicon_clear(&foreign);
		lexicon_clear(&own);
	} while (is_refused);
	cr_expect_gt(n, 8);
}

Test(lexicon, has_no_list_without_end)
{
	struct lexicon lexicon = { 0 };

	cr_expect_null(lexicon_list(&lexicon, SIZE_MAX));
	cr_expect(lexicon.arena.failed);
	lexicon_clear(&lexicon);
}
