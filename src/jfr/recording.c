#include "jfr/recording.h"

#include <string.h>

bool recording_open(struct recording *recording, const char *path, struct err *err)
{
	*recording = (struct recording){ 0 };
	if (!source_open(&recording->source, path, err))
		return false;
	if (recording->source.size > 0)
		return true;
	source_close(&recording->source);
	return err_set(err, ERR_FORMAT, "the file is empty");
}

struct recording recording_of_bytes(const void *bytes, size_t size, const char *name)
{
	return (struct recording){
		.source = { .bytes = bytes, .size = size, .name = name,
			    .is_borrowed = true },
	};
}

/* Versions before 2.1 do not tell. */
static bool is_unfinished(const struct header *header)
{
	return header->state != 0 && header->major == 2 && header->minor >= 1;
}

/* The program that packed the input, going by its first bytes; NULL: none we know. */
static const char *packer(const struct source *source)
{
	static const struct {
		const char *magic, *name;
	} packers[] = {
		{ "\x1f\x8b", "gzip" },	   { "PK\3\4", "zip" },
		{ "\x28\xb5\x2f\xfd", "zstd" }, { "\x04\x22\x4d\x18", "lz4" },
		{ "\xfd" "7zXZ", "xz" },
	};

	for (size_t i = 0; i < sizeof(packers) / sizeof(packers[0]); i++) {
		size_t size = strlen(packers[i].magic);

		if (source->size > size &&
		    memcmp(source->bytes, packers[i].magic, size) == 0)
			return packers[i].name;
	}
	return NULL;
}

/* Says what stands there instead of a chunk; the tail of an unfinished one is none. */
static bool no_chunk(const struct recording *recording, struct err *err)
{
	if (recording->is_unfinished) {
		*err = (struct err){ 0 };
		return false;
	}
	if (recording->count == 0 && packer(&recording->source))
		return err_set(err, ERR_FORMAT,
			       "compressed with %s; decompress it first",
			       packer(&recording->source));
	return err_within(err, "chunk %zu at byte %llu", recording->count + 1,
			  (unsigned long long)recording->at);
}

bool recording_next(struct recording *recording, struct chunk_place *place,
		    struct err *err)
{
	const struct source *source = &recording->source;
	struct header header;
	size_t left = source->size - recording->at;

	*err = (struct err){ 0 };
	if (left == 0)
		return false;
	*place = (struct chunk_place){ .index = recording->count,
				       .offset = recording->at,
				       .bytes = source->bytes + recording->at };
	if (!header_read(&header, place->bytes, left, err))
		return no_chunk(recording, err);
	if ((uint64_t)header.chunk_size > left)
		return err_set(err, ERR_FORMAT,
			       "chunk %zu at byte %llu: it should have %lld bytes, "
			       "but the file ends after %zu",
			       place->index + 1, (unsigned long long)place->offset,
			       (long long)header.chunk_size, left);
	place->size = (size_t)header.chunk_size;
	recording->at += place->size;
	recording->count++;
	recording->is_unfinished = is_unfinished(&header);
	return true;
}

static void set_clock(struct recording *recording, struct chunk *chunk)
{
	if (!recording->has_clock) {
		recording->clock = clock_of(&chunk->header);
		recording->zone = metadata_zone(&chunk->metadata);
		recording->has_clock = true;
	} else if (!clock_agrees(&recording->clock, &chunk->header)) {
		/* Joined from two runs of a JVM: from here on the clock of this one. */
		recording->clock = clock_of(&chunk->header);
	}
	chunk->clock = recording->clock;
	chunk->zone = recording->zone;
}

bool recording_chunk(struct recording *recording, const struct chunk_place *place,
		     struct chunk *chunk, struct err *err)
{
	*chunk = (struct chunk){ .index = place->index, .offset = place->offset,
				 .known = &recording->known };
	if (!chunk_open(chunk, place->bytes, place->size, err)) {
		chunk_close(chunk);
		return err_within(err, "chunk %zu at byte %llu", place->index + 1,
				  (unsigned long long)place->offset);
	}
	set_clock(recording, chunk);
	return true;
}

void recording_close(struct recording *recording)
{
	known_clear(&recording->known);
	source_close(&recording->source);
	*recording = (struct recording){ 0 };
}
