#include "render/order.h"

#include <stdlib.h>

#include "jfr/checkpoint.h"
#include "jfr/event.h"

/* What is to be done with the events of a type. */
enum interest { INTEREST_NONE, INTEREST_SHOWN = 1, INTEREST_CONTEXT = 2 };

static bool fail(struct order *order)
{
	order->has_failed = true;
	return false;
}

static bool fail_memory(struct order *order)
{
	err_memory(order->err);
	return fail(order);
}

/* By type index, for the caller to free; NULL without memory. */
static unsigned char *interests_of(const struct order *order,
				   const struct selection *selection)
{
	const struct metadata *metadata = &selection->chunk->metadata;
	unsigned char *interests = calloc(metadata->type_count + 1, 1);

	for (size_t i = 0; interests && i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];

		if (!type->is_event)
			continue;
		if (selection_has_type(selection, type))
			interests[i] |= INTEREST_SHOWN;
		if (order->printer->by_time && type->is_contextual)
			interests[i] |= INTEREST_CONTEXT;
	}
	return interests;
}

/* The columns of what will be printed of a chunk. */
static bool add_columns(void *context, const struct chunk *chunk)
{
	struct order *order = context;
	struct selection selection = { .chunk = NULL };
	unsigned char *shown = NULL;
	bool is_good;

	if (selection_open(&selection, chunk, order->filter, NULL))
		shown = interests_of(order, &selection);
	is_good = shown && columns_add(&order->columns, &chunk->metadata, shown);
	selection_close(&selection);
	free(shown);
	return is_good;
}

/* Those of all chunks if they can be had beforehand, else those of the first. */
static bool find_columns(struct order *order)
{
	if (order->page && !add_columns(order, &order->page->chunk))
		return fail_memory(order);
	input_preview(order->input, add_columns, order);
	return columns_freeze(&order->columns) || fail_memory(order);
}

/* Also again, after they were dropped: then what is wrong with them is known. */
static bool load_constants(struct order *order, struct page *page)
{
	struct damage known = { 0 };
	struct damage *damage = page->has_told ? &known : order->damage;
	bool is_good = page->chunk.pools || checkpoint_load(&page->chunk, damage, NULL);

	page->has_told = true;
	damage_clear(&known);
	return is_good;
}

/* So as to find events. Where pages are printed at once, they can as well be there. */
static bool needs_constants(const struct order *order)
{
	return order->kind == ORDER_BY_CHUNK || filter_needs_constants(order->filter);
}

/* Makes the chunk the page to read; it is the page's from here on. */
static bool add_page(struct order *order, struct chunk *chunk)
{
	struct page *page = calloc(1, sizeof(*page));

	if (!page) {
		chunk_close(chunk);
		return false;
	}
	page->chunk = *chunk;
	/* Chunks that could not be opened have no page. */
	while (order->pages.count < page->chunk.index &&
	       vec_push(&order->pages, (struct page *)NULL))
		;
	if ((needs_constants(order) && !load_constants(order, page)) ||
	    !page_open(page, order->printer) ||
	    order->pages.count != page->chunk.index ||
	    !vec_push(&order->pages, page)) {
		page_free(page);
		return false;
	}
	if (order->printer->head)
		page->columns = &order->columns;
	order->page = page;
	order->walk = event_walk(&page->chunk, order->damage);
	if (!selection_open(&order->selection, &page->chunk, order->filter, NULL))
		return false;
	order->interests = interests_of(order, &order->selection);
	return order->interests != NULL;
}

/* All its events have been found: while it is there still, the filter's outcome. */
static bool finish_page(struct order *order)
{
	bool is_good = !order->selection.failed &&
		       outcome_add(&order->outcome, &order->selection);

	order->page->is_read = true;
	selection_close(&order->selection);
	/* Many pages may wait until they are printed from. */
	if (order->kind != ORDER_BY_CHUNK && !order->page->was_used)
		chunk_drop_pools(&order->page->chunk);
	free(order->interests);
	order->interests = NULL;
	return is_good || fail_memory(order);
}

/* Goes on to the next chunk; page is NULL at the end of the input. */
static bool next_page(struct order *order)
{
	struct chunk chunk;

	order->page = NULL;
	while (input_open_next(order->input, &chunk, order->damage, order->err)) {
		if (moment_fits(chunk.index, chunk.size))
			return add_page(order, &chunk) || fail_memory(order);
		damage_add(order->damage, "this chunk is too large, or comes too late",
			   STR(""), chunk_site(&chunk, 0));
		chunk_close(&chunk);
	}
	return order->err->kind == ERR_NONE || fail(order);
}

bool order_open(struct order *order)
{
	return next_page(order) && (!order->printer->head || find_columns(order));
}

/* Hands the page over if nobody needs it later. */
static bool retire(struct order *order, struct page *page)
{
	if (!page->is_read || page->waiting > 0)
		return true;
	if (order->page == page)
		order->page = NULL;
	if (page->was_used && !vec_push(order->done, page))
		return fail_memory(order);
	order->pages.items[page->chunk.index] = NULL;
	if (!page->was_used)
		page_free(page);
	return true;
}

/* True if the event can be decoded. */
static bool fits(const struct chunk *chunk, const struct event *event)
{
	struct cursor cursor = event_cursor(chunk, event);

	return value_skip(&event->type->program, &cursor);
}

static void lose_event(struct order *order, const struct event *event,
		       const char *fault)
{
	damage_add(order->damage, fault, event->type->name,
		   chunk_site(&order->page->chunk, event->offset));
}

/* Takes the event out of what is shown if the filter does. False: nobody wants it. */
static bool is_selected(struct order *order, const struct event *event,
		   enum interest *interest, int64_t start, int64_t end)
{
	if (!(*interest & INTEREST_SHOWN) ||
	    selection_accepts(&order->selection, event, start, end))
		return true;
	if (order->selection.fault)
		lose_event(order, event, order->selection.fault);
	*interest &= INTEREST_CONTEXT;
	return *interest != INTEREST_NONE;
}

/*
 * The next event that somebody wants; false at the end of the page. Its time is in
 * ticks.
 */
static bool find_event(struct order *order, struct event *event, enum interest *interest,
		       int64_t *start, int64_t *end)
{
	const struct chunk *chunk = &order->page->chunk;

	while (event_next(&order->walk, event)) {
		if (!event->type)
			continue;
		*interest = order->interests[event->type->index];
		if (*interest == INTEREST_NONE)
			continue;
		if (!event_ticks(chunk, event, start, end) ||
		    (order->is_counted && !fits(chunk, event)))
			lose_event(order, event, event_fault(event));
		else if (is_selected(order, event, interest, *start, *end))
			return page_show(order->page, event->type) || fail_memory(order);
	}
	return order->selection.failed && fail_memory(order);
}

static bool wait_moment(struct order *order, int64_t ticks, size_t offset,
			enum moment_kind kind)
{
	struct page *page = order->page;
	int64_t nanos = clock_nanos(&page->chunk.clock, ticks);

	page->waiting++;
	return timeline_add(&order->timeline,
			    moment_of(nanos, page->chunk.index, offset, kind)) ||
	       fail_memory(order);
}

/* Puts the next event of the input into the timeline. */
static bool read_event(struct order *order)
{
	struct page *page = order->page;
	enum interest interest;
	struct event event;
	int64_t start, end;

	if (!find_event(order, &event, &interest, &start, &end)) {
		return !order->has_failed && finish_page(order) &&
		       retire(order, page) && next_page(order);
	}
	if (interest & INTEREST_CONTEXT &&
	    (!wait_moment(order, start, event.offset, MOMENT_OPENS) ||
	     !wait_moment(order, end, event.offset, MOMENT_CLOSES)))
		return false;
	return !(interest & INTEREST_SHOWN) ||
	       wait_moment(order, end, event.offset, MOMENT_EVENT);
}

static bool next_by_end(struct order *order, struct moment *moment)
{
	while (order->page && order->timeline.count <= TIMELINE_WINDOW) {
		if (!read_event(order))
			return false;
	}
	if (order->timeline.count == 0)
		return false;
	*moment = timeline_remove(&order->timeline);
	return true;
}

static bool sort_moment(struct order *order, int64_t time, size_t offset,
			enum moment_kind kind)
{
	return vec_push(&order->sorted, moment_of(time, order->page->chunk.index, offset,
						  kind)) ||
	       fail_memory(order);
}

/* By start, which is compared with that of other chunks and so must be in nanoseconds. */
static bool sort_by_start(struct order *order, const struct event *event,
			  enum interest interest, int64_t start, int64_t end)
{
	const struct clock *clock = &order->page->chunk.clock;
	int64_t from = clock_nanos(clock, start);

	if (interest & INTEREST_CONTEXT &&
	    (!sort_moment(order, from, event->offset, MOMENT_OPENS) ||
	     !sort_moment(order, clock_nanos(clock, end), event->offset, MOMENT_CLOSES)))
		return false;
	return !(interest & INTEREST_SHOWN) ||
	       sort_moment(order, from, event->offset, MOMENT_EVENT);
}

/* Finds all events of the page and sorts them. */
static bool sort_page(struct order *order)
{
	struct page *page = order->page;
	enum interest interest;
	struct event event;
	int64_t start, end;

	order->sorted.count = 0;
	order->sorted_at = 0;
	while (find_event(order, &event, &interest, &start, &end)) {
		bool is_kept = order->kind == ORDER_BY_START
			? sort_by_start(order, &event, interest, start, end)
			: sort_moment(order, end, event.offset, MOMENT_EVENT);

		if (!is_kept)
			return false;
	}
	if (order->has_failed || !finish_page(order))
		return false;
	page->waiting = order->sorted.count;
	moments_sort(order->sorted.items, order->sorted.count);
	return order->sorted.count > 0 || retire(order, page);
}

/* The page may be gone once its last moment was handed out: it is not looked at. */
static bool next_by_chunk(struct order *order, struct moment *moment)
{
	while (order->sorted_at == order->sorted.count) {
		if (order->is_sorted && !next_page(order))
			return false;
		order->is_sorted = false;
		if (!order->page || !sort_page(order))
			return false;
		order->is_sorted = true;
	}
	*moment = order->sorted.items[order->sorted_at++];
	return true;
}

/* Puts the sorted moments of the page behind those of others. */
static bool add_run(struct order *order, size_t index)
{
	size_t first = order->spool.size / sizeof(struct moment);
	struct order_run run = { first, first + order->sorted.count };
	const char *bytes = (const char *)order->sorted.items;
	size_t left = order->sorted.count * sizeof(struct moment);
	struct order_run none = { 0 };

	while (left) {
		size_t room = left;
		unsigned char *to = spool_room(&order->spool, &room, order->err);

		if (!to)
			return fail(order);
		memcpy(to, bytes, room);
		if (!spool_added(&order->spool, room, order->err))
			return fail(order);
		bytes += room;
		left -= room;
	}
	while (order->runs.count < index) {
		if (!vec_push(&order->runs, none))
			return fail_memory(order);
	}
	return vec_push(&order->runs, run) || fail_memory(order);
}

/* The next moment of the chunk's run takes its place among those of others. */
static bool wait_next(struct order *order, size_t chunk)
{
	struct order_run *run = &order->runs.items[chunk];

	return run->at == run->end ||
	       timeline_add(&order->timeline, order->moments[run->at++]) ||
	       fail_memory(order);
}

/* Sorts each chunk; its constants are not needed until it is printed from. */
static bool collect(struct order *order)
{
	while (order->page) {
		size_t index = order->page->chunk.index;

		if (!sort_page(order) || !add_run(order, index) || !next_page(order))
			return false;
	}
	order->moments = (const void *)spool_bytes(&order->spool, order->err);
	if (!order->moments)
		return fail(order);
	for (size_t i = 0; i < order->runs.count; i++) {
		if (!wait_next(order, i))
			return false;
	}
	order->is_collected = true;
	return true;
}

static bool next_by_start(struct order *order, struct moment *moment)
{
	if (!order->is_collected && !collect(order))
		return false;
	if (order->timeline.count == 0)
		return false;
	*moment = timeline_remove(&order->timeline);
	return wait_next(order, moment_chunk(*moment));
}

bool order_next(struct order *order, struct spot *spot, enum moment_kind *kind)
{
	static bool (*const nexts[])(struct order *, struct moment *) = {
		[ORDER_BY_CHUNK] = next_by_chunk,
		[ORDER_BY_END] = next_by_end,
		[ORDER_BY_START] = next_by_start,
	};
	struct moment moment;
	struct page *page;

	if (order->has_failed || !nexts[order->kind](order, &moment))
		return false;
	page = order->pages.items[moment_chunk(moment)];
	page->waiting--;
	page->was_used = true;
	if (!load_constants(order, page) || !page_ready(page))
		return fail_memory(order);
	*spot = (struct spot){ page, moment_offset(moment) };
	*kind = moment_kind(moment);
	if (order->page)
		order->input->pending = order->page->chunk.size - order->walk.at;
	return retire(order, page);
}

bool order_is_at_hand(const struct order *order)
{
	return order->kind != ORDER_BY_CHUNK || order->sorted_at < order->sorted.count;
}

struct outcome order_outcome(struct order *order)
{
	struct outcome outcome;

	if (order->page && !order->page->is_read)
		finish_page(order);
	outcome = order->outcome;
	order->outcome = (struct outcome){ .chunks = 0 };
	return outcome;
}

void order_close(struct order *order)
{
	for (size_t i = 0; i < order->pages.count; i++) {
		if (order->pages.items[i])
			page_free(order->pages.items[i]);
	}
	vec_clear(&order->pages);
	vec_clear(&order->sorted);
	vec_clear(&order->runs);
	spool_clear(&order->spool);
	timeline_clear(&order->timeline);
	columns_clear(&order->columns);
	selection_close(&order->selection);
	outcome_clear(&order->outcome);
	free(order->interests);
}
