#include "probe/waiting.h"

void waiting_add(struct waiting *waiting, struct waiter *waiter, uint32_t at)
{
	*waiter = (struct waiter){
		.is_waiting = true,
		.at = at,
		.since = waiting->round,
		.older = waiting->newest,
	};
	if (waiter->older)
		waiter->older->newer = waiter;
	else
		waiting->oldest = waiter;
	waiting->newest = waiter;
	waiting->count++;
}

void waiting_remove(struct waiting *waiting, struct waiter *waiter)
{
	if (!waiter->is_waiting)
		return;
	if (waiter->older)
		waiter->older->newer = waiter->newer;
	else
		waiting->oldest = waiter->newer;
	if (waiter->newer)
		waiter->newer->older = waiter->older;
	else
		waiting->newest = waiter->older;
	waiter->is_waiting = false;
	waiting->count--;
}

bool waiting_is_full(const struct waiting *waiting, uint32_t *at)
{
	const struct waiter *oldest = waiting->oldest;

	if (!oldest || waiting->count <= waiting->max)
		return false;
	*at = oldest->at;
	return waiting->count > waiting->most ||
	       oldest->since + waiting->rounds < waiting->round;
}
