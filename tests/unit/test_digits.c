#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/digits.h"

/* The text between the two, against that of the C library. */
static void expect(const char *from, const char *end, const char *wanted)
{
	cr_expect(strlen(wanted) == (size_t)(end - from) &&
			  memcmp(from, wanted, strlen(wanted)) == 0,
		  "wanted %s, got %.*s", wanted, (int)(end - from), from);
}

static void expect_number(uint64_t number)
{
	char text[32], wanted[32];

	snprintf(wanted, sizeof(wanted), "%" PRIu64, number);
	cr_expect_eq(digits_count(number), (int)strlen(wanted), "%s", wanted);
	expect(text, digits_write(text, number), wanted);
}

Test(digits, are_those_of_numbers_around_each_power)
{
	for (uint64_t shift = 0; shift < 64; shift++) {
		expect_number((UINT64_C(1) << shift) - 1);
		expect_number(UINT64_C(1) << shift);
	}
	for (size_t i = 0; i < sizeof(digits_powers) / sizeof(digits_powers[0]); i++) {
		expect_number(digits_powers[i] - 1);
		expect_number(digits_powers[i]);
		expect_number(digits_powers[i] + 1);
	}
	expect_number(UINT64_MAX);
}

Test(digits, of_numbers_below_a_thousand_are_right)
{
	for (uint64_t number = 0; number < 1000; number++)
		expect_number(number);
}

Test(digits, come_in_pairs)
{
	char text[2], wanted[4];

	for (unsigned number = 0; number < 100; number++) {
		snprintf(wanted, sizeof(wanted), "%02u", number);
		expect(text, digits_write_pair(text, number), wanted);
	}
}

Test(digits, have_zeros_in_front_up_to_a_width)
{
	char text[32], wanted[32];

	for (int width = 1; width <= 20; width++) {
		uint64_t largest = width < 20 ? digits_powers[width] - 1 : UINT64_MAX;

		for (uint64_t number = largest; number > 0; number /= 10) {
			snprintf(wanted, sizeof(wanted), "%0*" PRIu64, width, number);
			expect(text, digits_write_padded(text, number, width), wanted);
		}
		snprintf(wanted, sizeof(wanted), "%0*d", width, 0);
		expect(text, digits_write_padded(text, 0, width), wanted);
	}
	cr_expect_eq(digits_write_padded(text, 0, 0), text);
}
