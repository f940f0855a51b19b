#include "copy/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "copy/sense.h"
#include "copy/retime.h"

#define NO_STRAND MAP_NONE

/* Clocks that others' times can be told in: to the nanosecond, and far enough. */
#define TICKS_LEAST INT64_C(1000000000)
#define TICKS_MOST INT64_C(100000000000)

/* So many chunks wait at most, however many claim to begin at the same time. */
#define WAITING_MAX 32

/* Spaces of strands are their numbers; those of single types are beyond. */
#define FIRST_SPACE (UINT32_C(1) << 24)

static bool is_same_clock(const struct clock *a, const struct clock *b)
{
	const struct retime both = { *a, *b, 0 };

	return !retime_is_needed(&both);
}

static uint64_t key_of_run(const struct chunk *chunk)
{
	return (uint64_t)(uintptr_t)chunk->run;
}

/* The strand of the chunk's run; NO_STRAND: it is new, or has another clock now. */
static uint32_t known_strand(const struct merge *merge, const struct chunk *chunk)
{
	uint32_t place = map_find(&merge->by_run, key_of_run(chunk));
	const struct merge_run *run;

	if (place == MAP_NONE)
		return NO_STRAND;
	run = &merge->runs.items[place];
	return is_same_clock(&run->clock, &chunk->clock) ? run->strand : NO_STRAND;
}

static bool learn_run(struct merge *merge, const struct chunk *chunk, uint32_t strand)
{
	const struct merge_run run = { chunk->clock, strand };

	return vec_push(&merge->runs, run) && map_put(&merge->by_run, key_of_run(chunk),
						      (uint32_t)merge->runs.count - 1);
}

/* A JVM begins a chunk where the last one ended: that is in another recording. */
static uint32_t continued_strand(const struct merge *merge, const struct chunk *chunk)
{
	uint64_t start = (uint64_t)chunk->header.start_nanos;
	uint32_t strand = map_find(&merge->by_end, start);

	if (strand == MAP_NONE ||
	    !clock_agrees(&merge->strands.items[strand], &chunk->header))
		return NO_STRAND;
	return strand;
}

/* Finds out the strand of a chunk that nothing is known of. */
static bool find_strand(struct merge *merge, struct merge_chunk *met)
{
	const struct header *header = &met->chunk.header;
	int64_t end;

	met->strand = known_strand(merge, &met->chunk);
	if (met->strand == NO_STRAND) {
		met->strand = continued_strand(merge, &met->chunk);
		if (met->strand == NO_STRAND) {
			met->strand = (uint32_t)merge->strands.count;
			if (!vec_push(&merge->strands, met->chunk.clock))
				return false;
		}
		if (!learn_run(merge, &met->chunk, met->strand))
			return false;
	}
	if (__builtin_add_overflow(header->start_nanos, header->duration_nanos, &end) ||
	    header->duration_nanos <= 0)
		return true;
	return map_put(&merge->by_end, (uint64_t)end, met->strand);
}

static bool is_same_start(const struct chunk *a, const struct chunk *b)
{
	return a->header.start_nanos == b->header.start_nanos &&
	       a->header.start_ticks == b->header.start_ticks;
}

/* Why of two chunks with the same start one is not needed; NULL: both are. */
static const char *surplus(const struct chunk *a, const struct chunk *b,
			   const struct chunk **lost)
{
	const struct chunk *shorter = b->size <= a->size ? b : a;

	*lost = shorter;
	if (memcmp(a->bytes, b->bytes, shorter->size) == 0)
		return "this chunk is left out, as it is there twice";
	if (a->is_unfinished && b->is_unfinished) {
		if (a->flushed != b->flushed)
			*lost = b->flushed < a->flushed ? b : a;
		return "this chunk is left out, as another copy has more";
	}
	if (!a->is_unfinished && !b->is_unfinished)
		return NULL;
	*lost = a->is_unfinished ? a : b;
	return "this chunk is left out, as another copy is finished";
}

/* Closes a chunk that is not needed; what is wrong with it does not matter any more. */
static void drop(struct merge_chunk *lost, const char *cause, struct damage *damage)
{
	struct damage *own = &lost->damage;
	size_t kept = 0;

	for (size_t i = 0; i < own->faults.count; i++) {
		const struct fault *fault = &own->faults.items[i];

		if (fault->first.file != lost->chunk.file ||
		    fault->first.chunk != lost->chunk.number)
			own->faults.items[kept++] = *fault;
	}
	own->faults.count = kept;
	damage_merge(damage, own);
	damage_clear(own);
	damage_note(damage, cause, chunk_site(&lost->chunk, 0));
	chunk_close(&lost->chunk);
}

/* The one that waits is not needed; the other takes its place. */
static void replace(struct merge_chunk *waiting, struct merge_chunk *met,
		    const char *cause, struct damage *damage)
{
	drop(waiting, cause, damage);
	met->strand = waiting->strand;
	*waiting = *met;
	*met = (struct merge_chunk){ .strand = NO_STRAND };
}

/* Takes the chunk over: it waits with those of the same start, or is dropped. */
static bool take_chunk(struct merge *merge, struct merge_chunk *met,
		       struct damage *damage)
{
	for (size_t i = 0; i < merge->waiting.count; i++) {
		struct merge_chunk *waiting = &merge->waiting.items[i];
		const struct chunk *lost;
		const char *cause = NULL;

		if (is_same_start(&waiting->chunk, &met->chunk))
			cause = surplus(&waiting->chunk, &met->chunk, &lost);
		if (!cause)
			continue;
		/* Both runs are one, whichever of the chunks goes. */
		if (known_strand(merge, &met->chunk) == NO_STRAND &&
		    !learn_run(merge, &met->chunk, waiting->strand))
			return false;
		merge->copy.twofold_chunks++;
		if (lost == &met->chunk)
			drop(met, cause, damage);
		else
			replace(waiting, met, cause, damage);
		return true;
	}
	if (!find_strand(merge, met) || !vec_push(&merge->waiting, *met))
		return false;
	*met = (struct merge_chunk){ .strand = NO_STRAND };
	return true;
}

/* The clock that all times are told in, from the first chunk. */
static struct header common_clock(const struct header *first)
{
	struct header header = *first;
	struct clock clock = clock_of(first);

	if (header.ticks_per_second < TICKS_LEAST ||
	    header.ticks_per_second > TICKS_MOST) {
		header.start_ticks = clock_span(&clock, header.start_ticks);
		header.ticks_per_second = TICKS_LEAST;
	}
	return header;
}

static uint64_t key_of_space(const struct merge *merge, const struct type *type)
{
	return digest_pair(merge->strand, (uint64_t)type->id);
}

/* The space of each type: one of its own from where its keys mean something else. */
static bool find_spaces(struct merge *merge, const struct chunk *chunk,
			const struct sense *sense)
{
	const struct metadata *metadata = &chunk->metadata;

	free(merge->spaces_now);
	merge->spaces_now = calloc(metadata->type_count + 1, sizeof(uint32_t));
	if (!merge->spaces_now)
		return false;
	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];
		uint64_t key = key_of_space(merge, type);
		uint32_t own;

		if (sense_differs(sense, &merge->senses, type) &&
		    !map_put(&merge->spaces, key, FIRST_SPACE + merge->spaces_given++))
			return false;
		own = map_find(&merge->spaces, key);
		merge->spaces_now[i] = own == MAP_NONE ? merge->strand : own;
	}
	return true;
}

/*
 * Finds new keys, and compares with the chunk before and remembers for the one behind,
 * where those are of the same strand.
 */
static bool compare(struct merge *merge, const struct chunk *chunk)
{
	struct sense sense;
	bool is_good = sense_open(&sense, chunk) &&
		       keys_settle(&merge->copy.keys, &sense, merge->strand) &&
		       find_spaces(merge, chunk, &sense);

	if (is_good && merge->next == merge->strand)
		is_good = sense_keep(&sense, &merge->senses);
	else
		map_clear(&merge->senses);
	sense_close(&sense);
	return is_good;
}

static bool meet(struct copy *copy, const struct chunk *chunk)
{
	struct merge *merge = merge_of(copy);

	if (copy->to.ticks_per_second == 0)
		copy->to = common_clock(&chunk->header);
	copy->from = merge->strands.items[merge->strand];
	if (!compare(merge, chunk))
		return false;
	copy->numbers.spaces = merge->spaces_now;
	copy->numbers.is_foreign = merge->strand != 0;
	return true;
}

/* Writes what waits; the next chunk is of this strand (NO_STRAND: there is none). */
static bool write_waiting(struct merge *merge, uint32_t next, struct damage *damage,
			  struct err *err)
{
	size_t count = merge->waiting.count;
	bool is_good = true;

	for (size_t i = 0; i < count; i++) {
		struct merge_chunk *waiting = &merge->waiting.items[i];
		bool is_end = i + 1 == count;

		merge->strand = waiting->strand;
		merge->next = is_end ? next : waiting[1].strand;
		damage_merge(damage, &waiting->damage);
		damage_clear(&waiting->damage);
		is_good = is_good &&
			  copy_chunk(&merge->copy, &waiting->chunk,
				     is_end && next == NO_STRAND, damage, err);
		chunk_close(&waiting->chunk);
	}
	merge->waiting.count = 0;
	return is_good;
}

/* The chunk waits; if it begins later than those that do, they are written before. */
static bool go_on(struct merge *merge, struct merge_chunk *met, struct damage *damage,
		  struct err *err)
{
	bool is_good;

	if (merge->waiting.count == 0 ||
	    (merge->waiting.count < WAITING_MAX &&
	     is_same_start(&merge->waiting.items[0].chunk, &met->chunk)))
		return take_chunk(merge, met, damage) || err_memory(err);
	is_good = find_strand(merge, met) || err_memory(err);
	is_good = is_good && write_waiting(merge, met->strand, damage, err);
	return is_good && (take_chunk(merge, met, damage) || err_memory(err));
}

bool merge_input(struct merge *merge, struct input *input, struct damage *damage,
		 struct err *err)
{
	struct merge_chunk met = { .strand = NO_STRAND };
	bool is_good = true;

	merge->copy.meet = meet;
	while (is_good && input_open_next(input, &met.chunk, &met.damage, err)) {
		is_good = go_on(merge, &met, damage, err);
		chunk_close(&met.chunk);
		damage_clear(&met.damage);
	}
	is_good = is_good && err->kind == ERR_NONE &&
		  write_waiting(merge, NO_STRAND, damage, err);
	damage_merge(damage, &met.damage);
	damage_clear(&met.damage);
	for (size_t i = 0; i < merge->waiting.count; i++) {
		chunk_close(&merge->waiting.items[i].chunk);
		damage_clear(&merge->waiting.items[i].damage);
	}
	merge->copy.lost_chunks += input->count - input->opened;
	return is_good;
}

void merge_clear(struct merge *merge)
{
	vec_clear(&merge->strands);
	vec_clear(&merge->runs);
	vec_clear(&merge->waiting);
	map_clear(&merge->by_run);
	map_clear(&merge->by_end);
	map_clear(&merge->senses);
	map_clear(&merge->spaces);
	free(merge->spaces_now);
	merge->spaces_now = NULL;
	copy_clear(&merge->copy);
}
