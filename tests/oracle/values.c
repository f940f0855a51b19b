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
#include "jfr/units.h"

#include "dice.h"

static uint64_t bits_of_double(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

static struct time random_span(void)
{
	struct time span;

	if (dice_below(4))
		return time_of_nanos(dice_nanos());
	span.seconds = dice_integer();
	span.nanos = (int32_t)dice_below(1000000000);
	return span;
}

static struct time random_timestamp(void)
{
	struct time when = time_of_nanos(dice_integer());

	if (dice_below(2))
		when = time_of_millis((int64_t)dice_bits() >> dice_below(64));
	if (dice_below(4) == 0)
		when = time_of_nanos((int64_t)dice_below(4102444800) * 1000000000);
	return when;
}

static int random_zone(void)
{
	int zone = (int)dice_below(2 * 64800 + 1) - 64800;

	if (dice_below(2))
		zone = zone / 900 * 900;
	return dice_below(3) ? zone : 0;
}

static void make_double(struct buf *to)
{
	double number = dice_double();

	printf("%" PRIx64, bits_of_double(number));
	decimal_add_double(to, number);
}

static void make_float(struct buf *to)
{
	float number = dice_float();
	uint32_t bits;

	memcpy(&bits, &number, sizeof(bits));
	printf("%" PRIx32, bits);
	decimal_add_float(to, number);
}

static void make_fixed(struct buf *to)
{
	static const int all_places[] = { 0, 1, 2, 3, 6, 9 };
	int places = all_places[dice_below(6)];
	double number = dice_double();

	if (dice_below(2))	/* a 5 after the last place that stays */
		number = (double)(dice_below(1000000000) * 10 + 5) /
			 pow(10, places + 1);
	printf("%" PRIx64 "\t%d", bits_of_double(number), places);
	decimal_add_fixed(to, number, places);
}

static void make_percentage(struct buf *to)
{
	double fraction = dice_double();
	bool exact = dice_below(2);

	if (dice_below(2))
		fraction = (double)dice_below(100001) / 100000;
	printf("%" PRIx64 "\t%d", bits_of_double(fraction), exact);
	units_percentage(to, fraction, exact);
}

static void make_timespan(struct buf *to)
{
	struct time span = random_span();
	bool exact = dice_below(3) == 0;

	printf("%" PRId64 "\t%" PRId32 "\t%d", span.seconds, span.nanos, exact);
	units_timespan(to, span, exact);
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
	bool exact = dice_below(2);

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
	int64_t amount = dice_integer();
	int unit = (int)dice_below(4);

	if (dice_below(4) == 0)
		amount = (1ll << dice_below(62)) - 10000 +
			 (int64_t)dice_below(20000);
	if (dice_below(4) == 0)	/* near a tie at some scale */
		amount = (int64_t)ldexp((double)dice_below(20480) / 20,
					10 * (1 + (int)dice_below(5)));
	printf("%" PRId64 "\t%d", amount, unit);
	units_amount(to, amount, (enum amount_unit)unit, false);
}

static void make_address(struct buf *to)
{
	uint64_t address = dice_bits() >> dice_below(64);

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
		.start_ticks = dice_integer(),
		.start_nanos = dice_integer(),
		.ticks_per_second = frequencies[dice_below(7)],
	};
	int64_t ticks = dice_integer();
	struct clock clock;

	if (dice_below(8) == 0)
		header.ticks_per_second = dice_integer();
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

	dice_seed(argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
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
