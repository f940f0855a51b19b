/* The expected texts are what java.text.NumberFormat of JDK 25 makes, in English. */
#include <criterion/criterion.h>
#include <math.h>

#include "query/plain.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void expect(struct buf *text, const char *expected)
{
	buf_byte(text, '\0');
	cr_expect_str_eq(text->bytes, expected);
	buf_clear(text);
}

Test(plain, groups_whole_numbers)
{
	static const struct {
		int64_t number;
		const char *text;
	} samples[] = {
		{ 0, "0" },
		{ 7, "7" },
		{ -12, "-12" },
		{ 999, "999" },
		{ 1000, "1,000" },
		{ -999999, "-999,999" },
		{ 1234567, "1,234,567" },
		{ INT64_MAX, "9,223,372,036,854,775,807" },
		{ INT64_MIN, "-9,223,372,036,854,775,808" },
	};
	struct buf text = { 0 };

	for (size_t i = 0; i < COUNT(samples); i++) {
		plain_add_integer(&text, samples[i].number);
		expect(&text, samples[i].text);
	}
}

static const struct {
	double number;
	const char *text;
} reals[] = {
	{ 0.0, "0" },
	{ -0.0, "-0" },
	{ 1.5, "1.5" },
	{ 100, "100" },
	{ -1234.5, "-1,234.5" },
	{ 1.25e-300, "0" },
	{ 5e-324, "0" },
	{ -0.0004, "-0" },
	{ INFINITY, "∞" },
	{ -INFINITY, "-∞" },
	{ NAN, "NaN" },

	/* halves, or what only looks like one */
	{ 0.0005, "0.001" },
	{ 0.8055, "0.805" },
	{ 1234567.8915, "1,234,567.891" },
	{ 0.0625, "0.062" },
	{ 0.1875, "0.188" },
	{ 9.9995, "9.999" },
	{ 999.9994, "999.999" },
	{ 999.9996, "1,000" },
	{ 4398046511104.0625, "4,398,046,511,104.062" },

	/* from 2^43 on, digits end where the next double is near */
	{ 8796093022208, "8,796,093,022,208" },
	{ 0x1p43 + 0x1p-9, "8,796,093,022,208.002" },
	{ 0x1p43 - 0x1p-10, "8,796,093,022,207.999" },
	{ 0x1p46 + 0x1p-6, "70,368,744,177,664.02" },
	{ 0x1p46 + 0x3p-6, "70,368,744,177,664.05" },
	{ 0x1p50 - 0x1p-3, "1,125,899,906,842,623.9" },
	{ 0x1p51 + 0.5, "2,251,799,813,685,248.5" },
	{ 0x1p50 + 0.25, "1,125,899,906,842,624.2" },
	{ 0x1p50 + 0.75, "1,125,899,906,842,624.8" },

	/* from 2^53 on */
	{ 0x1p53, "9,007,199,254,740,992" },
	{ 0x1p57 + 32, "144,115,188,075,855,904" },
	{ 0x1p58, "288,230,376,151,711,740" },
	{ 0x1p61, "2,305,843,009,213,694,000" },
	{ 0x1p63, "9,223,372,036,854,776,000" },
	{ 1e22, "10,000,000,000,000,000,000,000" },
	{ 123456789012345678901234.0, "123,456,789,012,345,690,000,000" },
};

Test(plain, rounds_to_three_decimals)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < COUNT(reals); i++) {
		plain_add_real(&text, reals[i].number);
		expect(&text, reals[i].text);
	}
}

Test(plain, has_room_for_the_largest)
{
	struct buf text = { 0 };

	plain_add_real(&text, -0x1.fffffffffffffp1023);
	cr_expect_eq(text.size, 1 + 309 + 102);
	cr_expect(str_starts((struct str){ text.bytes, text.size },
			     STR("-179,769,313,486,231,570,000,000")));
	buf_clear(&text);
}
