#include <criterion/criterion.h>
#include <string.h>

#include "verify/findings.h"

static const struct cause torn = FAULT("it is torn"), dirty = REMARK("it is dirty");

static struct site at(uint64_t byte)
{
	return (struct site){ "r.jfr", 0, byte };
}

Test(findings, hold_what_was_added)
{
	struct findings findings = { .limit = 10 };
	char name[] = "shop.Sale";
	const struct finding *finding;

	findings_add(&findings, &torn, str_of(name), at(7), "%d of %d", 2, 3);
	findings_add(&findings, &dirty, STR(""), at(9), NULL);
	name[0] = 'S'; /* texts are copied */
	cr_assert_eq(findings.items.count, 2);
	finding = &findings.items.items[0];
	cr_expect_str_eq(finding->cause.text, "it is torn");
	cr_expect_eq(finding->cause.severity, SEVERITY_FAULT);
	cr_expect_eq(finding->site.at, 7);
	cr_expect(str_is(finding->type, STR("shop.Sale")));
	cr_expect(str_is(finding->detail, STR("2 of 3")));
	cr_expect_eq(findings.items.items[1].cause.severity, SEVERITY_REMARK);
	cr_expect_eq(findings.items.items[1].detail.size, 0);
	cr_expect_not(findings.failed);
	findings_clear(&findings);
}

Test(findings, have_details_without_halves_of_letters)
{
	struct findings findings = { .limit = 10 };
	char name[401] = "";

	for (size_t i = 0; i + 2 < sizeof(name); i += 2)
		memcpy(name + i, "\u00e4", sizeof("\u00e4"));
	findings_add(&findings, &torn, STR(""), at(7), "%s", name);
	findings_add(&findings, &torn, STR(""), at(7), "x%s", name);
	cr_assert_eq(findings.items.count, 2);
	for (size_t i = 0; i < 2; i++)
		cr_expect(str_ends(findings.items.items[i].detail, STR("\u00e4...")));
	findings_clear(&findings);
}

Test(findings, are_counted_beyond_the_limit)
{
	struct findings findings = { .limit = 2 };
	struct cause again = { strdup("it is torn"), SEVERITY_FAULT };

	for (int i = 0; i < 5; i++)
		findings_add(&findings, i % 2 ? &torn : &again, STR(""), at(7), NULL);
	findings_add(&findings, &dirty, STR(""), at(7), NULL);
	cr_expect_eq(findings.items.count, 3);
	cr_assert_eq(findings.kinds.list.count, 2, "the text tells causes apart");
	cr_expect_eq(findings.kinds.list.items[0].count, 5);
	cr_expect_eq(findings.kinds.list.items[0].kept, 2);
	cr_expect_eq(findings.kinds.list.items[1].count, 1);
	findings_reset(&findings);
	cr_expect_eq(findings.items.count + findings.kinds.list.count, 0);
	cr_expect_eq(findings.limit, 2);
	findings_clear(&findings);
	free((char *)again.text);
}

Test(findings, take_faults_and_notes)
{
	struct findings findings = { .limit = 10 };
	struct damage damage = findings_damage(&findings);
	struct damage before = { 0 };

	damage_add(&before, "early", STR("a.E"), at(1));
	damage_add(&before, "early", STR("a.E"), at(2));
	damage_merge(&damage, &before);
	damage_add_detail(&damage, "late", at(3), "%d bytes", 4);
	damage_note(&damage, "not finished", at(5));
	cr_assert_eq(findings.items.count, 3);
	cr_expect(str_is(findings.items.items[0].type, STR("a.E")));
	cr_expect_eq(findings.kinds.list.items[0].count, 2,
		     "it counts as often as it was");
	cr_expect(str_is(findings.items.items[1].detail, STR("4 bytes")));
	cr_expect_eq(findings.items.items[2].cause.severity, SEVERITY_REMARK);
	damage_clear(&before);
	findings_clear(&findings);
}

Test(findings, are_sorted_by_place_and_else_stay_in_order)
{
	static const uint64_t places[] = { 9, 5, 7, 5, 1, 5 };
	static const char *const wanted[] = { "0", "4", "1", "3", "5", "2" };
	struct findings findings = { .limit = 10 };

	for (int i = 0; i < 6; i++)
		findings_add(&findings, &torn, STR(""), at(places[i]), "%d", i);
	findings_sort(&findings, 1);
	for (int i = 0; i < 6; i++)
		cr_expect(str_is(findings.items.items[i].detail, str_of(wanted[i])));
	findings_sort(&findings, 6);
	findings_clear(&findings);
}
