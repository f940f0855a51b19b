#include "jfr/input.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/source.h"
#include "jfr/event.h"
#include "jfr/feeds.h"
#include "jfr/spill.h"

static struct site site_of(const char *path)
{
	return (struct site){ source_name(path), SITE_NO_CHUNK, SITE_NO_BYTE };
}

/* Puts the name of the file in front, where it is not in the text already. */
static bool within_file(struct err *err, const char *path)
{
	if (err->kind == ERR_FORMAT)
		err_within(err, "%s", source_name(path));
	return false;
}

/* Opens what the feed is, from its beginning on, for a run. */
static bool open_as(struct recording *recording, const struct input *input,
		    const struct feed *feed, struct run *run, struct err *err)
{
	if (feed->rest) {
		*recording = recording_of_bytes(feed->rest->bytes, feed->rest->size,
						feed->path, run);
		return true;
	}
	if (!feed->is_foreign_allowed && spill_is_at(feed->path))
		return err_set(err, ERR_FORMAT, "this is a spill file: name the folder "
			       "that it lies in");
	if (!recording_open(recording, feed->path, run, input->unpacker, err))
		return false;
	if (feed->cut)
		recording_cut(recording, feed->cut);
	return true;
}

static bool feed_open(struct input *input, struct feed *feed, struct err *err)
{
	struct recording *recording = malloc(sizeof(*recording));

	if (!recording)
		return err_memory(err);
	if (open_as(recording, input, feed, feed->run, err)) {
		feed->recording = recording;
		return true;
	}
	free(recording);
	return false;
}

/* A run to which no chunk comes any more has nobody to lend metadata to. */
static void retire(struct run *run)
{
	if (run->feeds == 0 && run->waiting == 0)
		run_clear(run);
}

static void feed_done(struct feed *feed)
{
	if (feed->is_done)
		return;
	feed->is_done = true;
	feed->run->feeds--;
	retire(feed->run);
}

/* Its blocks may still be needed: the recording is closed at the end. */
static bool feed_finish(struct input *input, struct feed *feed)
{
	struct recording *recording = feed->recording;

	feed_done(feed);
	feed->recording = NULL;
	if (!recording)
		return true;
	input->done += feed->rest || feed->cut ? feed_size(feed)
					       : recording->source.file_size;
	recording_finish(recording);
	if (vec_push(&input->finished, recording))
		return true;
	free(recording);	/* without memory its mapping stays */
	return false;
}

static void feed_close(struct feed *feed)
{
	if (!feed->recording)
		return;
	recording_close(feed->recording);
	free(feed->recording);
	feed->recording = NULL;
}

/* True if the file does not even begin like a recording. */
static bool begins_otherwise(struct recording *recording)
{
	struct source *source = &recording->source;

	return source_fill(source, HEADER_MAGIC_SIZE) < HEADER_MAGIC_SIZE ||
	       memcmp(source->bytes, header_magic, HEADER_MAGIC_SIZE) != 0;
}

/* A file that is not read: nothing is lost if it is none of ours. */
static void leave_out(struct feed *feed, struct damage *damage, const struct err *why)
{
	feed_close(feed);
	feed_done(feed);
	if (feed->is_foreign && !feeds_is_beside(feed->path))
		damage_note(damage, "not a recording, passed over", site_of(feed->path));
	else if (!feed->is_foreign)
		damage_add_detail(damage, "this file is left out", site_of(feed->path),
				  "%s", why->text);
}

/* Looks at when the file's next chunk starts. False: there is none. */
static bool feed_peek(struct input *input, struct feed *feed, struct damage *damage)
{
	struct err why = { 0 };

	if (!feed->recording && feed_open(input, feed, &why) &&
	    feed->is_foreign_allowed && !feed->has_begun)
		feed->is_foreign = begins_otherwise(feed->recording);
	if (feed->recording && recording_peek(feed->recording, damage, &why)) {
		feed->start_nanos = feed->recording->head.start_nanos;
		return true;
	}
	if (why.kind != ERR_NONE)
		leave_out(feed, damage, &why);
	else
		feed_finish(input, feed);
	return false;
}

/* What can be opened again need not stay open. */
static bool feed_rest(struct feed *feed)
{
	if (!feed->recording->source.file_size || strcmp(feed->path, "-") == 0)
		return false;
	feed_close(feed);
	return true;
}

/* Looks at all of several files, so that their order is known. False: none is of use. */
static bool look_at_all(struct input *input, struct damage *damage)
{
	bool has_any = false;

	for (size_t i = 0; i < input->feeds.all.count; i++) {
		struct feed *feed = &input->feeds.all.items[i];
		struct damage gaps = { 0 };

		if (feed_peek(input, feed, &gaps)) {
			has_any = true;
			if (feed_rest(feed))	/* it will be told again */
				gaps.faults.count = 0;
		}
		damage_merge(damage, &gaps);
		damage_clear(&gaps);
	}
	return has_any;
}

/* Standard input can be read but once. */
static bool check_paths(const char *const *paths, size_t count, struct err *err)
{
	bool has_input = false;

	for (size_t i = 0; i < count; i++) {
		if (strcmp(paths[i], "-") != 0)
			continue;
		if (has_input)
			return err_set(err, ERR_USAGE, "standard input is given twice");
		has_input = true;
	}
	return true;
}

bool input_open(struct input *input, const char *const *paths, size_t count,
		struct damage *damage, struct err *err)
{
	if (!check_paths(paths, count, err))
		return false;
	input->feeds.rests = input->rests;
	input->feeds.rest_count = input->rest_count;
	for (size_t i = 0; i < count; i++) {
		struct err why = { 0 };

		if (feeds_add(&input->feeds, paths[i], damage, &why))
			continue;
		if (why.kind == ERR_MEMORY || count == 1) {
			*err = why;
			return false;
		}
		damage_add_detail(damage, FEEDS_DIRECTORY_LOST, site_of(paths[i]), "%s",
				  why.text);
	}
	input->size = input->feeds.size;
	if (count == 1 && input->feeds.all.count == 1 &&
	    !input->feeds.all.items[0].is_foreign_allowed)
		return feed_open(input, &input->feeds.all.items[0], err) ||
		       within_file(err, paths[0]);
	if (look_at_all(input, damage))
		return true;
	if (!damage_is_none(damage))
		return err_set(err, ERR_FORMAT, "none of the files can be read");
	if (count > 1)
		return err_set(err, ERR_FORMAT, "there is no recording in them");
	return err_set(err, ERR_FORMAT, "%s: there is no recording in it", paths[0]);
}

bool input_of_bytes(struct input *input, const void *bytes, size_t size,
		    const char *name)
{
	struct run *run = feeds_run(&input->feeds);
	struct recording *recording = malloc(sizeof(*recording));

	if (!run || !recording ||
	    !feeds_put(&input->feeds, (struct feed){ .path = name, .run = run })) {
		free(recording);
		return false;
	}
	*recording = recording_of_bytes(bytes, size, name, run);
	input->feeds.all.items[0].recording = recording;
	return true;
}

/* The file whose next chunk starts first; NULL: all are done. */
static struct feed *first_feed(struct input *input)
{
	struct feed *first = NULL;

	for (size_t i = 0; i < input->feeds.all.count; i++) {
		struct feed *feed = &input->feeds.all.items[i];

		if (!feed->is_done &&
		    (!first || feed->start_nanos < first->start_nanos))
			first = feed;
	}
	return first;
}

/* The next chunk of that file; false with ERR_NONE: it has no more. */
static bool feed_next(struct input *input, struct feed *feed, struct chunk_place *place,
		      struct damage *damage, struct err *err)
{
	if (!feed->recording && !feed_open(input, feed, err)) {
		leave_out(feed, damage, err);
		*err = (struct err){ 0 };
		return false;
	}
	if (!recording_next(feed->recording, place, damage, err)) {
		if (err->kind == ERR_FORMAT && input->feeds.all.count > 1) {
			leave_out(feed, damage, err);
			*err = (struct err){ 0 };
		}
		if (err->kind == ERR_NONE && !feed->is_done &&
		    !feed_finish(input, feed))
			err_memory(err);
		return within_file(err, feed->path);
	}
	feed->has_begun = true;
	feed->run->waiting++;
	place->index = input->count++;
	/* Of a single file the order is known; peeking might wait for a pipe. */
	if (input->feeds.all.count > 1)
		feed_peek(input, feed, damage);
	return true;
}

/* The next chunk that was not found by input_survey. */
static bool find_next(struct input *input, struct chunk_place *place,
		      struct damage *damage, struct err *err)
{
	struct feed *feed;

	*err = (struct err){ 0 };
	while ((feed = first_feed(input))) {
		if (feed_next(input, feed, place, damage, err))
			return true;
		if (err->kind != ERR_NONE)
			return false;
	}
	return false;
}

bool input_next(struct input *input, struct chunk_place *place, struct damage *damage,
		struct err *err)
{
	if (input->ahead_at == input->ahead.count)
		return find_next(input, place, damage, err);
	*err = (struct err){ 0 };
	*place = input->ahead.items[input->ahead_at];
	input->ahead_bytes_done += place->block.size;
	if (input->is_kept)
		place->block = (struct block){ .bytes = place->block.bytes,
					       .size = place->block.size };
	else
		input->ahead.items[input->ahead_at].block = (struct block){ 0 };
	input->ahead_at++;
	return true;
}

/*
 * Opens the file once more, and shows the chunks of it that can be opened. False if
 * `visit` did not want the rest.
 */
static bool visit_feed(const struct input *input, const struct feed *feed,
		       struct run *run, visit_chunk *visit, void *context)
{
	struct damage damage = { 0 };
	struct recording recording;
	struct chunk_place place;
	struct chunk chunk;
	struct err err;
	bool goes_on = true;

	if (!open_as(&recording, input, feed, run, &err))
		return true;
	while (goes_on && recording_next(&recording, &place, &damage, &err)) {
		if (!chunk_of_place(&chunk, &place, &damage, &err)) {
			block_free(&place.block);
			continue;
		}
		goes_on = visit(context, &chunk);
		chunk_close(&chunk);
	}
	damage_clear(&damage);
	recording_close(&recording);
	return goes_on;
}

/* True for what can be opened a second time. */
static bool feed_is_file(const struct feed *feed)
{
	struct stat status;

	return feed->rest ||
	       (strcmp(feed->path, "-") != 0 && stat(feed->path, &status) == 0 &&
		S_ISREG(status.st_mode));
}

static bool lends_nothing(void *context, const struct chunk *chunk)
{
	(void)context;
	return chunk->shared == NULL;
}

/* Metadata for the first chunks of a run, which have none, from later ones. */
static bool seed(const struct input *input, struct run *run)
{
	for (size_t i = 0; i < input->feeds.all.count; i++) {
		const struct feed *feed = &input->feeds.all.items[i];

		if (feed->run == run && feed_is_file(feed) &&
		    !visit_feed(input, feed, run, lends_nothing, NULL))
			return true;
	}
	return false;
}

static void set_zone(struct input *input, struct chunk *chunk)
{
	if (!input->has_zone) {
		input->zone = chunk->zone;
		input->has_zone = true;
	}
	if (input->zone_kind == ZONE_LOCAL)
		chunk->zone = CLOCK_ZONE_LOCAL;
	else
		chunk->zone = input->zone_kind == ZONE_UTC ? 0 : input->zone;
}

/*
 * Opens a chunk with metadata of a later one. The clock of that one serves only to see
 * that both are of one JVM.
 */
static bool open_seeded(struct input *input, struct chunk_place *place,
			struct chunk *chunk, struct damage *damage, struct err *err)
{
	struct run *run = place->run;
	bool has_clock = run->has_clock;

	run->is_seeded = true;
	if (!seed(input, run) || !chunk_of_place(chunk, place, damage, err))
		return false;
	if (!has_clock)
		run->clock = chunk->clock = clock_of(&chunk->header);
	return true;
}

bool input_chunk(struct input *input, struct chunk_place *place, struct chunk *chunk,
		 struct damage *damage, struct err *err)
{
	struct run *run = place->run;
	bool is_open = chunk_of_place(chunk, place, damage, err);

	if (!is_open && err->kind == ERR_FORMAT && !run->newest &&
	    !run->is_seeded)
		is_open = open_seeded(input, place, chunk, damage, err);
	run->waiting--;
	retire(run);
	if (!is_open) {
		block_free(&place->block);
		return false;
	}
	input->opened++;
	set_zone(input, chunk);
	return true;
}

/* If it is the only chunk, that is an error and no damage: so it is told late. */
static void tell_lost(struct input *input, struct damage *damage)
{
	if (input->lost.kind != ERR_NONE)
		damage_add_detail(damage, "this chunk is left out", input->lost_site, "%s",
				  input->lost.text);
	input->lost = (struct err){ 0 };
}

bool input_open_next(struct input *input, struct chunk *chunk, struct damage *damage,
		     struct err *err)
{
	struct chunk_place place;

	while (input_next(input, &place, damage, err)) {
		struct site site = { place.file, place.number, place.offset };
		bool is_open = input_chunk(input, &place, chunk, damage, err);

		if (!is_open && err->kind == ERR_MEMORY)
			return false;
		tell_lost(input, damage);
		input_tick(input);
		if (is_open)
			return true;
		input->lost = *err;
		input->lost_site = site;
		if (input->opened > 0)
			tell_lost(input, damage);
	}
	if (err->kind == ERR_NONE && input->opened == 0 && input->lost.kind != ERR_NONE) {
		*err = input->lost;
		err_within(err, "%s: chunk %zu at byte %llu", input->lost_site.file,
			   input->lost_site.chunk + 1,
			   (unsigned long long)input->lost_site.at);
	}
	return false;
}

/* The end of the last event, for headers that are older than that. */
static int64_t last_end(const struct chunk *chunk)
{
	struct event_walk walk = event_walk(chunk, NULL);
	struct event event;
	int64_t start, end, last = INT64_MIN;

	while (event_next(&walk, &event)) {
		if (event.type && event_ticks(chunk, &event, &start, &end) && end > last)
			last = end;
	}
	return last == INT64_MIN ? INT64_MIN : clock_nanos(&chunk->clock, last);
}

/* What only the inside of the chunk tells. */
static void survey_inside(const struct block *block, struct input_span *span,
			  int64_t *end)
{
	struct chunk chunk;

	if (chunk_open_bytes(&chunk, block->bytes, block->size, NULL)) {
		int64_t last = chunk.is_unfinished ? last_end(&chunk) : *end;

		*end = last > *end ? last : *end;
		span->zone = span->has_zone ? span->zone : chunk.zone;
		span->has_zone = true;
	}
	chunk_close(&chunk);
}

/* Adds what can be told of a chunk without its neighbours. */
static void survey_place(const struct chunk_place *place, struct input_span *span)
{
	const struct block *block = &place->block;
	struct header header;
	int64_t end;

	if (!header_read(&header, block->bytes, block->size, NULL))
		return;
	if (__builtin_add_overflow(header.start_nanos, header.duration_nanos, &end))
		end = INT64_MAX;
	if (!span->has_zone || header_is_unfinished(&header))
		survey_inside(block, span, &end);
	span->start = header.start_nanos < span->start ? header.start_nanos : span->start;
	span->end = end > span->end ? end : span->end;
}

bool input_survey(struct input *input, struct input_span *span, struct damage *damage,
		  struct err *err)
{
	struct chunk_place place;

	*span = (struct input_span){ INT64_MAX, INT64_MIN, 0, false };
	while (find_next(input, &place, damage, err)) {
		if (!vec_push(&input->ahead, place)) {
			block_free(&place.block);
			return err_memory(err);
		}
		survey_place(&place, span);
		input_tick(input);
	}
	return err->kind == ERR_NONE;
}

bool input_keep(struct input *input, struct damage *damage, struct err *err)
{
	struct input_span span;

	input->is_kept = true;
	return input_survey(input, &span, damage, err);
}

void input_rewind(struct input *input)
{
	for (size_t i = 0; i < input->feeds.runs.count; i++) {
		struct run *run = input->feeds.runs.items[i];

		run_clear(run);
		run->has_clock = run->is_seeded = false;
		run->waiting = 0;
	}
	for (size_t i = 0; i < input->ahead.count; i++)
		input->ahead.items[i].run->waiting++;
	input->lost = (struct err){ 0 };
	input->opened = 0;
	input->ahead_at = 0;
	input->ahead_bytes_done = 0;
}

/* With a run of its own: nothing is learned for the one that is to come. */
static bool feed_preview(const struct input *input, const struct feed *feed,
			 visit_chunk *visit, void *context)
{
	struct known known = { .count = 0 };
	struct run run = { .known = &known };
	bool is_whole = visit_feed(input, feed, &run, visit, context);

	run_clear(&run);
	known_clear(&known);
	return is_whole;
}

bool input_preview(const struct input *input, visit_chunk *visit, void *context)
{
	bool is_whole = true;

	for (size_t i = 0; i < input->feeds.all.count; i++) {
		const struct feed *feed = &input->feeds.all.items[i];

		is_whole &= feed_is_file(feed) &&
			    feed_preview(input, feed, visit, context);
	}
	return is_whole;
}

/* The same one before: files keep their places. */
static int compare_starts(const void *left, const void *right)
{
	const struct feed *one = *(struct feed *const *)left;
	const struct feed *other = *(struct feed *const *)right;

	if (one->start_nanos != other->start_nanos)
		return one->start_nanos < other->start_nanos ? -1 : 1;
	return one < other ? -1 : one > other;
}

const char **input_paths(const struct input *input, size_t *count)
{
	const struct feed **feeds = calloc(input->feeds.all.count + 1, sizeof(*feeds));
	const char **paths = calloc(input->feeds.all.count + 1, sizeof(*paths));

	*count = 0;
	for (size_t i = 0; feeds && i < input->feeds.all.count; i++) {
		if (!input->feeds.all.items[i].is_done)
			feeds[(*count)++] = &input->feeds.all.items[i];
	}
	if (feeds)
		qsort(feeds, *count, sizeof(*feeds), compare_starts);
	for (size_t i = 0; paths && i < *count; i++)
		paths[i] = feeds[i]->path;
	free(feeds);
	return paths;
}

void input_tick(struct input *input)
{
	if (input->tick)
		input->tick(input->tick_context);
}

uint64_t input_position(const struct input *input)
{
	uint64_t position = input->done;

	for (size_t i = 0; i < input->feeds.all.count; i++) {
		const struct feed *feed = &input->feeds.all.items[i];

		if (feed->recording)
			position += source_position(&feed->recording->source);
	}
	/* What was surveyed has been found, but not worked through. */
	if (input->ahead_at < input->ahead.count)
		position = input->ahead_bytes_done;
	return position > input->pending ? position - input->pending : 0;
}

void input_close(struct input *input)
{
	for (size_t i = input->is_kept ? 0 : input->ahead_at; i < input->ahead.count; i++)
		block_free(&input->ahead.items[i].block);
	for (size_t i = 0; i < input->feeds.all.count; i++)
		feed_close(&input->feeds.all.items[i]);
	for (size_t i = 0; i < input->finished.count; i++) {
		recording_close(input->finished.items[i]);
		free(input->finished.items[i]);
	}
	vec_clear(&input->ahead);
	vec_clear(&input->finished);
	feeds_clear(&input->feeds);
	*input = (struct input){ 0 };
}
