#include "query/inquiry.h"

#include <stdlib.h>

#include "filter/selection.h"
#include "jfr/checkpoint.h"
#include "jfr/event.h"
#include "jfr/sweep.h"
#include "query/depict.h"
#include "query/fetch.h"
#include "query/planner.h"

bool inquiry_ask(struct inquiry *inquiry, struct str text, bool is_lenient, size_t *at,
		 struct err *err)
{
	struct question question = { .is_planned = false };

	if (!query_parse(&question.query, text, &inquiry->arena, at, err))
		return false;
	question.query.is_lenient = is_lenient;
	return vec_push(&inquiry->questions, question) || err_memory(err);
}

/* --- the first chunk ------------------------------------------------------------------ */

/* True if the name of a type is that of the source alone, and not a whole query. */
static bool is_of_type(const struct query *query, struct str name)
{
	const struct query_source *source = &query->from[0];

	return str_is(source->name, name) && !source->alias.bytes;
}

/* Names that are no names in a query are left out, as the JDK does. */
static bool ask_of_type(struct inquiry *inquiry, const struct type *type)
{
	struct buf text = { 0 };
	struct err err = { .kind = ERR_NONE };
	size_t last = inquiry->questions.count, at;

	buf_text(&text, "SELECT * FROM ");
	buf_str(&text, type->name);
	if (text.failed)
		err_memory(&err);
	else if (inquiry_ask(inquiry, (struct str){ text.bytes, text.size }, false, &at,
			     &err) &&
		 !is_of_type(&inquiry->questions.items[last].query, type->name))
		inquiry->questions.count = last;
	buf_clear(&text);
	return err.kind != ERR_MEMORY;
}

static bool ask_of_all_types(struct inquiry *inquiry, const struct metadata *metadata)
{
	for (size_t i = 0; i < metadata->type_count; i++) {
		if (metadata->types[i].is_event &&
		    !ask_of_type(inquiry, &metadata->types[i]))
			return false;
	}
	return true;
}

static bool keep_types(struct inquiry *inquiry, const struct metadata *metadata)
{
	struct str *types = arena_array(&inquiry->arena, metadata->type_count,
					sizeof(*types));

	inquiry->types = types;
	for (size_t i = 0; types && i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];
		const char *name = arena_copy(&inquiry->arena, type->name.bytes,
					      type->name.size);

		if (!name)
			return false;
		if (type->is_event)
			types[inquiry->type_count++] =
				(struct str){ name, type->name.size };
	}
	return types != NULL;
}

static bool plan_question(struct inquiry *inquiry, struct question *question,
			  const struct chunk *chunk)
{
	question->is_planned = plan_make(&question->plan, &question->query, &chunk->metadata,
					 &question->at, &question->err);
	if (!question->is_planned)
		return question->err.kind != ERR_MEMORY;
	if (!shape_of(&question->shape, &question->plan, &inquiry->arena))
		return false;
	question->gathering.shape = &question->shape;
	question->gathering.lexicon = &inquiry->lexicon;
	return true;
}

/* Queries are planned with the types of the first chunk, before any chunk is worked on. */
static bool begin(void *context, const struct chunk *chunk)
{
	struct inquiry *inquiry = context;

	if (inquiry->has_begun)
		return true;
	inquiry->has_begun = true;
	inquiry->zone = chunk->zone;
	if (!keep_types(inquiry, &chunk->metadata))
		return false;
	if (inquiry->asks_all_types &&
	    !ask_of_all_types(inquiry, &chunk->metadata))
		return false;
	for (size_t i = 0; i < inquiry->questions.count; i++) {
		if (!plan_question(inquiry, &inquiry->questions.items[i], chunk))
			return false;
	}
	return true;
}

/* --- a chunk --------------------------------------------------------------------------- */

/* A listener for the events of a type. */
struct post {
	struct post *next;
	struct fetch *fetch;
	struct gathering *gathering;
};

/* What is asked of the events of a type. */
struct desk {
	struct post *first, **end;	/* NULL: nothing */
	uint32_t needs;			/* values that are looked at */
	bool needs_end;			/* as a point in time */
};

/* What a chunk gives, on its own. */
struct share {
	struct gathering *gatherings;	/* of each question */
	size_t count;
	struct lexicon lexicon;
	struct selection selection;
	struct arena arena;		/* the rest */
};

/* The work on it. */
struct scan {
	const struct inquiry *inquiry;
	const struct chunk *chunk;
	struct damage *damage;
	struct share *share;
	struct depict depict;
	struct desk *desks;		/* by type index */
	struct value *values;		/* of an event */
	uint32_t segment;
};

static bool make_gatherings(const struct inquiry *inquiry, struct share *share)
{
	if (share->gatherings)
		return true;
	share->gatherings = calloc(inquiry->questions.count + 1,
				   sizeof(*share->gatherings));
	if (!share->gatherings)
		return false;
	share->count = inquiry->questions.count;
	for (size_t i = 0; i < share->count; i++) {
		share->gatherings[i].shape = &inquiry->questions.items[i].shape;
		share->gatherings[i].lexicon = &share->lexicon;
	}
	return true;
}

static bool add_post(struct scan *scan, size_t question,
		     const struct plan_listener *listener, const struct type *type)
{
	const struct question *asked = &scan->inquiry->questions.items[question];
	struct arena *arena = &scan->share->arena;
	struct desk *desk = &scan->desks[type->index];
	struct post *post = arena_alloc(arena, sizeof(*post));
	struct fetch *fetch =
		fetch_new(&scan->depict, &asked->plan, listener, type, arena);

	if (!post || !fetch)
		return false;
	post->fetch = fetch;
	post->gathering = &scan->share->gatherings[question];
	*(desk->end ? desk->end : &desk->first) = post;
	desk->end = &post->next;
	if (fetch->needs > desk->needs)
		desk->needs = fetch->needs;
	desk->needs_end |= asked->shape.has_batch;
	return true;
}

static bool add_listener(struct scan *scan, size_t question,
			 const struct plan_listener *listener)
{
	const struct plan *plan = &scan->inquiry->questions.items[question].plan;
	const struct metadata *metadata = &scan->chunk->metadata;
	struct str name = plan->sources[listener->source].type_name;

	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];

		if (type->is_event && str_is(type->name, name) &&
		    !add_post(scan, question, listener, type))
			return false;
	}
	return true;
}

static bool add_question(struct scan *scan, size_t index)
{
	const struct question *question = &scan->inquiry->questions.items[index];
	const struct plan *plan = &question->plan;

	for (size_t i = 0; question->is_planned && i < plan->listener_count; i++) {
		if (!add_listener(scan, index, &plan->listeners[i]))
			return false;
	}
	return true;
}

static bool scan_open(struct scan *scan)
{
	const struct inquiry *inquiry = scan->inquiry;
	struct arena *arena = &scan->share->arena;
	uint32_t needs = 0;

	scan->desks = arena_array(arena, scan->chunk->metadata.type_count,
				  sizeof(*scan->desks));
	if (!scan->desks)
		return false;
	for (size_t i = 0; i < inquiry->questions.count; i++) {
		if (!add_question(scan, i))
			return false;
	}
	for (size_t i = 0; i < scan->chunk->metadata.type_count; i++) {
		if (scan->desks[i].needs > needs)
			needs = scan->desks[i].needs;
	}
	scan->values = arena_array(arena, needs, sizeof(*scan->values));
	return scan->values != NULL;
}

/* Events are taken in the order of their ends up to each checkpoint that says so. */
static bool is_flush(const struct chunk *chunk, const struct event *event)
{
	struct cursor cursor = event_cursor(chunk, event);

	cursor_varint(&cursor);	/* start */
	cursor_varint(&cursor);	/* duration */
	cursor_varint(&cursor);	/* delta */
	return (cursor_byte(&cursor) & 1) && !cursor.bad;
}

/* What is too large is only cut. */
static bool has_no_memory(const struct scan *scan)
{
	const struct arena *scratch = &scan->depict.scratch;

	return scan->depict.failed || (scratch->failed && !scratch->is_full);
}

/* Why the event cannot be read, or NULL. */
static const char *read_event(struct scan *scan, const struct event *event,
			      struct rank *rank, bool *is_wanted)
{
	const struct desk *desk = &scan->desks[event->type->index];
	struct program program = event->type->program;
	struct cursor cursor;
	int64_t start;

	*is_wanted = false;
	if (!event_ticks(scan->chunk, event, &start, &rank->end))
		return event_fault(event);
	if (scan->inquiry->filter &&
	    !selection_accepts(&scan->share->selection, event, start, rank->end))
		return scan->share->selection.fault;
	cursor = event_cursor(scan->chunk, event);
	program.count = desk->needs;
	if (!value_decode(&program, &cursor, scan->chunk->strings, scan->values,
			  &scan->depict.scratch))
		return has_no_memory(scan) ? NULL : event_fault(event);
	rank->segment = scan->segment;
	rank->turn = 0;
	rank->at = event->offset;
	rank->nanos = desk->needs_end ? clock_nanos(&scan->chunk->clock, rank->end) : 0;
	*is_wanted = true;
	return NULL;
}

static void take_event(struct scan *scan, const struct event *event)
{
	int zone = scan->inquiry->zone;
	struct rank rank;
	bool is_wanted;
	const char *fault = read_event(scan, event, &rank, &is_wanted);

	if (fault)
		damage_add(scan->damage, fault, event->type->name,
			   chunk_site(scan->chunk, event->offset));
	for (const struct post *post = scan->desks[event->type->index].first;
	     post && is_wanted; post = post->next) {
		if (!fetch_accepts(post->fetch, &scan->depict, scan->values, zone))
			continue;
		gather_add(post->gathering, post->fetch->listener,
			   fetch_values(post->fetch, &scan->depict, scan->values, zone),
			   post->fetch->has_fixed_key, &rank);
		rank.turn++;
	}
	if (scan->depict.scratch.is_full)
		damage_add(scan->damage, "values too large to be shown are cut",
			   event->type->name, chunk_site(scan->chunk, event->offset));
	scan->depict.failed = has_no_memory(scan);
	if (scan->depict.scratch.taken || scan->depict.scratch.failed)
		arena_reset(&scan->depict.scratch);
}

static void scan_events(struct scan *scan)
{
	struct event_walk walk = event_walk(scan->chunk, scan->damage);
	struct event event;

	while (event_next(&walk, &event) && !scan->depict.failed) {
		if (event.type) {
			if (scan->desks[event.type->index].first)
				take_event(scan, &event);
		} else if (event.type_id == EVENT_CHECKPOINT &&
			   is_flush(scan->chunk, &event)) {
			scan->segment++;
		}
	}
}

static bool settle(struct share *share)
{
	bool is_good = !share->lexicon.arena.failed && !share->selection.failed;

	for (size_t i = 0; i < share->count; i++) {
		if (!gather_is_empty(&share->gatherings[i]))
			gather_settle(&share->gatherings[i]);
		is_good &= !share->gatherings[i].failed;
	}
	return is_good;
}

static void reset_share(struct share *share)
{
	for (size_t i = 0; i < share->count; i++)
		gather_reset(&share->gatherings[i]);
	lexicon_reset(&share->lexicon);
	selection_close(&share->selection);
	arena_reset(&share->arena);
}

/* The constants that are needed; stack traces are many, and often are not. */
static bool load_constants(struct scan *scan, struct chunk *chunk)
{
	const struct metadata *metadata = &chunk->metadata;
	bool *marks = arena_array(&scan->share->arena, metadata->type_count,
				  sizeof(*marks));
	bool is_good = marks != NULL;

	if (scan->inquiry->filter && filter_needs_constants(scan->inquiry->filter))
		return checkpoint_load(chunk, scan->damage, NULL);
	for (size_t i = 0; is_good && i < metadata->type_count; i++) {
		for (const struct post *post = scan->desks[i].first; is_good && post;
		     post = post->next)
			is_good = fetch_mark(post->fetch, marks);
	}
	/* Any text may be a constant. */
	if (is_good && metadata->string)
		marks[metadata->string->index] = true;
	return is_good && checkpoint_load_some(chunk, marks, scan->damage, NULL);
}

static bool work(void *context, struct chunk *chunk, struct damage *damage, void *own)
{
	const struct inquiry *inquiry = context;
	struct share *share = own;
	struct scan scan = { .inquiry = inquiry, .chunk = chunk, .damage = damage,
			     .share = share };
	bool is_good;

	reset_share(share);
	if (!make_gatherings(inquiry, share))
		return false;
	is_good = depict_open(&scan.depict, chunk, &share->lexicon) &&
		  scan_open(&scan) && load_constants(&scan, chunk);
	if (is_good && inquiry->filter)
		is_good = selection_open(&share->selection, chunk, inquiry->filter, NULL);
	if (is_good) {
		scan_events(&scan);
		is_good = !scan.depict.failed && settle(share);
	}
	depict_close(&scan.depict);
	return is_good;
}

static void note_span(struct inquiry *inquiry, const struct header *header)
{
	int64_t end;

	if (__builtin_add_overflow(header->start_nanos, header->duration_nanos, &end))
		end = INT64_MAX;
	if (!inquiry->has_span || header->start_nanos < inquiry->start)
		inquiry->start = header->start_nanos;
	if (!inquiry->has_span || end > inquiry->end)
		inquiry->end = end;
	inquiry->has_span = true;
}

static bool take(void *context, const struct chunk *chunk, const struct damage *damage,
		 void *own)
{
	struct inquiry *inquiry = context;
	struct share *share = own;
	bool is_good = true;

	(void)damage;
	note_span(inquiry, &chunk->header);
	if (inquiry->filter && !outcome_add(&inquiry->outcome, &share->selection))
		return false;
	for (size_t i = 0; i < share->count; i++) {
		struct gathering *gathering = &inquiry->questions.items[i].gathering;

		if (gather_is_empty(&share->gatherings[i]))
			continue;
		share->gatherings[i].run = chunk->run;
		gather_merge(gathering, &share->gatherings[i]);
		is_good &= !gathering->failed;
	}
	return is_good;
}

static void release(void *own)
{
	struct share *share = own;

	for (size_t i = 0; i < share->count; i++)
		gather_clear(&share->gatherings[i]);
	free(share->gatherings);
	lexicon_clear(&share->lexicon);
	selection_close(&share->selection);
	arena_clear(&share->arena);
}

/* --- all of it ---------------------------------------------------------------------------- */

/* The time recorded, as far as the filter's window reaches. */
static int64_t run_of(const struct inquiry *inquiry)
{
	const struct filter *filter = inquiry->filter;
	int64_t start = inquiry->start, end = inquiry->end, nanos;

	if (filter && filter_has_window(filter)) {
		if (filter->window_from > start)
			start = filter->window_from;
		if (filter->window_to < end)
			end = filter->window_to;
	}
	if (__builtin_sub_overflow(end, start, &nanos))
		return INT64_MAX;
	return nanos > 0 ? nanos : 0;
}

static bool finish(struct inquiry *inquiry, struct err *err)
{
	int64_t run_nanos = run_of(inquiry);

	for (size_t i = 0; i < inquiry->questions.count; i++) {
		struct question *question = &inquiry->questions.items[i];

		if (!question->is_planned)
			continue;
		question->result.plan = &question->plan;
		question->result.limit = question->query.limit;
		question->result.zone = inquiry->zone;
		question->result.run_nanos = run_nanos;
		if (!gather_result(&question->gathering, &question->result))
			return err_memory(err);
		if (!result_finish(&question->result, err))
			return false;
	}
	return true;
}

bool inquiry_run(struct inquiry *inquiry, struct input *input, int threads,
		 struct damage *damage, struct err *err)
{
	static const struct sweep sweep = { sizeof(struct share), begin, work, take,
					    release };

	return sweep_run(&sweep, inquiry, input, threads, damage, err) &&
	       finish(inquiry, err);
}

void inquiry_clear(struct inquiry *inquiry)
{
	for (size_t i = 0; i < inquiry->questions.count; i++) {
		struct question *question = &inquiry->questions.items[i];

		result_clear(&question->result);
		gather_clear(&question->gathering);
		plan_clear(&question->plan);
	}
	vec_clear(&inquiry->questions);
	outcome_clear(&inquiry->outcome);
	lexicon_clear(&inquiry->lexicon);
	arena_clear(&inquiry->arena);
	*inquiry = (struct inquiry){ 0 };
}
