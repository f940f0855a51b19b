#include <criterion/criterion.h>
#include <unistd.h>

#include "count/catalog.h"
#include "make.h"
#include "way.h"

static const struct schema_type types[] = {
	TYPE("a.First", "jdk.jfr.Event", .id = 100, FIELDS(START)),
	TYPES_END,
};

static const struct schema_type later_types[] = {
	TYPE("a.Later", "jdk.jfr.Event", .id = 101, FIELDS(START)),
	TYPES_END,
};

static const struct schema_type other_types[] = {
	TYPE("a.Later", "jdk.jfr.Event", .id = 100, FIELDS(START, FIELD("x", "int"))),
	TYPE("c.Other", "jdk.jfr.Event", .id = 101, FIELDS(START)),
	TYPES_END,
};

static void open_chunk(struct made *made, const struct schema_type *declared,
		       int64_t start)
{
	struct header header = writer_header;

	header.start_nanos = start;
	header.duration_nanos = 1000;
	writer_describe(&made->writer, declared);
	writer_open(&made->writer, &header);
}

static size_t count_of(const struct catalog *catalog, const char *name)
{
	size_t count = 0;

	for (size_t i = 0; i < catalog->types.count; i++)
		count += str_is(catalog->types.items[i].type->name, str_of(name));
	return count;
}

/* One run begins first, but declares a type later than the other does. */
Test(catalog, has_each_type_of_several_runs_once)
{
	char paths[2][64];
	const char *const names[] = { paths[0], paths[1] };
	struct made made = { 0 }, other = { 0 };
	struct input input = { .unpacker = NULL };
	struct filter filter = { .events = { NULL, 0 } };
	struct damage damage = { 0 };
	struct catalog catalog = { 0 };
	struct err err = { 0 };

	open_chunk(&made, types, 1000000000);
	cr_assert(writer_close(&made.writer, &made.err));
	open_chunk(&made, later_types, 3000000000);
	cr_assert(make_bytes(&made), "%s", made.err.text);
	open_chunk(&other, other_types, 2000000000);
	cr_assert(make_bytes(&other), "%s", other.err.text);
	way_file(paths[0], made.bytes, made.size);
	way_file(paths[1], other.bytes, other.size);
	cr_assert(input_open(&input, names, 2, &damage, &err), "%s", err.text);
	cr_assert(catalog_take(&catalog, &input, &filter, &damage, &err), "%s", err.text);
	cr_expect_eq(count_of(&catalog, "a.First"), 1);
	cr_expect_eq(count_of(&catalog, "a.Later"), 1);
	cr_expect_eq(count_of(&catalog, "c.Other"), 1);
	cr_expect_eq(count_of(&catalog, "long"), 1);
	cr_expect(damage_is_none(&damage));
	catalog_clear(&catalog);
	input_close(&input);
	unlink(paths[0]);
	unlink(paths[1]);
	make_clear(&other);
	make_clear(&made);
}
