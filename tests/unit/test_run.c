#include <criterion/criterion.h>

#include "jfr/header.h"
#include "jfr/run.h"
#include "jfr/writer.h"

#define SECOND INT64_C(1000000000)

static struct header header_at(int64_t seconds, int64_t ticks)
{
	struct header header = writer_header;

	header.start_nanos = seconds * SECOND;
	header.start_ticks = ticks * SECOND;
	header.duration_nanos = SECOND;
	return header;
}

Test(run, keeps_its_clock_as_long_as_headers_agree)
{
	struct header first = header_at(1000, 10), next = header_at(1001, 11),
		      other = header_at(2000, 5), behind = header_at(2001, 6);
	struct run run = { 0 };

	next.start_nanos += 500;	/* half a microsecond off */
	cr_expect_eq(run_clock(&run, &first).start_nanos, 1000 * SECOND);
	cr_expect_eq(run_clock(&run, &next).start_nanos, 1000 * SECOND);
	cr_expect_eq(run_clock(&run, &other).start_nanos, 2000 * SECOND);
	cr_expect_eq(run_clock(&run, &behind).start_nanos, 2000 * SECOND);
	cr_expect_eq(run_clock(&run, &first).start_nanos, 1000 * SECOND);
	run_clear(&run);
}

/* A chunk that has metadata, known by its offset. */
static void learn(struct run *run, const char *text)
{
	struct metadata metadata = { .gmt_offset = text[0] };
	struct arena arena = { 0 };
	struct str body = { arena_copy(&arena, text, strlen(text)), strlen(text) };
	struct known_entry *entry = known_find(run->known, body);

	if (!entry)
		entry = known_add(run->known, body, &metadata, &arena);
	cr_assert_not_null(entry);
	run_learn(run, entry);
	known_release(entry);
	arena_clear(&arena);
}

/* The offset of what is lent; 0: nothing is. */
static int64_t lent(struct run *run, const struct header *header)
{
	struct known_entry *entry = run_lend(run, header);
	int64_t offset = entry ? entry->metadata.gmt_offset : 0;

	if (entry)
		known_release(entry);
	return offset;
}

Test(run, lends_its_newest_metadata_to_the_same_jvm)
{
	struct header first = header_at(1000, 10), next = header_at(1060, 70),
		      other = header_at(1060, 5);
	struct known known = { 0 };
	struct run run = { .known = &known };

	cr_expect_eq(lent(&run, &first), 0);
	learn(&run, "A");
	cr_expect_eq(lent(&run, &first), 0);	/* who knows whose it is */
	run_clock(&run, &first);
	cr_expect_eq(lent(&run, &next), 'A');
	learn(&run, "B");
	cr_expect_eq(lent(&run, &first), 'B');
	learn(&run, "A");
	cr_expect_eq(lent(&run, &first), 'A');
	cr_expect_eq(lent(&run, &other), 0);
	run_learn(&run, NULL);
	cr_expect_eq(lent(&run, &first), 0);
	learn(&run, "B");
	known_clear(&known);
	cr_expect_eq(lent(&run, &first), 'B');	/* though it is forgotten */
	run_clear(&run);
	cr_expect_eq(lent(&run, &first), 0);
}
