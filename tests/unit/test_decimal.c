/* The expected texts are what JDK 25 prints; tests/oracle compares many more. */
#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>

#include "base/decimal.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void expect(struct buf *text, const char *expected)
{
	buf_byte(text, '\0');
	cr_expect_str_eq(text->bytes, expected);
	buf_clear(text);
}

static const struct {
	double number;
	const char *text;
} doubles[] = {
	{ 0.0, "0.0" },
	{ -0.0, "-0.0" },
	{ 1.0, "1.0" },
	{ -2.5, "-2.5" },
	{ 100.0, "100.0" },
	{ 9999999.0, "9999999.0" },
	{ 9999999.999999998, "9999999.999999998" },
	{ 10000000.0, "1.0E7" },
	{ 0.001, "0.001" },
	{ 0.0009999999999999998, "9.999999999999998E-4" },
	{ 0.0123456, "0.0123456" },
	{ 0.3, "0.3" },
	{ 0x1.3333333333334p-2, "0.30000000000000004" },
	{ 0x1.5555555555555p-2, "0.3333333333333333" },
	{ 0x1.5555555555555p-1, "0.6666666666666666" },
	{ 33333.333333333336, "33333.333333333336" },
	{ 123456789012345.6, "1.234567890123456E14" },
	{ 2.2250738585072014E-308, "2.2250738585072014E-308" },
	{ 9.5367431640625E-7, "9.5367431640625E-7" },
	{ 1e-10, "1.0E-10" },
	{ 1e-11, "1.0E-11" },
	{ 1e15, "1.0E15" },
	{ 1e16, "1.0E16" },
	{ 1e22, "1.0E22" },
	{ 1e23, "1.0E23" },
	{ 8.41E21, "8.41E21" },
	{ 1.387364135037754E18, "1.387364135037754E18" },
	{ 9223372036854775807.0, "9.223372036854776E18" },
	{ 0x1.fffffffffffffp1023, "1.7976931348623157E308" },
	/* around the ends of what is scaled exactly */
	{ 0x1p-33, "1.1641532182693481E-10" },
	{ 0x0.fffffffffffff8p-33, "1.164153218269348E-10" },
	{ 9007199254740991.0, "9.007199254740991E15" },
	{ 9007199254740992.0, "9.007199254740992E15" },
	{ 9007199254740996.0, "9.007199254740996E15" },
};

Test(decimal, writes_the_shortest_digits_of_a_double)
{
	struct buf text = { .bytes = NULL };

	for (size_t i = 0; i < COUNT(doubles); i++) {
		decimal_add_double(&text, doubles[i].number);
		expect(&text, doubles[i].text);
	}
}

/* The nearest decimal with as many digits belongs to the next lower number. */
static const struct {
	int exponent;
	const char *text;
} lone_powers[] = {
	{ -1017, "7.120236347223045E-307" },
	{ -140, "7.174648137343064E-43" },
	{ -44, "5.684341886080802E-14" },
	{ 89, "6.189700196426902E26" },
	{ 122, "5.316911983139664E36" },
	{ 976, "6.386688990511104E293" },
	{ -24, "5.960464477539063E-8" },
	{ -25, "2.9802322387695312E-8" },
	{ 1023, "8.98846567431158E307" },
};

Test(decimal, looks_above_a_power_of_two)
{
	struct buf text = { .bytes = NULL };

	for (size_t i = 0; i < COUNT(lone_powers); i++) {
		decimal_add_double(&text, ldexp(1, lone_powers[i].exponent));
		expect(&text, lone_powers[i].text);
	}
}

/* As multiples of the smallest number. */
static const struct {
	uint64_t multiple;
	const char *text;
} subnormals[] = {
	{ 1, "4.9E-324" },
	{ 2, "9.9E-324" },
	{ 3, "1.5E-323" },
	{ 20, "9.9E-323" },
	{ (1ull << 52) - 1, "2.225073858507201E-308" },
};

Test(decimal, considers_at_least_two_digits)
{
	struct buf text = { .bytes = NULL };

	for (size_t i = 0; i < COUNT(subnormals); i++) {
		decimal_add_double(&text, ldexp((double)subnormals[i].multiple, -1074));
		expect(&text, subnormals[i].text);
	}
}

static const struct {
	float number;
	const char *text;
} floats[] = {
	{ 0.0f, "0.0" },
	{ -0.0f, "-0.0" },
	{ 1.0f, "1.0" },
	{ 0.1f, "0.1" },
	{ 0.33333334f, "0.33333334" },
	{ 0.0123456f, "0.0123456" },
	{ 99.99999f, "99.99999" },
	{ 9999999.0f, "9999999.0" },
	{ 10000000.0f, "1.0E7" },
	{ 16777217.0f, "1.6777216E7" },
	{ 0x1.0624dap-10f, "9.999998E-4" },
	{ 3.0744574e18f, "3.0744574E18" },
	{ 3.4028235e38f, "3.4028235E38" },
	{ 1.17549435e-38f, "1.1754944E-38" },
	{ 0x1p-149f, "1.4E-45" },
	{ 0x3p-149f, "4.2E-45" },
	{ 0x1p-12f, "2.4414062E-4" },
	{ 0x1p-33f, "1.1641532E-10" },
	{ 0x1p53f, "9.007199E15" },
	{ 0x1p87f, "1.5474251E26" },
	{ 0x1p90f, "1.2379401E27" },
	{ 0x1p-96f, "1.2621775E-29" },
};

Test(decimal, writes_the_shortest_digits_of_a_float)
{
	struct buf text = { .bytes = NULL };

	for (size_t i = 0; i < COUNT(floats); i++) {
		decimal_add_float(&text, floats[i].number);
		expect(&text, floats[i].text);
	}
}

static const struct {
	double number;
	int places;
	const char *text;
} fixed[] = {
	{ 0.0, 2, "0.00" },
	{ -0.0, 2, "-0.00" },
	{ 0.125, 2, "0.13" },
	{ 1.005, 2, "1.01" },
	{ 2.675, 2, "2.68" },
	{ 1.25, 1, "1.3" },
	{ 0.5, 0, "1" },
	{ 0.49, 0, "0" },
	{ 2.5, 0, "3" },
	{ 9.5, 0, "10" },
	{ 9.99, 1, "10.0" },
	{ 0.995, 2, "1.00" },
	{ 0.05, 0, "0" },
	{ 0.004, 2, "0.00" },
	{ 0.005, 2, "0.01" },
	{ -0.005, 2, "-0.01" },
	{ -0.004, 2, "-0.00" },
	{ 0.999999999, 6, "1.000000" },
	{ 0.9999999995, 9, "1.000000000" },
	{ 5e-10, 9, "0.000000001" },
	{ 1e-10, 9, "0.000000000" },
	{ 4.9E-324, 9, "0.000000000" },
	{ 1000000000000000.3, 1, "1000000000000000.2" },
	{ 9223372036.854775807, 9, "9223372036.854776000" },
	{ 1e23, 1, "100000000000000000000000.0" },
};

Test(decimal, rounds_the_shortest_digits_half_up)
{
	struct buf text = { .bytes = NULL };

	for (size_t i = 0; i < COUNT(fixed); i++) {
		decimal_add_fixed(&text, fixed[i].number, fixed[i].places);
		expect(&text, fixed[i].text);
	}
}

Test(decimal, has_room_for_the_largest_number)
{
	struct buf text = { .bytes = NULL };

	decimal_add_fixed(&text, -0x1.fffffffffffffp1023, 9);
	cr_expect_eq(text.size, 1 + 309 + 1 + 9);
	buf_byte(&text, '\0');
	cr_expect(strncmp(text.bytes, "-179769313486231570000", 22) == 0);
	cr_expect_str_eq(text.bytes + 1 + 308, "0.000000000");
	buf_clear(&text);
}

Test(decimal, names_what_is_not_finite)
{
	struct buf text = { .bytes = NULL };

	decimal_add_double(&text, (double)NAN);
	buf_byte(&text, ' ');
	decimal_add_double(&text, -(double)INFINITY);
	buf_byte(&text, ' ');
	decimal_add_float(&text, INFINITY);
	buf_byte(&text, ' ');
	decimal_add_fixed(&text, (double)INFINITY, 2);
	buf_byte(&text, ' ');
	decimal_add_fixed(&text, (double)NAN, 2);
	expect(&text, "NaN -Infinity Infinity Infinity NaN");
}

/* Nobody sets LC_NUMERIC, but nothing would happen if somebody did. */
Test(decimal, knows_no_locale)
{
	struct buf text = { .bytes = NULL };

	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
		cr_skip_test("there is no German locale here");
	decimal_add_double(&text, 1.25e300);
	buf_byte(&text, ' ');
	decimal_add_float(&text, 1.25e-30f);
	expect(&text, "1.25E300 1.25E-30");
}

Test(decimal, tells_digits_and_point)
{
	struct decimal decimal = decimal_of_double(-1200.5);

	cr_expect(decimal.negative);
	cr_expect_eq(decimal.count, 5);
	cr_expect_eq(decimal.point, 4);
	cr_expect_eq(memcmp(decimal.digits, "12005", 5), 0);

	decimal = decimal_of_float(0.00625f);
	cr_expect(!decimal.negative);
	cr_expect_eq(decimal.count, 3);
	cr_expect_eq(decimal.point, -2);
	cr_expect_eq(memcmp(decimal.digits, "625", 3), 0);

	decimal = decimal_of_double(0);
	cr_expect_eq(decimal.count, 1);
	cr_expect_eq(decimal.digits[0], '0');
}
