#include "agent/starts.h"

void starts_init(struct starts *starts)
{
	*starts = (struct starts){ 0 };
	pthread_mutex_init(&starts->lock, NULL);
}

void starts_clear(struct starts *starts)
{
	vec_clear(&starts->waiting);
	map_clear(&starts->by_tid);
	pthread_mutex_destroy(&starts->lock);
}

/* Under the lock. The last one takes its place. */
static struct start take(struct starts *starts, int64_t java_tid)
{
	uint32_t index = map_find(&starts->by_tid, (uint64_t)java_tid);
	struct start start, last;

	if (index == MAP_NONE)
		return (struct start){ .java_tid = java_tid };
	start = starts->waiting.items[index];
	last = starts->waiting.items[--starts->waiting.count];
	map_remove(&starts->by_tid, (uint64_t)java_tid);
	if (last.java_tid != java_tid) {
		starts->waiting.items[index] = last;
		map_put(&starts->by_tid, (uint64_t)last.java_tid, index);
	}
	return start;
}

static bool put(struct starts *starts, const struct start *start)
{
	if (!vec_push(&starts->waiting, *start))
		return false;
	if (map_put(&starts->by_tid, (uint64_t)start->java_tid,
		    (uint32_t)starts->waiting.count - 1))
		return true;
	starts->waiting.count--;
	return false;
}

bool starts_put(struct starts *starts, const struct start *start)
{
	bool is_good;

	pthread_mutex_lock(&starts->lock);
	take(starts, start->java_tid);
	is_good = put(starts, start);
	pthread_mutex_unlock(&starts->lock);
	return is_good;
}

struct start starts_take(struct starts *starts, int64_t java_tid)
{
	struct start start;

	pthread_mutex_lock(&starts->lock);
	start = take(starts, java_tid);
	pthread_mutex_unlock(&starts->lock);
	return start;
}
