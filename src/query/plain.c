/*
 * plain.c - numbers without a unit, grouped by three: 1,234,567.891.
 *
 * DecimalFormat in JDK 25 rounds digits that come from Java's old algorithm (not that
 * of Double.toString since JDK 19): it stops at the first digit where what was written
 * is less than half the distance to the next double away. What this means depends on
 * how large a number is, and each size has its function here:
 *
 *	below 2^43	it never stops in front of the fourth decimal: the exact value
 *			is rounded
 *	below 2^53	it does: the decimals are made by its rule
 *	below 2^63	whole numbers have exact digits, but the last one or two of the
 *			largest
 *	all others	the new algorithm gives the same, but for few numbers
 */
#include "query/plain.h"

#include <math.h>
#include <stdbool.h>

#include "base/decimal.h"
#include "base/digits.h"

__extension__ typedef unsigned __int128 wide;

#define DIGITS_MAX 309		/* of the largest double */
#define MANTISSA_BITS 52

/* Digits of a whole number, with a comma between each three. */
static void add_grouped(struct buf *to, const char *digits, int count)
{
	for (int i = 0; i < count; i++) {
		if (i > 0 && (count - i) % 3 == 0)
			buf_byte(to, ',');
		buf_byte(to, digits[i]);
	}
}

static void add_whole(struct buf *to, uint64_t number)
{
	char digits[20];

	add_grouped(to, digits, (int)(digits_write(digits, number) - digits));
}

static void add_thousandths(struct buf *to, uint64_t number)
{
	char decimals[3], *end = digits_write_padded(decimals, number % 1000, 3);

	add_whole(to, number / 1000);
	while (end > decimals && end[-1] == '0')
		end--;
	if (end == decimals)
		return;
	buf_byte(to, '.');
	buf_add(to, decimals, (size_t)(end - decimals));
}

/* A number other than zero: mantissa * 2^exponent. */
struct binary {
	uint64_t mantissa;
	int exponent;
};

static struct binary binary_of(double number)
{
	struct binary binary;
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	binary.mantissa = bits & ((UINT64_C(1) << MANTISSA_BITS) - 1);
	binary.exponent = (int)(bits >> MANTISSA_BITS);
	if (binary.exponent > 0)
		binary.mantissa |= UINT64_C(1) << MANTISSA_BITS;
	else
		binary.exponent = 1;
	binary.exponent -= 1023 + MANTISSA_BITS;
	return binary;
}

/* Below 2^43, so that 1000 times as much has 64 bits before the point. */
static uint64_t thousandths_of_small(double number)
{
	struct binary binary = binary_of(number);
	wide scaled = (wide)binary.mantissa * 1000, rest, half;
	int shift = -binary.exponent;
	uint64_t whole;

	if (shift > 64)		/* less than a half: scaled has 63 bits at most */
		return 0;
	whole = (uint64_t)(scaled >> shift);
	half = (wide)1 << (shift - 1);
	rest = scaled & (2 * half - 1);
	return whole + (rest > half || (rest == half && (whole & 1)));
}

/*
 * From 2^43 on and below 2^53. Fractions count in halves of the distance to the next
 * number, of which `one` make 1. There are less than 2000 of them: after three decimals
 * at most, the rest or what is missing to the next digit is less than half a distance.
 */
static uint64_t thousandths_of_middle(double number)
{
	struct binary binary = binary_of(number);
	uint64_t whole = binary.mantissa >> -binary.exponent;
	uint64_t one = UINT64_C(2) << -binary.exponent;
	uint64_t rest = binary.mantissa * 2 & (one - 1), reach = 1, step = 1000;
	uint64_t decimals = 0;
	bool is_near, is_near_next;

	if (rest == 0)
		return whole * 1000;
	do {
		rest *= 10;
		decimals = decimals * 10 + rest / one;
		rest %= one;
		reach *= 10;
		step /= 10;
		is_near = rest < reach;
		is_near_next = rest + reach > one;
	} while (!is_near && !is_near_next);
	if (is_near_next && (!is_near || 2 * rest + (decimals & 1) > one))
		decimals++;
	return whole * 1000 + decimals * step;
}

/* From 2^53 on and below 2^63. */
static uint64_t whole_of_large(double number)
{
	uint64_t whole = (uint64_t)number;
	uint64_t unit = whole < UINT64_C(1) << 58 ? 1 :
			whole < UINT64_C(1) << 61 ? 10 : 100;

	return (whole + unit / 2) / unit * unit;
}

/*
 * From 2^63 on. The old algorithm differs from the new one for some powers of two, and
 * for numbers whose shortest decimal lies in the middle between two doubles: of 1e23 it
 * makes 99,999,999,999,999,990,000,000. That is left out here.
 */
static void add_huge(struct buf *to, double number)
{
	struct decimal decimal = decimal_of_double(number);
	char digits[DIGITS_MAX];

	memset(digits, '0', (size_t)decimal.point);
	memcpy(digits, decimal.digits, (size_t)decimal.count);
	add_grouped(to, digits, decimal.point);
}

static void add_size(struct buf *to, double size)
{
	if (isinf(size))
		buf_text(to, "∞");
	else if (size < 0x1p43)
		add_thousandths(to, thousandths_of_small(size));
	else if (size < 0x1p53)
		add_thousandths(to, thousandths_of_middle(size));
	else if (size < 0x1p63)
		add_whole(to, whole_of_large(size));
	else
		add_huge(to, size);
}

void plain_add_integer(struct buf *to, int64_t number)
{
	if (number < 0)
		buf_byte(to, '-');
	add_whole(to, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

void plain_add_real(struct buf *to, double number)
{
	if (isnan(number)) {
		buf_text(to, "NaN");
		return;
	}
	if (signbit(number))
		buf_byte(to, '-');
	add_size(to, fabs(number));
}
