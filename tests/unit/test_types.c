#include <criterion/criterion.h>

#include "copy/types.h"
#include "make.h"

static const struct schema_type first[] = {
	TYPE("a.Thing", NULL, .id = 200, FIELDS(FIELD("text", "java.lang.String"))),
	TYPE("a.E", "jdk.jfr.Event", .id = 100,
	     FIELDS(START, FIELD("thing", "a.Thing", POOLED))),
	TYPES_END,
};

/* The number of the thing is that of another type. */
static const struct schema_type second[] = {
	TYPE("b.Thing", NULL, .id = 200, FIELDS(FIELD("text", "java.lang.String"))),
	TYPE("a.E", "jdk.jfr.Event", .id = 100,
	     FIELDS(START, FIELD("thing", "b.Thing", POOLED))),
	TYPES_END,
};

static struct arena arena;
static struct numbers numbers;

static struct types read_types(struct made *made, const struct schema_type *types)
{
	struct types read = { .id = 0 };
	struct err err = { 0 };

	writer_describe(&made->writer, make_jdk_types);
	make_begin(made, types);
	cr_assert(make_open(made), "%s", made->err.text);
	cr_assert(types_read(&read, &made->chunk, &numbers, &arena, &err), "%s", err.text);
	return read;
}

static void clear(struct made *one, struct made *other)
{
	make_clear(one);
	make_clear(other);
	numbers_clear(&numbers);
	arena_clear(&arena);
}

Test(types, stay_as_they_were)
{
	struct made one = { 0 }, other = { 0 };
	struct types types = read_types(&one, first);

	cr_expect(types_are_as_they_were(&types));
	cr_expect(types.event.bytes == (const char *)one.chunk.bytes + one.chunk.metadata_at);
	cr_expect_eq(types.id, 1);
	other.writer.metadata_id = 4;
	types = read_types(&other, first);
	cr_expect(types_are_as_they_were(&types));
	cr_expect_eq(types.id, 5);
	clear(&one, &other);
}

Test(types, have_other_numbers_if_theirs_are_taken)
{
	struct made one = { 0 }, other = { 0 };
	struct types types = read_types(&one, first);

	other.writer.metadata_id = 4;
	types = read_types(&other, second);
	cr_expect_eq(types.mended, MEND_NOTHING);
	cr_expect(types.is_renumbered);
	cr_expect_not(types.is_taken);
	cr_expect_not(types_are_as_they_were(&types));
	cr_expect_gt(types.id, INT64_C(1) << 60);
	cr_expect_neq(types.accept.ids[make_type(&other, "b.Thing")->index], 200);
	clear(&one, &other);
}

static const struct schema_type more[] = {
	TYPE("a.Thing", NULL, .id = 200,
	     FIELDS(FIELD("text", "java.lang.String"), FIELD("x", "int"))),
	TYPES_END,
};

Test(types, have_another_number_as_a_whole_if_it_is_taken)
{
	struct made one = { 0 }, other = { 0 };
	struct types types = read_types(&one, first);

	types = read_types(&other, more);
	cr_expect_eq(types.mended, MEND_NOTHING);
	cr_expect_not(types.is_renumbered);
	cr_expect(types.is_taken);
	cr_expect_not(types_are_as_they_were(&types));
	cr_expect_gt(types.id, INT64_C(1) << 60);
	clear(&one, &other);
}
