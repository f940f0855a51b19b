#include <criterion/criterion.h>

#include "jfr/header.h"
#include "make.h"

static const struct header sample = {
	.major = 2,
	.minor = 1,
	.chunk_size = 0x0102030405060708,
	.checkpoint_at = 4000,
	.metadata_at = 300,
	.start_nanos = 1700000000123456789,
	.duration_nanos = 5,
	.start_ticks = INT64_MIN,
	.ticks_per_second = 1000000000,
	.state = 254,
	.flags = HEADER_COMPRESSED | HEADER_FINAL,
};

static struct buf bytes_of(const struct header *header)
{
	struct buf buf = { 0 };

	header_write(header, &buf);
	return buf;
}

Test(header, is_read_as_it_was_written)
{
	struct buf buf = bytes_of(&sample);
	struct header header;
	struct err err = { 0 };

	cr_assert_eq(buf.size, HEADER_SIZE);
	cr_assert(header_read(&header, (unsigned char *)buf.bytes, buf.size, &err), "%s",
		  err.text);
#define X(name, size) cr_expect_eq(header.name, sample.name, #name);
	HEADER_FIELDS(X)
#undef X
	buf_clear(&buf);
}

Test(header, stands_where_the_format_says)
{
	struct buf buf = bytes_of(&sample);

	cr_expect_not(memcmp(buf.bytes, "FLR\0\0\2\0\1\1\2\3\4\5\6\7\x08", 16));
	cr_expect_eq((unsigned char)buf.bytes[64], 254);
	cr_expect_eq(buf.bytes[67], HEADER_COMPRESSED | HEADER_FINAL);
	buf_clear(&buf);
}

Test(header, may_claim_more_than_there_is)
{
	struct header header = sample;
	struct buf buf;

	header.chunk_size = INT64_MAX;
	buf = bytes_of(&header);
	cr_expect(header_read(&header, (unsigned char *)buf.bytes, buf.size, NULL));
	buf_clear(&buf);
}

/* Each changes one thing in the sample, or cuts it to `size`. */
static const struct {
	int64_t major, minor, chunk_size;
	const char *magic;
	size_t size;
	const char *message;	/* NULL: it is read */
} cases[] = {
	{ 2, 1, 68, "FLR", 68, NULL },
	{ 1, 0, 68, "FLR", 68, NULL },
	{ 1, 99, 68, "FLR", 68, NULL },
	{ 2, 0, 68, "FLR", 68, NULL },
	{ 2, 1, 68, "FLR", 0, "too short for a chunk header: 0 bytes" },
	{ 2, 1, 68, "FLR", 3, "too short for a chunk header: 3 bytes" },
	{ 2, 1, 68, "FLR", 7, "too short for a chunk header: 7 bytes" },
	{ 2, 1, 68, "FLR", 67, "too short for a chunk header: 67 bytes" },
	{ 2, 1, 68, "FLX", 68, "not a Flight Recorder chunk" },
	{ 2, 1, 68, "PK\3", 4, "not a Flight Recorder chunk" },
	{ 0, 9, 68, "FLR", 68,
	  "version 0.9 of the format is not supported (JDK 7 and Oracle JDK 8); "
	  "versions 1.x and 2.x are" },
	{ 0, 9, 68, "FLR", 16,
	  "version 0.9 of the format is not supported (JDK 7 and Oracle JDK 8); "
	  "versions 1.x and 2.x are" },
	{ 3, 0, 68, "FLR", 68,
	  "version 3.0 of the format is not supported; versions 1.x and 2.x are" },
	{ 2, 1, 0, "FLR", 68, NULL },
	{ 2, 1, INT64_MIN, "FLR", 68, NULL },
};

Test(header, says_what_is_wrong_with_it)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct header header = sample;
		struct err err = { 0 };
		struct buf buf;
		bool good;

		header.major = cases[i].major;
		header.minor = cases[i].minor;
		header.chunk_size = cases[i].chunk_size;
		buf = bytes_of(&header);
		memcpy(buf.bytes, cases[i].magic, 4);
		buf.size = cases[i].size;
		good = header_read(&header, make_cursor(&buf).at, buf.size, &err);
		cr_expect_eq(good, cases[i].message == NULL, "case %zu", i);
		if (cases[i].message) {
			cr_expect_str_eq(err.text, cases[i].message);
			cr_expect_eq(err.kind, ERR_FORMAT);
		}
		buf_clear(&buf);
	}
}

/* Each changes the sample, or cuts it, so that it is one header or none. */
Test(header, is_likely_if_all_but_its_sizes_makes_sense)
{
	static const struct {
		struct header change;	/* what is not 0 replaces what the sample has */
		size_t size;
		bool is_likely;
	} likely[] = {
		{ { 0 }, 68, true },
		{ { 0 }, 67, false },
		{ { .major = 1 }, 68, true },
		{ { .major = 3 }, 68, false },
		{ { .minor = 9 }, 68, true },
		{ { .minor = 10 }, 68, false },
		{ { .chunk_size = 68 }, 68, true },
		{ { .chunk_size = 67 }, 68, true },
		{ { .chunk_size = -1 }, 68, true },
		{ { .start_nanos = -1 }, 68, false },
		{ { .ticks_per_second = -1 }, 68, false },
		{ { .pad = 1 }, 68, false },
	};

	for (size_t i = 0; i < sizeof(likely) / sizeof(likely[0]); i++) {
		struct header header = sample;
		struct buf buf;

#define X(name, width) if (likely[i].change.name) header.name = likely[i].change.name;
		HEADER_FIELDS(X)
#undef X
		buf = bytes_of(&header);
		buf.size = likely[i].size;
		cr_expect_eq(header_is_likely(make_cursor(&buf).at, buf.size),
			     likely[i].is_likely, "case %zu", i);
		buf.bytes[0] = 'X';
		cr_expect_not(header_is_likely(make_cursor(&buf).at, buf.size));
		buf_clear(&buf);
	}
}

Test(header, says_if_its_chunk_is_unfinished)
{
	struct header header = sample;

	cr_expect(header_is_unfinished(&header));
	header.state = 255;
	cr_expect(header_is_unfinished(&header));
	header.state = 0;
	header.metadata_at = header.checkpoint_at = 0;
	cr_expect_not(header_is_unfinished(&header));
	/* Versions that have no state: by what is not set. */
	header.state = 5;
	header.minor = 0;
	cr_expect(header_is_unfinished(&header));
	header.checkpoint_at = 100;
	cr_expect_not(header_is_unfinished(&header));
	header.metadata_at = 100;
	header.major = 1;
	header.minor = 1;
	cr_expect_not(header_is_unfinished(&header));
}
