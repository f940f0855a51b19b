#include <criterion/criterion.h>
#include <stdlib.h>

#include "jfr/checkpoint.h"
#include "jfr/chunk.h"
#include "make.h"

#define SYMBOL "jdk.types.Symbol"

static const struct schema_type types[] = {
	TYPE("a.E", "jdk.jfr.Event", FIELDS(START, FIELD("symbol", SYMBOL, POOLED))),
	TYPE("a.Node", NULL,
	     FIELDS(FIELD("next", "a.Node", POOLED), FIELD("names", SYMBOL, POOLED, ARRAY))),
	TYPE("a.Self", NULL, FIELDS(FIELD("x", "a.Self"))),
	TYPE(SYMBOL, NULL, .is_simple = true, FIELDS(FIELD("string", "java.lang.String"))),
	TYPES_END,
};

/* More than the others declare, so that it is known which metadata was read. */
static const struct schema_type more_types[] = {
	TYPE("a.Later", "jdk.jfr.Event", FIELDS(START)),
	TYPES_END,
};

/* Opens a chunk of a file, the third there. */
static bool open_chunk(struct chunk *chunk, const struct made *made, struct run *run,
		       struct damage *damage, struct err *err)
{
	*chunk = (struct chunk){
		.block = { .bytes = made->bytes, .size = made->size },
		.file = "r.jfr",
		.number = 2,
		.offset = 1000,
		.run = run,
	};
	return chunk_open(chunk, damage, err);
}

#define OTHER "other metadata of the chunk is used"

Test(chunk, looks_for_metadata_that_the_header_does_not_lead_to)
{
	static const struct {
		int64_t place;
		const char *detail;
	} cases[] = {
		{ 0, "the header points to no metadata event (0)" },
		{ -1, "the header points to no metadata event (-1)" },
		{ 67, "the header points to no metadata event (67)" },
		{ INT64_MIN, "the header points to no metadata event (-9223372036854775808)" },
		{ INT64_MAX, "the header points to no metadata event (9223372036854775807)" },
		{ HEADER_SIZE, "no metadata event at byte 1068" },
		{ HEADER_SIZE + 1, "no metadata event at byte 1069" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made made = { 0 };
		struct chunk chunk;
		const struct fault *fault;

		make_begin(&made, types);
		EVENT(&made.writer, "a.E", LONG(1), KEY(5));
		cr_assert(make_bytes(&made));
		make_number(made.bytes, METADATA_AT, cases[i].place);
		cr_assert(open_chunk(&chunk, &made, NULL, &made.damage, &made.err));
		cr_assert_eq(made.damage.faults.count, 1);
		fault = &made.damage.faults.items[0];
		cr_expect_str_eq(fault->cause, OTHER);
		cr_expect_str_eq(fault->detail, cases[i].detail);
		cr_expect_str_eq(fault->first.file, "r.jfr");
		cr_expect_eq(fault->first.chunk, 2);
		cr_expect_eq(fault->first.at, 1000 + chunk.metadata_at);
		cr_expect_gt(chunk.metadata.type_count, 0);
		chunk_close(&chunk);
		make_clear(&made);
	}
}

static bool has_type(const struct chunk *chunk, const char *name)
{
	for (size_t i = 0; i < chunk->metadata.type_count; i++) {
		if (str_is(chunk->metadata.types[i].name, str_of(name)))
			return true;
	}
	return false;
}

/* Two metadata events: the second declares more. Where they are. */
static void make_two(struct made *made, size_t places[2])
{
	make_begin(made, types);
	places[0] = made->writer.buf.size;
	writer_metadata(&made->writer);
	EVENT(&made->writer, "a.E", LONG(1), KEY(5));
	writer_describe(&made->writer, more_types);
	writer_end(&made->writer);
	places[1] = made->writer.buf.size;
	writer_metadata(&made->writer);
	EVENT(&made->writer, "a.Later", LONG(1));
	cr_assert(make_bytes(made));
	make_number(made->bytes, METADATA_AT, 0);
}

Test(chunk, takes_the_newest_metadata_it_finds)
{
	struct made made = { 0 };
	struct chunk chunk;
	size_t places[2];

	make_two(&made, places);
	cr_assert(open_chunk(&chunk, &made, NULL, &made.damage, &made.err));
	cr_expect_eq(chunk.metadata_at, places[1]);
	cr_expect(has_type(&chunk, "a.Later"));
	chunk_close(&chunk);
	/* The number of strings, behind size, type, two times and an id. */
	made.bytes[places[1] + 8] = 0x7f;
	cr_assert(open_chunk(&chunk, &made, NULL, &made.damage, &made.err));
	cr_expect_eq(chunk.metadata_at, places[0]);
	cr_expect_not(has_type(&chunk, "a.Later"));
	cr_expect_eq(make_faults(&made, OTHER), 2);
	chunk_close(&chunk);
	make_clear(&made);
}

Test(chunk, uses_other_metadata_if_that_of_the_header_is_broken)
{
	struct made made = { 0 };
	struct chunk chunk;
	size_t places[2];

	make_two(&made, places);
	make_number(made.bytes, METADATA_AT, (int64_t)places[1]);
	made.bytes[places[1] + 8] = 0x7f;
	cr_assert(open_chunk(&chunk, &made, NULL, &made.damage, &made.err));
	cr_expect_eq(chunk.metadata_at, places[0]);
	cr_expect_eq(make_faults(&made, OTHER), 1);
	chunk_close(&chunk);
	make_clear(&made);
}

Test(chunk, finds_metadata_behind_broken_events)
{
	struct made made = { 0 };
	struct chunk chunk;

	make_begin(&made, types);
	EVENT(&made.writer, "a.E", LONG(1), KEY(5));
	writer_end(&made.writer);
	buf_text(&made.writer.buf, "garbage of which no event can be made, 0123456789");
	cr_assert(make_bytes(&made));
	make_number(made.bytes, METADATA_AT, 0);
	cr_assert(open_chunk(&chunk, &made, NULL, &made.damage, &made.err));
	cr_expect(has_type(&chunk, "a.E"));
	cr_expect_eq(make_faults(&made, OTHER), 1);
	chunk_close(&chunk);
	make_clear(&made);
}

/* What looks like a metadata event and is none; then there is nothing else. */
Test(chunk, is_refused_without_metadata)
{
	struct made made = { 0 };
	struct chunk chunk;

	made.writer.metadata_id = 3;
	writer_open(&made.writer, NULL);	/* no metadata at all */
	cr_assert(make_bytes(&made));
	cr_expect_not(open_chunk(&chunk, &made, NULL, &made.damage, &made.err));
	cr_expect_str_eq(made.err.text, "the header points to no metadata event (0)");
	cr_expect_eq(made.err.kind, ERR_FORMAT);
	chunk_close(&chunk);
	make_clear(&made);

	made.writer.metadata_id = 3;
	writer_open(&made.writer, NULL);
	writer_event(&made.writer, EVENT_METADATA);
	make_values(&made.writer.buf, VALUES(LONG(0), LONG(0), LONG(1), COUNT(1), TEXT("a"),
					     COUNT(0), COUNT(0), COUNT(0)));
	cr_assert(make_bytes(&made));
	make_number(made.bytes, METADATA_AT, HEADER_SIZE);
	cr_expect_not(open_chunk(&chunk, &made, NULL, &made.damage, &made.err));
	cr_expect_str_eq(made.err.text, "metadata at byte 1068: "
					"the metadata event declares no types");
	cr_expect(damage_is_none(&made.damage));
	chunk_close(&chunk);
	make_clear(&made);
}

static struct header header_at(int64_t seconds, int64_t ticks)
{
	struct header header = writer_header;

	header.start_nanos = seconds * 1000000000;
	header.start_ticks = ticks * 1000000000;
	return header;
}

/* A chunk without metadata; with it the writer would write none for a single time. */
static void make_bare(struct made *made, const struct header *header)
{
	writer_clear(&made->writer);
	made->writer.metadata_id = 1;
	writer_open(&made->writer, header);
	writer_event(&made->writer, 100);
	cr_assert(make_bytes(made));
}

Test(chunk, borrows_metadata_from_its_run)
{
	struct header first = header_at(1000, 10), next = header_at(1060, 70),
		      other = header_at(1060, 5);
	struct made made = { 0 };
	struct known known = { 0 };
	struct run run = { .known = &known };
	struct chunk lender, chunk;

	writer_describe(&made.writer, types);
	writer_open(&made.writer, &first);
	cr_assert(make_bytes(&made));
	cr_assert(open_chunk(&lender, &made, &run, &made.damage, &made.err));
	cr_expect_not_null(lender.shared);
	run_clock(&run, &lender.header);
	make_bare(&made, &next);
	cr_assert(open_chunk(&chunk, &made, &run, &made.damage, &made.err), "%s",
		  made.err.text);
	cr_expect_eq(chunk.metadata.types, lender.metadata.types);
	cr_expect_eq(chunk.metadata_at, 0);
	cr_expect_eq(chunk.shared, lender.shared);
	cr_assert_eq(made.damage.faults.count, 1);
	cr_expect_eq(made.damage.faults.items[0].first.at, 1000);
	chunk_close(&chunk);
	make_bare(&made, &other);
	cr_expect_not(open_chunk(&chunk, &made, &run, &made.damage, &made.err));
	cr_expect_str_eq(made.err.text, "the header points to no metadata event (0)");
	chunk_close(&chunk);
	chunk_close(&lender);
	run_clear(&run);
	known_clear(&known);
	make_clear(&made);
}

/* The header is older than what stands in the chunk. */
Test(chunk, that_is_unfinished_has_the_newest_metadata)
{
	struct made made = { 0 };
	struct chunk chunk;
	size_t places[2];

	make_two(&made, places);
	make_number(made.bytes, METADATA_AT, (int64_t)places[0]);
	make_number(made.bytes, CHUNK_SIZE_AT, (int64_t)places[1]);
	made.bytes[STATE_AT] = 3;
	cr_assert(open_chunk(&chunk, &made, NULL, &made.damage, &made.err));
	cr_expect(chunk.is_unfinished);
	cr_expect_eq(chunk.flushed, places[1]);
	cr_expect_eq(chunk.size, made.size);
	cr_expect_eq(chunk.metadata_at, places[1]);
	cr_expect(damage_is_none(&made.damage));
	chunk_close(&chunk);
	/* A size that cannot be: nothing was flushed. */
	for (int i = 0; i < 2; i++) {
		make_number(made.bytes, CHUNK_SIZE_AT, i ? 67 : (int64_t)made.size + 1);
		make_number(made.bytes, METADATA_AT, 0);
		cr_assert(open_chunk(&chunk, &made, NULL, &made.damage, &made.err));
		cr_expect_eq(chunk.flushed, HEADER_SIZE);
		cr_expect(damage_is_none(&made.damage));
		chunk_close(&chunk);
	}
	make_clear(&made);
}

Test(chunk, that_was_never_flushed_is_refused)
{
	struct made made = { 0 };
	struct chunk chunk;

	make_bare(&made, NULL);
	made.bytes[STATE_AT] = 1;
	cr_expect_not(open_chunk(&chunk, &made, NULL, &made.damage, &made.err));
	cr_expect_eq(made.err.kind, ERR_FORMAT);
	cr_expect_str_eq(made.err.text, "it was never flushed: there is nothing that "
					"declares its events");
	chunk_close(&chunk);
	make_clear(&made);
}

Test(chunk, knows_its_clock_and_its_zone)
{
	struct header header = header_at(1000, 10);
	struct made made = { 0 };
	struct chunk chunk;

	made.writer.schema.gmt_offset = 7200000;
	writer_describe(&made.writer, types);
	writer_open(&made.writer, &header);
	cr_assert(make_bytes(&made));
	cr_assert(open_chunk(&chunk, &made, NULL, &made.damage, &made.err));
	cr_expect_eq(chunk.zone, 7200);
	cr_expect_eq(chunk.clock.start_nanos, header.start_nanos);
	cr_expect_eq(chunk.flushed, chunk.size);
	cr_expect_not(chunk.is_unfinished);
	cr_expect_eq(chunk_site(&chunk, 5).at, 1005);
	chunk_close(&chunk);
	make_clear(&made);
}

Test(chunk, may_be_of_bytes_that_are_lent)
{
	struct made made = { 0 };
	struct chunk chunk;

	make_begin(&made, types);
	cr_assert(make_bytes(&made));
	cr_assert(chunk_open_bytes(&chunk, made.bytes, made.size, &made.err));
	cr_expect(has_type(&chunk, "a.E"));
	chunk_close(&chunk);
	cr_expect_null(chunk.bytes);
	chunk_close(&chunk);
	cr_expect_not(chunk_open_bytes(&chunk, made.bytes, 67, &made.err));
	cr_expect_str_eq(made.err.text, "too short for a chunk header: 67 bytes");
	chunk_close(&chunk);
	make_clear(&made);
}

static void expect_text(struct made *made, uint64_t key, const char *text)
{
	struct str found = make_text(made, SYMBOL, key);

	cr_expect(str_is(found, str_of(text)), "%.*s, not %s", (int)found.size, found.bytes,
		  text);
}

/* Its size stands in front, in four bytes; the event itself is whole. */
Test(chunk, reads_metadata_whose_size_is_wrong)
{
	static const uint64_t sizes[] = { 0, 20, ENCODE_EVENT_MAX };
	struct made made = { 0 };

	make_begin(&made, types);
	writer_metadata(&made.writer);
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 7, TEXT("text"));
	cr_assert(make_bytes(&made));
	for (size_t i = 0; i < 3; i++) {
		encode_padded_at((char *)made.bytes + HEADER_SIZE, sizes[i], 4);
		cr_assert(make_again(&made), "%s", made.err.text);
		expect_text(&made, 7, "text");
	}
	make_clear(&made);
}

Test(chunk, can_be_cut_anywhere)
{
	struct made made = { 0 };
	size_t size;

	make_begin(&made, make_jdk_types);
	writer_metadata(&made.writer);
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 1, TEXT("x"));
	POOL(&made.writer, "jdk.types.StackTrace");
	CONSTANT(&made.writer, 1, BOOLEAN(0), COUNT(1), KEY(1), INT(1), INT(1), KEY(1));
	cr_assert(make_bytes(&made));
	for (size = made.size; size > 0; size--) {
		unsigned char *cut = malloc(size);
		struct chunk chunk;
		struct damage damage = { 0 };
		struct err err = { 0 };

		memcpy(cut, made.bytes, size);
		if (chunk_open_bytes(&chunk, cut, size, &err))
			cr_expect(checkpoint_load(&chunk, &damage, &err));
		else
			cr_expect_eq(err.kind, ERR_FORMAT);
		chunk_close(&chunk);
		damage_clear(&damage);
		free(cut);
	}
	make_clear(&made);
}

Test(chunk, survives_any_changed_byte)
{
	struct made made = { 0 };

	make_begin(&made, types);
	POOL(&made.writer, "a.Node");
	CONSTANT(&made.writer, 1, KEY(1), COUNT(2), KEY(5), KEY(6));
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 5, TEXT("text"));
	cr_assert(make_bytes(&made));
	for (size_t i = 0; i < made.size; i++) {
		unsigned char kept = made.bytes[i];

		for (int bit = 0; bit < 8; bit += 7) {
			made.bytes[i] = (unsigned char)(kept ^ 1 << bit);
			if (!make_again(&made))
				cr_expect_eq(made.err.kind, ERR_FORMAT, "byte %zu", i);
		}
		made.bytes[i] = kept;
	}
	make_clear(&made);
}
