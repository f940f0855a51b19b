#include "jfr/sweep.h"

#include <stdalign.h>

#include "base/crew.h"

/* A chunk on its way. */
struct lot {
	const struct sweep *sweep;
	struct chunk chunk;
	struct damage damage;
	bool has_failed;	/* no memory */
	alignas(max_align_t) unsigned char own[];
};

struct work {
	const struct sweep *sweep;
	void *context;
	struct input *input;
	struct damage *damage;
	struct damage rest;	/* behind the last chunk */
	bool is_ended;		/* by `begin` */
	struct err end;		/* why there is no further chunk */
};

static bool next(void *context, void *item)
{
	struct work *work = context;
	struct lot *lot = item;

	chunk_close(&lot->chunk);
	lot->sweep = work->sweep;
	if (!input_open_next(work->input, &lot->chunk, &lot->damage, &work->end)) {
		damage_merge(&work->rest, &lot->damage);
		return false;
	}
	work->is_ended = work->sweep->begin &&
			 !work->sweep->begin(work->context, &lot->chunk);
	return !work->is_ended;
}

static void work_on(void *context, void *item)
{
	const struct work *work = context;
	struct lot *lot = item;

	lot->has_failed = !work->sweep->work(work->context, &lot->chunk, &lot->damage,
					     lot->own);
}

static bool take(void *context, void *item)
{
	struct work *work = context;
	struct lot *lot = item;

	bool is_good = !lot->has_failed &&
		       work->sweep->take(work->context, &lot->chunk, &lot->damage,
					 lot->own);

	damage_merge(work->damage, &lot->damage);
	return is_good;
}

static void release(void *item)
{
	struct lot *lot = item;

	if (lot->sweep)
		lot->sweep->release(lot->own);
	chunk_close(&lot->chunk);
	damage_clear(&lot->damage);
}

bool sweep_run(const struct sweep *sweep, void *context, struct input *input,
	       int threads, struct damage *damage, struct err *err)
{
	const struct crew crew = { sizeof(struct lot) + sweep->size, next, work_on,
				   take, release };
	struct work work = { .sweep = sweep, .context = context, .input = input,
			     .damage = damage };
	bool is_good = crew_run(&crew, &work, threads);

	damage_merge(damage, &work.rest);
	damage_clear(&work.rest);
	if (!is_good || work.is_ended)
		return err_memory(err);
	if (work.end.kind != ERR_NONE)
		*err = work.end;
	return work.end.kind == ERR_NONE;
}
