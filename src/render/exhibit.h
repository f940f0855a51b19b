/*
 * exhibit.h - what a view shows, as text: table or form, and with --verbose its query.
 */
#ifndef RENDER_EXHIBIT_H
#define RENDER_EXHIBIT_H

#include <stdbool.h>

#include "query/inquiry.h"
#include "query/views.h"
#include "render/out.h"
#include "render/table.h"

/* A view and what came out of its query; the view is NULL for that of an event type. */
struct exhibit {
	const struct view *view;
	struct question *question;
	struct str query;	/* the text that was asked; bytes NULL: not kept */
	bool is_event_type;	/* asked for by its name, or by the end of a query */
};

/* The title above it: of an event type its label, bytes NULL if it has none. */
struct str exhibit_title(const struct exhibit *exhibit);

/*
 * Writes it as the JDK does: of a view whose event types or fields the recording lacks
 * that they are missing; of an event type with too many fields for a plan, nothing. The
 * layout's title is not looked at.
 */
void exhibit_write(const struct exhibit *exhibit, const struct layout *layout,
		   struct out *out);

/* All event types, and for each the views that ask for it. */
void exhibit_relations(const struct inquiry *inquiry, const struct exhibit *exhibits,
		       size_t count, struct out *out);

#endif
