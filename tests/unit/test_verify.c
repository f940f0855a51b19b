#include <criterion/criterion.h>
#include <string.h>

#include "fault.h"
#include "proof.h"

static const struct schema_type more[] = {
	TYPE("test.More", EVENT_TYPE, FIELDS(START)),
	TYPES_END,
};

TestSuite(verify, .fini = proof_end);

Test(verify, finds_nothing_in_a_good_recording)
{
	proof_begin(0);
	proof_text(VALUES(TEXT_KEY(5)));
	proof_text(VALUES(TEXT_AS(STRING_UTF8, "caf\xc3\xa9")));
	EVENT(&proof.made.writer, "test.Ref", LONG(proof_ticks()), KEY(7));
	EVENT(&proof.made.writer, "test.Ref", LONG(proof_ticks()), KEY(0));
	EVENT(&proof.made.writer, "test.Array", LONG(proof_ticks()), COUNT(2), INT(-1),
	      INT(3));
	EVENT(&proof.made.writer, "test.Span", LONG(proof_ticks()), LONG(0));
	POOL(&proof.made.writer, "jdk.types.Symbol");
	CONSTANT(&proof.made.writer, 7, TEXT("tea"));
	CONSTANT(&proof.made.writer, 8, TEXT("milk"));
	POOL(&proof.made.writer, "java.lang.String");
	CONSTANT(&proof.made.writer, 5, TEXT("sugar"));
	proof_verify();
	proof_in_all(0, 0);
	cr_expect_eq(proof.verdict.chunks, 1);
	cr_expect_eq(proof.verdict.events, 6);
	cr_expect_eq(proof.verdict.constants, 3);
	cr_expect_eq(proof.verdict.unused, 1, "nothing refers to milk");
	cr_expect_eq(proof.verdict.bytes, proof.made.size);
}

Test(verify, refuses_what_is_no_recording)
{
	proof.made.bytes = (unsigned char *)strdup(
		"no recording, but more than a header is long, "
		"which has 68 bytes.......");
	proof.made.size = strlen((char *)proof.made.bytes);
	cr_expect_not(proof_as(1, 1000));
	cr_expect_eq(proof.made.err.kind, ERR_FORMAT);
	cr_expect_eq(proof.count, 0);
}

Test(verify, looks_at_the_times_of_a_chunk)
{
	proof_begin(0);
	proof_verify();
	proof_put(TICKS_AT, 0);
	proof_again();
	proof_finds(0, "0 @0 fault : times cannot be told: the header says 0 "
		       "ticks a second");
	proof_in_all(1, 0);
	proof_put(TICKS_AT, SECOND);
	proof_put(DURATION_AT, -5);
	proof_again();
	proof_finds(0, "0 @40 fault : the chunk has a negative duration: -5 "
		       "nanoseconds");
	proof_in_all(1, 0);
	proof_put(DURATION_AT, 400 * 86400 * SECOND);
	proof_again();
	proof_finds(0, "0 @40 remark : the chunk lasts very long: 400 days");
	proof_in_all(0, 1);
	proof_put(DURATION_AT, 0);
	proof_put(NANOS_AT, 1);
	proof_again();
	proof_finds(0, "0 @32 remark : the chunk begins at an unlikely time: 1 "
		       "nanoseconds since 1970");
	proof_in_all(0, 1);
}

Test(verify, looks_at_version_and_flags)
{
	proof_begin(0);
	proof_verify();
	proof.made.bytes[7] = 3;
	proof.made.bytes[65] = 9;
	proof.made.bytes[66] = 0x80;
	proof.made.bytes[67] = 0;
	proof_again();
	proof_finds(0, "0 @4 remark : the version of the format is not known: 2.3");
	proof_finds(1, "0 @64 remark : the header has flags that are not known: 00 09 "
		       "8000");
	proof_finds(2, "0 @66 remark : the header says that numbers are not "
		       "compressed: ");
	proof_in_all(0, 3);
}

Test(verify, tells_an_unfinished_chunk)
{
	size_t at;

	proof_begin(0);
	EVENT(&proof.made.writer, "test.Ref", LONG(proof_ticks()), KEY(7));
	at = proof_here() - 1;
	cr_assert(writer_flush(&proof.made.writer, &proof.made.err));
	proof.made.bytes = malloc(proof.made.writer.buf.size + 3);
	memcpy(proof.made.bytes, proof.made.writer.buf.bytes,
	       proof.made.writer.buf.size);
	memset(proof.made.bytes + proof.made.writer.buf.size, 0xff, 3);
	proof.made.size = proof.made.writer.buf.size + 3;
	proof_again();
	proof_finds(0, "0 @0 remark : the chunk is not finished, its newest events may "
		       "be missing: ");
	proof_finds(1, "0 @%zu remark test.Ref: a constant was not written yet: "
		       "symbol: jdk.types.Symbol with the key 7", at);
	proof_finds(2, "0 @%zu remark : bytes behind the last flush are no events: 3",
		    proof.made.size - 3);
	proof_in_all(0, 3);
}

Test(verify, tells_a_chunk_that_was_just_begun)
{
	struct header header = proof_header(0);
	struct buf buf = { 0 };

	header.state = 1;
	header.chunk_size = HEADER_SIZE;
	header_write(&header, &buf);
	proof.made.bytes = (unsigned char *)buf.bytes;
	proof.made.size = buf.size;
	proof_again();
	proof_finds(0, "0 @0 remark : a chunk without metadata cannot be read yet: it "
		       "was never flushed: there is nothing that declares its events");
	proof_in_all(0, 1);
	cr_expect_eq(proof.verdict.chunks, 0);
}

Test(verify, tells_a_chunk_that_is_left_out)
{
	proof_begin(0);
	proof_verify();
	memset(proof.made.bytes + HEADER_SIZE, 0xff, proof.made.size - HEADER_SIZE);
	proof_again();
	proof_finds(0, "0 @0 fault : this chunk is left out: no metadata event at byte "
		       "68");
	proof_in_all(1, 0);
}

Test(verify, tells_what_lies_between_chunks_and_behind)
{
	size_t at;

	proof_begin(0);
	cr_assert(writer_close(&proof.made.writer, &proof.made.err));
	at = proof.made.writer.buf.size;
	buf_text(&proof.made.writer.buf, "junk");
	proof_begin(1);
	cr_assert(writer_close(&proof.made.writer, &proof.made.err));
	buf_text(&proof.made.writer.buf, "more");
	proof_verify();
	proof_finds(0, "@%zu fault : no chunk begins there: not a Flight Recorder "
		       "chunk; 4 bytes are passed over", at);
	proof_finds(1, "@%zu fault : no chunk begins there: not a Flight Recorder "
		       "chunk; 4 bytes are passed over", proof.made.size - 4);
	proof_in_all(2, 0);
	cr_expect_eq(proof.verdict.chunks, 2);
}

Test(verify, remarks_on_chunks_that_do_not_follow_each_other)
{
	size_t at;

	proof_begin(0);
	cr_assert(writer_close(&proof.made.writer, &proof.made.err));
	at = proof_here();
	proof_begin(-1);
	proof_verify();
	proof_finds(0, "1 @%zu remark : the chunk does not begin after the one before "
		       "it: ", at);
	proof_in_all(0, 1);
}

Test(verify, remarks_on_metadata_that_keeps_its_number)
{
	size_t at;

	proof_begin(0);
	cr_assert(writer_close(&proof.made.writer, &proof.made.err));
	writer_describe(&proof.made.writer, more);
	proof.made.writer.metadata_id--;
	at = proof_here();
	proof_begin(1);
	proof_verify();
	proof_finds(0, "1 @%zu remark : the metadata has changed, its number has not: "
		       "number 1", at + HEADER_SIZE);
	proof_in_all(0, 1);
}

static void make_many(void)
{
	for (int minute = 0; minute < 8; minute++) {
		proof_begin(minute);
		for (int i = 0; i < 5; i++) {
			writer_event(&proof.made.writer, 4711);
			EVENT(&proof.made.writer, "test.Ref", LONG(proof_ticks()),
			      KEY(9));
		}
		cr_assert(writer_close(&proof.made.writer, &proof.made.err));
	}
	cr_assert(make_bytes(&proof.made));
}

Test(verify, tells_no_more_of_each_cause_than_asked_for_but_counts_all)
{
	make_many();
	cr_assert(proof_as(1, 7));
	cr_expect_eq(proof.count, 14);
	cr_expect_eq(proof.verdict.faults, 80);
	cr_expect_eq(proof.verdict.kinds.list.count, 2);
	cr_expect_eq(proof.verdict.kinds.list.items[0].count, 40);
	cr_expect_eq(proof.verdict.kinds.list.items[0].kept, 7);
	cr_assert(proof_as(1, 0));
	cr_expect_eq(proof.count, 0);
	cr_expect_eq(proof.verdict.faults, 80);
}

Test(verify, finds_the_same_on_many_threads)
{
	static char wanted[64][400];

	make_many();
	cr_assert(proof_as(1, 20));
	cr_assert_eq(proof.count, 40);
	memcpy(wanted, proof.lines, sizeof(proof.lines));
	for (int threads = 2; threads < 6; threads++) {
		cr_assert(proof_as(threads, 20));
		cr_assert_eq(proof.count, 40);
		for (size_t i = 0; i < proof.count; i++)
			cr_expect_str_eq(proof.lines[i], wanted[i]);
	}
}

Test(verify, tells_in_the_order_of_the_file)
{
	make_many();
	cr_assert(proof_as(3, 20));
	for (size_t i = 1; i < proof.count; i++)
		cr_expect_lt(atoll(strchr(proof.lines[i - 1], '@') + 1),
			     atoll(strchr(proof.lines[i], '@') + 1));
}

static bool refuse(void *context, const struct finding *finding)
{
	(void)finding;
	++*(int *)context;
	return false;
}

Test(verify, ends_when_nobody_wants_to_hear_more)
{
	int told = 0;
	struct input input = { 0 };
	struct damage damage = { 0 };
	struct verify_request request = { &input, 2, 1000, refuse, &told };

	make_many();
	cr_assert(input_of_bytes(&input, proof.made.bytes, proof.made.size, "r.jfr"));
	cr_expect_not(verify_input(&proof.verdict, &request, &damage, &proof.made.err));
	cr_expect_eq(proof.made.err.kind, ERR_NONE);
	cr_expect_eq(told, 1);
	input_close(&input);
}

Test(verify, tells_the_truth_or_that_there_is_no_memory)
{
	static char wanted[64][400];
	size_t count, n = 0;
	bool is_good;

	for (int minute = 0; minute < 2; minute++) {
		proof_begin(minute);
		writer_event(&proof.made.writer, 4711);
		proof_text(VALUES(TEXT_KEY(5)));
		POOL(&proof.made.writer, "test.Group");
		proof_group(1, minute ? "a" : "b", 0);
		proof_here();
		POOL(&proof.made.writer, "test.Group");
		proof_group(1, "c", 3);
		cr_assert(writer_close(&proof.made.writer, &proof.made.err));
	}
	proof_verify();
	count = proof.count;
	cr_assert_geq(count, 9);
	memcpy(wanted, proof.lines, sizeof(proof.lines));
	do {
		fault_at(++n);
		is_good = proof_as(1, 1000);
		cr_assert(is_good || proof.made.err.kind == ERR_MEMORY, "request %zu",
			  n);
		cr_assert(is_good || fault_happened());
		for (size_t i = 0; i < count && is_good; i++)
			cr_assert_str_eq(proof.lines[i], wanted[i]);
	} while (fault_happened());
	cr_assert(is_good);
}
