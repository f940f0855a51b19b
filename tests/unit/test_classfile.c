#include <criterion/criterion.h>

#include "classfile/classfile.h"
#include "classfile/reader.h"
#include "fault.h"
#include "makeclass.h"

static void read_class(const struct make_class *table, struct buf *bytes,
		       struct arena *arena, struct classfile *file)
{
	struct err err = { 0 };

	make_class(table, bytes);
	cr_assert(classfile_read(file, arena, bytes->bytes, bytes->size, &err), "%s",
		  err.text);
}

Test(classfile, has_names_and_methods)
{
	struct arena arena = { 0 };
	struct buf bytes = { 0 };
	struct classfile file;

	read_class(&make_class_rich, &bytes, &arena, &file);
	cr_expect_eq(file.major, 52);
	cr_expect(str_is(file.name, STR("a/Rich")));
	cr_expect(str_is(file.super_name, STR("java/lang/Object")));
	cr_expect_eq(file.interface_count, 2);
	cr_expect(str_is(classfile_interface(&file, 1), STR("a/Two")));
	cr_expect_null(classfile_interface(&file, 2).bytes);
	cr_assert_eq(file.method_count, 5);
	cr_expect(str_is(file.methods[1].name, STR("pick")));
	cr_expect(str_is(file.methods[1].descriptor, STR("(ILjava/lang/String;)I")));
	cr_expect_eq(file.methods[1].access, ACCESS_STATIC);
	cr_expect_gt(file.methods[1].code.size, 0);
	cr_expect_eq(file.methods[2].code.size, 0);
	cr_expect_eq(file.methods[4].whole.at + file.methods[4].whole.size,
		     file.methods_end);
	buf_clear(&bytes);
	arena_clear(&arena);
}

Test(classfile, tells_constants)
{
	struct arena arena = { 0 };
	struct buf bytes = { 0 };
	struct classfile file;

	read_class(&make_class_rich, &bytes, &arena, &file);
	cr_expect_eq(classfile_tag(&file, 0), 0);
	cr_expect_eq(classfile_tag(&file, 9), CONSTANT_LONG);
	cr_expect_eq(classfile_tag(&file, 10), 0, "the second half of a long");
	cr_expect_eq(classfile_tag(&file, file.constant_count), 0);
	cr_expect(str_is(classfile_utf8(&file, 4), STR("java/lang/Object")));
	cr_expect(str_is(classfile_class_name(&file, 5), STR("java/lang/Object")));
	cr_expect_null(classfile_utf8(&file, 5).bytes);
	cr_expect_null(classfile_class_name(&file, 4).bytes);
	buf_clear(&bytes);
	arena_clear(&arena);
}

struct seen {
	char text[64];
	unsigned left;
};

static bool see(void *context, struct str descriptor)
{
	struct seen *seen = context;

	strncat(seen->text, descriptor.bytes, descriptor.size);
	return --seen->left;
}

Test(classfile, tells_annotations)
{
	static const struct make_method methods[] = {
		{ .name = "m", .descriptor = "()V", .access = ACCESS_ABSTRACT,
		  .annotations = { "La/One;", "La/Two;" }, .is_synthetic = true },
		{ 0 },
	};
	static const struct make_class table = { .name = "a/B", .super_name = "",
						 .annotations = { "La/Of;" },
						 .methods = methods };
	struct seen all = { .left = 9 }, one = { .left = 1 }, none = { .left = 9 };
	struct arena arena = { 0 };
	struct buf bytes = { 0 };
	struct classfile file;
	struct classfile_part cut;

	read_class(&table, &bytes, &arena, &file);
	cr_expect_null(file.super_name.bytes);
	cr_expect_eq(file.methods[0].access, ACCESS_ABSTRACT | ACCESS_SYNTHETIC);
	classfile_annotations(&file, file.methods[0].annotations, see, &all);
	classfile_annotations(&file, file.annotations, see, &all);
	cr_expect_str_eq(all.text, "La/One;La/Two;La/Of;");
	classfile_annotations(&file, file.methods[0].annotations, see, &one);
	cr_expect_str_eq(one.text, "La/One;");
	cut = file.annotations;
	cut.size--;
	classfile_annotations(&file, cut, see, &none);
	cr_expect_str_eq(none.text, "");
	buf_clear(&bytes);
	arena_clear(&arena);
}

Test(classfile, must_be_whole)
{
	struct arena arena = { 0 };
	struct buf bytes = { 0 };
	struct classfile file;
	struct err err = { 0 };

	make_class(&make_class_rich, &bytes);
	for (size_t size = 0; size < bytes.size; size++) {
		char *copy = arena_copy(&arena, bytes.bytes, size);

		cr_expect_not(classfile_read(&file, &arena, copy, size, &err), "%zu",
			      size);
		cr_expect_eq(err.kind, ERR_FORMAT);
		arena_reset(&arena);
	}
	big_put_u1(&bytes, 0);
	cr_expect_not(classfile_read(&file, &arena, bytes.bytes, bytes.size, &err));
	cr_expect(str_starts(str_of(err.text), STR("class file ends at byte ")));
	buf_clear(&bytes);
	arena_clear(&arena);
}

Test(classfile, says_what_is_wrong)
{
	static const struct make_constant unknown[] = { { 2, NULL, 0, 0 }, { 0 } };
	static const struct make_class table = { .name = "a/B", .constants = unknown };
	struct arena arena = { 0 };
	struct buf bytes = { 0 };
	struct classfile file;
	struct err err = { 0 };

	make_class(&table, &bytes);
	cr_expect_not(classfile_read(&file, &arena, bytes.bytes, bytes.size, &err));
	cr_expect_str_eq(err.text, "constant 1: unknown kind 2");
	bytes.bytes[0]++;
	cr_expect_not(classfile_read(&file, &arena, bytes.bytes, bytes.size, &err));
	cr_expect_str_eq(err.text, "not a class file");
	buf_clear(&bytes);
	arena_clear(&arena);
}

Test(classfile, has_room_for_both_halves_of_the_last_constant)
{
	/* A pool of one long says that it has indexes below 2: 3 would be right. */
	static const char bytes[] = "\xca\xfe\xba\xbe\0\0\0\x34\0\2\5\0\0\0\0\0\0\0\0"
				    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
	struct arena arena = { 0 };
	struct classfile file;
	struct err err = { 0 };

	cr_expect_not(classfile_read(&file, &arena, bytes, sizeof(bytes) - 1, &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	cr_expect_str_eq(err.text, "the last constant has no second index");
	arena_clear(&arena);
}

Test(classfile, says_when_memory_runs_out)
{
	struct buf bytes = { 0 };
	bool is_read;
	size_t n = 0;

	make_class(&make_class_rich, &bytes);
	do {
		struct arena arena = { 0 };
		struct classfile file;
		struct err err = { 0 };

		fault_at(++n);
		is_read = classfile_read(&file, &arena, bytes.bytes, bytes.size, &err);
		cr_expect_eq(is_read, !fault_happened());
		if (!is_read)
			cr_expect_eq(err.kind, ERR_MEMORY);
		arena_clear(&arena);
	} while (fault_happened());
	fault_at(0);
	cr_expect_gt(n, 1);
	buf_clear(&bytes);
}
