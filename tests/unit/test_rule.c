#include <criterion/criterion.h>

#include "filter/rule.h"
#include "make.h"
#include "shop.h"

/* What each says of a sale, which is in Little Shop, and of an execution sample. */
static const struct {
	struct rule rule;
	bool sale, sample;
} cases[] = {
	{ { RULE_EVENTS, false, STR("shop.Sale") }, true, false },
	{ { RULE_EVENTS, false, STR("Sale") }, true, false },
	{ { RULE_EVENTS, false, STR("*S*") }, true, true },
	{ { RULE_EVENTS, false, STR(" x , Sale ,,") }, true, false },
	{ { RULE_EVENTS, false, STR(",") }, false, false },
	{ { RULE_EVENTS, true, STR("Sale") }, false, true },
	{ { RULE_EVENTS, true, STR(",") }, true, true },
	{ { RULE_CATEGORIES, false, STR("JVM") }, false, true },
	{ { RULE_CATEGORIES, false, STR("Prof*") }, false, true },
	{ { RULE_CATEGORIES, true, STR("JVM") }, true, false },
	{ { RULE_THREADS, false, STR("nobody") }, true, true },
	{ { RULE_THREADS, true, STR("*") }, true, true },
};

Test(rule, lets_types_pass_or_not)
{
	struct made shop = { 0 };
	const struct type *sale, *sample;

	writer_describe(&shop.writer, make_jdk_types);
	make_begin(&shop, shop_types);
	cr_assert(make_open(&shop), "%s", shop.err.text);
	sale = make_type(&shop, "shop.Sale");
	sample = make_type(&shop, "jdk.ExecutionSample");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct rule *rule = &cases[i].rule;
		bool matches = cases[i].sale != rule->is_excluding;

		cr_expect_eq(rule_accepts(rule, sale), cases[i].sale, "%zu", i);
		cr_expect_eq(rule_accepts(rule, sample), cases[i].sample, "%zu", i);
		cr_expect_eq(rule_matches(rule, sale),
			     rule->kind != RULE_THREADS && matches, "%zu", i);
	}
	make_clear(&shop);
}
