#include <criterion/criterion.h>
#include <math.h>

#include "base/number.h"

#define ALL (~(unsigned __int128)0)

/* A text, what of it is left over, and the number: digits and exponent. */
static const struct {
	const char *text, *rest;
	unsigned __int128 digits;
	int exponent;
	bool is_cut;
} cases[] = {
	{ "0", "", 0, 0, false },
	{ "12", "", 12, 0, false },
	{ "007", "", 7, 0, false },
	{ "1.50", "", 150, -2, false },
	{ ".5", "", 5, -1, false },
	{ "5.", ".", 5, 0, false },
	{ "1.2.3", ".3", 12, -1, false },
	{ "20ms", "ms", 20, 0, false },
	{ "2e6", "", 2, 6, false },
	{ "2E+6 B", " B", 2, 6, false },
	{ "1.5e-3s", "s", 15, -4, false },
	{ "2e", "e", 2, 0, false },
	{ "2EB", "EB", 2, 0, false },
	{ "2e-", "e-", 2, 0, false },
	{ "9999999999999999999", "", UINT64_C(9999999999999999999), 0, false },
	{ "18446744073709551616", "", (unsigned __int128)1 << 64, 0, false },
	{ "340282366920938463463374607431768211455", "", ALL, 0, false },
	{ "340282366920938463463374607431768211456", "", ALL / 10, 1, true },
	{ "340282366920938463463374607431768211460", "", ALL / 10 + 1, 1, false },
	{ "3402823669209384634633746074317682114561", "", ALL / 10, 2, true },
	{ "0.00000000000000000000012", "", 12, -23, false },
	{ "1.00000000000000000000", "",
	  (unsigned __int128)UINT64_C(10000000000) * UINT64_C(10000000000), -20,
	  false },
	{ "3.40282366920938463463374607431768211456", "", ALL / 10, -37, true },
	{ "1e999999999999", "", 1, 999999, false },
	{ "1e-999999999999", "", 1, -999999, false },
};

Test(number, is_taken_off_the_front)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct str text = str_of(cases[i].text);
		struct number number;

		cr_assert(number_take(&text, &number), "%s", cases[i].text);
		cr_expect(str_is(text, str_of(cases[i].rest)), "%s", cases[i].text);
		cr_expect(number.digits == cases[i].digits, "%s", cases[i].text);
		cr_expect_eq(number.exponent, cases[i].exponent, "%s: %d",
			     cases[i].text, number.exponent);
		cr_expect_eq(number.is_cut, cases[i].is_cut, "%s", cases[i].text);
	}
}

Test(number, is_nothing_without_digits)
{
	static const char *const texts[] = {
		"", ".", "-1", "+1", "e6", ".e6", "x", " 1"
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct str text = str_of(texts[i]);
		struct number number;

		cr_expect_not(number_take(&text, &number), "'%s'", texts[i]);
		cr_expect(str_is(text, str_of(texts[i])));
	}
}

static const struct {
	const char *text;
	uint64_t unit, whole;
	bool has_rest;
} products[] = {
	{ "0", 7, 0, false },
	{ "1.5", 1024, 1536, false },
	{ "1.3", 1024, 1331, true },
	{ "0.1", 10, 1, false },
	{ "0.09", 10, 0, true },
	{ "2e3", 5, 10000, false },
	{ "2e-3", 500, 1, false },
	{ "1e-99999", UINT64_MAX, 0, true },
	{ "1.00000000000000000005", 1, 1, true },
	{ "1.00000000000000000005", UINT64_MAX, UINT64_MAX, true },
	{ "340282366920938463463374607431768211456e-38", 1000, 3402, true },
	{ "18446744073709551615", 1, UINT64_MAX, false },
};

Test(number, times_a_unit_is_exact)
{
	for (size_t i = 0; i < sizeof(products) / sizeof(products[0]); i++) {
		struct str text = str_of(products[i].text);
		struct product product;
		struct number number;

		cr_assert(number_take(&text, &number));
		product = number_times(&number, products[i].unit);
		cr_expect(product.whole == products[i].whole, "%s", products[i].text);
		cr_expect_eq(product.has_rest, products[i].has_rest, "%s",
			     products[i].text);
	}
}

Test(number, that_is_too_large_is_huge)
{
	struct number number = { .digits = 9, .exponent = 40 };
	struct number larger = { .digits = ALL, .exponent = 999999 };

	cr_expect(number_times(&number, 1).whole == NUMBER_HUGE);
	cr_expect(number_times(&larger, UINT64_MAX).whole == NUMBER_HUGE);
	cr_expect(number_times(&(struct number){ .digits = ALL }, UINT64_MAX).whole ==
		  NUMBER_HUGE);
}

Test(number, is_the_nearest_double)
{
	cr_expect_eq(number_real(&(struct number){ .digits = 1, .exponent = -1 }), 0.1);
	cr_expect_eq(number_real(&(struct number){ .digits = 15, .exponent = -1 }),
		     1.5);
	cr_expect_eq(number_real(&(struct number){ .digits = 1, .exponent = 23 }),
		     1e23);
	cr_expect_eq(number_real(&(struct number){ .digits = 0, .exponent = 99 }), 0);
	cr_expect_eq(number_real(&(struct number){ .digits = ALL }), 0x1p128);
	cr_expect(isinf(number_real(&(struct number){ .digits = 1, .exponent = 999 })));
	cr_expect_eq(number_real(&(struct number){ .digits = 1, .exponent = -999 }), 0);
}

static void expect_java(const char *text, int64_t wanted)
{
	int64_t number = ~wanted;

	cr_expect(number_java(str_of(text), &number), "%s", text);
	cr_expect_eq(number, wanted, "%s", text);
}

Test(number, is_whole_as_in_java)
{
	static const char *const none[] = {
		"", "+", "-", "--1", "+-1", " 1", "1 ", "1.0", "0x1", "1e3",
		"9223372036854775808", "-9223372036854775809",
		"99999999999999999999999999999999",
	};
	int64_t number;

	expect_java("0", 0);
	expect_java("-0", 0);
	expect_java("12", 12);
	expect_java("+12", 12);
	expect_java("-12", -12);
	expect_java("00000000000000000000000000000000000000007", 7);
	expect_java("9223372036854775807", INT64_MAX);
	expect_java("-9223372036854775808", INT64_MIN);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		cr_expect(!number_java(str_of(none[i]), &number), "'%s'", none[i]);
	cr_expect(!number_java((struct str){ "1\0", 2 }, &number));
}
