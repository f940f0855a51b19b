#include "dice.h"

#include <math.h>
#include <string.h>

static uint64_t dice_state;

/* A step of a Weyl sequence, mixed: equal seeds give equal values everywhere. */
uint64_t dice_bits(void)
{
	uint64_t bits = dice_state += 0x9E3779B97F4A7C15u;

	bits = (bits ^ bits >> 31) * 0xD6E8FEB86659FD93u;
	bits = (bits ^ bits >> 29) * 0xC2B2AE3D27D4EB4Fu;
	return bits ^ bits >> 32;
}

uint64_t dice_below(uint64_t end)
{
	return dice_bits() % end;
}

void dice_seed(uint64_t seed)
{
	dice_state = seed;
}

bool dice_chance(int percent)
{
	return dice_below(100) < (uint64_t)percent;
}

/* All magnitudes are equally likely. */
int64_t dice_integer(void)
{
	int64_t number = (int64_t)(dice_bits() >> 1 >> dice_below(63));

	return dice_below(2) ? number : -number;
}

static double double_of_bits(uint64_t bits)
{
	double number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

static double random_tie(void)
{
	double odd = (double)(2 * dice_below(1u << dice_below(30)) + 1);

	return ldexp(odd, -(int)dice_below(40));
}

static double random_decimal(void)
{
	double end = pow(10, (double)dice_below(18));

	end = (double)dice_below((uint64_t)end + 1);
	return end / pow(10, (double)dice_below(20));
}

static double random_power_of_two(void)
{
	uint64_t bits = dice_below(2047) << 52;

	return double_of_bits(bits + dice_below(5) - (bits ? 2 : 0));
}

double dice_double(void)
{
	double number;

	switch (dice_below(8)) {
	case 0:
		number = random_power_of_two();
		break;
	case 1:
		number = double_of_bits(dice_bits() >> 12 >> dice_below(52));
		break;
	case 2:
		number = random_tie();
		break;
	case 3:
		number = random_decimal();
		break;
	case 4:
		number = (double)dice_integer();
		break;
	case 5:
		number = (double)(dice_bits() >> 11);
		number = ldexp(number, (int)dice_below(100) - 90);
		break;
	default:
		return double_of_bits(dice_bits());
	}
	return dice_below(8) ? number : -number;
}

static float float_of_bits(uint32_t bits)
{
	float number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

float dice_float(void)
{
	uint32_t bits = (uint32_t)dice_below(255) << 23;

	switch (dice_below(6)) {
	case 0:
		return float_of_bits(bits + (uint32_t)dice_below(5) - (bits ? 2 : 0));
	case 1:
		bits = (uint32_t)(dice_bits() >> 41);
		return float_of_bits(bits >> dice_below(23));
	case 2:
		return (float)random_decimal();
	case 3:
		return (float)dice_integer();
	default:
		return float_of_bits((uint32_t)dice_bits());
	}
}

/* Often a unit's boundary or half of a last digit, give or take little. */
int64_t dice_nanos(void)
{
	static const int64_t edges[] = {
		1000,		1000000,	10000000,	  100000000,
		999500000,	1000000000,	9995000000,	  10000000000,
		59950000000,	60000000000,	3599500000000,	  3600000000000,
		86370000000000, 86400000000000, 8388608000000000,
	};
	int64_t nanos = edges[dice_below(sizeof(edges) / sizeof(edges[0]))];

	if (dice_below(3) == 0)
		nanos = nanos * (1 + (int64_t)dice_below(9)) + dice_integer() % 3;
	else
		nanos = dice_integer();
	return dice_below(4) ? nanos : -nanos;
}

/* What printers must get right; the first ones do in names of Java. */
static const char *const pieces[] = {
	"tea", "Shop", "x", "42", "_", "$1",
	"\xc3\xa9", "\xc3\x84", "\xe2\x82\xac", "\xe4\xb8\xad",
	"Big Shop", "\xf0\x9f\x98\x80", "\xf0\x90\x90\x80",
	"-", "=", "(a)", "{}", "%s", "@",
	"\"", "\\", "/", "]]>", "<a&b>", "'", "\n", "\r", "\t", "\b\f", "\x01",
	"\x1f\x7f", "\xc2\x80", "\xc3\xbf", "\xc2\xa0", "\xe2\x80\xa8",
	"\xef\xbb\xbf", "\xef\xbf\xbd", "\xef\xbf\xbf", "\xf4\x8f\xbf\xbf",
	"\xed\xa0\xbd", "\xed\xb8\x80", ":", ",", ".", " ",
};

#define IDENTIFIER_PIECES 10
#define CALM_PIECES 19
#define PIECES (sizeof(pieces) / sizeof(pieces[0]))

void dice_name(struct buf *to, bool is_identifier)
{
	size_t choice = dice_chance(80) ? 6 : IDENTIFIER_PIECES;

	if (!is_identifier && dice_chance(10))
		choice = dice_chance(70) ? CALM_PIECES : PIECES;
	buf_byte(to, "aAzZ_"[dice_below(5)]);
	for (uint64_t i = 1 + dice_below(3); i > 0; i--)
		buf_text(to, pieces[dice_below(choice)]);
}

void dice_text(struct buf *to)
{
	size_t choice = dice_chance(40) ? 6 : PIECES;
	uint64_t count = dice_chance(3) ? 200 : dice_below(6);

	for (uint64_t i = 0; i < count; i++) {
		if (choice == PIECES && dice_chance(3))
			buf_byte(to, 0);
		else
			buf_text(to, pieces[dice_below(choice)]);
	}
}
