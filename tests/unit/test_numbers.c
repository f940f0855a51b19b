#include <criterion/criterion.h>

#include "copy/numbers.h"
#include "jfr/compile.h"
#include "make.h"

/* The numbers that the types of a picture get, in their order. */
static void settle(struct numbers *numbers, const char *picture, const int64_t *wanted,
		   size_t count, int line)
{
	struct arena arena = { 0 };
	struct metadata metadata;
	struct accept accept;
	struct buf buf = { 0 };
	struct err err;

	make_metadata(&buf, picture);
	cr_assert(metadata_read(&metadata, make_cursor(&buf).at, buf.size, &arena, &err) &&
		  compile_types(&metadata, &arena) &&
		  accept_open(&accept, &metadata, &arena));
	cr_assert(numbers_settle(numbers, &accept, NULL));
	cr_assert_eq(metadata.type_count, count, "line %d", line);
	for (size_t i = 0; i < count; i++) {
		bool is_new = accept.ids[i] >= INT64_C(1) << 40;

		cr_expect(wanted[i] ? accept.ids[i] == wanted[i] : is_new,
			  "line %d: type %zu: %lld", line, i, (long long)accept.ids[i]);
		for (size_t k = 0; k < i && is_new; k++)
			cr_expect_neq(accept.ids[i], accept.ids[k], "line %d", line);
	}
	buf_clear(&buf);
	metadata_clear(&metadata);
	arena_clear(&arena);
}

/* Wanted numbers; 0 stands for a new one. */
#define SETTLES(numbers, picture, ...)                                           \
	settle(numbers, "root\n metadata\n" picture, (const int64_t[]){ __VA_ARGS__ }, \
	       sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), __LINE__)

#define USER(id, used)                                                           \
	"  class name=a.User id=" id "\n"                                        \
	"   field name=x class=" used " constantPool=true\n"

Test(numbers, stay_while_they_mean_the_same)
{
	struct numbers numbers = { .metadata = 0 };

	for (int i = 0; i < 3; i++)
		SETTLES(&numbers, "  class name=a.A id=5\n" USER("6", "5"), 5, 6);
	SETTLES(&numbers, "  class name=a.A id=7\n" USER("8", "7"), 7, 8);
	numbers_clear(&numbers);
}

Test(numbers, change_where_another_type_had_them)
{
	struct numbers numbers = { .metadata = 0 };

	SETTLES(&numbers, "  class name=a.A id=5\n" USER("6", "5"), 5, 6);
	for (int i = 0; i < 2; i++)
		SETTLES(&numbers, "  class name=a.B id=5\n" USER("6", "5"), 0, 6);
	SETTLES(&numbers, "  class name=a.A id=5\n" USER("6", "5"), 5, 6);
	/* Two of that name, and only the first of two with the same number. */
	SETTLES(&numbers, "  class name=a.B id=5\n  class name=a.B id=7\n" USER("6", "5")
			  USER("8", "7") "  class name=a.C id=5\n", 0, 7, 6, 8, 5);
	numbers_clear(&numbers);
}

/* Structs that are inline, events and annotations have no constants. */
Test(numbers, matter_where_there_are_constants)
{
	struct numbers numbers = { .metadata = 0 };

	SETTLES(&numbers, "  class name=a.A id=5\n  class name=int id=9\n"
			  "   field name=x class=9\n" USER("6", "5"), 5, 9, 6);
	SETTLES(&numbers, "  class name=a.B id=5\n" USER("9", "6")
			  "  class name=a.C id=6\n", 5, 9, 6);
	SETTLES(&numbers, "  class name=java.lang.String id=5\n", 0);
	numbers_clear(&numbers);
}

Test(numbers, of_metadata_change_with_it)
{
	struct numbers numbers = { .metadata = 0 };
	int64_t other = numbers_of_body(STR("other"));

	cr_expect_gt(other, 1);
	cr_expect_neq(other, numbers_of_body(STR("another")));
	cr_expect_eq(numbers_metadata(&numbers, 3, STR("one")), 3);
	cr_expect_eq(numbers_metadata(&numbers, 3, STR("one")), 3);
	cr_expect_eq(numbers_metadata(&numbers, 3, STR("other")), other);
	cr_expect_eq(numbers_metadata(&numbers, 3, STR("one")), 3);
	cr_expect_eq(numbers_metadata(&numbers, 4, STR("other")), 4);
	numbers_clear(&numbers);
}

/* Where recordings are merged: types of another space, though they have the same name. */
Test(numbers, differ_from_space_to_space)
{
	static const uint32_t first[] = { 0, 0 }, second[] = { 1, 0 };
	struct numbers numbers = { .spaces = first };

	SETTLES(&numbers, "  class name=a.A id=5\n" USER("6", "5"), 5, 6);
	numbers.spaces = second;
	SETTLES(&numbers, "  class name=a.A id=5\n" USER("6", "5"), 0, 6);
	numbers.spaces = first;
	SETTLES(&numbers, "  class name=a.A id=5\n" USER("6", "5"), 5, 6);
	numbers_clear(&numbers);
}

#define EVENT_TYPE(name, id)                                                           \
	"  class name=" name " id=" id " superType=jdk.jfr.Event\n"                    \
	"   field name=startTime class=9\n"
#define LONG_TYPE "  class name=long id=9\n"

/* There event types have the number of those that had their name before. */
Test(numbers, follow_the_names_of_events)
{
	static const uint32_t spaces[8] = { 0 };
	struct numbers numbers = { .spaces = spaces };

	SETTLES(&numbers, LONG_TYPE EVENT_TYPE("a.A", "5") EVENT_TYPE("a.B", "6"), 9, 5,
		6);
	numbers.is_foreign = true;
	SETTLES(&numbers,
		LONG_TYPE EVENT_TYPE("a.B", "5") EVENT_TYPE("a.C", "6")
			EVENT_TYPE("a.A", "7") EVENT_TYPE(
				"a.D",
				"8") "  class name=a.Plain id=10\n   field name=x class=9\n",
		9, 6, 8192, 5, 8, 10);
	/* Two of a name, one that nobody knows, and a plain type whose number is taken. */
	SETTLES(&numbers,
		LONG_TYPE EVENT_TYPE("a.A", "7") EVENT_TYPE(
			"a.A",
			"10") "  class name=a.Plain id=5\n   field name=x class=9\n",
		9, 5, 10, 0);
	/* The run of the first chunk keeps its own. */
	numbers.is_foreign = false;
	SETTLES(&numbers, LONG_TYPE EVENT_TYPE("a.A", "11"), 9, 11);
	numbers_clear(&numbers);
}
