#include "adding.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "ask.h"
#include "fault.h"

#define COLUMN(...) { .group = -1, .order = -1, __VA_ARGS__ }

const struct column whole_column = COLUMN(.is_integral = true);
const struct column real_column = COLUMN(.is_fractional = true);
const struct column span_column = COLUMN(.is_integral = true, .is_timespan = true);
const struct column time_column = COLUMN(.is_integral = true, .is_timestamp = true);
const struct column other_column = COLUMN();

/* Where each value of a chunk goes, of so many. */
typedef size_t turn(size_t index, size_t count);

static size_t forwards(size_t index, size_t count)
{
	(void)count;
	return index;
}

static size_t backwards(size_t index, size_t count)
{
	return count - 1 - index;
}

/* The second half comes before the first, each in its order. */
static size_t halves_swapped(size_t index, size_t count)
{
	return (index + count / 2) % count;
}

static turn *const turns[] = { forwards, backwards, halves_swapped };

/* What all chunks give together. */
struct total {
	const struct function *function;
	struct lexicon lexicon;
	void *state;
	bool failed;
};

static void *new_state(const struct function *function)
{
	void *state = aligned_alloc(16, (function->size + 15) / 16 * 16);

	if (state)
		memset(state, 0, function->size);
	return state;
}

/* Ranks go up by segment, end and place, so that each of them matters. */
static struct rank rank_of(size_t index)
{
	return (struct rank){ .segment = (uint32_t)(index / 4),
			      .end = (int64_t)(index % 4 / 2), .at = index % 2,
			      .nanos = (int64_t)index };
}

/* A value in terms of the lexicon of its chunk. */
static struct datum value_in(struct lexicon *lexicon, struct datum value)
{
	if (value.kind == DATUM_THING)
		value.thing = lexicon_add(lexicon, value.thing);
	return value.kind != DATUM_THING || value.thing ? value : DATUM_NONE;
}

static void add_chunk(struct total *total, const struct datum *values, size_t count,
		      turn *place)
{
	const struct function *function = total->function;
	struct lexicon lexicon = { 0 };
	void *state = new_state(function);
	struct merging merging = { total->state, state, &total->lexicon,
				   &total->failed };

	total->failed |= !state;
	for (size_t i = 0; state && i < count; i++) {
		size_t at = place(i, count);
		struct rank rank = rank_of(at);
		struct addend addend = { value_in(&lexicon, values[at]), &rank,
					 &total->failed };

		function->add(state, &addend);
	}
	total->failed |= lexicon.arena.failed;
	if (state && function->settle)
		function->settle(state, &total->failed);
	if (state && !total->failed)
		function->merge(&merging);
	if (state && function->clear)
		function->clear(state);
	free(state);
	lexicon_clear(&lexicon);
}

static bool begin(struct total *total, const struct adding *adding)
{
	struct column column = *adding->column;

	column.aggregator = adding->aggregator;
	*total = (struct total){ .function = aggregate_function(&column) };
	total->state = new_state(total->function);
	return total->state;
}

/* Tells the result, and clears all. */
static void end(struct total *total, struct buf *to)
{
	struct datum result = total->function->result(total->state);

	total->failed |= total->lexicon.arena.failed;
	if (!total->failed)
		ask_tell(to, &result);
	buf_byte(to, '\0');
	if (total->function->clear)
		total->function->clear(total->state);
	free(total->state);
	lexicon_clear(&total->lexicon);
}

/* In chunks that end at `first` and at `second`. */
static void expect_split(const struct adding *adding, size_t first, size_t second,
			 turn *place, const char *wanted, int line)
{
	struct buf text = { 0 };
	struct total total;

	cr_assert(begin(&total, adding));
	add_chunk(&total, adding->values, first, place);
	add_chunk(&total, adding->values + first, second - first, place);
	add_chunk(&total, adding->values + second, adding->count - second, place);
	end(&total, &text);
	cr_expect_not(total.failed);
	cr_expect_str_eq(text.bytes, wanted, "line %d, chunks of %zu, %zu, %zu: %s", line,
			 first, second - first, adding->count - second, text.bytes);
	buf_clear(&text);
}

void adding_expect(const struct adding *adding, const char *wanted, int line)
{
	for (size_t i = 0; i < sizeof(turns) / sizeof(turns[0]); i++) {
		for (size_t first = 0; first <= adding->count; first++) {
			for (size_t second = first; second <= adding->count; second++)
				expect_split(adding, first, second, turns[i], wanted,
					     line);
		}
	}
}

static bool survives(const struct adding *adding, struct buf *text)
{
	size_t half = adding->count / 2;
	struct total total;

	if (!begin(&total, adding))
		return false;
	add_chunk(&total, adding->values, half, forwards);
	add_chunk(&total, adding->values + half, adding->count - half, backwards);
	end(&total, text);
	return !total.failed && !text->failed;
}

void adding_survive(const struct adding *adding)
{
	struct buf wanted = { 0 }, text = { 0 };
	bool is_refused, is_good;
	size_t n = 0;

	cr_assert(survives(adding, &wanted));
	do {
		buf_clear(&text);
		fault_at(++n);
		is_good = survives(adding, &text);
		is_refused = fault_happened();
		fault_at(0);
		/* Some memory only makes things faster: the result is the same then. */
		cr_expect(is_good || is_refused, "request %zu", n);
		if (is_good)
			cr_expect_str_eq(text.bytes, wanted.bytes);
	} while (is_refused);
	cr_expect_str_eq(text.bytes, wanted.bytes);
	cr_expect_gt(n, 1);
	buf_clear(&wanted);
	buf_clear(&text);
}
