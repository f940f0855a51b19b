#include "verify/verdict.h"

#include "base/crew.h"
#include "jfr/checkpoint.h"
#include "verify/check.h"

/*
 * A chunk that a JVM has just begun is as it should be. Recordings may be joined in any
 * order. Where a key gets another value, or metadata keeps its number, nothing is wrong
 * with the file, but the JDK shows what was there before (format.md 9).
 */
static const struct cause
	is_left_out = FAULT("this chunk is left out"),
	is_unflushed = REMARK("a chunk without metadata cannot be read yet"),
	goes_back = REMARK("the chunk does not begin after the one before it"),
	is_changed = REMARK("a key has another value in the chunk before"),
	is_mistaken = REMARK("the metadata has changed, its number has not");

/* A chunk, verified on its own. */
struct share {
	struct chunk chunk;		/* closed when it was verified */
	struct findings findings;
	struct tokens tokens;
	struct header header;
	struct clock clock;
	const struct run *run;
	struct site site;
	int64_t types_id;
	uint64_t types_hash;
	uint64_t types_at;		/* in the file */
	uint64_t bytes, events, constants, unused;
};

struct work {
	const struct verify_request *request;
	struct verdict *verdict;
	struct findings early;		/* before the next chunk */
	struct damage damage;		/* becomes them */
	struct err end;			/* why no further chunk was found */
	struct share before;		/* the one before that which is taken */
	bool is_out_of_memory;
	bool is_stopped;
};

/* Why a chunk cannot be opened: one that was just begun is no fault. */
static const struct cause *cause_of_loss(const struct block *block)
{
	struct header header;
	bool is_begun = header_read(&header, block->bytes, block->size, NULL) &&
			header_is_unfinished(&header) && header.metadata_at == 0;

	return is_begun ? &is_unflushed : &is_left_out;
}

/* The next chunk that can be opened; others are findings. */
static bool open_next(struct work *work, struct chunk *chunk)
{
	struct input *input = work->request->input;
	struct chunk_place place;

	while (input_next(input, &place, &work->damage, &work->end)) {
		struct site site = { place.file, place.number, place.offset };
		const struct cause *cause = cause_of_loss(&place.block);

		input_tick(input);
		if (input_chunk(input, &place, chunk, &work->damage, &work->end))
			return true;
		if (work->end.kind == ERR_MEMORY)
			return false;
		findings_add(&work->early, cause, STR(""), site, "%s", work->end.text);
	}
	return false;
}

static bool next(void *context, void *item)
{
	struct work *work = context;
	struct share *share = item;
	struct findings kept = share->findings;

	chunk_close(&share->chunk);
	if (!open_next(work, &share->chunk))
		return false;
	findings_reset(&kept);
	share->findings = work->early;
	work->early = kept;
	work->early.limit = work->request->limit;
	return true;
}

/* What is kept of the chunk when it is closed. */
static void keep(struct share *share, const struct check *check)
{
	const struct chunk *chunk = &share->chunk;

	share->header = chunk->header;
	share->clock = chunk->clock;
	share->run = chunk->run;
	share->site = chunk_site(chunk, 0);
	share->types_id = check->types_id;
	share->types_hash = check->types_hash;
	share->types_at = chunk->offset + chunk->metadata_at;
	share->bytes = chunk->size;
	share->events = check->events;
	share->constants = check->constants;
	share->unused = check->unused;
}

static void check_all(struct check *check)
{
	check_header(check);
	check_types(check);
	check_events(check);
	check_chain(check);
	check_constants(check);
}

static void work_on(void *context, void *item)
{
	struct share *share = item;
	struct damage damage = findings_damage(&share->findings);
	struct check check = { .chunk = &share->chunk,
			       .findings = &share->findings,
			       .damage = &damage,
			       .tokens = &share->tokens };

	(void)context;
	share->tokens.list.count = share->tokens.pools.count = 0;
	if (checkpoint_load(&share->chunk, &damage, NULL) &&
	    refs_open(&check.refs, &share->chunk))
		check_all(&check);
	else
		share->findings.failed = true;
	share->findings.failed |= check.refs.failed;
	keep(share, &check);
	if (check.refs.chunk)
		refs_close(&check.refs);
	vec_clear(&check.checkpoints);
	chunk_close(&share->chunk);
}

static bool is_same_run(const struct share *share, const struct share *before)
{
	return share->run && share->run == before->run &&
	       share->clock.start_ticks == before->clock.start_ticks &&
	       share->clock.start_nanos == before->clock.start_nanos &&
	       share->clock.divisor == before->clock.divisor;
}

static void compare_pools(struct share *share, const struct token_pool *pool,
			  const struct share *before, const struct token_pool *other)
{
	const struct token *a = share->tokens.list.items + pool->first;
	const struct token *b = before->tokens.list.items + other->first;
	const struct token *a_end = a + pool->count, *b_end = b + other->count;
	struct site site = share->site;

	while (a < a_end && b < b_end) {
		if (a->key != b->key) {
			*(a->key < b->key ? &a : &b) += 1;
			continue;
		}
		site.at = a->at;
		if (a->meaning != b->meaning)
			findings_add(&share->findings, &is_changed, pool->type, site,
				     "key %lld; there it is at byte %llu",
				     (long long)a->key, (unsigned long long)b->at);
		a++;
		b++;
	}
}

static void compare_constants(struct share *share, const struct share *before)
{
	const struct token_pool *a = share->tokens.pools.items;
	const struct token_pool *a_end = a + share->tokens.pools.count;
	const struct token_pool *b = before->tokens.pools.items;
	const struct token_pool *b_end = b + before->tokens.pools.count;

	while (a < a_end && b < b_end) {
		if (a->type_id == b->type_id)
			compare_pools(share, a++, before, b++);
		else if (a->type_id < b->type_id)
			a++;
		else
			b++;
	}
}

/* What only two chunks together tell. */
static void compare(struct share *share, const struct share *before)
{
	struct site site = share->site;

	if (site.file == before->site.file &&
	    share->header.start_nanos <= before->header.start_nanos)
		findings_add(&share->findings, &goes_back, STR(""), site, NULL);
	site.at = share->types_at;
	if (share->run == before->run && share->types_id == before->types_id &&
	    share->types_hash && before->types_hash &&
	    share->types_hash != before->types_hash)
		findings_add(&share->findings, &is_mistaken, STR(""), site,
			     "number %lld", (long long)share->types_id);
	if (is_same_run(share, before) && share->tokens.list.count &&
	    before->tokens.list.count)
		compare_constants(share, before);
}

/* Counts what was found, and tells it up to the limit. */
static bool tell(struct work *work, const struct findings *findings)
{
	const struct verify_request *request = work->request;
	struct verdict *verdict = work->verdict;

	for (size_t i = 0; i < findings->kinds.list.count; i++) {
		const struct kind *found = &findings->kinds.list.items[i];
		struct kind *kind = kinds_find(&verdict->kinds, &found->cause);

		if (!kind)
			return !(work->is_out_of_memory = true);
		kind->count += found->count;
		if (found->cause.severity == SEVERITY_REMARK)
			verdict->remarks += found->count;
		else
			verdict->faults += found->count;
	}
	for (size_t i = 0; i < findings->items.count; i++) {
		const struct finding *finding = &findings->items.items[i];
		struct kind *kind = kinds_find(&verdict->kinds, &finding->cause);

		if (kind->kept == request->limit)
			continue;
		kind->kept++;
		if (!request->tell(request->context, finding))
			return !(work->is_stopped = true);
	}
	work->is_out_of_memory |= findings->failed;
	return !findings->failed;
}

/* Makes it the chunk before; what that had is used again. */
static void keep_before(struct work *work, struct share *share)
{
	struct tokens tokens = work->before.tokens;

	work->before = *share;
	work->before.findings = (struct findings){ 0 };
	share->tokens = tokens;
}

/* What was found on the way to the chunk stays in front, as it came. */
static void sort(struct share *share)
{
	struct findings *findings = &share->findings;
	size_t first = 0;

	for (; first < findings->items.count; first++) {
		const struct site *site = &findings->items.items[first].site;

		if (site->file == share->site.file && site->chunk == share->site.chunk)
			break;
	}
	findings_sort(findings, first);
}

static bool take(void *context, void *item)
{
	struct work *work = context;
	struct share *share = item;
	struct verdict *verdict = work->verdict;

	if (verdict->chunks++ > 0)
		compare(share, &work->before);
	verdict->bytes += share->bytes;
	verdict->events += share->events;
	verdict->constants += share->constants;
	verdict->unused += share->unused;
	sort(share);
	if (!tell(work, &share->findings))
		return false;
	keep_before(work, share);
	return true;
}

static void tokens_clear(struct tokens *tokens)
{
	vec_clear(&tokens->list);
	vec_clear(&tokens->pools);
}

static void release(void *item)
{
	struct share *share = item;

	chunk_close(&share->chunk);
	findings_clear(&share->findings);
	tokens_clear(&share->tokens);
}

static bool run(struct work *work)
{
	static const struct crew crew = { sizeof(struct share), next, work_on, take,
					  release };
	bool is_through = crew_run(&crew, work, work->request->threads);

	/* Without a chunk it is no recording; what is behind the last one is told. */
	if (is_through && work->end.kind == ERR_NONE)
		is_through = tell(work, &work->early);
	if (work->is_stopped)
		return false;
	if (!is_through || work->is_out_of_memory)
		return err_memory(&work->end);
	return work->end.kind == ERR_NONE;
}

bool verify_input(struct verdict *verdict, const struct verify_request *request,
		  struct damage *found, struct err *err)
{
	struct work work = { .request = request,
			     .verdict = verdict,
			     .early.limit = request->limit };
	bool is_good;

	*verdict = (struct verdict){ 0 };
	work.damage = findings_damage(&work.early);
	damage_merge(&work.damage, found);
	is_good = run(&work);
	if (err)
		*err = work.end;
	findings_clear(&work.early);
	tokens_clear(&work.before.tokens);
	return is_good;
}

void verdict_clear(struct verdict *verdict)
{
	vec_clear(&verdict->kinds.list);
}
