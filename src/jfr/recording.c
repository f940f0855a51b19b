#include "jfr/recording.h"

#include <string.h>

#include "jfr/frame.h"

/* How far into an input we look for the first chunk. */
#define FIRST_CHUNK_WITHIN ((uint64_t)16 << 20)

#define VARINT_MAX 9	/* bytes */

/* Bytes of a metadata event; real ones have a few hundred thousand. */
#define METADATA_MOST ((uint64_t)64 << 20)

/* How often, on average, events may be followed only to see where a chunk ends. */
#define HOPS_MOST 4

/* What is brought to hand at once while looking for a header. */
#define STEP ((size_t)256 << 10)

bool recording_open(struct recording *recording, const char *path, struct run *run,
		    const struct unpacker *unpacker, struct err *err)
{
	struct source *source = &recording->source;
	struct header header;

	*recording = (struct recording){ .run = run };
	if (!source_open(source, path, unpacker, err))
		return false;
	/* The JVM may still be at work on it. */
	if (header_read(&header, source->bytes, source->size, NULL) &&
	    header_is_unfinished(&header))
		source_copy(source);
	if (source_fill(source, 1) > 0)
		return true;
	if (source->failure.kind != ERR_NONE)
		*err = source->failure;
	else
		err_set(err, ERR_FORMAT, "the file is empty");
	source_close(source);
	return false;
}

struct recording recording_of_bytes(const void *bytes, size_t size, const char *name,
				    struct run *run)
{
	return (struct recording){ .source = source_of_bytes(bytes, size, name),
				   .run = run };
}

void recording_cut(struct recording *recording, uint64_t size)
{
	source_cut(&recording->source, size);
	recording->is_completed = true;
}

static struct site site_at(const struct recording *recording, uint64_t at)
{
	return (struct site){ recording->source.name, SITE_NO_CHUNK, at };
}

/* Where in these bytes, from `at` on, a header seems to stand; their size: nowhere. */
static size_t look_for_header(const unsigned char *bytes, size_t size, size_t at)
{
	while (at < size && size - at >= HEADER_SIZE) {
		const unsigned char *found = memmem(bytes + at, size - at, header_magic,
						    HEADER_MAGIC_SIZE);

		if (!found)
			break;
		at = (size_t)(found - bytes);
		if (header_is_likely(found, size - at))
			return at;
		at++;
	}
	return size;
}

/* The type of the event at this offset of the source; UINT64_MAX: there is none. */
static uint64_t event_type_at(struct source *source, size_t at)
{
	size_t size = source_fill(source, at + 2 * VARINT_MAX);
	struct cursor cursor;
	uint64_t event_size, type;

	if (at >= size)
		return UINT64_MAX;
	cursor = cursor_of(source->bytes + at, size - at);
	event_size = cursor_varint(&cursor);
	type = cursor_varint(&cursor);
	return cursor.bad || event_size == 0 ? UINT64_MAX : type;
}

/* True if the event there may be one with metadata: it has strings. */
static bool is_metadata_at(struct source *source, size_t at)
{
	size_t size = source_fill(source, at + 6 * VARINT_MAX);
	struct cursor cursor;
	uint64_t event_size, strings;

	if (at >= size)
		return false;
	cursor = cursor_of(source->bytes + at, size - at);
	event_size = cursor_varint(&cursor);
	if (cursor_varint(&cursor) != EVENT_METADATA)
		return false;
	for (int i = 0; i < 3; i++)	/* start, duration, id */
		cursor_varint(&cursor);
	strings = cursor_varint(&cursor);
	return !cursor.bad && event_size <= METADATA_MOST && strings > 0 &&
	       strings < event_size;
}

/*
 * True if events can be followed to the end of a chunk of that size. Of many chunks that
 * all claim to be large few are worth it, or we would be at it for ever.
 */
static bool is_framed(struct recording *recording, size_t size)
{
	const struct source *source = &recording->source;

	recording->hopped += size;
	return size > HEADER_SIZE &&
	       recording->hopped / HOPS_MOST <= source->offset + source->size &&
	       frame_hop(source->bytes, size, HEADER_SIZE) == size;
}

/*
 * True if a chunk begins at this offset, where a header seems to stand: JVMs put copies of
 * headers into their checkpoints, but those lead to no metadata. Another chunk may begin
 * at 0.
 */
static bool is_chunk_start(struct recording *recording, size_t at)
{
	struct source *source = &recording->source;
	struct header header;
	uint64_t type;

	if (!header_read(&header, source->bytes + at, source->size - at, NULL))
		return false;
	if (header.metadata_at == 0 && header_is_unfinished(&header)) {
		type = event_type_at(source, at + HEADER_SIZE);
		if (type != EVENT_CHECKPOINT && type != EVENT_METADATA)
			return false;
		/* So begin copies of headers, too; but they lie within an event. */
		return at == 0 || is_framed(recording, at);
	}
	return header.metadata_at >= HEADER_SIZE &&
	       header.metadata_at < INT64_MAX / 2 - (int64_t)at &&
	       is_metadata_at(source, at + (size_t)header.metadata_at);
}

/*
 * The next place from `at` on where a chunk begins, or the end of the input. Brings to
 * hand what lies before it.
 */
static size_t find_chunk(struct recording *recording, size_t at)
{
	struct source *source = &recording->source;

	for (;;) {
		size_t size = source_fill(source, at + STEP);
		size_t found = look_for_header(source->bytes, size, at);

		if (found < size && is_chunk_start(recording, found))
			return found;
		if (found < size)
			at = found + 1;
		else if (size < at + STEP)
			return size;
		else
			at = size - (HEADER_SIZE - 1);
	}
}

/* Goes past what is no chunk, to the next one; false: to the end. */
static bool skip_to_header(struct recording *recording)
{
	struct source *source = &recording->source;
	uint64_t from = source->offset;
	size_t at = 1;

	/* What is at hand already is looked at in steps, too: so the limit is the same. */
	while (recording->count > 0 || source->offset - from < FIRST_CHUNK_WITHIN) {
		size_t there = source_fill(source, STEP);
		size_t size = there < STEP ? there : STEP;
		size_t found = look_for_header(source->bytes, size, at);

		if (found < size) {
			source_skip(source, found);
			if (is_chunk_start(recording, 0))
				return true;
			at = 1;
			continue;
		}
		if (there < STEP)
			break;
		source_skip(source, size - (HEADER_SIZE - 1));
		at = 0;
	}
	source_skip(source, source->size);
	return false;
}

/* `why` tells what stands there instead of a chunk. False at the end. */
static bool skip_gap(struct recording *recording, struct err *why, struct damage *damage,
		     struct err *err)
{
	uint64_t from = recording->source.offset;
	bool is_found = skip_to_header(recording);

	if (!is_found && recording->count == 0) {
		err_within(why, "chunk 1 at byte %llu", (unsigned long long)from);
		*err = *why;
		return false;
	}
	damage_add_detail(damage, "no chunk begins there", site_at(recording, from),
			  "%s; %llu bytes are passed over", why->text,
			  (unsigned long long)(recording->source.offset - from));
	return is_found;
}

/* False if it is not the input's fault: then what was read of it cannot be trusted. */
static bool tell_end(struct recording *recording, struct damage *damage,
		     struct err *err)
{
	struct source *source = &recording->source;

	if (source->failure.kind == ERR_NONE)
		return true;
	if (source->is_out_of_room) {
		*err = source->failure;
		return false;
	}
	damage_add_detail(damage, "nothing can be read from there on",
			  site_at(recording, source->offset), "%s",
			  source->failure.text);
	source->failure = (struct err){ 0 };
	return true;
}

bool recording_peek(struct recording *recording, struct damage *damage, struct err *err)
{
	struct source *source = &recording->source;

	*err = (struct err){ 0 };
	while (!recording->is_peeked) {
		size_t size = source_fill(source, HEADER_SIZE);
		struct err why;

		if (!tell_end(recording, damage, err) || size == 0)
			return false;
		recording->is_peeked =
			header_read(&recording->head, source->bytes, size, &why);
		if (!recording->is_peeked && !skip_gap(recording, &why, damage, err))
			return false;
	}
	return true;
}

/* True if the chunk of that size is followed by another one, or by nothing. */
static bool is_last_or_followed(const struct source *source, size_t size)
{
	return source->size == size ||
	       header_is_likely(source->bytes + size, source->size - size);
}

/*
 * True if the header's size is right. Looking behind the chunk would make us wait for
 * what comes next through a pipe: there its events are followed first.
 */
static bool is_size_right(struct recording *recording, uint64_t size)
{
	struct source *source = &recording->source;

	if (size < HEADER_SIZE || size > SIZE_MAX - HEADER_SIZE ||
	    source_fill(source, (size_t)size) < size)
		return false;
	if ((source->is_ended || source->size >= size + HEADER_SIZE) &&
	    is_last_or_followed(source, size))
		return true;
	if (is_framed(recording, (size_t)size))
		return true;
	source_fill(source, size + HEADER_SIZE);
	return is_last_or_followed(source, size);
}

/* Why the size is not right. */
static void tell_size(const struct recording *recording, size_t size,
		      struct damage *damage)
{
	struct site site = { recording->source.name, recording->count,
			     recording->source.offset };
	long long claimed = recording->head.chunk_size;

	if (recording->source.is_out_of_room)
		return;
	if (claimed < HEADER_SIZE)
		damage_add_detail(damage, "the size of a chunk is wrong", site,
				  "the chunk size %lld is smaller than a chunk header",
				  claimed);
	else if (recording->source.size == size && (uint64_t)claimed > size)
		damage_add_detail(damage, "a chunk is cut short", site,
				  "it should have %lld bytes, but the file ends after %zu",
				  claimed, size);
	else
		damage_add_detail(damage, "the size of a chunk is wrong", site,
				  "it should have %lld bytes, but has %zu", claimed, size);
}

/* How many bytes of what is at hand, or can be brought there, are the chunk. */
static size_t chunk_extent(struct recording *recording, struct damage *damage)
{
	struct source *source = &recording->source;
	uint64_t claimed = (uint64_t)recording->head.chunk_size;
	size_t size;

	if (!header_is_unfinished(&recording->head)) {
		if (is_size_right(recording, claimed))
			return (size_t)claimed;
		size = find_chunk(recording, HEADER_SIZE);
		tell_size(recording, size, damage);
		return size;
	}
	if (claimed > SIZE_MAX / 2 || source_fill(source, (size_t)claimed) < claimed)
		claimed = HEADER_SIZE;
	return find_chunk(recording, claimed < HEADER_SIZE ? HEADER_SIZE : (size_t)claimed);
}

bool recording_next(struct recording *recording, struct chunk_place *place,
		    struct damage *damage, struct err *err)
{
	size_t size;

	if (!recording_peek(recording, damage, err))
		return false;
	size = chunk_extent(recording, damage);
	if (recording->source.is_out_of_room) {
		*err = recording->source.failure;
		return false;
	}
	*place = (struct chunk_place){ .file = recording->source.name,
				       .number = recording->count,
				       .offset = recording->source.offset,
				       .run = recording->run,
				       .is_completed = recording->is_completed };
	if (!source_take(&recording->source, size, &place->block, err))
		return false;
	recording->is_peeked = false;
	recording->count++;
	return true;
}

bool chunk_of_place(struct chunk *chunk, struct chunk_place *place,
		    struct damage *damage, struct err *err)
{
	*chunk = (struct chunk){ .block = place->block, .file = place->file,
				 .index = place->index, .number = place->number,
				 .offset = place->offset, .run = place->run };
	if (!chunk_open(chunk, damage, err)) {
		chunk->block = (struct block){ 0 };
		chunk_close(chunk);
		return false;
	}
	place->block = (struct block){ 0 };
	if (chunk->run)
		chunk->clock = run_clock(chunk->run, &chunk->header);
	if (chunk->header.ticks_per_second <= 0)
		damage_add_detail(damage, "times cannot be told", chunk_site(chunk, 0),
				  "the header says %lld ticks a second",
				  (long long)chunk->header.ticks_per_second);
	if (chunk->is_unfinished && !place->is_completed)
		damage_note(damage, "the chunk is not finished, its newest events may "
				    "be missing", chunk_site(chunk, 0));
	return true;
}

void recording_finish(struct recording *recording)
{
	source_finish(&recording->source);
}

void recording_close(struct recording *recording)
{
	source_close(&recording->source);
	*recording = (struct recording){ 0 };
}
