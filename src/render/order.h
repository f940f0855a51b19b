/*
 * order.h - the events that are wanted, one after the other in the order of printing.
 *
 * Finds events in the input and holds their places, never the events. Chunks are pages
 * from when they are opened until nobody needs them.
 */
#ifndef RENDER_ORDER_H
#define RENDER_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/spool.h"
#include "base/vec.h"
#include "filter/filter.h"
#include "filter/outcome.h"
#include "filter/selection.h"
#include "jfr/damage.h"
#include "jfr/input.h"
#include "jfr/timeline.h"
#include "render/columns.h"
#include "render/page.h"
#include "render/pen.h"

enum order_kind {
	ORDER_BY_CHUNK,		/* chunks as they come, in each of them by end */
	ORDER_BY_END,		/* over all chunks, as far as the timeline reaches */
	ORDER_BY_START,		/* over all chunks */
};

/* The moments of a page, in the spool, in order. */
struct order_run {
	size_t at, end;		/* counted in moments */
};

struct order {
	/* Set by the caller; the rest must be zeroed. */
	struct input *input;
	const struct filter *filter;	/* resolved, if it has a window */
	const struct printer *printer;
	enum order_kind kind;
	bool is_counted;	/* only what can be printed must be given */
	struct damage *damage;
	struct err *err;
	struct pages *done;	/* where pages go that nobody needs any more */

	bool has_failed;	/* err tells why */
	struct columns columns;		/* of a table */
	struct outcome outcome;		/* of the filter */
	/* private */
	struct pages pages;		/* by chunk; NULL once nobody needs it */
	struct page *page;		/* whose events are being found; NULL: at the end */
	struct event_walk walk;
	struct selection selection;	/* of the page */
	unsigned char *interests;	/* enum interest, by type index of the page */
	struct timeline timeline;	/* what waits */
	VEC(struct moment) sorted;	/* the page's events, in order */
	size_t sorted_at;
	bool is_sorted;			/* all of the page is in there */
	struct spool spool;		/* the moments of all runs */
	VEC(struct order_run) runs;	/* by chunk */
	const struct moment *moments;	/* in the spool, when it is complete */
	bool is_collected;		/* all runs are there */
};

/* Opens the first chunk. False, with err, if there is none. */
bool order_open(struct order *order);

/*
 * The next place, whose page is ready to be printed from; false at the end, or after a
 * failure. The page may be in order->done already: it must be there until the place was
 * used. Contextual events come three times, if the printer is ordered by time.
 */
bool order_next(struct order *order, struct spot *spot, enum moment_kind *kind);

/* True if the next place can be had without reading another chunk, which may take long. */
bool order_is_at_hand(const struct order *order);

/*
 * What came of the filter as far as events were found, for the caller to clear. Nothing can
 * be found afterwards.
 */
struct outcome order_outcome(struct order *order);

void order_close(struct order *order);

#endif
