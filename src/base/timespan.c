#include "base/timespan.h"

#include "base/number.h"

#define SECOND UINT64_C(1000000000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

/* So much of a text is repeated in a message. */
#define SHOWN_MAX 60

struct unit {
	struct str name;
	uint64_t nanos;
};

/* The two letters like a mu are the sign for micro and the Greek letter. */
static const struct unit units[] = {
	{ STR("d"), DAY },	      { STR("h"), HOUR },
	{ STR("m"), MINUTE },	      { STR("min"), MINUTE },
	{ STR("s"), SECOND },	      { STR("ms"), SECOND / 1000 },
	{ STR("us"), 1000 },	      { STR("\xc2\xb5s"), 1000 },
	{ STR("\xce\xbcs"), 1000 },   { STR("ns"), 1 },
};

static const struct unit iso_days[] = { { STR("D"), DAY }, { STR("d"), DAY } };
static const struct unit iso_units[] = {
	{ STR("H"), HOUR },   { STR("h"), HOUR },   { STR("M"), MINUTE },
	{ STR("m"), MINUTE }, { STR("S"), SECOND }, { STR("s"), SECOND },
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* The parts of a length of time, as they are added up. */
struct sum {
	struct str whole;	/* the text, for messages */
	struct str rest;
	uint64_t last;		/* the unit before; the next must be smaller */
	int parts;
	__int128 nanos;
	struct err *err;
};

static void skip_blanks(struct str *text)
{
	while (text->size && *text->bytes == ' ') {
		text->bytes++;
		text->size--;
	}
}

static bool skip_byte(struct str *text, char byte)
{
	if (!text->size || *text->bytes != byte)
		return false;
	text->bytes++;
	text->size--;
	return true;
}

/* What stands before the next blank, digit or other such character. */
static struct str take_word(struct str *text)
{
	struct str word = { text->bytes, 0 };

	while (word.size < text->size) {
		unsigned char byte = (unsigned char)text->bytes[word.size];

		if ((byte | 0x20) < 'a' || ((byte | 0x20) > 'z' && byte < 0x80))
			break;
		word.size++;
	}
	text->bytes += word.size;
	text->size -= word.size;
	return word;
}

static const struct unit *find_unit(const struct unit *table, size_t count,
				    struct str name)
{
	for (size_t i = 0; i < count; i++) {
		if (str_is(table[i].name, name))
			return &table[i];
	}
	return NULL;
}

static bool fail(const struct sum *sum, const char *why)
{
	struct str shown = str_front(sum->whole, SHOWN_MAX);

	return err_set(sum->err, ERR_USAGE, "'%.*s' %s", (int)shown.size, shown.bytes,
		       why);
}

static bool fail_plain(const struct sum *sum)
{
	return fail(sum, "is no length of time; write 20ms, 1.5s or 1h30m");
}

static bool add(struct sum *sum, const struct number *number, uint64_t unit,
		bool is_negative)
{
	struct product product = number_times(number, unit);

	if (unit >= sum->last)
		return fail(sum,
			    "has its units in no order; the largest goes first, as in "
			    "1h30m");
	sum->last = unit;
	sum->parts++;
	sum->nanos += is_negative ? -(__int128)product.whole : (__int128)product.whole;
	return true;
}

/* "1.5 h"; a bare zero needs no unit, when nothing else is there. */
static bool read_part(struct sum *sum)
{
	struct str before = sum->rest, name, shown;
	const struct unit *unit;
	struct number number;

	if (!number_take(&sum->rest, &number))
		return fail_plain(sum);
	shown = (struct str){ before.bytes, before.size - sum->rest.size };
	shown = str_front(shown, SHOWN_MAX);
	skip_blanks(&sum->rest);
	name = take_word(&sum->rest);
	skip_blanks(&sum->rest);
	unit = find_unit(units, COUNT(units), name);
	if (unit)
		return add(sum, &number, unit->nanos, false);
	if (name.size)
		return fail(sum, "has a unit that is none of d, h, m, s, ms, us, ns");
	if (sum->rest.size && (*sum->rest.bytes < '0' || *sum->rest.bytes > '9'))
		return fail_plain(sum);
	if (number.digits == 0 && sum->parts == 0 && sum->rest.size == 0)
		return true;
	return err_set(sum->err, ERR_USAGE, "%.*s has no unit; write %.*sms or %.*ss",
		       (int)shown.size, shown.bytes, (int)shown.size, shown.bytes,
		       (int)shown.size, shown.bytes);
}

static bool fail_iso(const struct sum *sum)
{
	return fail(sum, "is no length of time of ISO 8601; write PT1H30M or PT1.5S");
}

static bool read_iso_part(struct sum *sum, const struct unit *table, size_t count)
{
	bool is_negative = skip_byte(&sum->rest, '-');
	const struct unit *unit = NULL;
	struct number number;

	if (number_take(&sum->rest, &number) && sum->rest.size) {
		unit = find_unit(table, count, (struct str){ sum->rest.bytes, 1 });
		skip_byte(&sum->rest, *sum->rest.bytes);
	}
	return unit ? add(sum, &number, unit->nanos, is_negative) : fail_iso(sum);
}

/* What stands behind the P: days, a T, and at least one part behind that. */
static bool read_iso(struct sum *sum)
{
	bool has_time = false;

	while (sum->rest.size > 0) {
		if (!has_time &&
		    (skip_byte(&sum->rest, 'T') || skip_byte(&sum->rest, 't'))) {
			has_time = true;
			sum->parts = 0;
		}
		if (has_time ? !read_iso_part(sum, iso_units, COUNT(iso_units))
			     : !read_iso_part(sum, iso_days, COUNT(iso_days)))
			return false;
	}
	return sum->parts > 0 || fail_iso(sum);
}

static bool read_parts(struct sum *sum)
{
	do {
		if (!read_part(sum))
			return false;
	} while (sum->rest.size > 0);
	return true;
}

bool timespan_parse(struct str text, int64_t *nanos, bool *is_negative, struct err *err)
{
	struct sum sum = { .whole = str_trim(text), .last = UINT64_MAX, .err = err };
	bool has_minus;

	sum.rest = sum.whole;
	has_minus = skip_byte(&sum.rest, '-');
	if (is_negative)
		*is_negative = has_minus;
	if (sum.whole.size == 0)
		return err_set(err, ERR_USAGE,
			       "a length of time is empty; write 20ms, 1.5s "
			       "or 1h30m");
	if (skip_byte(&sum.rest, 'P') || skip_byte(&sum.rest, 'p')
		    ? !read_iso(&sum) : !read_parts(&sum))
		return false;
	if (has_minus)
		sum.nanos = -sum.nanos;
	if (sum.nanos < INT64_MIN || sum.nanos > INT64_MAX)
		return fail(&sum, "is longer than 292 years");
	*nanos = (int64_t)sum.nanos;
	return true;
}
