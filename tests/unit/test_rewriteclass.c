#include <criterion/criterion.h>
#include <stdio.h>

#include "classfile/code.h"
#include "classfile/rewrite.h"
#include "fault.h"
#include "makeclass.h"

static const struct rewrite_probe probe = { "a/Probe", "enter", "leave" };

/* A class before and after all its methods were rewritten. */
struct tried {
	struct buf before, after;
	struct arena arena;
	struct classfile file, again;
	struct rewrite_method methods[8];
};

static void try_within(struct tried *tried, const struct make_class *table, int32_t reach,
		       int32_t id)
{
	struct err err = { 0 };

	*tried = (struct tried){ 0 };
	make_class(table, &tried->before);
	cr_assert(classfile_read(&tried->file, &tried->arena, tried->before.bytes,
				 tried->before.size, &err), "%s", err.text);
	for (uint16_t i = 0; i < tried->file.method_count; i++)
		tried->methods[i] = (struct rewrite_method){ .index = i,
							     .probe = &probe,
							     .id = id };
	cr_assert(rewrite_class_within(&tried->file, tried->methods,
				       tried->file.method_count, reach, &tried->arena,
				       &tried->after, &err));
	if (tried->after.size)
		cr_assert(classfile_read(&tried->again, &tried->arena,
					 tried->after.bytes, tried->after.size, &err),
			  "%s", err.text);
}

static void try_class(struct tried *tried, const struct make_class *table)
{
	try_within(tried, table, 32767, 7);
}

static void end(struct tried *tried)
{
	buf_clear(&tried->before);
	buf_clear(&tried->after);
	arena_clear(&tried->arena);
}

static struct code code_of(struct tried *tried, unsigned i)
{
	struct code code;

	cr_assert_eq(tried->methods[i].result, REWRITE_DONE);
	cr_assert_eq(code_read(&code, &tried->again, tried->again.methods[i].code,
			       &tried->arena), CODE_FINE);
	cr_expect_eq(code.size, tried->methods[i].size_after);
	return code;
}

/* Bytes as digits, ".." for any: "b8 .. .. b1". */
static void expect_bytes(const uint8_t *bytes, size_t size, const char *wanted)
{
	char text[4096];
	size_t at = 0;

	cr_assert_lt(size, sizeof(text) / 3);
	for (size_t i = 0; i < size; i++)
		at += (size_t)sprintf(text + at, "%s%02x", i ? " " : "", bytes[i]);
	text[at] = 0;
	cr_assert_eq(at, strlen(wanted), "%s\nwanted %s", text, wanted);
	for (size_t i = 0; i < at; i++)
		if (wanted[i] != '.' && wanted[i] != text[i])
			cr_assert_fail("%s\nwanted %s", text, wanted);
}

static void expect_code(struct tried *tried, unsigned i, const char *wanted)
{
	struct code code = code_of(tried, i);

	expect_bytes(code.bytes, code.size, wanted);
}

static void expect_entries(struct tried *tried, unsigned i, const char *wanted)
{
	struct code code = code_of(tried, i);

	expect_bytes(code.entries, code.entry_count * 8u, wanted);
}

/* The content of an attribute of its code; "": there is none. */
static void expect_attribute(struct tried *tried, unsigned i, const char *name,
			     const char *wanted)
{
	struct code code = code_of(tried, i);
	struct classfile_part part = code.attributes;
	struct reader reader = { tried->again.bytes, part.at, part.at + part.size,
				 false };

	for (unsigned left = code.attribute_count; left; left--) {
		struct str found = classfile_utf8(&tried->again, reader_u2(&reader));
		uint32_t size = reader_u4(&reader);
		const uint8_t *bytes = reader_take(&reader, size);

		cr_assert_not_null(bytes);
		if (str_is(found, str_of(name))) {
			expect_bytes(bytes, size, wanted);
			return;
		}
	}
	cr_expect_str_eq(wanted, "", "there is no %s", name);
}

/* The name of the method that the instruction calls. */
static struct str called(struct tried *tried, const uint8_t *instruction)
{
	const struct classfile *file = &tried->again;
	uint32_t both = big_u2(file->bytes + file->constants[big_u2(instruction + 1)] + 3);

	return classfile_utf8(file, big_u2(file->bytes + file->constants[both] + 1));
}

#define METHOD(access_, descriptor_, stack_, locals_, bytes)                       \
	{ .name = "m", .access = access_, .descriptor = descriptor_,                \
	  .stack = stack_, .locals = locals_, .code = RAW(bytes) }

Test(rewriteclass, calls_the_probe)
{
	static const struct make_method methods[] = {
		METHOD(8, "(I)I", 1, 1, "\x1a\xac"), { 0 },
	};
	static const struct make_class table = { .name = "a/B", .methods = methods };
	struct tried tried;
	struct code code;

	try_class(&tried, &table);
	/* enter, lstore_1; iload_0; lload_1, bipush 7, exit, ireturn; the handler */
	expect_code(&tried, 0, "b8 .. .. 40 1a 1f 10 07 b8 .. .. ac "
			       "1f 10 07 b8 .. .. bf");
	expect_entries(&tried, 0, "00 04 00 05 00 0c 00 00");
	expect_attribute(&tried, 0, "StackMapTable",
			 "00 01 ff 00 0c 00 02 00 04 00 01 07 .. ..");
	code = code_of(&tried, 0);
	cr_expect_eq(code.max_locals, 3);
	cr_expect_eq(code.max_stack, 4);
	cr_expect(str_is(called(&tried, code.bytes), STR("enter")));
	cr_expect(str_is(called(&tried, code.bytes + 8), STR("leave")));
	cr_expect_eq(tried.methods[0].size_before, 2);
	end(&tried);
}

Test(rewriteclass, pushes_numbers_as_they_fit)
{
	static const struct make_method methods[] = {
		METHOD(8, "()V", 0, 0, "\xb1"), { 0 },
	};
	static const struct {
		int32_t id;
		unsigned more;
		const char *pushed;
	} rows[] = {
		{ -1, 0, "02" }, { 0, 0, "03" }, { 5, 0, "08" }, { 6, 0, "10 06" },
		{ 127, 0, "10 7f" }, { 128, 0, "11 00 80" }, { 32767, 0, "11 7f ff" },
		{ 32768, 0, "12 .." }, { INT32_MAX, 300, "13 .. .." },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct make_class table = { .name = "a/B", .methods = methods,
					    .more_constants = rows[i].more };
		struct tried tried;
		char wanted[80];

		try_within(&tried, &table, 32767, rows[i].id);
		snprintf(wanted, sizeof(wanted), "b8 .. .. 3f 1e %s b8 .. .. b1",
			 rows[i].pushed);
		expect_code(&tried, 0, wanted);
		end(&tried);
	}
}

Test(rewriteclass, keeps_the_start_behind_all_variables)
{
	static const struct make_method methods[] = {
		METHOD(8, "()V", 0, 4, "\xb1"), METHOD(8, "()V", 0, 256, "\xb1"),
		METHOD(8, "()V", 0, 65534, "\xb1"), METHOD(8, "()V", 65532, 0, "\xb1"),
		METHOD(8, "()V", 65531, 65533, "\xb1"), { 0 },
	};
	static const struct make_class table = { .name = "a/B", .methods = methods };
	struct tried tried;

	try_class(&tried, &table);
	expect_code(&tried, 0, "b8 .. .. 37 04 16 04 10 07 b8 .. .. b1");
	expect_code(&tried, 1, "b8 .. .. c4 37 01 00 c4 16 01 00 10 07 b8 .. .. b1");
	cr_expect_eq(tried.methods[2].result, REWRITE_TOO_LARGE);
	cr_expect_eq(tried.methods[3].result, REWRITE_TOO_LARGE);
	cr_expect_eq(tried.methods[4].result, REWRITE_DONE);
	end(&tried);
}

Test(rewriteclass, has_two_handlers_in_a_constructor)
{
	struct tried tried;

	try_class(&tried, &make_class_rich);
	/* 4: iload_1, ifeq, aload_0; 9: super(); 12: goto; 15: aload_0; 16: super();
	   19: exit, 25: return; 26: handler, 33: the early one */
	expect_code(&tried, 0, "b8 .. .. 41 1b 99 00 0a 2a b7 00 06 a7 00 07 2a b7 00 06 "
			       "20 10 07 b8 .. .. b1 "
			       "20 10 07 b8 .. .. bf 20 10 07 b8 .. .. bf");
	expect_entries(&tried, 0, "00 04 00 09 00 21 00 00 00 0c 00 0f 00 1a 00 00 "
				  "00 0f 00 10 00 21 00 00");
	expect_attribute(&tried, 0, "StackMapTable",
			 "00 04 ff 00 0f 00 03 06 01 04 00 00 "
			 "ff 00 03 00 03 07 00 05 01 04 00 00 "
			 "ff 00 06 00 03 00 00 04 00 01 07 .. .. "
			 "ff 00 06 00 03 06 00 04 00 01 07 .. ..");
	end(&tried);
}

Test(rewriteclass, has_them_without_frames_too)
{
	struct make_class table = make_class_rich;
	struct tried tried;

	table.major = 48;
	try_class(&tried, &table);
	expect_entries(&tried, 0, "00 04 00 09 00 21 00 00 00 0c 00 0f 00 1a 00 00 "
				  "00 0f 00 10 00 21 00 00");
	expect_attribute(&tried, 0, "StackMapTable", "");
	end(&tried);
}

/* Bytes that call super() of java/lang/Object. */
#define CALL "\xb7\0\6"

static const struct make_constant object_constants[] = {
	{ CONSTANT_UTF8, "<init>", 0, 0 },
	{ CONSTANT_UTF8, "()V", 0, 0 },
	{ CONSTANT_NAME_AND_TYPE, NULL, 1, 2 },
	{ CONSTANT_UTF8, "java/lang/Object", 0, 0 },
	{ CONSTANT_CLASS, NULL, 4, 0 },
	{ CONSTANT_METHOD, NULL, 5, 3 },
	{ 0 },
};

#define CONSTRUCTOR(descriptor_, stack_, locals_, bytes)                            \
	{ .name = "<init>", .descriptor = descriptor_, .stack = stack_,              \
	  .locals = locals_, .code = RAW(bytes) }

Test(rewriteclass, follows_this_wherever_it_goes)
{
	static const struct make_method methods[] = {
		/* 4: aload_0, astore_1, aconst_null; 7: astore_0, aload_1, super() */
		CONSTRUCTOR("()V", 1, 2, "\x2a\x4c\1\x4b\x2b" CALL "\xb1"),
		/* 4: new, dup, super() of that; 11: pop, aload_0, super(), nop */
		CONSTRUCTOR("()V", 2, 1, "\xbb\0\5\x59" CALL "\x57\x2a" CALL "\0\xb1"),
		{ 0 },
	};
	struct make_class table = { .name = "a/B", .constants = object_constants,
				    .methods = methods };

	for (table.major = 48; table.major <= 52; table.major += 2) {
		struct tried tried;

		try_class(&tried, &table);
		expect_entries(&tried, 0, "00 04 00 07 00 13 00 00");
		expect_entries(&tried, 1, "00 04 00 0d 00 1f 00 00 00 10 00 11 00 18 00 00");
		end(&tried);
	}
}

Test(rewriteclass, joins_ways_where_there_are_no_frames)
{
	static const struct make_method methods[] = {
		/* 4: goto 8; 7: nop; 8: iload_1, ifeq 7; 12: aload_0, super(), nop:
		   what is at 7 is reached from behind alone */
		CONSTRUCTOR("(I)V", 1, 2, "\xa7\0\4\0\x1b\x99\xff\xfe\x2a" CALL "\0\xb1"),
		/* 4: iload_1, ifeq 12; 8: aload_0, super(); 12: nop: both ways */
		CONSTRUCTOR("(I)V", 1, 2, "\x1b\x99\0\7\x2a" CALL "\0\xb1"),
		/* What is at 5, behind the return, is not reached. */
		CONSTRUCTOR("()V", 1, 1, "\xb1\0\xb1"),
		{ 0 },
	};
	static const struct make_class table = { .major = 48, .name = "a/B",
						 .constants = object_constants,
						 .methods = methods };
	struct tried tried;

	try_class(&tried, &table);
	expect_entries(&tried, 0, "00 04 00 0d 00 1f 00 00 00 10 00 11 00 18 00 00");
	expect_entries(&tried, 1, "00 04 00 09 00 14 00 00");
	expect_entries(&tried, 2, "");
	end(&tried);
}

Test(rewriteclass, has_no_handler_in_the_constructor_of_all)
{
	static const struct make_method methods[] = {
		{ .name = "<init>", .descriptor = "()V", .locals = 1,
		  .code = RAW("\0\xb1") },
		{ 0 },
	};
	static const struct make_class table = { .name = "java/lang/Object",
						 .super_name = "",
						 .methods = methods };
	struct tried tried;

	try_class(&tried, &table);
	expect_code(&tried, 0, "b8 .. .. 40 00 1f 10 07 b8 .. .. b1");
	expect_entries(&tried, 0, "");
	end(&tried);
}

Test(rewriteclass, moves_switches_and_tables_along)
{
	struct tried tried;

	try_class(&tried, &make_class_rich);
	/* 5: tableswitch, of which each target has an exit sequence before its return */
	expect_code(&tried, 1, "b8 .. .. 41 1a aa 00 00 00 00 00 27 00 00 00 00 00 00 00 01 "
			       "00 00 00 17 00 00 00 1f "
			       "04 20 10 07 b8 .. .. ac 05 20 10 07 b8 .. .. ac "
			       "06 20 10 07 b8 .. .. ac 57 03 20 10 07 b8 .. .. ac "
			       "20 10 07 b8 .. .. bf");
	expect_attribute(&tried, 1, "LineNumberTable", "00 02 00 00 00 01 00 1c 00 02");
	expect_attribute(&tried, 1, "LocalVariableTable",
			 "00 01 00 00 00 3d 00 07 00 0b 00 00");
	expect_attribute(&tried, 1, "RuntimeVisibleTypeAnnotations",
			 "00 02 40 00 01 00 00 00 1c 00 00 00 00 01 00 00 "
			 "43 00 1c 01 00 00 00 01 00 00");
	expect_attribute(&tried, 1, "Unknown", "");
	expect_entries(&tried, 1, "00 04 00 1c 00 34 00 00 00 04 00 1d 00 3d 00 00 "
				  "00 24 00 25 00 3d 00 00 00 2c 00 2d 00 3d 00 00 "
				  "00 34 00 36 00 3d 00 00");
	end(&tried);
}

Test(rewriteclass, goes_far)
{
	struct tried tried;

	try_within(&tried, &make_class_rich, 0, 7);
	/* 8: ifnull 14 becomes ifnonnull over a goto_w, ifgt 0 ifle over one */
	expect_code(&tried, 4, "b8 .. .. 42 2a c7 00 08 c8 00 00 00 14 "
			       "14 00 09 14 00 09 94 9e 00 08 c8 ff ff ff ed "
			       "09 21 10 07 b8 .. .. ad 21 10 07 b8 .. .. bf");
	/* A frame more behind the first of them: [[J, double, long; and one at 14 is there. */
	expect_attribute(&tried, 4, "StackMapTable",
			 "00 04 ff 00 04 00 03 07 .. .. 03 04 00 00 "
			 "ff 00 08 00 03 07 .. .. 03 04 00 00 "
			 "ff 00 0e 00 03 07 .. .. 03 04 00 00 "
			 "ff 00 07 00 04 00 00 00 04 00 01 07 .. ..");
	end(&tried);
}

Test(rewriteclass, leaves_alone_what_it_cannot_do)
{
	struct tried tried;

	try_class(&tried, &make_class_rich);
	cr_expect_eq(tried.methods[2].result, REWRITE_NO_CODE);
	cr_expect_eq(tried.methods[3].result, REWRITE_SUBROUTINES);
	for (unsigned i = 2; i < 4; i++) {
		struct classfile_part old = tried.file.methods[i].whole;
		struct classfile_part new = tried.again.methods[i].whole;

		cr_assert_eq(old.size, new.size);
		cr_expect_eq(memcmp(tried.file.bytes + old.at,
				    tried.again.bytes + new.at, old.size), 0);
		cr_expect_eq(tried.methods[i].size_after, 0);
		cr_expect_not_null(rewrite_reason(tried.methods[i].result));
	}
	cr_expect_null(rewrite_reason(REWRITE_DONE));
	end(&tried);
}

Test(rewriteclass, knows_damaged_code)
{
	static const struct make_method methods[] = {
		METHOD(8, "()V", 0, 0, "\xa7\0\1\xb1"),	/* to no instruction */
		METHOD(8, "()V", 0, 0, "\xa7\0\x09\xb1"), /* behind the end */
		METHOD(8, "()V", 0, 0, "\xcb\xb1"),	/* no instruction */
		METHOD(8, "()V", 0, 0, "\x10"),		/* not whole */
		METHOD(8, "()V", 0, 0, "\x1a\xab\0\0\0\0\0\7\x7f\xff\xff\xff\xb1"),
		{ .name = "m", .access = 8, .descriptor = "()V", .code = RAW("\0\xb1"),
		  .entries = RAW("\0\0\0\3\0\0\0\0") },
		{ .name = "m", .access = 8, .descriptor = "()V", .code = RAW("\0\xb1"),
		  .attributes = { { "StackMapTable", RAW("\0\1\x80") } } },
		{ .name = "<init>", .descriptor = "()V", .stack = 0, .locals = 1,
		  .code = RAW("\x57\xb1") },		/* pop of nothing */
		{ 0 },
	};
	static const struct make_class table = { .name = "a/B", .methods = methods };
	struct tried tried;

	try_class(&tried, &table);
	for (int i = 0; i < 8; i++)
		cr_expect_eq(tried.methods[i].result, REWRITE_DAMAGED, "method %d", i);
	cr_expect_eq(tried.after.size, 0, "a class of which nothing was done");
	end(&tried);
}

#define LINES(bytes) { "LineNumberTable", RAW(bytes) }
#define VARIABLES(bytes) { "LocalVariableTable", RAW(bytes) }
#define TYPES_OF(bytes) { "LocalVariableTypeTable", RAW(bytes) }
#define FRAMES_OF(bytes) { "StackMapTable", RAW(bytes) }
#define TABLE(attribute)                                                            \
	{ .name = "m", .access = 8, .descriptor = "(I)V", .locals = 1,               \
	  .code = RAW("\0\x10\7\x57\xb1"), .stack = 1, .attributes = { attribute } }
#define HANDLER(from, to, at)                                                       \
	{ .name = "m", .access = 8, .descriptor = "()V", .stack = 1,                 \
	  .code = RAW("\0\xb1\x57\xb1"), .entries = RAW("\0" from "\0" to "\0" at "\0\0") }

/* Each does the one thing wrong; the first ones are what they would be without it. */
Test(rewriteclass, leaves_what_no_jvm_takes_as_it_is)
{
	static const struct make_method rows[][2] = {
		{ METHOD(8, "(IJ)V", 0, 3, "\xb1"), METHOD(8, "(IJ)V", 0, 2, "\xb1") },
		{ METHOD(0, "()V", 0, 1, "\xb1"), METHOD(0, "()V", 0, 0, "\xb1") },
		{ METHOD(8, "()V", 0, 0, "\xb1"), METHOD(8, "()", 0, 0, "\xb1") },
		/* falls off its end, also with what a handler would take */
		{ METHOD(8, "()V", 1, 0, "\1\xbf"), METHOD(8, "()V", 1, 0, "\1") },
		{ METHOD(8, "()V", 0, 0, "\xb1"), METHOD(8, "()V", 0, 0, "\xb1\0") },
		/* local variables that it does not have */
		{ METHOD(8, "()V", 1, 2, "\4\x3c\xb1"),
		  METHOD(8, "()V", 1, 1, "\4\x3c\xb1") },
		{ METHOD(8, "()V", 2, 2, "\x0a\x3f\xb1"),
		  METHOD(8, "()V", 2, 1, "\x0a\x3f\xb1") },
		{ METHOD(8, "(I)V", 0, 1, "\x84\0\1\xb1"),
		  METHOD(8, "(I)V", 0, 1, "\x84\1\1\xb1") },
		{ METHOD(8, "(I)V", 1, 1, "\xc4\x15\0\0\x57\xb1"),
		  METHOD(8, "(I)V", 1, 1, "\xc4\x15\0\1\x57\xb1") },
		{ HANDLER("\0", "\2", "\2"), HANDLER("\0", "\2", "\4") },
		{ HANDLER("\1", "\4", "\2"), HANDLER("\1", "\5", "\2") },
		{ HANDLER("\2", "\3", "\2"), HANDLER("\2", "\3", "\0") },
		/* lines, variables: beyond the code, cut short, with bytes behind */
		{ TABLE(LINES("\0\1\0\4\0\1")), TABLE(LINES("\0\1\0\5\0\1")) },
		{ TABLE(LINES("\0\1\0\2\0\1")), TABLE(LINES("\0\1")) },
		{ TABLE(LINES("\0\0")), TABLE(LINES("\0\0\0")) },
		{ TABLE(VARIABLES("\0\1\0\1\0\4\0\1\0\1\0\0")),
		  TABLE(VARIABLES("\0\1\0\1\0\5\0\1\0\1\0\0")) },
		{ TABLE(VARIABLES("\0\1\0\4\0\0\0\1\0\1\0\0")),
		  TABLE(VARIABLES("\0\1\0\5\0\0\0\1\0\1\0\0")) },
		{ TABLE(VARIABLES("\0\1\0\0\0\5\0\1\0\1\0\0")),
		  TABLE(VARIABLES("\0\1\0\0\0\5\0\1\0\1\0\1")) },
		{ TABLE(VARIABLES("\0\0")), TABLE(VARIABLES("\0\1")) },
		{ TABLE(TYPES_OF("\0\1\0\1\0\4\0\1\0\1\0\0")),
		  TABLE(TYPES_OF("\0\1\0\1\0\5\0\1\0\1\0\0")) },
		/* a stack that is too small; more bytes than frames */
		{ METHOD(8, "(I)I", 1, 1, "\x1a\xac"),
		  METHOD(8, "(I)I", 0, 1, "\x1a\xac") },
		{ TABLE(FRAMES_OF("\0\1\4")), TABLE(FRAMES_OF("\0\1\4\0")) },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct make_method methods[] = { rows[i][0], rows[i][1], { 0 } };
		struct make_class table = { .name = "a/B", .methods = methods };
		struct tried tried;

		try_class(&tried, &table);
		cr_expect_eq(tried.methods[0].result, REWRITE_DONE, "row %zu", i);
		cr_expect_eq(tried.methods[1].result, REWRITE_DAMAGED, "row %zu", i);
		end(&tried);
	}
}

/* What was once taken otherwise than now. */
Test(rewriteclass, knows_what_old_jvms_take)
{
	static const struct {
		struct make_method method;
		uint16_t major;
		enum rewrite_result result;
	} rows[] = {
		/* tableswitch padded with what is not 0 */
		{ METHOD(8, "(I)V", 1, 1, "\x1a\xaa\1\0\0\0\0\x13\0\0\0\0\0\0\0\0"
					  "\0\0\0\x13\xb1"), 50, REWRITE_DAMAGED },
		{ METHOD(8, "(I)V", 1, 1, "\x1a\xaa\0\0\0\0\0\x13\0\0\0\0\0\0\0\0"
					  "\0\0\0\x13\xb1"), 50, REWRITE_DONE },
		{ METHOD(8, "(I)V", 1, 1, "\x1a\xaa\1\0\0\0\0\x13\0\0\0\0\0\0\0\0"
					  "\0\0\0\x13\xb1"), 51, REWRITE_DONE },
		/* a variable from within an instruction on; its entry is left out */
		{ TABLE(VARIABLES("\0\1\0\2\0\3\0\1\0\1\0\0")), 50, REWRITE_DONE },
		{ TABLE(VARIABLES("\0\1\0\2\0\3\0\1\0\1\0\0")), 51, REWRITE_DAMAGED },
		{ TABLE(VARIABLES("\0\1\0\0\0\2\0\1\0\1\0\0")), 51, REWRITE_DAMAGED },
		{ TABLE(LINES("\0\1\0\2\0\1")), 52, REWRITE_DONE },
		/* types of variables: not known before Java 5 */
		{ TABLE(TYPES_OF("\0\1\0\1\0\5\0\1\0\1\0\0")), 48, REWRITE_DONE },
		{ TABLE(TYPES_OF("\0\1\0\1\0\5\0\1\0\1\0\0")), 49, REWRITE_DAMAGED },
		/* the stack is known where there are frames */
		{ METHOD(8, "(I)I", 0, 1, "\x1a\xac"), 49, REWRITE_DONE },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct make_method methods[] = { rows[i].method, { 0 } };
		struct make_class table = { .major = rows[i].major, .name = "a/B",
					    .methods = methods };
		struct tried tried;

		try_class(&tried, &table);
		cr_expect_eq(tried.methods[0].result, rows[i].result, "row %zu", i);
		end(&tried);
	}
}

Test(rewriteclass, knows_its_limits)
{
	static char returns[30000];
	struct make_method methods[] = {
		{ .name = "m", .access = 8, .descriptor = "()V",
		  .code = { returns, sizeof(returns) } },
		METHOD(8, "()V", 0, 0, "\xb1"), { 0 },
	};
	struct make_class table = { .name = "a/B", .methods = methods };
	struct tried tried;

	memset(returns, 0xb1, sizeof(returns));
	try_class(&tried, &table);
	cr_expect_eq(tried.methods[0].result, REWRITE_TOO_LARGE);
	cr_expect_eq(tried.methods[1].result, REWRITE_DONE);
	end(&tried);
	table.methods = methods + 1;
	table.more_constants = 65535 - 1 - 9 - 3;
	try_class(&tried, &table);
	cr_expect_eq(tried.methods[0].result, REWRITE_CONSTANTS_FULL);
	cr_expect_eq(tried.after.size, 0);
	end(&tried);
}

Test(rewriteclass, gives_nothing_without_memory)
{
	struct arena arena = { 0 };
	struct buf before = { 0 };
	struct classfile file;
	struct err err = { 0 };
	bool is_done;
	size_t n = 0;

	make_class(&make_class_rich, &before);
	cr_assert(classfile_read(&file, &arena, before.bytes, before.size, &err));
	do {
		struct rewrite_method methods[] = { { 0, &probe, 7, 0, 0, 0 },
						    { 4, &probe, 40000, 0, 0, 0 } };
		struct arena own = { 0 };
		struct buf after = { 0 };

		fault_at(++n);
		is_done = rewrite_class_within(&file, methods, 2, 0, &own, &after, &err);
		cr_expect_eq(is_done, !fault_happened(), "request %zu", n);
		if (!is_done) {
			cr_expect_eq(err.kind, ERR_MEMORY);
			cr_expect_eq(after.size, 0);
		}
		buf_clear(&after);
		arena_clear(&own);
	} while (fault_happened());
	fault_at(0);
	cr_expect_gt(n, 5);
	buf_clear(&before);
	arena_clear(&arena);
}
