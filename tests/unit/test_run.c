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
	cr_expect_not(run.has_clock);
}

static void add(struct run *run, const char *text)
{
	struct metadata metadata = { 0 };
	struct arena arena = { 0 };
	struct str body = { arena_copy(&arena, text, strlen(text)), strlen(text) };

	metadata.gmt_offset = text[0];
	cr_assert(known_add(&run->known, body, &metadata, &arena));
}

Test(run, lends_its_newest_metadata_to_the_same_jvm)
{
	struct header first = header_at(1000, 10), next = header_at(1060, 70),
		      other = header_at(1060, 5);
	struct metadata found;
	struct run run = { 0 };

	cr_expect_null(run_lend(&run, &first));
	add(&run, "A");
	cr_expect_null(run_lend(&run, &first));	/* who knows whose it is */
	run_clock(&run, &first);
	cr_assert_not_null(run_lend(&run, &next));
	cr_expect_eq(run_lend(&run, &next)->gmt_offset, 'A');
	add(&run, "B");
	cr_expect_eq(run_lend(&run, &first)->gmt_offset, 'B');
	cr_expect(known_find(&run.known, STR("A"), &found));
	cr_expect_eq(run_lend(&run, &first)->gmt_offset, 'A');
	cr_expect_null(run_lend(&run, &other));
	run_clear(&run);
	cr_expect_null(run_lend(&run, &first));
}
