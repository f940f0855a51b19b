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
	struct known_entry *entry;

	metadata.types = arena_alloc(&arena, size);
	cr_assert(body.bytes && metadata.types);
	entry = known_add(known, body, &metadata, &arena);
	cr_expect_eq(entry != NULL, arena.blocks == NULL);
	known_release(entry);
	arena_clear(&arena);
	return entry != NULL;
}

/* The memory of what has that body; NULL: it is not known. */
static const void *find(struct known *known, const char *body)
{
	struct known_entry *entry = known_find(known, str_of(body));
	const void *memory = entry ? entry->metadata.types : NULL;

	known_release(entry);
	return memory;
}

Test(known, gives_what_was_added_with_the_same_body)
{
	struct known known = { 0 };

	cr_expect_null(find(&known, "one"));
	cr_expect(add(&known, "one", 1));
	cr_expect(add(&known, "other", 1));
	cr_assert(find(&known, "one") && find(&known, "other"));
	cr_expect_neq(find(&known, "one"), find(&known, "other"));
	cr_expect_null(find(&known, "on"));
	cr_expect_null(find(&known, ""));
	known_clear(&known);
	cr_expect_null(find(&known, "one"));
	known_clear(&known);
}

Test(known, lives_as_long_as_somebody_holds_it)
{
	struct known known = { 0 };
	struct known_entry *entry, *again;

	cr_expect(add(&known, "one", 1000));
	entry = known_find(&known, STR("one"));
	again = known_find(&known, STR("one"));
	cr_assert(entry && entry == again);
	known_clear(&known);
	known_release(again);
	cr_expect(str_is(entry->body, STR("one")));
	memset(entry->metadata.types, 0, 1000);	/* it is still there */
	known_hold(entry);
	known_release(entry);
	known_release(entry);
}

Test(known, forgets_what_was_met_longest_ago)
{
	struct known known = { 0 };
	char body[] = "a";

	for (int i = 0; i < KNOWN_MAX; i++, body[0]++)
		cr_expect(add(&known, body, 1));
	cr_expect(find(&known, "a"));
	cr_expect(add(&known, "new", 1));
	cr_expect_eq(known.count, KNOWN_MAX);
	cr_expect(find(&known, "new"));
	cr_expect(find(&known, "a"));
	cr_expect_null(find(&known, "b"));
	for (body[0] = 'c'; body[0] < 'a' + KNOWN_MAX; body[0]++)
		cr_expect(find(&known, body), "%s", body);
	known_clear(&known);
}

Test(known, takes_no_more_memory_than_its_share)
{
	struct known known = { 0 };

	cr_expect(add(&known, "half", KNOWN_BYTES_MAX / 2));
	cr_expect(add(&known, "little", 100));
	cr_expect(add(&known, "other half", KNOWN_BYTES_MAX / 2));
	cr_expect_leq(known.bytes, KNOWN_BYTES_MAX);
	cr_expect_null(find(&known, "half"));
	cr_expect(find(&known, "little"));
	cr_expect_not(add(&known, "too much", KNOWN_BYTES_MAX));
	cr_expect(find(&known, "little") && find(&known, "other half"));
	known_clear(&known);
	cr_expect_eq(known.bytes, 0);
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
	struct known known = { 0 };
	struct run run = { .known = &known };
	struct chunk chunks[5];
	struct event_walk walk;
	struct event event;
	struct err err;

	make_chunks(&made, 3, 2);
	recording = recording_of_bytes(made.bytes, made.size, "made", &run);
	for (int i = 0; i < 5; i++) {
		cr_assert(recording_next(&recording, &place, &made.damage, &err));
		cr_assert(chunk_of_place(&chunks[i], &place, &made.damage, &err));
		cr_expect_not_null(chunks[i].shared);
	}
	cr_expect_eq(known.count, 2);
	cr_expect_eq(chunks[0].metadata.types, chunks[1].metadata.types);
	cr_expect_eq(chunks[0].metadata.types, chunks[2].metadata.types);
	cr_expect_neq(chunks[0].metadata.types, chunks[3].metadata.types);
	cr_expect_eq(chunks[3].metadata.types, chunks[4].metadata.types);
	chunk_close(&chunks[0]);	/* it outlives the chunk it was read for */
	walk = event_walk(&chunks[1], NULL);
	cr_assert(event_next(&walk, &event));
	cr_expect(str_is(event.type->name, STR("a.E")));
	run_clear(&run);	/* and the run */
	known_clear(&known);
	cr_expect(str_is(event.type->name, STR("a.E")));
	for (int i = 1; i < 5; i++)
		chunk_close(&chunks[i]);
	recording_close(&recording);
	make_clear(&made);
}

/* More kinds of metadata than are remembered, one after the other. */
Test(known, is_not_needed_for_chunks_that_it_forgot)
{
	struct made made = { 0 };
	struct recording recording;
	struct chunk_place place;
	struct known known = { 0 };
	struct run run = { .known = &known };
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
		cr_expect_eq(run.newest, chunk.shared);
		walk = event_walk(&chunk, NULL);
		cr_expect(event_next(&walk, &event) && event.type);
		chunk_close(&chunk);
	}
	cr_expect_eq(err.kind, ERR_NONE);
	cr_expect_eq(known.count, KNOWN_MAX);
	run_clear(&run);
	known_clear(&known);
	recording_close(&recording);
	make_clear(&made);
}
