#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "jfr/input.h"
#include "makeleft.h"
#include "place.h"

static struct input input;
static struct damage damage;
static struct err err;

static void end(void)
{
	input_close(&input);
	damage_clear(&damage);
	place_close();
}

TestSuite(feeds, .init = place_open, .fini = end);

static void put_chunk(const char *name)
{
	struct buf bytes = { 0 };
	FILE *file = fopen(place_of(name), "wb");

	makeleft_chunk(&bytes, 0, 10, 0);
	cr_assert(file && fwrite(bytes.bytes, bytes.size, 1, file) == 1 &&
		  fclose(file) == 0);
	buf_clear(&bytes);
}

static bool open_paths(const char *first, const char *second)
{
	const char *paths[] = { first, second };

	return input_open(&input, paths, second ? 2 : 1, &damage, &err);
}

/* So many chunks can be read. */
static void expect_chunks(size_t count)
{
	struct chunk chunk;

	for (; input_open_next(&input, &chunk, &damage, &err); count--)
		chunk_close(&chunk);
	cr_expect_eq(count, 0u);
	cr_expect_eq(err.kind, ERR_NONE, "%s", err.text);
}

Test(feeds, are_not_what_lies_beside_recordings)
{
	const char *folder = place_make("r");

	put_chunk("r/1.jfr");
	place_put("r/agent.log", "why");
	place_put("r/output", "");
	place_put("r/spill.part", "CJFRSPIL and so on");
	cr_assert(open_paths(folder, NULL), "%s", err.text);
	expect_chunks(1);
	cr_expect_eq(damage.faults.count, 0u);
}

Test(feeds, are_no_spill_files_in_folders)
{
	const char *folder = place_make("r");

	put_chunk("r/1.jfr");
	place_put("r/spill", "CJFRSPIL and so on");
	cr_assert(open_paths(folder, NULL), "%s", err.text);
	expect_chunks(1);
	cr_expect_eq(damage.faults.count, 0u);
}

/* Its reader says what is wrong with it. */
Test(feeds, are_noted_if_they_are_none_and_have_no_name_of_ours)
{
	const char *folder = place_make("r");

	put_chunk("r/1.jfr");
	place_put("r/spill", "tea");
	place_put("r/tea", "tea");
	cr_assert(open_paths(folder, NULL), "%s", err.text);
	expect_chunks(1);
	cr_assert_eq(damage.faults.count, 1u);
	cr_expect(damage.faults.items[0].is_note);
	cr_expect(strstr(damage.faults.items[0].first.file, "/tea"));
	cr_expect_str_eq(damage.faults.items[0].cause, "not a recording, passed over");
}

Test(feeds, are_recordings_whatever_their_names)
{
	const char *folder = place_make("r");

	put_chunk("r/agent.log");
	put_chunk("r/output");
	put_chunk("r/spill");
	cr_assert(open_paths(folder, NULL), "%s", err.text);
	expect_chunks(3);
}

Test(feeds, are_no_spill_files)
{
	place_put("spill", "CJFRSPIL and so on");
	cr_expect_not(open_paths(place_of("spill"), NULL));
	cr_expect(strstr(err.text, "/spill: this is a spill file: name the folder that it "
				   "lies in"), "%s", err.text);
}

Test(feeds, are_no_spill_files_under_any_name)
{
	const char *chunk = place_of("1.jfr");

	put_chunk("1.jfr");
	place_put("other", "CJFRSPIL and so on");
	cr_assert(open_paths(chunk, place_of("other")));
	expect_chunks(1);
	cr_assert_eq(damage.faults.count, 1u);
	cr_expect_str_eq(damage.faults.items[0].cause, "this file is left out");
	cr_expect(strstr(damage.faults.items[0].detail, "this is a spill file"));
}
