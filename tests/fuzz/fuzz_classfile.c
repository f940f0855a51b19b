/*
 * fuzz_classfile.c - class files: read, rewritten in full, read again and rewritten again.
 *
 * What was rewritten once can be rewritten once more, but for its size: so what comes
 * out is at least whole.
 */
#include <stdlib.h>
#include <string.h>

#include "classfile/rewrite.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* For a far jump and none; a number that needs no constant, and one that does. */
static const struct {
	int32_t reach, id;
} ways[] = { { 32767, 7 }, { 10, 100000 } };

static const struct rewrite_probe probe = { "java/lang/CjfrRuntime", "enter", "timing" };

static void must(bool is_so)
{
	if (!is_so)
		abort();
}

static bool count_one(void *context, struct str descriptor)
{
	size_t *count = context;

	return descriptor.bytes && ++*count < 100000;
}

static void look(const struct classfile *file)
{
	size_t count = 0;

	for (unsigned i = 0; i < file->interface_count; i++)
		classfile_interface(file, (uint16_t)i);
	classfile_annotations(file, file->annotations, count_one, &count);
	for (unsigned i = 0; i < file->method_count; i++)
		classfile_annotations(file, file->methods[i].annotations, count_one,
				      &count);
}

static void check(const struct classfile *before, const struct rewrite_method *methods,
		  const struct classfile *after)
{
	must(after->method_count == before->method_count &&
	     after->constant_count >= before->constant_count &&
	     str_is(after->name, before->name));
	for (unsigned i = 0; i < before->method_count; i++) {
		struct classfile_part code = before->methods[i].code;

		must(str_is(after->methods[i].name, before->methods[i].name));
		if (methods[i].result == REWRITE_DONE)
			must(methods[i].size_after > methods[i].size_before &&
			     methods[i].size_after <= UINT16_MAX);
		else
			must(!methods[i].size_after &&
			     after->methods[i].code.size == code.size);
	}
}

/* Gives what came out in `to`, and whether that can be read again. */
static bool rewrite(const struct classfile *file, int32_t reach, int32_t id,
		    struct arena *arena, struct buf *to, struct classfile *again)
{
	size_t count = file->method_count;
	struct rewrite_method *methods = arena_array(arena, count, sizeof(*methods));

	if (!methods)
		return false;
	for (size_t i = 0; i < count; i++)
		methods[i] = (struct rewrite_method){ .index = (uint16_t)i,
						      .probe = &probe,
						      .id = id };
	buf_reset(to);
	if (!rewrite_class_within(file, methods, count, reach, arena, to, NULL) ||
	    !to->size)
		return false;
	must(classfile_read(again, arena, to->bytes, to->size, NULL));
	check(file, methods, again);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = { .limit = (size_t)1 << 28 };
	struct classfile file, once, twice;
	struct buf first = { 0 }, second = { 0 };
	char *bytes = malloc(size ? size : 1);

	if (!bytes)
		return 0;
	memcpy(bytes, data, size);
	if (classfile_read(&file, &arena, bytes, size, NULL)) {
		look(&file);
		for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
			if (rewrite(&file, ways[i].reach, ways[i].id, &arena, &first,
				    &once))
				rewrite(&once, ways[i].reach, ways[i].id, &arena,
					&second, &twice);
	}
	free(bytes);
	buf_clear(&first);
	buf_clear(&second);
	arena_clear(&arena);
	return 0;
}
