#include <criterion/criterion.h>

#include "jfr/known.h"
#include "jfr/recording.h"
#include "make.h"

static const struct schema_type types[] = {
	TYPE("a.E", "jdk.jfr.Event", FIELDS(START, FIELD("x", "int"))),
	TYPES_END,
};

static const struct schema_type more_types[] = {
	TYPE("a.Struct", NULL, FIELDS(FIELD("x", "int"))),
	TYPES_END,
};

/* Metadata of no type; what counts is where its memory is. */
static bool add(struct known *known, const char *text, size_t size)
{
	struct metadata metadata = { 0 };
	struct arena arena = { 0 };
	struct str body = { arena_copy(&arena, text, strlen(text)), strlen(text) };
	bool taken;

	metadata.types = arena_alloc(&arena, size);
	cr_assert(body.bytes && metadata.types);
	taken = known_add(known, body, &metadata, &arena);
	cr_expect_eq(taken, arena.blocks == NULL);
	arena_clear(&arena);
	return taken;
}

Test(known, gives_what_was_added_with_the_same_body)
{
	struct known known = { 0 };
	struct metadata one, other;

	cr_expect_not(known_find(&known, STR("one"), &one));
	cr_expect(add(&known, "one", 1));
	cr_expect(add(&known, "other", 1));
	cr_assert(known_find(&known, STR("one"), &one));
	cr_assert(known_find(&known, STR("other"), &other));
	cr_expect_eq(one.types, known.entries[0].metadata.types);
	cr_expect_neq(one.types, other.types);
	cr_expect_not(known_find(&known, STR("on"), &one));
	cr_expect_not(known_find(&known, STR(""), &one));
	known_clear(&known);
	cr_expect_not(known_find(&known, STR("one"), &one));
	known_clear(&known);
}

Test(known, takes_no_more_than_a_few)
{
	struct known known = { 0 };
	struct metadata metadata;
	char body[] = "a";

	for (int i = 0; i < KNOWN_MAX; i++, body[0]++)
		cr_expect(add(&known, body, 1));
	cr_expect_not(add(&known, body, 1));
	cr_expect_not(known_find(&known, str_of(body), &metadata));
	cr_expect(known_find(&known, STR("a"), &metadata));
	known_clear(&known);
	cr_expect(add(&known, body, 1));
	known_clear(&known);
}

Test(known, takes_no_more_memory_than_its_share)
{
	struct known known = { 0 };
	struct metadata metadata;

	cr_expect(add(&known, "half", KNOWN_BYTES_MAX / 2));
	cr_expect_not(add(&known, "too much", KNOWN_BYTES_MAX / 2));
	cr_expect(add(&known, "little", 100));
	cr_expect_not(known_find(&known, STR("too much"), &metadata));
	known_clear(&known);
	cr_expect(add(&known, "too much", KNOWN_BYTES_MAX / 2));
	known_clear(&known);
}

Test(known, has_a_newest_unless_that_found_no_room)
{
	struct known known = { 0 };
	struct metadata metadata;
	char body[] = "a";

	cr_expect_null(known.newest);
	cr_expect(add(&known, "one", 1));
	cr_expect(add(&known, "other", 1));
	cr_expect_eq(known.newest, &known.entries[1]);
	cr_expect(known_find(&known, STR("one"), &metadata));
	cr_expect_eq(known.newest, &known.entries[0]);
	cr_expect_not(known_find(&known, STR("none"), &metadata));
	cr_expect_eq(known.newest, &known.entries[0]);
	for (; known.count < KNOWN_MAX; body[0]++)
		cr_expect(add(&known, body, 1));
	cr_expect_not(add(&known, body, 1));
	cr_expect_null(known.newest);
	known_clear(&known);
	cr_expect_null(known.newest);
}

/* Of each type list as many chunks as said. */
static void make_chunks(struct made *made, size_t of_first, size_t of_second)
{
	make_begin(made, types);
	for (size_t i = 0; i < of_first + of_second; i++) {
		if (i)
			make_begin(made, i == of_first ? more_types : NULL);
		EVENT(&made->writer, "a.E", LONG(1), INT((int)i));
		cr_assert(writer_close(&made->writer, &made->err));
	}
	cr_assert(make_bytes(made));
}

Test(known, is_shared_by_chunks_that_repeat_it)
{
	struct made made = { 0 };
	struct recording recording;
	struct chunk_place place;
	struct run run = { 0 };
	struct chunk chunks[5];
	struct event_walk walk;
	struct event event;
	struct err err;

	make_chunks(&made, 3, 2);
	recording = recording_of_bytes(made.bytes, made.size, "made", &run);
	for (int i = 0; i < 5; i++) {
		cr_assert(recording_next(&recording, &place, &made.damage, &err));
		cr_assert(chunk_of_place(&chunks[i], &place, &made.damage, &err));
		cr_expect(chunks[i].is_shared);
	}
	cr_expect_eq(run.known.count, 2);
	cr_expect_eq(chunks[0].metadata.types, chunks[1].metadata.types);
	cr_expect_eq(chunks[0].metadata.types, chunks[2].metadata.types);
	cr_expect_neq(chunks[0].metadata.types, chunks[3].metadata.types);
	cr_expect_eq(chunks[3].metadata.types, chunks[4].metadata.types);
	chunk_close(&chunks[0]);	/* it outlives the chunk it was read for */
	walk = event_walk(&chunks[1], NULL);
	cr_assert(event_next(&walk, &event));
	cr_expect(str_is(event.type->name, STR("a.E")));
	for (int i = 1; i < 5; i++)
		chunk_close(&chunks[i]);
	run_clear(&run);
	recording_close(&recording);
	make_clear(&made);
}

Test(known, is_not_needed_for_chunks_that_find_no_room)
{
	struct made made = { 0 };
	struct recording recording;
	struct chunk_place place;
	struct run run = { 0 };
	struct err err;

	for (int i = 0; i < KNOWN_MAX + 3; i++) {
		make_begin(&made, i % 2 ? more_types : types);
		EVENT(&made.writer, "a.E", LONG(1), INT(i));
		cr_assert(writer_close(&made.writer, &made.err));
	}
	cr_assert(make_bytes(&made));
	recording = recording_of_bytes(made.bytes, made.size, "made", &run);
	for (int i = 0; recording_next(&recording, &place, &made.damage, &err); i++) {
		struct chunk chunk;
		struct event event = { 0 };
		struct event_walk walk;

		cr_assert(chunk_of_place(&chunk, &place, &made.damage, &err));
		cr_expect_eq(chunk.is_shared, i < KNOWN_MAX, "chunk %d", i);
		walk = event_walk(&chunk, NULL);
		cr_expect(event_next(&walk, &event) && event.type);
		chunk_close(&chunk);
	}
	cr_expect_eq(err.kind, ERR_NONE);
	cr_expect_eq(run.known.count, KNOWN_MAX);
	run_clear(&run);
	recording_close(&recording);
	make_clear(&made);
}
