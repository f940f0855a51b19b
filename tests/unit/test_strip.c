#include <criterion/criterion.h>

#include "strip.h"

/*
 * A class that has something of all that strip looks at, before there were frames
 * (version 49). Constants are Utf8, but for those at the begin.
 */
enum {
	THIS_CLASS = 1, SUPER_CLASS, SUPER_INIT, INIT_PAIR, THROWABLE_CLASS,
	FIRST_TEXT,
	THIS_NAME = FIRST_TEXT, SUPER_NAME, THROWABLE_NAME, INIT, VOID, CODE, LINES,
	VARIABLES, VARIABLE_TYPES, TYPE_NOTES, OTHER, M, M_TYPE, N, N_TYPE,
	CONSTANTS,
};

static const char *const texts[] = {
	"a/C", "java/lang/Object", "java/lang/Throwable", "<init>", "()V", "Code",
	"LineNumberTable", "LocalVariableTable", "LocalVariableTypeTable",
	"RuntimeVisibleTypeAnnotations", "Other", "m", "(I)I", "n", "I",
};

static void u1(struct buf *buf, int number)
{
	buf_byte(buf, (char)number);
}

static void u2(struct buf *buf, int number)
{
	u1(buf, number >> 8);
	u1(buf, number);
}

static void u4(struct buf *buf, size_t number)
{
	u2(buf, (int)(number >> 16));
	u2(buf, (int)number);
}

/* Numbers of one byte each. */
#define BYTES(buf, ...)                                                                \
	do {                                                                           \
		static const uint8_t bytes_[] = { __VA_ARGS__ };                       \
		buf_add(buf, bytes_, sizeof(bytes_));                                  \
	} while (0)

static void put_constants(struct buf *to)
{
	u2(to, CONSTANTS);
	BYTES(to, 7, 0, THIS_NAME, 7, 0, SUPER_NAME, 10, 0, SUPER_CLASS, 0, INIT_PAIR,
	      12, 0, INIT, 0, VOID, 7, 0, THROWABLE_NAME);
	for (size_t i = 0; i < CONSTANTS - FIRST_TEXT; i++) {
		u1(to, 1);
		u2(to, (int)strlen(texts[i]));
		buf_text(to, texts[i]);
	}
}

static void put_attribute(struct buf *to, int name, const struct buf *content)
{
	u2(to, name);
	u4(to, content->size);
	buf_add(to, content->bytes, content->size);
}

static void put_method(struct buf *to, int access, int name, int type, struct buf *code)
{
	u2(to, access);
	u2(to, name);
	u2(to, type);
	u2(to, 1);
	put_attribute(to, CODE, code);
	buf_clear(code);
}

static void put_constructor(struct buf *to)
{
	struct buf code = { 0 };

	BYTES(&code, 0, 1, 0, 1, 0, 0, 0, 5);
	BYTES(&code, 0x2a, 0xb7, 0, SUPER_INIT, 0xb1);
	BYTES(&code, 0, 0, 0, 0);
	put_method(to, 1, INIT, VOID, &code);
}

/*
 *	0  iload_0; ifeq 12
 *	4  iinc 0 -1; goto 0; nop; nop
 *	12 iload_0; tableswitch 0 1: 36, 38; default 36
 *	36 iconst_1; ireturn
 *	38 bipush 7; ireturn
 *	41 astore_0; iconst_0; ireturn		any: 0 to 41, Throwable: 36 to 38
 */
static void put_instructions(struct buf *code)
{
	BYTES(code, 0, 1, 0, 1, 0, 0, 0, 44);
	BYTES(code, 0x1a, 0x99, 0, 11, 0x84, 0, 0xff, 0xa7, 0xff, 0xf9, 0, 0);
	BYTES(code, 0x1a, 0xaa, 0, 0, 0, 0, 0, 23, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 23,
	      0, 0, 0, 25);
	BYTES(code, 0x04, 0xac, 0x10, 7, 0xac, 0x4b, 0x03, 0xac);
	BYTES(code, 0, 2, 0, 0, 0, 41, 0, 41, 0, 0, 0, 36, 0, 38, 0, 41, 0,
	      THROWABLE_CLASS);
}

static void put_function(struct buf *to)
{
	struct buf code = { 0 }, lines = { 0 }, variables = { 0 }, notes = { 0 };
	struct buf other = { 0 };

	put_instructions(&code);
	BYTES(&lines, 0, 4, 0, 0, 0, 1, 0, 12, 0, 2, 0, 37, 0, 3, 0, 41, 0, 4);
	BYTES(&variables, 0, 2, 0, 0, 0, 44, 0, N, 0, N_TYPE, 0, 0, 0, 36, 0, 5, 0, N,
	      0, N_TYPE, 0, 0);
	BYTES(&notes, 0, 3, 0x43, 0, 12, 0, 0, N_TYPE, 0, 2, 0, N, '[', 0, 2, 'I', 0, 1,
	      's', 0, N, 0, N, '@', 0, N_TYPE, 0, 1, 0, N, 'e', 0, 1, 0, 2);
	BYTES(&notes, 0x40, 0, 1, 0, 4, 0, 6, 0, 0, 0, 0, N_TYPE, 0, 0);
	BYTES(&notes, 0x47, 0, 36, 0, 1, 3, 0, 0, N_TYPE, 0, 0);
	BYTES(&other, 1, 2, 3);
	u2(&code, 5);
	put_attribute(&code, LINES, &lines);
	put_attribute(&code, VARIABLES, &variables);
	put_attribute(&code, VARIABLE_TYPES, &variables);
	put_attribute(&code, TYPE_NOTES, &notes);
	put_attribute(&code, OTHER, &other);
	put_method(to, 9, M, M_TYPE, &code);
	buf_clear(&lines);
	buf_clear(&variables);
	buf_clear(&notes);
	buf_clear(&other);
}

static void put_class(struct buf *to)
{
	BYTES(to, 0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 49);
	put_constants(to);
	BYTES(to, 0, 0x21, 0, THIS_CLASS, 0, SUPER_CLASS, 0, 0, 0, 0, 0, 3);
	put_constructor(to);
	put_function(to);
	BYTES(to, 4, 1, 0, N, 0, VOID, 0, 0);
	BYTES(to, 0, 0);
}

/* --- a class, and what was made of it -------------------------------------------- */

static const struct rewrite_probe probe = { "b/P", "enter", "exit" };

static struct {
	struct arena arena;
	struct buf old, new;
	struct classfile before, after;
	struct rewrite_method methods[3];
	struct strip_counts counts;
	struct err err;
} made;

static void make(int32_t reach)
{
	static const int32_t ids[] = { 4, 100000, 7 };

	buf_reset(&made.new);
	for (uint16_t i = 0; i < 3; i++)
		made.methods[i] = (struct rewrite_method){ .index = i,
							   .probe = &probe,
							   .id = ids[i] };
	cr_assert(rewrite_class_within(&made.before, made.methods, 3, reach,
				       &made.arena, &made.new, &made.err),
		  "%s", made.err.text);
	cr_assert_eq(made.methods[0].result, REWRITE_DONE);
	cr_assert_eq(made.methods[1].result, REWRITE_DONE);
	cr_assert_eq(made.methods[2].result, REWRITE_NO_CODE);
}

static void open_class(void)
{
	put_class(&made.old);
	cr_assert(classfile_read(&made.before, &made.arena, made.old.bytes,
				 made.old.size, &made.err),
		  "%s", made.err.text);
	make(32767);
}

static void close_class(void)
{
	buf_clear(&made.old);
	buf_clear(&made.new);
	arena_clear(&made.arena);
}

static bool stripped(void)
{
	made.counts = (struct strip_counts){ 0 };
	return classfile_read(&made.after, &made.arena, made.new.bytes, made.new.size,
			      &made.err) &&
	       strip_check(&made.before, &made.after, made.methods, 3, &made.counts,
			   &made.arena, &made.err);
}

TestSuite(strip, .init = open_class, .fini = close_class);

Test(strip, takes_what_the_rewriter_makes)
{
	cr_expect(stripped(), "%s", made.err.text);
	cr_expect_eq(made.counts.methods, 2);
	cr_expect_eq(made.counts.widened, 0);
	cr_expect_geq(made.counts.handlers, 2);
	make(3);
	cr_expect(stripped(), "%s", made.err.text);
	cr_expect_eq(made.counts.methods, 2);
	cr_expect_eq(made.counts.widened, 2);
}

Test(strip, does_not_take_the_class_as_it_was)
{
	buf_reset(&made.new);
	buf_add(&made.new, made.old.bytes, made.old.size);
	cr_expect_not(stripped());
	cr_expect_eq(made.err.kind, ERR_FORMAT);
}

/* The words that say how much stack there is may say more. */
static bool is_stack(const uint32_t stacks[2], size_t at)
{
	return at - stacks[0] < 2 || at - stacks[1] < 2;
}

static void expect_each_byte_matters(size_t from, size_t to)
{
	static const uint8_t changes[] = { 0x01, 0x02, 0x40, 0xff };
	const uint32_t stacks[] = { made.after.methods[0].code.at,
				    made.after.methods[1].code.at };

	for (size_t at = from; at < to; at++) {
		for (size_t i = 0; i < sizeof(changes) && !is_stack(stacks, at); i++) {
			made.new.bytes[at] ^= (char)changes[i];
			cr_expect_not(stripped(), "byte %zu, changed by 0x%02x", at,
				      changes[i]);
			made.new.bytes[at] ^= (char)changes[i];
			cr_assert(stripped(), "%s", made.err.text);
			arena_reset(&made.arena);
			cr_assert(classfile_read(&made.before, &made.arena,
						 made.old.bytes, made.old.size, NULL));
		}
	}
}

Test(strip, sees_each_byte_that_is_another)
{
	cr_assert(stripped(), "%s", made.err.text);
	expect_each_byte_matters(0, 8);
	expect_each_byte_matters(10, made.before.constants_end);
	cr_assert(stripped(), "%s", made.err.text);
	expect_each_byte_matters(made.after.constants_end, made.new.size);
}

Test(strip, sees_each_byte_of_wide_jumps)
{
	make(3);
	cr_assert(stripped(), "%s", made.err.text);
	expect_each_byte_matters(made.after.methods_at, made.after.methods_end);
}

Test(strip, wants_what_was_asked_for)
{
	made.methods[1].id++;
	cr_expect_not(stripped());
	cr_expect_str_eq(made.err.text,
			 "m(I)I: no call before the return that was at 37");
	made.methods[1].id--;
	made.methods[0].result = REWRITE_TOO_LARGE;
	cr_expect_not(stripped());
	cr_expect_str_eq(made.err.text, "<init>()V: it was not to be another");
	made.methods[0].result = REWRITE_DONE;
	made.methods[1].size_after++;
	cr_expect_not(stripped());
}

Test(strip, tells_that_memory_ran_out)
{
	size_t n = 0;

	cr_assert(stripped());
	do {
		arena_clear(&made.arena);
		cr_assert(classfile_read(&made.before, &made.arena, made.old.bytes,
					 made.old.size, NULL));
		cr_assert(classfile_read(&made.after, &made.arena, made.new.bytes,
					 made.new.size, NULL));
		made.arena.limit = made.arena.taken + n++ * 64 + 1;
		made.err.kind = ERR_NONE;
		if (strip_check(&made.before, &made.after, made.methods, 3,
				&made.counts, &made.arena, &made.err))
			break;
		cr_expect_eq(made.err.kind, ERR_MEMORY);
	} while (n < 1000);
	cr_expect_gt(n, 3);
	cr_expect_lt(n, 1000);
}
