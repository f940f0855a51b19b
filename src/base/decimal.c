/*
 * decimal.c - floating point numbers as the decimal text Java gives them.
 *
 * A number stands for every real between the midpoints to its two neighbours, and
 * wanted is the shortest decimal in there. Numbers of everyday size are scaled by a
 * power of ten until 128 bits hold them exactly as an integer and a fraction; then
 * the answer is the multiple of the largest power of ten that is near enough. All
 * others try one count of digits after the other with the C library, which converts
 * exactly in both directions. No text with a decimal point is ever read back, so
 * the locale does not matter (and the program leaves LC_NUMERIC at "C").
 */
#include "base/decimal.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/digits.h"

typedef unsigned __int128 wide;

/* A positive number of either width; taken apart, unless it is subnormal. */
struct binary {
	double value;
	uint64_t mantissa;	/* value = mantissa * 2^exponent; its top bit is 52 */
	int exponent;
	int spare;		/* low bits of the mantissa that its own width lacks */
	bool even;		/* then its midpoints belong to it, too */
	bool lone;		/* a power of two: the number below is half as far */
};

static const uint64_t powers_of_five[] = {
	1u, 5u, 25u, 125u, 625u, 3125u, 15625u, 78125u, 390625u, 1953125u, 9765625u,
	48828125u, 244140625u, 1220703125u, 6103515625u, 30517578125u,
	152587890625u, 762939453125u, 3814697265625u, 19073486328125u,
	95367431640625u, 476837158203125u, 2384185791015625u, 11920928955078125u,
	59604644775390625u, 298023223876953125u, 1490116119384765625u,
};

#define MANTISSA_BITS 52
#define FLOAT_SPARE 29		/* 52 bits of a double less 23 of a float */

static struct binary binary_of(double value, int spare)
{
	struct binary binary = { .value = value, .spare = spare };
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	binary.exponent = (int)(bits >> MANTISSA_BITS) - 1075;
	binary.mantissa = bits & ((1ull << MANTISSA_BITS) - 1);
	binary.lone = binary.mantissa == 0;
	binary.mantissa |= 1ull << MANTISSA_BITS;
	binary.even = (binary.mantissa >> spare & 1) == 0;
	return binary;
}

/* Everything from here to `binary_shorten` holds for 2^-33 <= value < 2^53 only. */
static bool binary_is_everyday(const struct binary *binary)
{
	return binary->value >= 0x1p-33 && binary->value < 0x1p53;
}

/*
 * A number scaled by 10^scale to lie between 10^16 and 2 * 10^18: there midpoints
 * are more than an integer apart, so that some integer is always near enough.
 * Distances count in units of 2^-shift, in which all of them are integers.
 */
struct scaled {
	uint64_t whole;
	uint64_t fraction;
	wide below, above;	/* how far down and up the midpoints are */
	int scale;
	int shift;		/* 1..61 */
	bool even;		/* then its midpoints belong to it, too */
};

static struct scaled scaled_of(const struct binary *binary)
{
	int log2 = binary->exponent + MANTISSA_BITS;
	int scale = 16 - (log2 * 1233 >> 12);	/* log2 * log10(2), rounded down */
	uint64_t five = powers_of_five[scale];
	wide product = (wide)binary->mantissa * five << 2;
	struct scaled scaled = { .scale = scale, .even = binary->even };

	/* 10^scale is 5^scale, which we multiply by, and 2^scale, which we count. */
	scaled.shift = 2 - binary->exponent - scale;
	scaled.whole = (uint64_t)(product >> scaled.shift);
	scaled.fraction = (uint64_t)product & ((1ull << scaled.shift) - 1);
	scaled.above = (wide)five << (1 + binary->spare);
	scaled.below = scaled.above >> binary->lone;
	return scaled;
}

/*
 * Of the two multiples of `power` around the number, `multiple * power` and the one
 * after it, sets `multiple` to the nearer one that reads back as the number (as
 * near: the even one). False if neither does.
 */
static bool scaled_pick(const struct scaled *scaled, uint64_t power,
			uint64_t *multiple)
{
	uint64_t rest = scaled->whole - *multiple * power;
	wide down = ((wide)rest << scaled->shift) + scaled->fraction;
	wide up = ((wide)power << scaled->shift) - down;
	bool down_fits = down < scaled->below + scaled->even;
	bool up_fits = up < scaled->above + scaled->even;

	if (!down_fits && !up_fits)
		return false;
	if (!down_fits || (up_fits && (up < down || (up == down && *multiple & 1))))
		++*multiple;
	return true;
}

/*
 * A multiple of ten times a power is a multiple of the power as well: once nothing
 * is near enough, nothing will be for larger powers, and the last found is shortest.
 */
static struct decimal binary_shorten(const struct binary *binary)
{
	struct scaled scaled = scaled_of(binary);
	struct decimal decimal = { .count = 0 };
	uint64_t found = scaled.whole, rest = found / 10, next = rest, power = 10;
	int zeros = 0;

	scaled_pick(&scaled, 1, &found);
	while (scaled_pick(&scaled, power, &next)) {
		found = next;
		zeros++;
		power *= 10;
		rest /= 10;
		next = rest;
	}
	decimal.count = digits_count(found);
	decimal.point = decimal.count + zeros - scaled.scale;
	digits_write(decimal.digits, found);
	return decimal;
}

/* One more in the last digit. */
static void decimal_increment(struct decimal *decimal)
{
	int i = decimal->count;

	while (i > 0 && decimal->digits[i - 1] == '9')
		decimal->digits[--i] = '0';
	if (i > 0) {
		decimal->digits[i - 1]++;
		return;
	}
	decimal->digits[0] = '1';
	decimal->count += decimal->count == 0;
	decimal->point++;
}

static void decimal_strip_zeros(struct decimal *decimal)
{
	while (decimal->count > 1 && decimal->digits[decimal->count - 1] == '0')
		decimal->count--;
}

/* The decimal of that many digits nearest to the number. */
static struct decimal binary_round(const struct binary *binary, int count)
{
	struct decimal decimal = { .count = 0 };
	char text[40], *at;

	snprintf(text, sizeof(text), "%.*e", count - 1, binary->value);
	for (at = text; *at != 'e'; at++)	/* whatever the point looks like */
		if (*at >= '0' && *at <= '9')
			decimal.digits[decimal.count++] = *at;
	decimal.point = (int)strtol(at + 1, NULL, 10) + 1;
	return decimal;
}

static bool decimal_reads_as(const struct decimal *decimal, const struct binary *binary)
{
	char text[40];

	snprintf(text, sizeof(text), "%.*se%d", decimal->count, decimal->digits,
		 decimal->point - decimal->count);
	if (binary->spare)
		return strtof(text, NULL) == (float)binary->value;
	return strtod(text, NULL) == binary->value;
}

/*
 * Above a power of two the numbers lie twice as far apart as below it: the nearest
 * decimal may be below and belong to the next number, the one above still be ours.
 */
static bool binary_try(const struct binary *binary, int count, struct decimal *decimal)
{
	*decimal = binary_round(binary, count);
	if (decimal_reads_as(decimal, binary))
		return true;
	decimal_increment(decimal);
	return decimal_reads_as(decimal, binary);
}

/*
 * Bisects the count of digits: what reads back does so with a zero added, too. Only
 * among subnormal numbers are there some for which less than two would do.
 */
static struct decimal binary_search(const struct binary *binary)
{
	struct decimal decimal, found;
	int low = 2, high = binary->spare ? 9 : 17;

	found = binary_round(binary, high);
	while (low < high) {
		int middle = (low + high) / 2;

		if (binary_try(binary, middle, &decimal)) {
			found = decimal;
			high = middle;
		} else {
			low = middle + 1;
		}
	}
	decimal_strip_zeros(&found);
	return found;
}

static struct decimal decimal_of(double number, int spare)
{
	struct decimal decimal = { .digits = "0", .count = 1, .point = 1 };
	struct binary binary = binary_of(fabs(number), spare);

	if (binary_is_everyday(&binary))
		decimal = binary_shorten(&binary);
	else if (number != 0)
		decimal = binary_search(&binary);
	decimal.negative = signbit(number);
	return decimal;
}

struct decimal decimal_of_double(double number)
{
	return decimal_of(number, 0);
}

struct decimal decimal_of_float(float number)
{
	return decimal_of((double)number, FLOAT_SPARE);
}

/* `count` digits from the `start`-th on; zeros where there are none. */
static char *write_digits(char *to, const struct decimal *decimal, int start, int count)
{
	for (int i = start; i < start + count; i++)
		*to++ = i >= 0 && i < decimal->count ? decimal->digits[i] : '0';
	return to;
}

/* "d.ddd" with that many places; the room is the caller's. */
static char *write_plain(char *to, const struct decimal *decimal, int places)
{
	if (decimal->point > 0)
		to = write_digits(to, decimal, 0, decimal->point);
	else
		*to++ = '0';
	if (places == 0)
		return to;
	*to++ = '.';
	return write_digits(to, decimal, decimal->point, places);
}

static char *write_scientific(char *to, const struct decimal *decimal)
{
	int exponent = decimal->point - 1;

	*to++ = decimal->digits[0];
	*to++ = '.';
	to = write_digits(to, decimal, 1, decimal->count > 1 ? decimal->count - 1 : 1);
	*to++ = 'E';
	if (exponent < 0)
		*to++ = '-';
	return digits_write(to, (uint64_t)abs(exponent));
}

static void add_decimal(struct buf *to, const struct decimal *decimal)
{
	int places = decimal->count - decimal->point;
	char text[40], *at = text;

	if (decimal->negative)
		*at++ = '-';
	if (decimal->point >= -2 && decimal->point <= 7)
		at = write_plain(at, decimal, places > 1 ? places : 1);
	else
		at = write_scientific(at, decimal);
	buf_add(to, text, (size_t)(at - text));
}

static bool add_unless_finite(struct buf *to, double number)
{
	if (isfinite(number))
		return false;
	if (isnan(number))
		buf_text(to, "NaN");
	else
		buf_text(to, number < 0 ? "-Infinity" : "Infinity");
	return true;
}

void decimal_add_double(struct buf *to, double number)
{
	struct decimal decimal;

	if (add_unless_finite(to, number))
		return;
	decimal = decimal_of_double(number);
	add_decimal(to, &decimal);
}

void decimal_add_float(struct buf *to, float number)
{
	struct decimal decimal;

	if (add_unless_finite(to, (double)number))
		return;
	decimal = decimal_of_float(number);
	add_decimal(to, &decimal);
}

static void decimal_round(struct decimal *decimal, int places)
{
	int kept = decimal->point + places;
	bool up;

	if (kept >= decimal->count)
		return;
	up = kept >= 0 && decimal->digits[kept] >= '5';
	decimal->count = kept > 0 ? kept : 0;
	if (up)
		decimal_increment(decimal);
}

/*
 * The digits behind the last place matter only near the middle between two
 * neighbours, where half a unit in the last bit of the number decides. Elsewhere the
 * scaled number is rounded as it is. False near the middle, and for large numbers.
 */
static bool add_clear_fixed(struct buf *to, double number, int places)
{
	double scaled = fabs(number) * (double)digits_powers[places];
	double below = floor(scaled), over = scaled - below - 0.5;
	uint64_t rounded;
	char text[40], *at = text;

	if (!(scaled < 0x1p50) || fabs(over) <= scaled * 0x1p-50)
		return false;
	rounded = (uint64_t)below + (over > 0);
	if (signbit(number))
		*at++ = '-';
	at = digits_write(at, rounded / digits_powers[places]);
	if (places > 0) {
		*at++ = '.';
		at = digits_write_padded(at, rounded % digits_powers[places], places);
	}
	buf_add(to, text, (size_t)(at - text));
	return true;
}

void decimal_add_fixed(struct buf *to, double number, int places)
{
	struct decimal decimal;
	char *start, *at;
	int whole;

	if (add_unless_finite(to, number) || add_clear_fixed(to, number, places))
		return;
	decimal = decimal_of_double(number);
	decimal_round(&decimal, places);
	whole = decimal.point > 0 ? decimal.point : 1;
	start = buf_room(to, (size_t)(1 + whole + 1 + places));	/* "-", "." */
	if (!start)
		return;
	at = start;
	if (decimal.negative)
		*at++ = '-';
	at = write_plain(at, &decimal, places);
	to->size += (size_t)(at - start);
}
