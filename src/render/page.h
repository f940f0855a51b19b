/*
 * page.h - a chunk being printed: the chunk, and texts made once for it.
 *
 * Labels of event fields are made when the first event of its type is met. The text of a constant
 * is kept in a memo when it is first printed; as it may differ by indentation,
 * there is a memo for each pool and variant. Any number of pens share a page.
 */
#ifndef RENDER_PAGE_H
#define RENDER_PAGE_H

#include <stddef.h>

#include "base/arena.h"
#include "base/memo.h"
#include "jfr/chunk.h"
#include "render/printer.h"

/* Variants below this are depths; what is printed deeper is not kept. */
#define PAGE_DEPTHS 14
#define PAGE_STACK 14	/* a stack trace in its own layout */
#define PAGE_FLAT 15	/* text on one line, the same at all depths */
#define PAGE_VARIANTS 16

struct page {
	struct chunk chunk;
	const struct printer *printer;
	struct memo_store *store;
	struct memo **memos;	/* by type index; a row a variant; NULL: none */
	struct str **labels;	/* [type index][field]; NULL: not made yet */
	struct arena arena;	/* labels */
	size_t waiting;		/* moments in the timeline that need the page */
	bool is_read;		/* all its events have been found */
};

/* Prepares the memos for a chunk that is open. False when memory runs out. */
bool page_open(struct page *page, const struct printer *printer);

/*
 * Makes the labels of an event type, if they are not there. To be called before an
 * event of that type is given to other threads. False when memory runs out.
 */
bool page_label(struct page *page, const struct type *type);

void page_close(struct page *page);	/* closes the chunk too */

#endif
