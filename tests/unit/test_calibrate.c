#include <criterion/criterion.h>

#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/now.h"
#include "base/unnamed.h"
#include "copy/calibrate.h"
#include "jfr/clock.h"

#define START INT64_C(1796083508543775494)
#define TRUE_RATE INT64_C(2599987654)	/* ticks in a second */
#define TOLD_RATE INT64_C(2600100000)	/* as the recorder thinks: 43 ppm more */

/* A chunk that begins so many nanoseconds behind the first. */
static struct header header_at(int64_t nanos, int64_t told)
{
	return (struct header){
		.major = 2, .minor = 1, .chunk_size = 100, .checkpoint_at = 68,
		.metadata_at = 70, .start_nanos = START + nanos,
		.start_ticks = 7000 + (int64_t)((__int128)nanos * TRUE_RATE / SECOND),
		.ticks_per_second = told,
	};
}

/* How far from the truth the time at a tick is that the first header makes of it. */
static int64_t error_at(const struct header *header, int64_t nanos)
{
	struct clock clock = clock_of(header);

	return llabs(clock_nanos(&clock, header_at(nanos, 1).start_ticks) -
		     (START + nanos));
}

Test(calibrate, ten_minutes_are_right)
{
	struct header headers[3] = { header_at(0, TOLD_RATE),
				     header_at(60 * SECOND, TOLD_RATE),
				     header_at(590 * SECOND, TOLD_RATE) };

	cr_expect_gt(error_at(&headers[0], 600 * SECOND), 20 * MILLISECOND);
	cr_assert(calibrate_headers(headers, 3));
	cr_expect_lt(error_at(&headers[0], 600 * SECOND), 2000);
	cr_expect_eq(headers[0].start_nanos, START);
	cr_expect_eq(headers[2].ticks_per_second, headers[0].ticks_per_second);
	cr_expect_lt(llabs(headers[0].ticks_per_second - TRUE_RATE), 2);
}

Test(calibrate, nanoseconds_stay)
{
	struct header headers[2] = { header_at(0, SECOND), header_at(60 * SECOND, SECOND) };

	cr_expect_not(calibrate_headers(headers, 2));
	cr_expect_eq(headers[0].ticks_per_second, SECOND);
}

Test(calibrate, too_little_is_known)
{
	struct header headers[2] = { header_at(0, TOLD_RATE),
				     header_at(SECOND - 1, TOLD_RATE) };

	cr_expect_not(calibrate_headers(headers, 0));
	cr_expect_not(calibrate_headers(headers, 1));
	cr_expect_not(calibrate_headers(headers, 2));
	cr_expect_eq(headers[1].ticks_per_second, TOLD_RATE);
}

Test(calibrate, time_that_was_set_is_no_measure)
{
	struct header headers[2] = { header_at(0, TOLD_RATE),
				     header_at(60 * SECOND, TOLD_RATE) };

	headers[1].start_nanos += 3600 * SECOND;
	cr_expect_not(calibrate_headers(headers, 2));
}

Test(calibrate, several_runs_stay)
{
	struct header headers[2] = { header_at(0, TOLD_RATE),
				     header_at(60 * SECOND, TOLD_RATE + 1) };

	cr_expect_not(calibrate_headers(headers, 2));
	headers[1] = header_at(60 * SECOND, TOLD_RATE);
	headers[1].start_ticks = headers[0].start_ticks;
	cr_expect_not(calibrate_headers(headers, 2));
	headers[0].ticks_per_second = headers[1].ticks_per_second = 0;
	cr_expect_not(calibrate_headers(headers, 2));
}

Test(calibrate, milliseconds_that_are_cut_off_agree)
{
	enum { COUNT = 5 };
	static const int64_t at[COUNT] = { 0, 7300000, 65900000, 123456789, 601100000000 };
	struct header headers[COUNT];

	for (int i = 0; i < COUNT; i++) {
		headers[i] = header_at(at[i], SECOND);
		headers[i].start_ticks = 7000 + at[i];
		headers[i].start_nanos -= headers[i].start_nanos % MILLISECOND;
	}
	cr_assert(calibrate_headers(headers, COUNT));
	cr_expect_eq(headers[0].ticks_per_second, SECOND);
	cr_expect_lt(llabs(headers[0].start_nanos - START), 300000);
}

Test(calibrate, one_cut_off_is_in_the_middle)
{
	struct header header = header_at(0, SECOND);

	header.start_nanos -= header.start_nanos % MILLISECOND;
	cr_assert(calibrate_headers(&header, 1));
	cr_expect_eq(header.start_nanos % MILLISECOND, MILLISECOND / 2);
}

Test(calibrate, files_get_other_headers_and_nothing_else)
{
	struct header headers[2] = { header_at(0, TOLD_RATE),
				     header_at(60 * SECOND, TOLD_RATE) }, read;
	struct buf bytes = { 0 };
	struct err err = { ERR_NONE, "" };
	unsigned char back[201];
	int fd = unnamed_open();

	cr_assert_geq(fd, 0);
	for (int i = 0; i < 2; i++) {
		header_write(&headers[i], &bytes);
		buf_fill(&bytes, 'x', 100 - HEADER_SIZE);
	}
	buf_byte(&bytes, 'y');
	cr_assert_eq(write(fd, bytes.bytes, bytes.size), 201);
	cr_assert(calibrate_file(fd, &err), "%s", err.text);
	cr_assert_eq(pread(fd, back, sizeof(back), 0), 201);
	for (int i = 0; i < 2; i++) {
		cr_assert(header_read(&read, back + 100 * i, 100, &err));
		cr_expect_lt(llabs(read.ticks_per_second - TRUE_RATE), 2);
		cr_expect_eq(read.start_nanos, headers[i].start_nanos);
		cr_expect_eq(read.chunk_size, 100);
		cr_expect_eq(memcmp(back + 100 * i + HEADER_SIZE,
				    bytes.bytes + 100 * i + HEADER_SIZE, 32), 0);
	}
	cr_expect_eq(back[200], 'y');
	buf_clear(&bytes);
	close(fd);
}
