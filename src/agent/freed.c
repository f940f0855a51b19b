#include "agent/freed.h"

void freed_init(struct freed *freed)
{
	*freed = (struct freed){ 0 };
	pthread_mutex_init(&freed->lock, NULL);
}

void freed_clear(struct freed *freed)
{
	pthread_mutex_lock(&freed->lock);
	vec_clear(&freed->now);
	vec_clear(&freed->before);
	pthread_mutex_unlock(&freed->lock);
}

void freed_put(struct freed *freed, int64_t tag)
{
	pthread_mutex_lock(&freed->lock);
	vec_push(&freed->now, tag);
	pthread_mutex_unlock(&freed->lock);
}

/* The memory of what is dealt with is that of what comes. */
static void swap(struct freed *freed)
{
	__typeof__(freed->now) now = freed->now;

	freed->now.items = freed->before.items;
	freed->now.capacity = freed->before.capacity;
	freed->now.count = 0;
	freed->before.items = now.items;
	freed->before.capacity = now.capacity;
	freed->before.count = now.count;
}

void freed_round(struct freed *freed, void (*what)(void *context, int64_t tag),
		 void *context)
{
	for (size_t i = 0; i < freed->before.count; i++)
		what(context, freed->before.items[i]);
	pthread_mutex_lock(&freed->lock);
	swap(freed);
	pthread_mutex_unlock(&freed->lock);
}
