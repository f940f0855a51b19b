#include "jfr/run.h"

struct clock run_clock(struct run *run, const struct header *header)
{
	/* Joined from two runs of a JVM: from here on the clock of the second. */
	if (!run->has_clock || !clock_agrees(&run->clock, header))
		run->clock = clock_of(header);
	run->has_clock = true;
	return run->clock;
}

void run_learn(struct run *run, struct known_entry *entry)
{
	if (entry)
		known_hold(entry);
	known_release(run->newest);
	run->newest = entry;
}

struct known_entry *run_lend(const struct run *run, const struct header *header)
{
	if (!run->has_clock || !run->newest || !clock_agrees(&run->clock, header))
		return NULL;
	known_hold(run->newest);
	return run->newest;
}

void run_clear(struct run *run)
{
	run_learn(run, NULL);
}
