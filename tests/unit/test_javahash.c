#include <criterion/criterion.h>

#include <math.h>

#include "base/javahash.h"

/* The numbers are those of JDK 25. */
Test(javahash, is_that_of_a_string)
{
	cr_expect_eq(javahash_text(STR("")), 0);
	cr_expect_eq(javahash_text(STR("java")), 3254818);
	cr_expect_eq(javahash_text(STR("The quick brown fox")), (uint32_t)-1739336029);
	cr_expect_eq(javahash_text(STR("\xc3\xa9\xf0\x9f\x98\x80" "a")), 61901269);
	cr_expect_eq(javahash_text(STR("\xf0\x9f\x98\x80")), 1772899);
	cr_expect_eq(javahash_text(STR("A\xf0\x9f\x91\x8d\xe2\x82\xac")), 56891163);
	cr_expect_eq(javahash_text(STR("\xed\xa0\xbd")), 0xd83d);
}

Test(javahash, is_that_of_numbers)
{
	cr_expect_eq(javahash_long(0), 0);
	cr_expect_eq(javahash_long(-1), 0);
	cr_expect_eq(javahash_long(INT64_C(0x123456789)), 0x23456788);
	cr_expect_eq(javahash_long(INT64_MIN), 0x80000000);
	cr_expect_eq(javahash_long(INT64_MAX), 0x80000000);
	cr_expect_eq(javahash_double(0.0), 0);
	cr_expect_eq(javahash_double(-0.0), 0x80000000);
	cr_expect_eq(javahash_double(1.5), 0x3ff80000);
	cr_expect_eq(javahash_double(-1.5), (uint32_t)-1074266112);
	cr_expect_eq(javahash_double(INFINITY), 2146435072);
	cr_expect_eq(javahash_double(NAN), 0x7ff80000);
	cr_expect_eq(javahash_double(-NAN), 0x7ff80000);
	cr_expect_eq(javahash_float(1.5f), 0x3fc00000);
	cr_expect_eq(javahash_float(-0.0f), 0x80000000);
	cr_expect_eq(javahash_float(-INFINITY), (uint32_t)-8388608);
	cr_expect_eq(javahash_float(NAN), 0x7fc00000);
}

/* 12 entries are in 16 buckets, the thirteenth makes them 32. */
Test(javahash, finds_the_bucket)
{
	cr_expect_eq(javahash_bucket(0x12345, 0), 4);
	cr_expect_eq(javahash_bucket(17, 12), 1);
	cr_expect_eq(javahash_bucket(17, 13), 17);
	cr_expect_eq(javahash_bucket(49, 24), 17);
	cr_expect_eq(javahash_bucket(49, 25), 49);
}

/* What a LongMap of JDK 25 says, to which these are added. */
Test(javahash, has_places_in_the_map_of_longs)
{
	static const int64_t keys[] = { 1, 2, 3, 4, 2, -1 };
	static const size_t wanted[] = { 19, 7, 27, 15, 0, 12 };
	size_t places[6];

	cr_assert(javahash_longs(keys, 6, places));
	for (size_t i = 0; i < 6; i++)
		cr_expect_eq(places[i], wanted[i], "%zu: %zu", i, places[i]);
}

/* With more than 24 there are 128 places: each goes by more of its bits. */
Test(javahash, has_more_places_for_more_longs)
{
	int64_t keys[25];
	size_t places[25];

	for (int i = 0; i < 25; i++)
		keys[i] = i + 1;
	cr_assert(javahash_longs(keys, 24, places));
	cr_expect_eq(places[0], 19);
	cr_assert(javahash_longs(keys, 25, places));
	cr_expect_eq(places[0], 79);
	cr_expect_eq(places[1], 30);
	cr_assert(javahash_longs(keys, 0, places));
}
