/*
 * What others ask a recorder for, beside rounds: each takes the lock, and what it changes
 * is so when it comes back.
 */
#include <stdio.h>

#include "engine/flush.h"
#include "engine/recorder.h"
#include "engine/shift.h"

static bool enter(struct recorder *recorder, struct err *err)
{
	if (pthread_mutex_lock(&recorder->lock) == 0)
		return true;
	return err_set(err, ERR_USAGE, "an observer cannot ask for that");
}

static bool enter_open(struct recorder *recorder, struct err *err)
{
	if (!enter(recorder, err))
		return false;
	if (recorder->phase != RECORDER_ENDED)
		return true;
	pthread_mutex_unlock(&recorder->lock);
	return err_set(err, ERR_USAGE, "recording has ended in this JVM");
}

static bool leave(struct recorder *recorder, bool is_good)
{
	pthread_mutex_unlock(&recorder->lock);
	if (is_good)
		recorder_wake(recorder);
	return is_good;
}

static struct tape *find(struct recorder *recorder, uint64_t id, struct err *err)
{
	struct tape *found = recordings_find(&recorder->recordings, id);

	if (!found)
		err_set(err, ERR_USAGE, "there is no recording %llu",
			(unsigned long long)id);
	return found;
}

/* Errors of what broke all that was recorded: they are the caller's, too. */
static bool or_break(struct recorder *recorder, bool is_good, struct err *why,
		     struct err *err)
{
	if (is_good)
		return true;
	if (recorder->phase == RECORDER_RUNNING)
		recorder_break(recorder, why);
	if (err)
		*err = *why;
	return false;
}

/* --- begin ------------------------------------------------------------------------ */

static bool is_there(const struct tape *one)
{
	return one->state == FACTS_RUNNING || one->state == FACTS_DELAYED;
}

static bool is_sampling(const struct tape *one)
{
	return event_settings_want(&one->settings, EVENT_EXECUTION_SAMPLE) ||
	       event_settings_want(&one->settings, EVENT_NATIVE_METHOD_SAMPLE);
}

static bool is_anybody(const struct tape *one)
{
	(void)one;
	return true;
}

/* True if somebody else is there who is so, and wants the engine as it is. */
static bool has_others(const struct recorder *recorder, const struct tape *new,
		       bool (*is_so)(const struct tape *one))
{
	for (size_t i = 0; i < recorder->recordings.all.count; i++) {
		const struct tape *one = recorder->recordings.all.items[i];

		if (one != new && is_there(one) && is_so(one))
			return true;
	}
	return false;
}

static bool fits_others(const struct recorder *recorder, const struct tape *new,
			struct err *err)
{
	char room[TAPE_NAME_ROOM];

	for (size_t i = 0; i < recorder->recordings.all.count; i++) {
		const struct tape *one = recorder->recordings.all.items[i];
		struct str name = str_front(tape_name(one, room), 60);

		if (one == new || !is_there(one) || !is_sampling(one) ||
		    !is_sampling(new) ||
		    one->orders.samples_wall == new->orders.samples_wall)
			continue;
		return err_set(err, ERR_USAGE,
			       "recording '%.*s' samples by %s time, and there can be "
			       "only one kind of samples at once",
			       (int)name.size, name.bytes,
			       one->orders.samples_wall ? "wall clock" : "CPU");
	}
	return true;
}

static bool adopt_text(struct orders *orders, struct str *to, struct str from)
{
	return str_is(*to, from) || orders_text(orders, to, from);
}

/* How samples are taken, as nobody else takes any. */
static bool adopt_samples(struct recorder *recorder, const struct tape *new)
{
	struct orders *engine = recorder->orders;

	if (!is_sampling(new) || has_others(recorder, new, is_sampling))
		return true;
	engine->samples_wall = new->orders.samples_wall;
	return adopt_text(engine, &engine->threads, new->orders.threads);
}

/* What the engine can be otherwise, as nobody else is there. */
static bool adopt(struct recorder *recorder, const struct tape *new)
{
	struct orders *engine = recorder->orders;
	const struct orders *orders = &new->orders;

	if (!adopt_samples(recorder, new))
		return false;
	if (has_others(recorder, new, is_anybody))
		return true;
	if (orders_buffer_for(orders->stack_depth) <= engine->buffer_size)
		__atomic_store_n(&engine->stack_depth, orders->stack_depth,
				 __ATOMIC_RELAXED);
	return adopt_text(engine, &engine->dump_classes, orders->dump_classes);
}

static void note(struct buf *notes, const char *what, int64_t wanted, int64_t is)
{
	if (wanted != is)
		buf_printf(notes, "%s is %lld, and stays so as long as others record "
			   "here\n", what, (long long)is);
}

/* What it has to do with as it is. */
static void note_all(struct buf *notes, const struct orders *engine,
		     const struct tape *new)
{
	const struct orders *orders = &new->orders;

	if (!notes)
		return;
	note(notes, "the stack depth", orders->stack_depth, engine->stack_depth);
	if (orders->memory_size > engine->memory_size)
		note(notes, "the memory size", orders->memory_size, engine->memory_size);
	if (orders->buffer_size > engine->buffer_size)
		note(notes, "the buffer size", orders->buffer_size, engine->buffer_size);
	if (is_sampling(new) && !str_is(orders->threads, engine->threads))
		buf_text(notes, "which threads are sampled stays as others that record "
				"here want it\n");
	if (!orders->redact && engine->redact)
		buf_text(notes, "secrets are left out, as others that record here want "
				"it\n");
}

static bool begin(struct recorder *recorder, struct tape *new, struct buf *notes,
		  struct err *err)
{
	const struct orders *orders = &new->orders;
	struct err why = { ERR_NONE, "" };

	if (!fits_others(recorder, new, err))
		return false;
	if (!adopt(recorder, new))
		return err_memory(err);
	if (orders->delay) {
		new->due = now_ticks() + orders->delay;
		new->begun = now_nanos() + orders->delay;
	} else if (!or_break(recorder, shift_begin(recorder, new, &why), &why, err)) {
		return false;
	}
	note_all(notes, recorder->orders, new);
	return true;
}

bool recorder_begin(struct recorder *recorder, struct orders *orders, uint64_t *id,
		    struct buf *notes, struct err *err)
{
	struct tape *new;
	bool is_good;

	if (!enter_open(recorder, err)) {
		orders_clear(orders);
		return false;
	}
	new = recordings_add(&recorder->recordings, orders, err);
	is_good = new && begin(recorder, new, notes, err);
	if (is_good) {
		*id = recorder->recordings.last_id = new->id;
	} else if (new) {
		recordings_remove(&recorder->recordings, new);
		recorder->way->retain(recorder, now_ticks());
	}
	return leave(recorder, is_good);
}

/* --- stop ------------------------------------------------------------------------- */

bool recorder_end(struct recorder *recorder, uint64_t id, struct err *err)
{
	struct err why = { ERR_NONE, "" };
	struct tape *one;
	bool is_good;

	if (!enter(recorder, err))
		return false;
	one = find(recorder, id, err);
	is_good = one != NULL;
	if (one && one->state == FACTS_DELAYED)
		shift_mark_end(recorder, one, now_nanos());
	else if (one && one->state == FACTS_RUNNING)
		is_good = or_break(recorder, shift_end(recorder, one, &why), &why, err);
	return leave(recorder, is_good);
}

void recorder_drop(struct recorder *recorder, uint64_t id)
{
	struct tape *one;

	if (!enter(recorder, NULL))
		return;
	one = recordings_find(&recorder->recordings, id);
	if (one && !is_there(one)) {
		recordings_remove(&recorder->recordings, one);
		recordings_retain(&recorder->recordings, &recorder->repository,
				  now_nanos(), recorder->kept.size);
	}
	leave(recorder, true);
}

uint64_t recorder_stopped_next(struct recorder *recorder)
{
	int64_t now = now_ticks();
	uint64_t id = 0;

	if (!enter(recorder, NULL))
		return 0;
	for (size_t i = 0; i < recorder->recordings.all.count && !id; i++) {
		const struct tape *one = recorder->recordings.all.items[i];

		if (one->is_news && one->news_due <= now)
			id = one->id;
	}
	pthread_mutex_unlock(&recorder->lock);
	return id;
}

void recorder_heard(struct recorder *recorder, uint64_t id, int64_t again)
{
	struct tape *one;

	if (!enter(recorder, NULL))
		return;
	one = recordings_find(&recorder->recordings, id);
	if (one) {
		one->is_news &= again != INT64_MAX;
		one->news_due = again;
	}
	pthread_mutex_unlock(&recorder->lock);
}

/* --- set -------------------------------------------------------------------------- */

/* It wants what the engine has, or can have. */
static bool fits(struct recorder *recorder, const struct tape *one, struct err *err)
{
	return fits_others(recorder, one, err) &&
	       (adopt_samples(recorder, one) || err_memory(err));
}

/* Texts of before may be in what is united until that is done anew. */
static bool change(struct recorder *recorder, struct tape *one,
		   const struct orders *orders, struct err *err)
{
	struct event_settings before = one->settings;
	struct err why = { ERR_NONE, "" };
	struct orders old;
	bool is_good = true;

	if (!tape_set(one, orders, &old, err))
		return false;
	if (!fits(recorder, one, err)) {
		orders_clear(&one->orders);
		one->orders = old;
		one->settings = before;
		return false;
	}
	if (one->state == FACTS_RUNNING)
		is_good = or_break(recorder,
				   shift_chunk(recorder,
					       &(struct shift){ .changes = true }, &why),
				   &why, err);
	orders_clear(&old);
	return is_good;
}

bool recorder_change(struct recorder *recorder, uint64_t id, const struct orders *orders,
		     struct err *err)
{
	struct tape *one;
	bool is_good;

	if (!enter_open(recorder, err))
		return false;
	one = find(recorder, id, err);
	if (one && !is_there(one)) {
		err_set(err, ERR_USAGE, "recording %llu has stopped",
			(unsigned long long)id);
		one = NULL;
	}
	is_good = one && change(recorder, one, orders, err);
	return leave(recorder, is_good);
}

/* --- who is there ------------------------------------------------------------------ */

bool recorder_named(struct recorder *recorder, struct str name, uint64_t *id,
		    struct err *err)
{
	const struct tape *found;

	if (!enter(recorder, err))
		return false;
	found = recordings_named(&recorder->recordings, name, err);
	if (found)
		*id = found->id;
	pthread_mutex_unlock(&recorder->lock);
	return found != NULL;
}

static void count_files(const struct recorder *recorder, const struct tape *one,
			struct recording_facts *facts)
{
	const struct repository *repository = &recorder->repository;

	for (size_t i = 0; i < repository->files.count; i++) {
		const struct chunkfile *file = &repository->files.items[i];

		if (!tape_has(one, file->number))
			continue;
		facts->bytes += file->size;
		facts->chunks++;
	}
	if (one->state == FACTS_RUNNING)
		facts->bytes += recorder->kept.size;
}

static uint64_t lost_of(struct recorder *recorder, const struct tape *one)
{
	uint64_t events = one->lost_after, bytes;

	if (one->state == FACTS_RUNNING)
		store_lost(&recorder->store, &events, &bytes);
	return events - one->lost_before;
}

static bool copy(struct arena *arena, struct str *to, struct str from)
{
	*to = (struct str){ arena_copy(arena, from.bytes, from.size), from.size };
	return to->bytes != NULL;
}

static bool copy_texts(struct recorder_told *told, const struct tape *one,
		       struct arena *arena)
{
	char room[TAPE_NAME_ROOM];
	struct buf orders = { 0 };
	bool is_good;

	orders_write(&one->orders, &orders);
	is_good = !orders.failed && copy(arena, &told->orders, buf_as_str(&orders)) &&
		  copy(arena, &told->facts.name, tape_name(one, room)) &&
		  copy(arena, &told->facts.destination, one->orders.destination) &&
		  copy(arena, &told->facts.why, one->why);
	buf_clear(&orders);
	return is_good;
}

static bool tell(struct recorder *recorder, const struct tape *one,
		 struct recorder_list *list)
{
	const struct orders *orders = &one->orders;
	struct recorder_told told = {
		.facts = {
			.id = one->id,
			.state = one->state,
			.begun = one->begun,
			.ended = one->ended,
			.duration = orders->duration,
			.max_age = orders->max_age,
			.max_size = orders->max_size,
			.to_disk = orders->to_disk,
			.lost_events = lost_of(recorder, one),
		},
	};

	count_files(recorder, one, &told.facts);
	return copy_texts(&told, one, &list->arena) && vec_push(&list->of, told);
}

/* Of that number; 0: of all. */
static bool tell_some(struct recorder *recorder, uint64_t id, struct recorder_list *list)
{
	bool is_good = true;

	*list = (struct recorder_list){ 0 };
	if (!enter(recorder, NULL))
		return false;
	for (size_t i = 0; i < recorder->recordings.all.count && is_good; i++) {
		const struct tape *one = recorder->recordings.all.items[i];

		if (id == 0 || one->id == id)
			is_good = tell(recorder, one, list);
	}
	pthread_mutex_unlock(&recorder->lock);
	if (!is_good)
		recorder_list_clear(list);
	return is_good;
}

bool recorder_tell(struct recorder *recorder, struct recorder_list *list)
{
	return tell_some(recorder, 0, list);
}

bool recorder_tell_one(struct recorder *recorder, uint64_t id,
		       struct recorder_list *list, struct err *err)
{
	if (!tell_some(recorder, id, list))
		return err_memory(err);
	return list->of.count > 0 ||
	       err_set(err, ERR_USAGE, "there is no recording %llu",
		       (unsigned long long)id);
}

size_t recorder_count(struct recorder *recorder)
{
	size_t count;

	if (!enter(recorder, NULL))
		return SIZE_MAX;
	count = recorder->recordings.all.count;
	pthread_mutex_unlock(&recorder->lock);
	return count;
}

void recorder_list_clear(struct recorder_list *list)
{
	vec_clear(&list->of);
	arena_clear(&list->arena);
}
