#include <criterion/criterion.h>

#include "jfr/event.h"
#include "jfr/resync.h"
#include "make.h"

/* No byte of text is the id of a type. */
static const struct schema_type types[] = {
	TYPE("a.E", "jdk.jfr.Event", .id = 1000,
	     FIELDS(START, FIELD("x", "int"), FIELD("text", "java.lang.String"))),
	TYPE("a.Timeless", "jdk.jfr.Event", .id = 1001, FIELDS(FIELD("x", "int"))),
	TYPE("a.Self", NULL, .id = 1002, FIELDS(FIELD("x", "a.Self"))),
	TYPE("a.Broken", "jdk.jfr.Event", .id = 1003, FIELDS(START, FIELD("x", "a.Self"))),
	TYPES_END,
};

#define SECOND INT64_C(1000000000)

/* A chunk of ten seconds, a day after the start of the clock. */
#define DAY (86400 * SECOND)

static void begin(struct made *made)
{
	struct header header = writer_header;

	header.start_nanos = 10 * DAY;
	header.duration_nanos = 10 * SECOND;
	header.start_ticks = DAY;
	writer_describe(&made->writer, types);
	writer_open(&made->writer, &header);
	writer_metadata(&made->writer);
}

static size_t add_event(struct made *made, int64_t start, int x)
{
	size_t at;

	writer_end(&made->writer);
	at = writer_position(&made->writer);
	EVENT(&made->writer, "a.E", LONG(start), INT(x), TEXT("text"));
	return at;
}

static size_t add_bytes(struct made *made, const struct make_value *values)
{
	size_t at;

	writer_end(&made->writer);
	at = writer_position(&made->writer);
	make_values(&made->writer.buf, values);
	return at;
}

static size_t find(const struct made *made, size_t at)
{
	uint64_t effort = RESYNC_EFFORT(made->chunk.size);

	return resync_find(&made->chunk, at, &effort);
}

Test(resync, finds_the_event_behind_what_is_none)
{
	const struct make_value *const garbage[] = {
		VALUES(BYTES("no event looks like this")),
		VALUES(BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")),
		VALUES(LONG(0), LONG(0), LONG(0)),
		VALUES(BYTE(0x80)),
		VALUES(COUNT(20), BYTE(1)),
	};

	for (size_t i = 0; i < sizeof(garbage) / sizeof(garbage[0]); i++) {
		struct made made = { 0 };
		size_t at, event;

		begin(&made);
		add_event(&made, DAY + 1 * SECOND, 1);
		at = add_bytes(&made, garbage[i]);
		event = add_event(&made, DAY + 2 * SECOND, 2);
		add_event(&made, DAY + 3 * SECOND, 3);
		cr_assert(make_open(&made), "%s", made.err.text);
		for (; at <= event; at++)
			cr_expect_eq(find(&made, at), event, "case %zu, from %zu: %zu", i,
				     at, find(&made, at));
		make_clear(&made);
	}
}

Test(resync, finds_the_last_event_and_then_the_end)
{
	struct made made = { 0 };
	size_t at, event;

	begin(&made);
	at = add_bytes(&made, VALUES(BYTES("garbage")));
	event = add_event(&made, DAY + 2 * SECOND, 2);
	cr_assert(make_open(&made));
	cr_expect_eq(find(&made, at), event);
	cr_expect_eq(find(&made, event + 1), made.chunk.size);
	cr_expect_eq(find(&made, made.chunk.size), made.chunk.size);
	make_clear(&made);
}

/* What does not fit to the byte, or could not have been when the chunk was written. */
Test(resync, does_not_believe_everything)
{
	struct made made = { 0 };
	uint64_t effort = UINT64_MAX / 2;
	size_t places[8], count = 0, good;
	int64_t broken;

	begin(&made);
	broken = writer_type(&made.writer, "a.Broken");
	places[count++] = add_event(&made, DAY - 3611 * SECOND, 1);
	places[count++] = add_event(&made, DAY + 3611 * SECOND, 1);
	places[count++] = add_event(&made, -5, 1);
	writer_end(&made.writer);
	places[count++] = writer_position(&made.writer);
	EVENT(&made.writer, "a.E", LONG(DAY + 2 * SECOND), INT(1), TEXT("text"), BYTE(7));
	writer_end(&made.writer);
	places[count++] = writer_position(&made.writer);
	EVENT(&made.writer, "a.E", LONG(DAY + 2 * SECOND), INT(1));
	places[count++] = add_bytes(&made, VALUES(COUNT(4), LONG(broken), BYTE(1)));
	places[count++] = add_bytes(&made, VALUES(COUNT(2), LONG(99)));
	good = add_event(&made, DAY + 2 * SECOND, 1);
	cr_assert(make_open(&made));
	for (size_t i = 0; i < count; i++)
		cr_expect_not(resync_is_event(&made.chunk, places[i], &effort), "%zu", i);
	cr_expect(resync_is_event(&made.chunk, good, &effort));
	cr_expect_eq(find(&made, places[0]), good);
	make_clear(&made);
}

Test(resync, believes_what_began_a_little_before_the_chunk)
{
	struct made made = { 0 };
	uint64_t effort = UINT64_MAX / 2;
	size_t before, behind;

	begin(&made);
	before = add_event(&made, DAY - 3599 * SECOND, 1);
	behind = add_event(&made, DAY + 3609 * SECOND, 1);
	cr_assert(make_open(&made));
	cr_expect(resync_is_event(&made.chunk, before, &effort));
	cr_expect(resync_is_event(&made.chunk, behind, &effort));
	make_number(made.bytes, START_TICKS_AT, 3 * DAY);
	cr_assert(make_again(&made));
	cr_expect_not(resync_is_event(&made.chunk, before, &effort));
	/* A header that makes no sense bounds nothing. */
	make_number(made.bytes, FREQUENCY_AT, 0);
	cr_assert(make_again(&made));
	cr_expect(resync_is_event(&made.chunk, before, &effort));
	make_clear(&made);
}

Test(resync, believes_metadata_checkpoints_and_events_without_a_time)
{
	struct made made = { 0 };
	uint64_t effort = UINT64_MAX / 2;
	size_t timeless, checkpoint, metadata;

	begin(&made);
	made.writer.now = DAY + 1 * SECOND;
	writer_end(&made.writer);
	timeless = writer_position(&made.writer);
	EVENT(&made.writer, "a.Timeless", INT(5));
	POOL(&made.writer, "a.Timeless");
	CONSTANT(&made.writer, 1, INT(5));
	writer_end(&made.writer);
	checkpoint = (size_t)made.writer.header.checkpoint_at;
	metadata = writer_position(&made.writer);
	writer_metadata(&made.writer);
	cr_assert(make_open(&made));
	cr_expect(resync_is_event(&made.chunk, timeless, &effort));
	cr_expect(resync_is_event(&made.chunk, checkpoint, &effort));
	cr_expect(resync_is_event(&made.chunk, metadata, &effort));
	cr_expect_eq(find(&made, timeless + 1), checkpoint);
	make_clear(&made);
}

/* The last event of a chunk that is cut: of it there is a size and a known type. */
Test(resync, believes_what_comes_before_an_event_that_is_cut)
{
	struct made made = { 0 };
	size_t at, event, cut;

	begin(&made);
	at = add_bytes(&made, VALUES(BYTES("garbage")));
	event = add_event(&made, DAY + 2 * SECOND, 2);
	cut = add_event(&made, DAY + 3 * SECOND, 3);
	cr_assert(make_bytes(&made));
	for (made.size--; made.size > cut; made.size--) {
		cr_assert(make_again(&made), "%s", made.err.text);
		cr_expect_eq(find(&made, at), event, "%zu bytes of it", made.size - cut);
	}
	make_clear(&made);
}

Test(resync, takes_no_more_effort_than_allowed)
{
	struct made made = { 0 };
	size_t at, event;
	uint64_t effort = 0, left;

	begin(&made);
	at = add_bytes(&made, VALUES(BYTES("garbage")));
	event = add_event(&made, DAY + 2 * SECOND, 2);
	cr_assert(make_open(&made));
	cr_expect_eq(resync_find(&made.chunk, at, &effort), made.chunk.size);
	cr_expect_eq(effort, 0);
	for (uint64_t allowed = 1; allowed < 100; allowed++) {
		size_t found;

		left = allowed;
		found = resync_find(&made.chunk, at, &left);
		cr_expect(found == event || (found == made.chunk.size && left == 0));
		cr_expect_leq(left, allowed);
	}
	cr_expect_gt(left, 0);
	make_clear(&made);
}

enum { EVENTS = 40 };

static size_t places[EVENTS];	/* where they begin */
static size_t ends[EVENTS];	/* where they ended, as the last walk saw it */

/* The events that a walk does not give, as bits; others are given once. */
static uint64_t lost_in_walk(struct made *made)
{
	struct event_walk walk = event_walk(&made->chunk, &made->damage);
	struct event event;
	uint64_t bits = (UINT64_C(1) << EVENTS) - 1;
	size_t before = HEADER_SIZE;

	while (event_next(&walk, &event)) {
		cr_assert(event.offset >= before);
		before = event.offset + event.size;
		cr_assert(before <= made->chunk.size);
		for (size_t i = 0; i < EVENTS; i++) {
			if (places[i] != event.offset)
				continue;
			bits &= ~(UINT64_C(1) << i);
			ends[i] = before;
		}
	}
	return bits;
}

/* The events that may be lost with the event i, if that is changed. */
static uint64_t may_be_lost(size_t i)
{
	uint64_t bits = UINT64_C(7) << i;

	for (size_t k = i; k < EVENTS && places[k] < ends[i]; k++)
		bits |= UINT64_C(7) << k;
	return bits;
}

/*
 * Whatever happens to an event, it takes at most its neighbours along, and those that it
 * says to be its own.
 */
Test(resync, loses_no_more_than_what_is_broken)
{
	struct made made = { 0 };

	begin(&made);
	for (int i = 0; i < EVENTS; i++)
		places[i] = add_event(&made, DAY + 1 * SECOND + i * 1000, i * 100);
	cr_assert(make_open(&made));
	cr_assert_eq(lost_in_walk(&made), 0);
	for (size_t i = 1; i < EVENTS - 2; i++) {
		for (size_t at = places[i]; at < places[i + 1]; at++) {
			unsigned char kept = made.bytes[at];

			for (int byte = 0; byte < 256; byte += 5) {
				uint64_t lost;

				made.bytes[at] = (unsigned char)byte;
				lost = lost_in_walk(&made);
				cr_expect_eq(lost & ~may_be_lost(i), 0,
					     "event %zu, byte %zu is %d: %llx", i,
					     at - places[i], byte,
					     (unsigned long long)lost);
			}
			made.bytes[at] = kept;
		}
	}
	make_clear(&made);
}
