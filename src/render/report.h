/*
 * report.h - what verify found, as lines of text or as one JSON document.
 *
 *	report_finding(&report, &finding);	for each, then
 *	report_verdict(&report, "r.jfr", &verdict);
 *	...					for each input; at the end
 *	report_end(&report);
 *
 * All is written as it comes, to report.out, which keeps the first failure. Names from
 * a recording cannot end a line, nor reach the terminal as control characters.
 */
#ifndef RENDER_REPORT_H
#define RENDER_REPORT_H

#include <stdbool.h>

#include "render/out.h"
#include "verify/verdict.h"

struct report {
	struct out *out;
	bool is_json;
	bool is_quiet;		/* no findings, only what they add up to */
	/* private */
	size_t inputs;
	bool has_begun;		/* the input that is being verified */
	size_t findings;	/* of it */
	uint64_t faults, remarks;	/* of all inputs that are done */
};

/* False when no more can be written. */
bool report_finding(struct report *report, const char *name,
		    const struct finding *finding);

/* What the findings of an input add up to. */
void report_verdict(struct report *report, const char *name,
		    const struct verdict *verdict);

/* The input is no recording, or could not be read to its end: why. */
void report_failure(struct report *report, const char *name, const char *why);

/* There are no more inputs. */
void report_end(struct report *report);

#endif
