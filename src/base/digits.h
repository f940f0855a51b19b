/*
 * digits.h - whole numbers as decimal digits, two at a time.
 *
 * Each function writes at `to` and returns the end of what it wrote; the caller has
 * made room. Nothing is terminated.
 */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stdint.h>
#include <string.h>

static const char digits_pairs[] =
	"00010203040506070809" "10111213141516171819" "20212223242526272829"
	"30313233343536373839" "40414243444546474849" "50515253545556575859"
	"60616263646566676869" "70717273747576777879" "80818283848586878889"
	"90919293949596979899";

static const uint64_t digits_powers[] = {
	1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u,
	1000000000u, 10000000000u, 100000000000u, 1000000000000u, 10000000000000u,
	100000000000000u, 1000000000000000u, 10000000000000000u,
	100000000000000000u, 1000000000000000000u, 10000000000000000000u,
};

/* How many digits the number has; one for zero. */
static inline int digits_count(uint64_t number)
{
	int bits = 64 - __builtin_clzll(number | 1);
	int count = bits * 1233 >> 12;	/* bits * log10(2), rounded down */

	return count + ((number | 1) >= digits_powers[count]);
}

/* The number is below 100. */
static inline char *digits_write_pair(char *to, unsigned number)
{
	memcpy(to, digits_pairs + 2 * number, 2);
	return to + 2;
}

/* With zeros in front; the number has no more than `width` digits. */
static inline char *digits_write_padded(char *to, uint64_t number, int width)
{
	char *at = to + width;

	while (at - to >= 2) {
		at -= 2;
		digits_write_pair(at, (unsigned)(number % 100));
		number /= 100;
	}
	if (at > to)
		*to = (char)('0' + number);
	return to + width;
}

static inline char *digits_write(char *to, uint64_t number)
{
	return digits_write_padded(to, number, digits_count(number));
}

#endif
