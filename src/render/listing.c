#include "render/listing.h"

#include <stdlib.h>

#include "base/crew.h"
#include "render/context.h"
#include "render/order.h"
#include "render/pen.h"

/*
 * Events of one item: enough to hide the locks, few enough for the cache. Ordering by
 * time moves the timeline, some megabytes, into the cache of the thread that does it,
 * and so should be done for many events at a time.
 */
#define BATCH_EVENTS 128
#define BATCH_EVENTS_BY_TIME 4096
#define BATCH_CONTEXTS 16384	/* with so many it ends early, */
#define BATCH_PAGES 4		/* or with so many pages that wait for it */

/* Text kept of a batch until its turn comes; what is more is made then. */
#define BATCH_TEXT ((size_t)16 << 20)

struct batch {
	VEC(struct task) tasks;
	VEC(struct spot) contexts;	/* of all tasks, one after the other */
	size_t drawn;			/* tasks whose text is, or was, there */
	struct pages done;		/* needed by nobody after this batch */
	struct pen pen;
	struct buf text;
	struct damage damage;
};

/* An event to print. */
struct task {
	struct spot spot;
	size_t context_first, context_count;
};

struct listing {
	const struct listing_request *request;
	struct order order;
	struct context context;
	struct out *out;
	struct damage finding;		/* of order; batches have their own */
	struct damage printing;		/* of the batches taken */
	uint64_t left;			/* events that may still be printed */
	bool has_written;		/* an event */
	bool has_failed;		/* no memory */
};

static bool fail_memory(struct listing *listing)
{
	err_memory(listing->order.err);
	listing->has_failed = true;
	return false;
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

static bool hand_out(struct listing *listing, struct batch *batch,
		     const struct spot *spot, enum moment_kind kind)
{
	switch (kind) {
	case MOMENT_OPENS:
		return context_open(&listing->context, spot) || fail_memory(listing);
	case MOMENT_CLOSES:
		context_close(&listing->context, spot);
		return true;
	case MOMENT_EVENT:
		listing->left--;
		return add_task(listing, batch, spot);
	}
	return true;
}

static bool next(void *context, void *item)
{
	struct listing *listing = context;
	struct batch *batch = item;
	bool is_chunked = listing->order.kind == ORDER_BY_CHUNK;
	size_t limit = is_chunked ? BATCH_EVENTS : BATCH_EVENTS_BY_TIME;
	enum moment_kind kind;
	struct spot spot;

	batch->tasks.count = batch->contexts.count = batch->done.count = 0;
	listing->order.done = &batch->done;
	while (batch->tasks.count < limit && batch->contexts.count < BATCH_CONTEXTS &&
	       batch->done.count < BATCH_PAGES && listing->left > 0 && !listing->has_failed &&
	       order_next(&listing->order, &spot, &kind)) {
		if (!hand_out(listing, batch, &spot, kind) ||
		    !order_is_at_hand(&listing->order))
			break;	/* what is there should not wait for what may come */
	}
	input_tick(listing->request->input);
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

static bool listing_run(struct listing *listing)
{
	const struct printer *printer = listing->request->printer;

	if (!order_open(&listing->order))
		return false;
	printer->begin(&listing->out->buf);
	if (printer->head)
		printer->head(&listing->out->buf, &listing->order.columns);
	if (!crew_run(&crew, listing, listing->request->threads) && !listing->out->error &&
	    !listing->order.has_failed)
		return err_memory(listing->order.err);
	printer->end(&listing->out->buf);
	return !listing->order.has_failed && !listing->has_failed && !listing->out->error;
}

static enum order_kind order_of(const struct listing_request *request)
{
	if (request->is_by_start)
		return ORDER_BY_START;
	return request->printer->by_time ? ORDER_BY_END : ORDER_BY_CHUNK;
}

bool listing_print(const struct listing_request *request, struct out *out,
		   struct damage *damage, struct err *err)
{
	struct listing listing = {
		.request = request,
		.order = { .input = request->input, .filter = request->filter,
			   .printer = request->printer, .kind = order_of(request),
			   .is_counted = request->has_limit,
			   .err = err },
		.out = out,
		.left = request->has_limit ? request->limit : UINT64_MAX,
	};
	bool good;

	*err = (struct err){ 0 };
	listing.order.damage = &listing.finding;
	good = listing_run(&listing);
	if (request->outcome)
		*request->outcome = order_outcome(&listing.order);
	damage_merge(damage, &listing.finding);
	damage_merge(damage, &listing.printing);
	damage_clear(&listing.finding);
	damage_clear(&listing.printing);
	order_close(&listing.order);
	context_clear(&listing.context);
	return good;
}
