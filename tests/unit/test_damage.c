#include <criterion/criterion.h>

#include "jfr/damage.h"

static const char one[] = "one cause", other[] = "another cause";
static const char file[] = "r.jfr";

static struct site at(size_t chunk, uint64_t byte)
{
	return (struct site){ file, chunk, byte };
}

Test(damage, tells_each_cause_once_with_its_first_place)
{
	struct damage damage = { 0 };

	damage_add(&damage, one, STR("a.B"), at(3, 1000));
	damage_add(&damage, other, STR(""), at(0, 7));
	damage_add(&damage, one, STR("c.D"), at(4, 2000));
	cr_assert_eq(damage.faults.count, 2);
	cr_expect_str_eq(damage.faults.items[0].cause, one);
	cr_expect_str_eq(damage.faults.items[0].type, "a.B");
	cr_expect_str_eq(damage.faults.items[0].first.file, file);
	cr_expect_eq(damage.faults.items[0].first.chunk, 3);
	cr_expect_eq(damage.faults.items[0].first.at, 1000);
	cr_expect_eq(damage.faults.items[0].count, 2);
	cr_expect_str_eq(damage.faults.items[1].type, "");
	damage_clear(&damage);
	cr_expect_eq(damage.faults.count, 0);
}

Test(damage, is_told_for_each_file)
{
	struct damage damage = { 0 };
	const struct site elsewhere = { "other.jfr", 0, 5 };

	damage_add(&damage, one, STR("a"), at(0, 5));
	damage_add(&damage, one, STR("a"), elsewhere);
	damage_add(&damage, one, STR("a"), at(7, 5));
	cr_assert_eq(damage.faults.count, 2);
	cr_expect_eq(damage.faults.items[0].count, 2);
	cr_expect_str_eq(damage.faults.items[1].first.file, "other.jfr");
	damage_clear(&damage);
}

Test(damage, cuts_long_names_and_details)
{
	struct damage damage = { 0 };
	char name[400];

	memset(name, 'x', sizeof(name));
	damage_add(&damage, one, (struct str){ name, sizeof(name) }, at(0, 0));
	damage_add_detail(&damage, other, at(0, 0), "%.*s", (int)sizeof(name), name);
	cr_assert_eq(damage.faults.count, 2);
	cr_expect_eq(strlen(damage.faults.items[0].type),
		     sizeof(damage.faults.items[0].type) - 1);
	cr_expect_eq(strlen(damage.faults.items[1].detail),
		     sizeof(damage.faults.items[1].detail) - 1);
	damage_clear(&damage);
}

Test(damage, cuts_between_characters)
{
	struct damage damage = { 0 };
	struct fault *faults;
	char name[401];

	for (size_t i = 0; i + 2 < sizeof(name); i += 2)
		memcpy(name + i, "\u00e4", sizeof("\u00e4"));
	damage_add(&damage, one, str_of(name), at(0, 0));
	damage_add_detail(&damage, other, at(0, 0), "x%s", name);
	faults = damage.faults.items;
	cr_assert_eq(damage.faults.count, 2);
	cr_expect_eq(strlen(faults[0].type), sizeof(faults[0].type) - 2);
	cr_expect_eq(memcmp(faults[0].type, name, strlen(faults[0].type)), 0);
	cr_expect_eq(strlen(faults[1].detail), sizeof(faults[1].detail) - 2);
	cr_expect(str_ends(str_of(faults[1].detail), STR("\u00e4...")));
	damage_clear(&damage);
}

Test(damage, keeps_the_detail_of_the_first)
{
	struct damage damage = { 0 };

	damage_add_detail(&damage, one, at(0, 1), "%d bytes", 7);
	damage_add_detail(&damage, one, at(0, 9), "%d bytes", 8);
	cr_assert_eq(damage.faults.count, 1);
	cr_expect_str_eq(damage.faults.items[0].detail, "7 bytes");
	cr_expect_str_eq(damage.faults.items[0].type, "");
	cr_expect_eq(damage.faults.items[0].first.at, 1);
	cr_expect_eq(damage.faults.items[0].count, 2);
	damage_clear(&damage);
}

Test(damage, is_none_if_there_are_only_notes)
{
	struct damage damage = { 0 };

	cr_expect(damage_is_none(&damage));
	damage_note(&damage, one, at(0, 0));
	cr_assert_eq(damage.faults.count, 1);
	cr_expect(damage.faults.items[0].is_note);
	cr_expect(damage_is_none(&damage));
	damage_add(&damage, other, STR(""), at(0, 0));
	cr_expect_not(damage_is_none(&damage));
	damage_clear(&damage);
	cr_expect(damage_is_none(&damage));
}

Test(damage, is_merged_in_order)
{
	struct damage first = { 0 }, second = { 0 };

	damage_add(&first, one, STR("a"), at(0, 1));
	damage_add(&second, other, STR("b"), at(1, 2));
	damage_add(&second, one, STR("c"), at(1, 3));
	damage_add(&second, one, STR("c"), at(1, 4));
	damage_merge(&first, &second);
	cr_expect_eq(second.faults.count, 0);
	cr_expect(damage_is_none(&second));
	cr_assert_eq(first.faults.count, 2);
	cr_expect_eq(first.faults.items[0].count, 3);
	cr_expect_eq(first.faults.items[0].first.at, 1);
	cr_expect_eq(first.faults.items[1].first.at, 2);
	damage_clear(&first);
	damage_clear(&second);
}

struct heard {
	size_t calls;
	uint64_t count;
	struct fault last;
};

static void hear(void *context, const struct fault *fault)
{
	struct heard *heard = context;

	heard->calls++;
	heard->count += fault->count;
	heard->last = *fault;
}

Test(damage, goes_to_its_sink_and_nowhere_else)
{
	struct heard heard = { 0 };
	struct damage damage = { .sink = hear, .context = &heard }, own = { 0 };

	damage_add(&damage, one, STR("a.B"), at(3, 1000));
	damage_add(&damage, one, STR("a.B"), at(3, 2000));
	cr_expect_eq(heard.calls, 2);
	cr_expect_eq(heard.last.first.at, 2000);
	damage_add(&own, other, STR(""), at(1, 5));
	damage_add(&own, other, STR(""), at(1, 6));
	damage_merge(&damage, &own);
	cr_expect_eq(heard.calls, 3);
	cr_expect_eq(heard.count, 4);
	cr_expect_eq(heard.last.first.at, 5);
	cr_expect_eq(damage.faults.count, 0);
	damage_clear(&damage);
	damage_clear(&own);
}

Test(damage, tells_a_place_as_far_as_it_is_known)
{
	char text[SITE_TEXT_MAX];

	cr_expect_str_eq(site_text(&(struct site){ "f", 1, 7 }, text),
			 "chunk 2 at byte 7: ");
	cr_expect_str_eq(site_text(&(struct site){ "f", SITE_NO_CHUNK, 7 }, text),
			 "at byte 7: ");
	cr_expect_str_eq(site_text(&(struct site){ "f", SITE_NO_CHUNK, SITE_NO_BYTE }, text),
			 "");
}
