/*
 * listing.h - all events of a recording through a printer, on all cores.
 *
 * Finding events and putting them in order (render/order) is for one thread at a time,
 * making their text that of all, writing it again that of one (base/crew). What is
 * held is places of events and a few open chunks, never decoded events.
 */
#ifndef RENDER_LISTING_H
#define RENDER_LISTING_H

#include <stdbool.h>

#include "base/err.h"
#include "filter/filter.h"
#include "filter/outcome.h"
#include "jfr/damage.h"
#include "jfr/input.h"
#include "render/out.h"
#include "render/printer.h"

struct listing_request {
	struct input *input;
	const struct filter *filter;
	const struct printer *printer;
	struct print_options options;
	bool is_by_start;	/* in order of their start, not as the printer has it */
	bool has_limit;
	uint64_t limit;		/* no more events than that */
	struct outcome *outcome;	/* gets what came of the filter; NULL: no */
	int threads;
};

/*
 * Prints to `out`. What is damaged is left out and told in `damage`. False if no chunk
 * could be opened, memory ran out, or `out` failed.
 */
bool listing_print(const struct listing_request *request, struct out *out,
		   struct damage *damage, struct err *err);

#endif
