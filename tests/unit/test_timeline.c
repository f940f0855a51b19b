#include <criterion/criterion.h>

#include <stdlib.h>

#include "jfr/timeline.h"

/* java.util.PriorityQueue, as its documentation and jfr-tool describe it. */
struct queue {
	struct moment *items;
	size_t count;
};

/* Times as the JDK compares them: a start comes before all else of its nanosecond. */
static bool is_less(struct moment a, struct moment b)
{
	__int128 one = (__int128)a.nanos * 2 + (moment_kind(a) != MOMENT_OPENS);
	__int128 other = (__int128)b.nanos * 2 + (moment_kind(b) != MOMENT_OPENS);

	return one < other;
}

static void queue_offer(struct queue *queue, struct moment moment)
{
	size_t k = queue->count++;

	while (k > 0 && is_less(moment, queue->items[(k - 1) / 2])) {
		queue->items[k] = queue->items[(k - 1) / 2];
		k = (k - 1) / 2;
	}
	queue->items[k] = moment;
}

static struct moment queue_poll(struct queue *queue)
{
	struct moment first = queue->items[0];
	struct moment last = queue->items[--queue->count];
	size_t count = queue->count, k = 0;

	while (k < count / 2) {
		size_t child = 2 * k + 1;

		if (child + 1 < count &&
		    is_less(queue->items[child + 1], queue->items[child]))
			child++;
		if (!is_less(queue->items[child], last))
			break;
		queue->items[k] = queue->items[child];
		k = child;
	}
	if (count)
		queue->items[k] = last;
	return first;
}

static void expect_same(struct moment a, struct moment b)
{
	cr_assert_eq(a.nanos, b.nanos);
	cr_assert_eq(a.place, b.place);
}

/* One random life of a heap: `grow` of 100 steps add, times are below `times`. */
static void live(unsigned seed, int steps, int grow, int times)
{
	struct queue queue = { malloc((size_t)steps * sizeof(struct moment)), 0 };
	struct timeline timeline = { 0 };
	struct moment moment;

	srandom(seed);
	for (int i = 0; i < steps; i++) {
		if (queue.count == 0 || random() % 100 < grow) {
			moment = moment_of(random() % times - times / 2, 0, (size_t)i,
					   (enum moment_kind)(random() % 3));
			cr_assert(timeline_add(&timeline, moment));
			queue_offer(&queue, moment);
		} else {
			expect_same(timeline_remove(&timeline), queue_poll(&queue));
		}
	}
	while (queue.count)
		expect_same(timeline_remove(&timeline), queue_poll(&queue));
	cr_expect_eq(timeline.count, 0);
	timeline_clear(&timeline);
	free(queue.items);
}

Test(timeline, moves_like_the_queue_of_the_jdk)
{
	static const int times[] = { 1, 2, 3, 10, 1000, 1000000 };
	unsigned seed = 0;

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		for (int steps = 1; steps < 40; steps++)
			live(seed++, steps, 70, times[i]);
		for (int grow = 45; grow <= 100; grow += 5) {
			live(seed++, 500, grow, times[i]);
			live(seed++, 5000, grow, times[i]);
		}
	}
	live(seed, 200000, 75, 50000);
}

Test(timeline, keeps_its_order_when_the_window_slides)
{
	struct queue queue = { malloc(5000 * sizeof(struct moment)), 0 };
	struct timeline timeline = { 0 };
	struct moment moment;

	/* Filled to a limit, then one out for each one in: many equal times. */
	for (size_t i = 0; i < 50000; i++) {
		moment = moment_of((int64_t)(i / 400), i / 1000, i, MOMENT_EVENT);
		cr_assert(timeline_add(&timeline, moment));
		queue_offer(&queue, moment);
		if (queue.count > 3000)
			expect_same(timeline_remove(&timeline), queue_poll(&queue));
	}
	timeline_clear(&timeline);
	free(queue.items);
}

Test(timeline, puts_starts_before_others_of_the_same_time)
{
	struct timeline timeline = { 0 };

	cr_assert(timeline_add(&timeline, moment_of(7, 0, 1, MOMENT_CLOSES)));
	cr_assert(timeline_add(&timeline, moment_of(7, 0, 2, MOMENT_EVENT)));
	cr_assert(timeline_add(&timeline, moment_of(7, 0, 3, MOMENT_OPENS)));
	cr_assert(timeline_add(&timeline, moment_of(6, 0, 4, MOMENT_EVENT)));
	cr_expect_eq(moment_offset(timeline_remove(&timeline)), 4);
	cr_expect_eq(moment_kind(timeline_remove(&timeline)), MOMENT_OPENS);
	cr_expect_neq(moment_kind(timeline_remove(&timeline)), MOMENT_OPENS);
	timeline_clear(&timeline);
	cr_expect_eq(timeline.count, 0);
	cr_assert(timeline_add(&timeline, moment_of(1, 0, 5, MOMENT_EVENT)));
	cr_expect_eq(moment_offset(timeline_remove(&timeline)), 5);
	timeline_clear(&timeline);
}

Test(timeline, orders_times_at_both_ends_of_64_bits)
{
	static const int64_t times[] = { INT64_MAX, 0, INT64_MIN, -1, INT64_MAX - 1 };
	static const int64_t sorted[] = { INT64_MIN, -1, 0, INT64_MAX - 1, INT64_MAX };
	struct timeline timeline = { 0 };

	for (size_t i = 0; i < 5; i++)
		cr_assert(timeline_add(&timeline,
				       moment_of(times[i], 0, i, MOMENT_EVENT)));
	for (size_t i = 0; i < 5; i++)
		cr_expect_eq(timeline_remove(&timeline).nanos, sorted[i]);
	timeline_clear(&timeline);
}

Test(moment, keeps_chunk_offset_and_kind_in_a_word)
{
	static const struct {
		size_t chunk, offset;
	} places[] = { { 0, 0 },
		       { 0, 68 },
		       { 1, 0 },
		       { ((size_t)1 << 22) - 1,
			 ((size_t)1 << MOMENT_OFFSET_BITS) - 1 } };

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		for (int kind = MOMENT_OPENS; kind <= MOMENT_CLOSES; kind++) {
			struct moment moment = moment_of(-5, places[i].chunk,
							 places[i].offset,
							 (enum moment_kind)kind);

			cr_expect_eq(moment.nanos, -5);
			cr_expect_eq(moment_chunk(moment), places[i].chunk);
			cr_expect_eq(moment_offset(moment), places[i].offset);
			cr_expect_eq((int)moment_kind(moment), kind);
		}
	}
}

Test(moments, of_a_chunk_are_sorted_and_equal_ones_keep_their_places)
{
	enum { COUNT = 5000 };
	struct moment *moments = malloc(COUNT * sizeof(*moments));

	srandom(1);
	for (size_t i = 0; i < COUNT; i++)
		moments[i] = moment_of(random() % 50 - 25, 3, 100 + i, MOMENT_EVENT);
	moments[17].nanos = INT64_MIN;
	moments[4000].nanos = INT64_MIN;
	moments[23].nanos = INT64_MAX;
	moments_sort(moments, COUNT);
	for (size_t i = 1; i < COUNT; i++) {
		cr_assert_leq(moments[i - 1].nanos, moments[i].nanos);
		cr_assert(moments[i - 1].nanos < moments[i].nanos ||
			  moment_offset(moments[i - 1]) < moment_offset(moments[i]));
	}
	cr_expect_eq(moment_offset(moments[0]), 117);
	cr_expect_eq(moment_offset(moments[1]), 4100);
	cr_expect_eq(moment_offset(moments[COUNT - 1]), 123);
	moments_sort(NULL, 0);
	free(moments);
}
