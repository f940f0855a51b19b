/*
 * values.c - random values and what our code makes of them, for Values.java.
 *
 * Usage: values COUNT [SEED]. COUNT lines for each row of `makers`: its name, the
 * arguments (doubles and floats as bits) and our text, with tabs between them.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "jfr/clock.h"
#include "jfr/header.h"
#include "render/units.h"

static uint64_t random_state;

/* A step of a Weyl sequence, mixed: equal seeds give equal values everywhere. */
static uint64_t random_bits(void)
{
	uint64_t bits = random_state += 0x9E3779B97F4A7C15u;

	bits = (bits ^ bits >> 31) * 0xD6E8FEB86659FD93u;
	bits = (bits ^ bits >> 29) * 0xC2B2AE3D27D4EB4Fu;
	return bits ^ bits >> 32;
}

static uint64_t random_below(uint64_t end)
{
	return random_bits() % end;
}

/* All magnitudes are equally likely. */
static int64_t random_integer(void)
{
	int64_t number = (int64_t)(random_bits() >> 1 >> random_below(63));

	return random_below(2) ? number : -number;
}

static double double_of_bits(uint64_t bits)
{
	double number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

static uint64_t bits_of_double(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

static double random_tie(void)
{
	double odd = (double)(2 * random_below(1u << random_below(30)) + 1);

	return ldexp(odd, -(int)random_below(40));
}

static double random_decimal(void)
{
	double end = pow(10, (double)random_below(18));

	end = (double)random_below((uint64_t)end + 1);
	return end / pow(10, (double)random_below(20));
}

static double random_power_of_two(void)
{
	uint64_t bits = random_below(2047) << 52;

	return double_of_bits(bits + random_below(5) - (bits ? 2 : 0));
}

static double random_double(void)
{
	double number;

	switch (random_below(8)) {
	case 0:
		number = random_power_of_two();
		break;
	case 1:
		number = double_of_bits(random_bits() >> 12 >> random_below(52));
		break;
	case 2:
		number = random_tie();
		break;
	case 3:
		number = random_decimal();
		break;
	case 4:
		number = (double)random_integer();
		break;
	case 5:
		number = (double)(random_bits() >> 11);
		number = ldexp(number, (int)random_below(100) - 90);
		break;
	default:
		return double_of_bits(random_bits());
	}
	return random_below(8) ? number : -number;
}

static float float_of_bits(uint32_t bits)
{
	float number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

static float random_float(void)
{
	uint32_t bits = (uint32_t)random_below(255) << 23;

	switch (random_below(6)) {
	case 0:
		return float_of_bits(bits + (uint32_t)random_below(5) - (bits ? 2 : 0));
	case 1:
		bits = (uint32_t)(random_bits() >> 41);
		return float_of_bits(bits >> random_below(23));
	case 2:
		return (float)random_decimal();
	case 3:
		return (float)random_integer();
	default:
		return float_of_bits((uint32_t)random_bits());
	}
}

/* Often a unit's boundary or half of a last digit, give or take little. */
static struct time random_span(void)
{
	static const int64_t edges[] = {
		1000, 1000000, 10000000, 100000000, 999500000, 1000000000, 9995000000,
		10000000000, 59950000000, 60000000000, 3599500000000, 3600000000000,
		86370000000000, 86400000000000, 8388608000000000,
	};
	int64_t nanos = edges[random_below(sizeof(edges) / sizeof(edges[0]))];
	struct time span;

	switch (random_below(4)) {
	case 0:
		nanos = nanos * (1 + (int64_t)random_below(9)) + random_integer() % 3;
		break;
	case 1:
		span.seconds = random_integer();
		span.nanos = (int32_t)random_below(1000000000);
		return span;
	default:
		nanos = random_integer();
	}
	return time_of_nanos(random_below(4) ? nanos : -nanos);
}

static struct time random_timestamp(void)
{
	struct time when = time_of_nanos(random_integer());

	if (random_below(2))
		when = time_of_millis((int64_t)random_bits() >> random_below(64));
	if (random_below(4) == 0)
		when = time_of_nanos((int64_t)random_below(4102444800) * 1000000000);
	return when;
}

static int random_zone(void)
{
	int zone = (int)random_below(2 * 64800 + 1) - 64800;

	if (random_below(2))
		zone = zone / 900 * 900;
	return random_below(3) ? zone : 0;
}

static void make_double(struct buf *to)
{
	double number = random_double();

	printf("%" PRIx64, bits_of_double(number));
	decimal_add_double(to, number);
}

static void make_float(struct buf *to)
{
	float number = random_float();
	uint32_t bits;

	memcpy(&bits, &number, sizeof(bits));
	printf("%" PRIx32, bits);
	decimal_add_float(to, number);
}

static void make_fixed(struct buf *to)
{
	static const int all_places[] = { 0, 1, 2, 3, 6, 9 };
	int places = all_places[random_below(6)];
	double number = random_double();

	if (random_below(2))	/* a 5 after the last place that stays */
		number = (double)(random_below(1000000000) * 10 + 5) /
			 pow(10, places + 1);
	printf("%" PRIx64 "\t%d", bits_of_double(number), places);
	decimal_add_fixed(to, number, places);
}

static void make_percentage(struct buf *to)
{
	double fraction = random_double();
	bool exact = random_below(2);

	if (random_below(2))
		fraction = (double)random_below(100001) / 100000;
	printf("%" PRIx64 "\t%d", bits_of_double(fraction), exact);
	units_percentage(to, fraction, exact);
}

static void make_timespan(struct buf *to)
{
	struct time span = random_span();
	bool exact = random_below(3) == 0;

	printf("%" PRId64 "\t%" PRId32 "\t%d", span.seconds, span.nanos, exact);
	units_timespan(to, span, exact);
}

static void make_millis(struct buf *to)
{
	struct time span = random_span();
	int places = (int)random_below(11);

	if (random_below(2))
		span = time_of_nanos((int64_t)random_below(1000000000));
	printf("%" PRId64 "\t%" PRId32 "\t%d", span.seconds, span.nanos, places);
	units_timespan_millis(to, span, places);
}

static void make_iso_timespan(struct buf *to)
{
	struct time span = random_span();

	printf("%" PRId64 "\t%" PRId32, span.seconds, span.nanos);
	units_iso_timespan(to, span);
}

static void make_timestamp(struct buf *to)
{
	struct time when = random_timestamp();
	int zone = random_zone();
	bool exact = random_below(2);

	printf("%" PRId64 "\t%" PRId32 "\t%d\t%d", when.seconds, when.nanos, zone,
	       exact);
	units_timestamp(to, when, zone, exact);
}

static void make_iso_timestamp(struct buf *to)
{
	struct time when = random_timestamp();
	int zone = random_zone();

	printf("%" PRId64 "\t%" PRId32 "\t%d", when.seconds, when.nanos, zone);
	units_iso_timestamp(to, when, zone);
}

static void make_date(struct buf *to)
{
	struct time when = random_timestamp();

	printf("%" PRId64 "\t%" PRId32, when.seconds, when.nanos);
	units_date(to, when);
}

static void make_amount(struct buf *to)
{
	int64_t amount = random_integer();
	int unit = (int)random_below(4);

	if (random_below(4) == 0)
		amount = (1ll << random_below(62)) - 10000 +
			 (int64_t)random_below(20000);
	if (random_below(4) == 0)	/* near a tie at some scale */
		amount = (int64_t)ldexp((double)random_below(20480) / 20,
					10 * (1 + (int)random_below(5)));
	printf("%" PRId64 "\t%d", amount, unit);
	units_amount(to, amount, (enum amount_unit)unit, false);
}

static void make_address(struct buf *to)
{
	uint64_t address = random_bits() >> random_below(64);

	printf("%" PRIx64, address);
	units_address(to, address);
}

/* Nonsense among them: no frequency at all, negative ones, time running over. */
static void make_clock(struct buf *to)
{
	static const int64_t frequencies[] = {
		1000000000, 24000000, 2299998000, 3187200000, 1, 0, -1000000000,
	};
	struct header header = {
		.start_ticks = random_integer(),
		.start_nanos = random_integer(),
		.ticks_per_second = frequencies[random_below(7)],
	};
	int64_t ticks = random_integer();
	struct clock clock;

	if (random_below(8) == 0)
		header.ticks_per_second = random_integer();
	clock = clock_of(&header);
	printf("%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64, header.start_ticks,
	       header.start_nanos, header.ticks_per_second, ticks);
	buf_integer(to, clock_nanos(&clock, ticks));
	buf_byte(to, ' ');
	buf_integer(to, clock_span(&clock, ticks));
}

static const struct maker {
	const char *name;
	void (*make)(struct buf *to);
} makers[] = {
	{ "double", make_double },
	{ "float", make_float },
	{ "fixed", make_fixed },
	{ "percentage", make_percentage },
	{ "timespan", make_timespan },
	{ "millis", make_millis },
	{ "isoTimespan", make_iso_timespan },
	{ "timestamp", make_timestamp },
	{ "isoTimestamp", make_iso_timestamp },
	{ "date", make_date },
	{ "amount", make_amount },
	{ "address", make_address },
	{ "clock", make_clock },
};

int main(int argc, char **argv)
{
	long count = argc > 1 ? strtol(argv[1], NULL, 10) : 100000;
	struct buf text = { .bytes = NULL };

	random_state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		for (long j = 0; j < count; j++) {
			buf_reset(&text);
			printf("%s\t", makers[i].name);
			makers[i].make(&text);
			printf("\t%.*s\n", (int)text.size, text.bytes);
		}
	}
	buf_clear(&text);
	return 0;
}
