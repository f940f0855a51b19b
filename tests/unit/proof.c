#include "proof.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct proof proof;

static const struct schema_type types[] = {
	TYPE("test.E", EVENT_TYPE, .id = 100,
	     FIELDS(START, FIELD("x", "int"), FIELD("text", "java.lang.String"))),
	TYPE("test.Span", EVENT_TYPE, .id = 101, FIELDS(START, DURATION)),
	TYPE("test.Ref", EVENT_TYPE, .id = 102,
	     FIELDS(START, FIELD("symbol", "jdk.types.Symbol", POOLED))),
	TYPE("test.Array", EVENT_TYPE, .id = 103,
	     FIELDS(START, FIELD("list", "int", ARRAY))),
	TYPE("test.Pair", NULL, .id = 104,
	     FIELDS(FIELD("a", "int"), FIELD("b", "int"))),
	TYPE("test.Group", NULL, .id = 105,
	     FIELDS(FIELD("name", "java.lang.String"),
		    FIELD("parent", "test.Group", POOLED))),
	TYPE("test.Two", EVENT_TYPE, .id = 106,
	     FIELDS(START, FIELD("pair", "test.Pair"), FIELD("last", "byte"))),
	TYPE("test.OfThread", EVENT_TYPE, .id = 107, FIELDS(START, THREAD)),
	TYPES_END,
};

struct header proof_header(int minute)
{
	struct header header = writer_header;

	header.start_nanos = (1700000000 + minute * 60) * SECOND;
	header.start_ticks = (5000 + minute * 60) * SECOND;
	header.duration_nanos = 60 * SECOND;
	return header;
}

void proof_begin(int minute)
{
	struct writer *writer = &proof.made.writer;
	struct header header = proof_header(minute);

	if (minute == 0) {
		writer_describe(writer, make_jdk_types);
		writer_describe(writer, types);
	}
	writer_open(writer, &header);
	writer_metadata(writer);
}

int64_t proof_ticks(void)
{
	return proof.made.writer.header.start_ticks + SECOND;
}

size_t proof_here(void)
{
	writer_end(&proof.made.writer);
	return proof.made.writer.buf.size;
}

void proof_text(const struct make_value *text)
{
	writer_event(&proof.made.writer, 100);
	encode_long(&proof.made.writer.buf, proof_ticks());
	encode_int(&proof.made.writer.buf, 7);
	make_values(&proof.made.writer.buf, text);
	writer_end(&proof.made.writer);
}

size_t proof_group(uint64_t key, const char *name, uint64_t parent)
{
	struct writer *writer = &proof.made.writer;
	size_t at;

	writer_constant(writer, key);
	at = writer->buf.size;
	encode_string(&writer->buf, str_of(name));
	encode_varint(&writer->buf, parent);
	return at;
}

static bool note(void *context, const struct finding *finding)
{
	char *line = proof.lines[proof.count++];
	int size = 0;

	(void)context;
	cr_assert(proof.count < PROOF_LINES);
	if (finding->site.chunk != SITE_NO_CHUNK)
		size = snprintf(line, PROOF_WIDTH, "%zu ", finding->site.chunk);
	snprintf(line + size, PROOF_WIDTH - (size_t)size, "@%lld %s %.*s: %s: %.*s",
		 (long long)finding->site.at,
		 finding->cause.severity == SEVERITY_REMARK ? "remark" : "fault",
		 (int)finding->type.size, finding->type.bytes, finding->cause.text,
		 (int)finding->detail.size, finding->detail.bytes);
	return true;
}

bool proof_as(int threads, uint64_t limit)
{
	struct made *made = &proof.made;
	struct input input = { 0 };
	struct damage damage = { 0 };
	struct verify_request request = { &input, threads, limit, note, NULL };
	bool is_good;

	proof.count = 0;
	verdict_clear(&proof.verdict);
	is_good = (input_of_bytes(&input, made->bytes, made->size, "r.jfr") ||
		   err_memory(&made->err)) &&
		  verify_input(&proof.verdict, &request, &damage, &made->err);
	input_close(&input);
	damage_clear(&damage);
	return is_good;
}

void proof_again(void)
{
	cr_assert(proof_as(1, 1000), "%s", proof.made.err.text);
}

void proof_verify(void)
{
	cr_assert(make_bytes(&proof.made), "%s", proof.made.err.text);
	proof_again();
}

void proof_put(size_t at, int64_t number)
{
	struct buf buf = { 0 };

	encode_big(&buf, (uint64_t)number, 8);
	memcpy(proof.made.bytes + at, buf.bytes, 8);
	buf_clear(&buf);
}

void proof_finds(size_t index, const char *format, ...)
{
	char wanted[PROOF_WIDTH];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(wanted, sizeof(wanted), format, arguments);
	va_end(arguments);
	cr_assert(index < proof.count, "nothing more is found, not %s", wanted);
	cr_expect_str_eq(proof.lines[index], wanted);
}

void proof_in_all(uint64_t faults, uint64_t remarks)
{
	for (size_t i = faults + remarks; i < proof.count; i++)
		cr_expect_fail("also found: %s", proof.lines[i]);
	cr_expect_eq(proof.verdict.faults, faults);
	cr_expect_eq(proof.verdict.remarks, remarks);
}

void proof_end(void)
{
	verdict_clear(&proof.verdict);
	make_clear(&proof.made);
}
