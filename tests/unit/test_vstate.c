#include <criterion/criterion.h>
#include <stdio.h>

#include "classfile/vstate.h"
#include "makeclass.h"

/* What the code of the rows names. */
static const struct make_constant constants[] = {
	{ CONSTANT_UTF8, "<init>", 0, 0 },		/* 1 */
	{ CONSTANT_UTF8, "()V", 0, 0 },
	{ CONSTANT_NAME_AND_TYPE, NULL, 1, 2 },
	{ CONSTANT_UTF8, "a/C", 0, 0 },
	{ CONSTANT_CLASS, NULL, 4, 0 },			/* 5: a/C */
	{ CONSTANT_METHOD, NULL, 5, 3 },		/* 6: a/C.<init>()V */
	{ CONSTANT_UTF8, "m", 0, 0 },
	{ CONSTANT_UTF8, "(IJ[La/D;)[[La/E;", 0, 0 },
	{ CONSTANT_NAME_AND_TYPE, NULL, 7, 8 },
	{ CONSTANT_METHOD, NULL, 5, 9 },		/* 10: a/C.m */
	{ CONSTANT_UTF8, "D", 0, 0 },
	{ CONSTANT_NAME_AND_TYPE, NULL, 7, 11 },
	{ CONSTANT_FIELD, NULL, 5, 12 },		/* 13: a double */
	{ CONSTANT_STRING, NULL, 7, 0 },		/* 14 */
	{ CONSTANT_UTF8, "[[J", 0, 0 },
	{ CONSTANT_CLASS, NULL, 15, 0 },		/* 16: [[J */
	{ CONSTANT_LONG, NULL, 0, 0 },			/* 17, 18 */
	{ CONSTANT_INTEGER, NULL, 0, 0 },		/* 19 */
	{ CONSTANT_METHOD_TYPE, NULL, 2, 0 },		/* 20 */
	{ CONSTANT_DYNAMIC, NULL, 0, 12 },		/* 21: a double */
	{ 0 },
};

static void show(const struct classfile *file, struct vtype type, char *text)
{
	static const char letters[] = "TIFDJNtAu2";
	struct str name = type.name;

	text += strlen(text);
	*text++ = letters[type.tag];
	*text = 0;
	if (type.tag == VTYPE_OBJECT && type.value)
		name = classfile_class_name(file, type.value);
	if (type.tag == VTYPE_OBJECT)
		sprintf(text, "(%.*s)", (int)name.size, name.bytes);
}

/* The stack behind the last instruction; "-": one of them can not be. */
static void run(const char *bytes, size_t size, char *text)
{
	char ended[40];
	struct make_method methods[] = {
		{ .name = "<init>", .descriptor = "(I[[I)V", .stack = 8, .locals = 6,
		  .code = { ended, size + 1 } },
		{ 0 },
	};
	struct make_class table = { .name = "a/B", .constants = constants,
				    .methods = methods };
	struct arena arena = { 0 };
	struct buf class_ = { 0 };
	struct classfile file;
	struct vstate state;
	struct code code;
	bool can_be = true;

	cr_assert_lt(size, sizeof(ended));
	memcpy(ended, bytes, size);
	ended[size] = '\xb1';
	make_class(&table, &class_);
	cr_assert(classfile_read(&file, &arena, class_.bytes, class_.size, NULL));
	cr_assert_eq(code_read(&code, &file, file.methods[0].code, &arena), CODE_FINE);
	cr_assert(vstate_enter(&state, &code, &file.methods[0], &arena));
	for (uint32_t i = 0; i + 1 < code.count && can_be; i++)
		can_be = vstate_step(&state, &code, code.at[i], &arena);
	*text = 0;
	for (uint32_t i = 0; i < state.depth && can_be; i++)
		show(&file, state.stack[i], text);
	if (!can_be)
		strcpy(text, "-");
	buf_clear(&class_);
	arena_clear(&arena);
}

#define ROW(bytes, stack) { bytes, sizeof(bytes) - 1, stack }

Test(vstate, knows_what_is_on_the_stack)
{
	static const struct {
		const char *bytes;
		size_t size;
		const char *stack;
	} rows[] = {
		ROW("\0\1\2\x0a\x0b\x0e", "NIJ2FD2"),
		ROW("\x10\1\x11\1\1\x12\x0e\x13\0\x13", "IIA(java/lang/String)I"),
		ROW("\x14\0\x11\x14\0\x15", "J2D2"),	/* ldc2_w, also of a dynamic */
		ROW("\x12\5\x12\x14", "A(java/lang/Class)"
				      "A(java/lang/invoke/MethodType)"),
		ROW("\x12\1", "-"),			/* ldc of a text */
		ROW("\x2a\x1b\x2c", "tIA([[I)"),
		ROW("\x2c\3\x32", "A([I)"),		/* aaload */
		ROW("\x2c\3\x32\3\x2e", "I"),
		ROW("\1\3\x32", "N"),			/* aaload of null */
		ROW("\x09\x42\x21", "J2"),		/* lstore_3, lload_3 */
		ROW("\4\1\x59", "INN"), ROW("\4\1\x5a", "NIN"),
		ROW("\4\x0a\x5c", "IJ2J2"), ROW("\4\x0a\x5d", "J2IJ2"),
		ROW("\4\1\x0b\x5b", "FINF"), ROW("\x0a\x0f\x5e", "D2J2D2"),
		ROW("\4\1\x5f", "NI"), ROW("\4\1\x57", "I"), ROW("\4\1\x58", ""),
		ROW("\x57", "-"), ROW("\x58", "-"),
		ROW("\x0a\x0a\x61\x88", "I"),		/* ladd, l2i */
		ROW("\x0a\4\x79", "J2"),		/* lshl */
		ROW("\x0e\x0e\x97", "I"),		/* dcmpl */
		ROW("\xb2\0\x0d", "D2"), ROW("\xb2\0\x0d\xb3\0\x0d", ""),
		ROW("\1\xb4\0\x0d", "D2"), ROW("\1\x0e\xb5\0\x0d", ""),
		ROW("\x0e\xb5\0\x0d", "-"),
		ROW("\1\4\x09\1\xb6\0\x0a", "A([[La/E;)"),
		ROW("\4\x09\1\xb8\0\x0a", "A([[La/E;)"),
		ROW("\4\x09\1\xb6\0\x0a", "-"),		/* no receiver */
		ROW("\4\x09\1\xb8\0\5", "-"),		/* no method */
		ROW("\xbb\0\5\x59", "uu"),
		ROW("\xbb\0\5\x59\xb7\0\6", "A(a/C)"),
		ROW("\x2a\x59\xb7\0\6", "A(a/B)"),
		ROW("\4\xbc\x0a", "A([I)"), ROW("\4\xbc\3", "-"),
		ROW("\4\xbd\0\5", "A([La/C;)"), ROW("\4\xbd\0\x10", "A([[[J)"),
		ROW("\4\4\xc5\0\x10\2", "A([[J)"),
		ROW("\1\xc0\0\5", "A(a/C)"), ROW("\1\xc1\0\5", "I"),
		ROW("\2\xc4\x15\0\1\xc4\x36\0\5\xc4\x84\0\5\0\1", "I"),	/* wide */
		ROW("\2\x9a\0\3\0", ""), ROW("\2\xa2\0\3\0", "-"),
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[400];

		run(rows[i].bytes, rows[i].size, text);
		cr_expect_str_eq(text, rows[i].stack, "row %zu", i);
	}
}
