/*
 * page.h - a chunk being printed: the chunk, and texts made once for it.
 *
 * Labels, rows and memos are made when the first event is printed: many pages may
 * wait. The text of a constant is kept in a memo when it is first printed; as it may
 * differ by indentation, there is a memo for each pool and variant. Any number of pens
 * share a page.
 */
#ifndef RENDER_PAGE_H
#define RENDER_PAGE_H

#include <stddef.h>

#include "base/arena.h"
#include "base/memo.h"
#include "jfr/chunk.h"
#include "render/columns.h"
#include "render/printer.h"

/* Variants below this are depths; what is printed deeper is not kept. */
#define PAGE_DEPTHS 13
#define PAGE_HIDDEN 13	/* of a method: some text if it is hidden, or none */
#define PAGE_STACK 14	/* a stack trace in its own layout */
#define PAGE_FLAT 15	/* text on one line, the same at all depths */
#define PAGE_CELL 16	/* a cell of a table */
#define PAGE_JAVA_THREAD_ID 17
#define PAGE_OS_THREAD_ID 18
#define PAGE_METHOD 19	/* of a method, without its parameters */
#define PAGE_VARIANTS 20

struct page {
	struct chunk chunk;
	const struct printer *printer;
	struct memo_store *store;
	struct memo **memos;	/* by type index; a row a variant; NULL: none */
	struct str **labels;	/* [type index][field]; NULL: not made yet */
	const struct columns *columns;	/* of a table, frozen; NULL: it is none */
	const struct row **rows;	/* by type index; NULL: not made yet */
	unsigned char *shown;	/* by type index: not 0 if an event of it is printed */
	struct arena arena;	/* memos, labels, rows */
	size_t waiting;		/* moments in the timeline that need the page */
	bool is_read;		/* all its events have been found */
	bool was_used;		/* an event of it was handed out */
	bool has_told;		/* what is wrong with its constants */
};

/*
 * For a chunk that is open. Takes little memory yet. False when memory runs out. The
 * columns of a table are set afterwards, before the first page_show.
 */
bool page_open(struct page *page, const struct printer *printer);

/*
 * An event of that type will be printed. To be called before the event is given to
 * other threads. False when memory runs out.
 */
bool page_show(struct page *page, const struct type *type);

/*
 * Makes what is needed to print events of the page, unless it is there. False when
 * memory runs out.
 */
bool page_ready(struct page *page);

void page_close(struct page *page);	/* closes the chunk too */

void page_free(struct page *page);	/* and gives back what calloc gave */

struct pages {
	struct page **items;		/* a vec */
	size_t count, capacity;
};

#endif
