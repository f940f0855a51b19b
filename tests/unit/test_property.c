#include <criterion/criterion.h>

#include "query/property.h"

static struct query_format apply(const char *property)
{
	struct query_format format = property_none;
	struct err err = { 0 };

	cr_expect(property_apply(&format, str_of(property), &err), "%s: %s", property,
		  err.text);
	return format;
}

static bool changes_nothing(const char *property)
{
	struct query_format format = apply(property);

	return !format.is_normalized && !format.is_share_of_run &&
	       format.truncation == TRUNCATE_DEFAULT && !format.missing.bytes &&
	       format.cell_height == 0 && format.precision == -1;
}

Test(property, may_say_nothing)
{
	cr_expect(changes_nothing("none"));
	cr_expect(changes_nothing("None"));
	cr_expect(changes_nothing("missing:"));
	cr_expect(changes_nothing("MISSING:"));
	cr_expect(!changes_nothing("normalized"));
}

Test(property, is_applied)
{
	cr_expect(apply("normalized").is_normalized);
	cr_expect(apply("NORMALIZED").is_normalized);
	cr_expect(apply("share-of-run").is_share_of_run);
	cr_expect_eq(apply("truncate-beginning").truncation, TRUNCATE_BEGINNING);
	cr_expect_eq(apply("truncate-end").truncation, TRUNCATE_END);
	cr_expect_eq(apply("cell-height:1").cell_height, 1);
	cr_expect_eq(apply("cell-height:10000").cell_height, 10000);
	cr_expect_eq(apply("ms-precision:0").precision, 0);
	cr_expect_eq(apply("ms-precision:6").precision, 6);
}

Test(property, says_what_stands_for_the_missing)
{
	cr_expect(str_is(apply("missing:none at all").missing, STR("none at all")));
	cr_expect_eq(apply("missing:whitespace").missing.size, 0);
	cr_expect_not_null(apply("missing:whitespace").missing.bytes);
	cr_expect(str_is(apply("missing:Whitespace").missing, STR("Whitespace")));
}

Test(property, leaves_others_as_they_are)
{
	struct query_format format = property_none;

	cr_expect(property_apply(&format, STR("missing:x"), NULL));
	cr_expect(property_apply(&format, STR("normalized"), NULL));
	cr_expect(property_apply(&format, STR("missing:"), NULL));
	cr_expect(property_apply(&format, STR("none"), NULL));
	cr_expect(format.is_normalized);
	cr_expect(str_is(format.missing, STR("x")));
}

static const struct {
	const char *property, *why;
} bad[] = {
	{ "", "there is no property ''" },
	{ "x", "there is no property 'x'" },
	{ "normalised", "there is no property 'normalised'; did you mean normalized?" },
	{ "normalized:",
	  "there is no property 'normalized:'; did you mean normalized?" },
	{ "truncate-begin",
	  "there is no property 'truncate-begin'; did you mean truncate-beginning?" },
	{ "share-of-runs",
	  "there is no property 'share-of-runs'; did you mean share-of-run?" },
	{ "MISSING:x", "there is no property 'MISSING:x'; did you mean missing:?" },
	{ "cel-height:5",
	  "there is no property 'cel-height:5'; did you mean cell-height:?" },
	{ "cell-height:", "cell-height: needs a whole number, 1 or more, found ''" },
	{ "cell-height:0", "cell-height: needs a whole number, 1 or more, found '0'" },
	{ "cell-height:x", "cell-height: needs a whole number, 1 or more, found 'x'" },
	{ "ms-precision:-1",
	  "ms-precision: needs a whole number, 0 or more, found '-1'" },
};

Test(property, that_is_none_is_told)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct query_format format = property_none;
		struct err err = { 0 };

		cr_expect(!property_apply(&format, str_of(bad[i].property), &err));
		cr_expect_eq(err.kind, ERR_USAGE);
		cr_expect_str_eq(err.text, bad[i].why);
	}
}
