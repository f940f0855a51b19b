#include <criterion/criterion.h>

#include <math.h>

#include "jfr/javahash.h"

/* The numbers are those of JDK 25. */
Test(javahash, is_that_of_a_string)
{
	cr_expect_eq(javahash_text(STR("")), 0);
	cr_expect_eq(javahash_text(STR("java")), 3254818);
	cr_expect_eq(javahash_text(STR("The quick brown fox")), (uint32_t)-1739336029);
	cr_expect_eq(javahash_text(STR("\xc3\xa9\xf0\x9f\x98\x80" "a")), 61901269);
	cr_expect_eq(javahash_text(STR("\xed\xa0\xbd")), 0xd83d);
}

Test(javahash, is_that_of_numbers)
{
	cr_expect_eq(javahash_long(0), 0);
	cr_expect_eq(javahash_long(-1), 0);
	cr_expect_eq(javahash_long(INT64_C(0x123456789)), 0x23456788);
	cr_expect_eq(javahash_double(0.0), 0);
	cr_expect_eq(javahash_double(-0.0), 0x80000000);
	cr_expect_eq(javahash_double(1.5), 0x3ff80000);
	cr_expect_eq(javahash_double(NAN), 0x7ff80000);
	cr_expect_eq(javahash_double(-NAN), 0x7ff80000);
	cr_expect_eq(javahash_float(1.5f), 0x3fc00000);
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
