#include "jfr/run.h"

struct clock run_clock(struct run *run, const struct header *header)
{
	/* Joined from two runs of a JVM: from here on the clock of the second. */
	if (!run->has_clock || !clock_agrees(&run->clock, header))
		run->clock = clock_of(header);
	run->has_clock = true;
	return run->clock;
}

const struct metadata *run_lend(const struct run *run, const struct header *header)
{
	if (!run->has_clock || !run->known.newest ||
	    !clock_agrees(&run->clock, header))
		return NULL;
	return &run->known.newest->metadata;
}

void run_clear(struct run *run)
{
	known_clear(&run->known);
	*run = (struct run){ 0 };
}
