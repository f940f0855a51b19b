#include "render/listing.h"

#include <stdlib.h>

#include "base/crew.h"
#include "jfr/timeline.h"
#include "render/context.h"
#include "render/pen.h"

/*
 * Events of one item: enough to hide the locks, few enough for the cache. Ordering by
 * time moves the timeline, some megabytes, into the cache of the thread that does it,
 * and so should be done for many events at a time.
 */
#define BATCH_EVENTS 128
#define BATCH_EVENTS_BY_TIME 4096
#define BATCH_CONTEXTS 16384	/* with so many it ends early */

/* Text kept of a batch until its turn comes; what is more is made then. */
#define BATCH_TEXT ((size_t)16 << 20)

struct batch {
	VEC(struct task) tasks;
	VEC(struct spot) contexts;	/* of all tasks, one after the other */
	size_t drawn;			/* tasks whose text is, or was, there */
	VEC(struct page *) done;	/* needed by nobody after this batch */
	struct pen pen;
	struct buf text;
	struct damage damage;
};

/* An event to print. */
struct task {
	struct spot spot;
	size_t context_first, context_count;
};

/* What is to be done with the events of a type. */
enum interest { INTEREST_NONE, INTEREST_SHOWN = 1, INTEREST_CONTEXT = 2 };

struct listing {
	const struct listing_request *request;
	struct out *out;
	struct damage *damage;		/* of finding; batches have their own */
	struct damage printing;		/* of the batches taken */
	struct err *err;
	bool has_failed;		/* err tells why */
	struct columns columns;		/* of a table: what the first chunk has */

	VEC(struct page *) pages;	/* by chunk; NULL once nobody needs it */
	struct page *page;		/* whose events are being found; NULL: at the end */
	struct event_walk walk;
	unsigned char *interests;	/* enum interest, by type index of the page */

	struct timeline timeline;	/* printers by time: what waits */
	struct context context;
	VEC(struct moment) sorted;	/* other printers: the page's events, in order */
	size_t sorted_at;
	bool is_sorted;			/* all of the page is in there */

	bool has_written;		/* an event */
};

static bool fail(struct listing *listing)
{
	listing->has_failed = true;
	return false;
}

static bool fail_memory(struct listing *listing)
{
	err_memory(listing->err);
	return fail(listing);
}

static bool set_interests(struct listing *listing)
{
	const struct metadata *metadata = &listing->page->chunk.metadata;
	bool by_time = listing->request->printer->by_time;

	free(listing->interests);
	listing->interests = calloc(metadata->type_count + 1, 1);
	if (!listing->interests)
		return err_memory(listing->err);
	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];

		if (!type->is_event)
			continue;
		if (filter_accepts(listing->request->filter, type))
			listing->interests[i] |= INTEREST_SHOWN;
		if (by_time && type->is_contextual)
			listing->interests[i] |= INTEREST_CONTEXT;
	}
	return true;
}

static void page_free(struct page *page)
{
	page_close(page);
	free(page);
}

/* Opens the chunk at that place as the page to read. */
static bool open_page(struct listing *listing, const struct chunk_place *place)
{
	const struct listing_request *request = listing->request;
	struct page *page;

	if (!moment_fits(place->index, place->size))
		return err_set(listing->err, ERR_FORMAT,
			       "chunk %zu at byte %llu: too many chunks, or too large",
			       place->index + 1, (unsigned long long)place->offset);
	page = calloc(1, sizeof(*page));
	if (!page)
		return err_memory(listing->err);
	if (!recording_chunk(request->recording, place, &page->chunk, listing->err) ||
	    !chunk_load_pools(&page->chunk, listing->damage, listing->err) ||
	    (!page_open(page, request->printer) && !err_memory(listing->err)) ||
	    (!vec_push(&listing->pages, page) && !err_memory(listing->err))) {
		page_free(page);
		return false;
	}
	listing->page = page;
	listing->walk = event_walk(&page->chunk);
	if (request->printer->head)
		page->columns = &listing->columns;
	if (request->printer->in_utc)
		page->chunk.zone = 0;
	return set_interests(listing);
}

/*
 * Goes on to the next chunk; page is NULL at the end of the input. Chunks that
 * cannot be opened are left out, but the first one must open.
 */
static bool next_page(struct listing *listing)
{
	struct chunk_place place;
	struct err *err = listing->err;

	listing->page = NULL;
	while (recording_next(listing->request->recording, &place, err)) {
		if (open_page(listing, &place))
			return true;
		if (err->kind == ERR_MEMORY || listing->pages.count == 0)
			return fail(listing);
		damage_add_chunk(listing->damage, err);
		if (!vec_push(&listing->pages, NULL))
			return err_memory(err) || fail(listing);
	}
	if (err->kind != ERR_NONE && listing->pages.count == 0)
		return fail(listing);
	listing->damage->stop = *err;
	*err = (struct err){ 0 };
	return true;
}

/* Hands the page over to the batch if nobody later needs it. */
static bool retire(struct listing *listing, struct page *page, struct batch *batch)
{
	if (!page->is_read || page->waiting > 0)
		return true;
	if (!vec_push(&batch->done, page))
		return fail_memory(listing);
	listing->pages.items[page->chunk.index] = NULL;
	return true;
}

static void note_fault(struct listing *listing)
{
	const struct chunk *chunk = &listing->page->chunk;

	if (listing->walk.fault)
		damage_add(listing->damage, listing->walk.fault, STR(""), chunk->index,
			   chunk->offset + listing->walk.at);
}

/*
 * The next event that somebody wants; false at the end of the page. Its time is in
 * ticks.
 */
static bool find_event(struct listing *listing, struct event *event,
		       enum interest *interest, int64_t *start, int64_t *end)
{
	const struct chunk *chunk = &listing->page->chunk;

	while (event_next(&listing->walk, event)) {
		if (!event->type)
			continue;
		*interest = listing->interests[event->type->index];
		if (*interest == INTEREST_NONE)
			continue;
		if (event_ticks(chunk, event, start, end))
			return page_show(listing->page, event->type) ||
			       fail_memory(listing);
		damage_add(listing->damage, event_fault(event), event->type->name,
			   chunk->index, chunk->offset + event->offset);
	}
	note_fault(listing);
	return false;
}

static bool wait_moment(struct listing *listing, int64_t ticks, size_t offset,
			enum moment_kind kind)
{
	struct page *page = listing->page;
	int64_t nanos = clock_nanos(&page->chunk.clock, ticks);

	page->waiting++;
	return timeline_add(&listing->timeline,
			    moment_of(nanos, page->chunk.index, offset, kind)) ||
	       fail_memory(listing);
}

/* Puts the next event of the input into the timeline. */
static bool read_event(struct listing *listing, struct batch *batch)
{
	struct page *page = listing->page;
	enum interest interest;
	struct event event;
	int64_t start, end;

	if (!find_event(listing, &event, &interest, &start, &end)) {
		if (listing->has_failed)
			return false;
		page->is_read = true;
		return retire(listing, page, batch) && next_page(listing);
	}
	if (interest & INTEREST_CONTEXT &&
	    (!wait_moment(listing, start, event.offset, MOMENT_OPENS) ||
	     !wait_moment(listing, end, event.offset, MOMENT_CLOSES)))
		return false;
	return !(interest & INTEREST_SHOWN) ||
	       wait_moment(listing, end, event.offset, MOMENT_EVENT);
}

/* The next moment by time; false at the end or after a failure. */
static bool next_by_time(struct listing *listing, struct batch *batch,
			 struct moment *moment)
{
	while (listing->page && listing->timeline.count <= TIMELINE_WINDOW) {
		if (!read_event(listing, batch))
			return false;
	}
	if (listing->timeline.count == 0)
		return false;
	*moment = timeline_remove(&listing->timeline);
	return true;
}

/* Finds all events of the page and sorts them by the ticks of their end. */
static bool sort_page(struct listing *listing)
{
	struct page *page = listing->page;
	enum interest interest;
	struct event event;
	int64_t start, end;

	listing->sorted.count = 0;
	listing->sorted_at = 0;
	while (find_event(listing, &event, &interest, &start, &end)) {
		struct moment moment = moment_of(end, page->chunk.index, event.offset,
						 MOMENT_EVENT);

		if (!vec_push(&listing->sorted, moment))
			return fail_memory(listing);
	}
	if (listing->has_failed)
		return false;
	page->waiting = listing->sorted.count;
	page->is_read = true;
	moments_sort(listing->sorted.items, listing->sorted.count);
	return true;
}

/* The page may be gone once its last moment was handed out: it is not looked at. */
static bool next_of_page(struct listing *listing, struct batch *batch,
			 struct moment *moment)
{
	while (listing->sorted_at == listing->sorted.count) {
		if (listing->is_sorted && !next_page(listing))
			return false;
		listing->is_sorted = false;
		if (!listing->page || !sort_page(listing))
			return false;
		listing->is_sorted = true;
		if (listing->sorted.count == 0 && !retire(listing, listing->page, batch))
			return false;
	}
	*moment = listing->sorted.items[listing->sorted_at++];
	return true;
}

static bool add_task(struct listing *listing, struct batch *batch,
		     const struct spot *spot)
{
	const struct context_thread *around = context_around(&listing->context, spot);
	struct task task = { .spot = *spot, .context_first = batch->contexts.count };

	for (size_t i = 0; around && i < around->open.count; i++) {
		if (!vec_push(&batch->contexts, around->open.items[i]))
			return fail_memory(listing);
	}
	task.context_count = batch->contexts.count - task.context_first;
	return vec_push(&batch->tasks, task) || fail_memory(listing);
}

static bool hand_out(struct listing *listing, struct batch *batch, struct moment moment)
{
	struct page *page = listing->pages.items[moment_chunk(moment)];
	struct spot spot = { page, moment_offset(moment) };

	page->waiting--;
	if (!page_ready(page))
		return fail_memory(listing);
	switch (moment_kind(moment)) {
	case MOMENT_OPENS:
		if (!context_open(&listing->context, &spot))
			return fail_memory(listing);
		break;
	case MOMENT_CLOSES:
		context_close(&listing->context, &spot);
		break;
	case MOMENT_EVENT:
		if (!add_task(listing, batch, &spot))
			return false;
	}
	return retire(listing, page, batch);
}

static bool next(void *context, void *item)
{
	struct listing *listing = context;
	struct batch *batch = item;
	bool by_time = listing->request->printer->by_time;
	bool (*next_moment)(struct listing *, struct batch *, struct moment *) =
		by_time ? next_by_time : next_of_page;
	size_t limit = by_time ? BATCH_EVENTS_BY_TIME : BATCH_EVENTS;
	struct moment moment;

	batch->tasks.count = batch->contexts.count = batch->done.count = 0;
	while (batch->tasks.count < limit && batch->contexts.count < BATCH_CONTEXTS &&
	       !listing->has_failed && next_moment(listing, batch, &moment)) {
		if (!hand_out(listing, batch, moment))
			break;
	}
	return batch->tasks.count > 0 || batch->done.count > 0;
}

/* Makes text of tasks until it is long. */
static void draw(struct batch *batch)
{
	struct pen *pen = &batch->pen;

	if (batch->text.capacity > 4 * BATCH_TEXT)
		buf_clear(&batch->text);
	buf_reset(&batch->text);
	while (batch->drawn < batch->tasks.count && batch->text.size < BATCH_TEXT &&
	       !pen->failed) {
		const struct task *task = &batch->tasks.items[batch->drawn++];

		pen->context_count = task->context_count;
		if (task->context_count)
			pen->contexts = batch->contexts.items + task->context_first;
		pen_event(pen, &task->spot);
	}
}

static void work(void *context, void *item)
{
	const struct listing *listing = context;
	struct batch *batch = item;

	batch->pen.to = &batch->text;
	batch->pen.options = &listing->request->options;
	batch->pen.damage = &batch->damage;
	batch->drawn = 0;
	draw(batch);
}

static void free_done(struct batch *batch)
{
	for (size_t i = 0; i < batch->done.count; i++)
		page_free(batch->done.items[i]);
	batch->done.count = 0;
}

/* Nothing stands between the first event and the one before, which is none. */
static bool write_text(struct listing *listing, const struct batch *batch)
{
	const struct buf *text = &batch->text;
	size_t skipped = 0;

	if (text->size == 0)
		return true;
	if (!listing->has_written)
		skipped = strlen(listing->request->printer->between);
	listing->has_written = true;
	return out_write(listing->out, text->bytes + skipped, text->size - skipped);
}

static bool take(void *context, void *item)
{
	struct listing *listing = context;
	struct batch *batch = item;
	bool good = write_text(listing, batch);

	while (good && batch->drawn < batch->tasks.count && !batch->pen.failed) {
		draw(batch);
		good = write_text(listing, batch);
	}
	free_done(batch);
	damage_merge(&listing->printing, &batch->damage);
	return good && !batch->pen.failed;
}

static void release(void *item)
{
	struct batch *batch = item;

	free_done(batch);	/* of a batch that nobody took */
	pen_clear(&batch->pen);
	buf_clear(&batch->text);
	damage_clear(&batch->damage);
	vec_clear(&batch->tasks);
	vec_clear(&batch->contexts);
	vec_clear(&batch->done);
}

static const struct crew crew = { sizeof(struct batch), next, work, take, release };

static void listing_clear(struct listing *listing)
{
	for (size_t i = 0; i < listing->pages.count; i++) {
		if (listing->pages.items[i])
			page_free(listing->pages.items[i]);
	}
	vec_clear(&listing->pages);
	vec_clear(&listing->sorted);
	timeline_clear(&listing->timeline);
	context_clear(&listing->context);
	columns_clear(&listing->columns);
	free(listing->interests);
}

/* Of the types that are shown, whether or not there are events of them. */
static bool find_columns(struct listing *listing)
{
	const struct page *page = listing->page;

	return ((!page || columns_add(&listing->columns, &page->chunk.metadata,
				      listing->interests)) &&
		columns_freeze(&listing->columns)) ||
	       err_memory(listing->err);
}

static bool listing_run(struct listing *listing)
{
	const struct listing_request *request = listing->request;

	if (!next_page(listing) ||
	    (request->printer->head && !find_columns(listing)))
		return false;
	request->printer->begin(&listing->out->buf);
	if (request->printer->head)
		request->printer->head(&listing->out->buf, &listing->columns);
	if (!crew_run(&crew, listing, request->threads) && !listing->out->error &&
	    !listing->has_failed)
		return err_memory(listing->err);
	request->printer->end(&listing->out->buf);
	return !listing->has_failed && !listing->out->error;
}

bool listing_print(const struct listing_request *request, struct out *out,
		   struct damage *damage, struct err *err)
{
	struct listing listing = { .request = request, .out = out, .damage = damage,
				   .err = err };
	bool good = listing_run(&listing);

	damage_merge(damage, &listing.printing);
	damage_clear(&listing.printing);
	listing_clear(&listing);
	return good;
}
