#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>

/* No number of 64 bits, times or by ten so many times, is anything but 0 or huge. */
#define EXPONENT_MAX 100000

static bool is_digit(struct str text, size_t at)
{
	return at < text.size && text.bytes[at] >= '0' && text.bytes[at] <= '9';
}

/* One digit more; false, and the number stays, where 128 bits are too few. */
static bool add_digit(struct number *number, unsigned digit)
{
	unsigned __int128 digits;

	if (__builtin_mul_overflow(number->digits, 10, &digits) ||
	    __builtin_add_overflow(digits, digit, &digits))
		return false;
	number->digits = digits;
	return true;
}

/*
 * Digits from `at` on, each of which shifts the point by `shift`; the end of them. When
 * one has no room, none behind it has.
 */
static size_t read_digits(struct str text, size_t at, struct number *number, int shift,
			  bool *is_full)
{
	for (; is_digit(text, at); at++) {
		unsigned digit = (unsigned)(text.bytes[at] - '0');

		*is_full = *is_full || !add_digit(number, digit);
		number->exponent += *is_full - shift;
		number->is_cut |= *is_full && digit != 0;
	}
	return at;
}

/* A power of ten that begins at `at`; the end of it, or `at` if there is none. */
static size_t read_exponent(struct str text, size_t at, struct number *number)
{
	size_t next = at + 1;
	bool is_negative = false;
	int exponent = 0;

	if (at >= text.size || (text.bytes[at] != 'e' && text.bytes[at] != 'E'))
		return at;
	if (next < text.size && (text.bytes[next] == '-' || text.bytes[next] == '+'))
		is_negative = text.bytes[next++] == '-';
	if (!is_digit(text, next))
		return at;
	for (; is_digit(text, next); next++) {
		if (exponent < EXPONENT_MAX)
			exponent = exponent * 10 + (text.bytes[next] - '0');
	}
	number->exponent += is_negative ? -exponent : exponent;
	return next;
}

bool number_take(struct str *text, struct number *number)
{
	size_t at = is_digit(*text, 0) ? 0 : 1;
	bool is_full = false;

	*number = (struct number){ 0 };
	if (!is_digit(*text, at) || (at == 1 && text->bytes[0] != '.'))
		return false;
	at = read_digits(*text, 0, number, 0, &is_full);
	if (is_digit(*text, at + 1) && text->bytes[at] == '.')
		at = read_digits(*text, at + 1, number, 1, &is_full);
	at = read_exponent(*text, at, number);
	text->bytes += at;
	text->size -= at;
	return true;
}

/* It counts down, as the least of all numbers has no counterpart. */
bool number_java(struct str text, int64_t *number)
{
	bool is_negative = text.size && text.bytes[0] == '-';
	size_t at = is_negative || (text.size && text.bytes[0] == '+');
	int64_t value = 0;

	if (at == text.size)
		return false;
	for (; at < text.size; at++) {
		if (!is_digit(text, at) || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_sub_overflow(value, text.bytes[at] - '0', &value))
			return false;
	}
	if (!is_negative && value == INT64_MIN)
		return false;
	*number = is_negative ? value : -value;
	return true;
}

struct product number_times(const struct number *number, uint64_t unit)
{
	struct product product = { .has_rest = number->is_cut };
	unsigned __int128 digits = number->digits;
	int exponent = number->exponent;

	while (__builtin_mul_overflow(digits, unit, &product.whole)) {
		product.has_rest |= digits % 10 != 0;
		digits /= 10;
		exponent++;
	}
	for (; exponent > 0 && product.whole && product.whole < NUMBER_HUGE; exponent--)
		product.whole *= 10;
	for (; exponent < 0 && product.whole; exponent++) {
		product.has_rest |= product.whole % 10 != 0;
		product.whole /= 10;
	}
	if (product.whole > NUMBER_HUGE)
		product.whole = NUMBER_HUGE;
	return product;
}

double number_real(const struct number *number)
{
	unsigned __int128 digits = number->digits;
	int exponent = number->exponent;
	char text[48];

	for (; digits > UINT64_MAX; exponent++)
		digits /= 10;
	snprintf(text, sizeof(text), "%llue%d", (unsigned long long)digits, exponent);
	return strtod(text, NULL);
}
