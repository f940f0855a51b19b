#include <criterion/criterion.h>

#include "control/threadfilter.h"

static void expect(const char *patterns, const char *name, bool is_wanted)
{
	cr_expect_eq(threadfilter_matches(str_of(patterns), str_of(name)), is_wanted,
		     "'%s' and '%s'", patterns, name);
}

Test(threadfilter, takes_names_and_patterns)
{
	expect("main", "main", true);
	expect("main", "main2", false);
	expect("main", "Main", false);
	expect("main, worker-*", "worker-1", true);
	expect("main, worker-*", "worker", false);
	expect("worker-?", "worker-1", true);
	expect("worker-?", "worker-12", false);
	expect("pool?x", "pool,x", true);
	expect("*", "", true);
	expect("main", "", false);
	expect("r\xc3\xa9?u", "r\xc3\xa9\xc3\xa7u", true);
}

Test(threadfilter, takes_all_threads_without_patterns)
{
	expect("", "main", true);
	expect(",", "main", true);
	cr_expect(threadfilter_matches((struct str){ NULL, 0 }, STR("main")));
}

Test(threadfilter, takes_threads_out_again)
{
	expect("!GC*", "GC Thread", false);
	expect("!GC*", "main", true);
	expect("!GC*,!main", "main", false);
	expect("worker-*,!worker-1?", "worker-1", true);
	expect("worker-*,!worker-1?", "worker-12", false);
	expect("worker-*,!worker-1?", "main", false);
	expect("!worker-1?,worker-*", "worker-12", false);
	expect("! main", "main", false);
	expect("?main", "!main", true);
	expect("!!main", "!main", false);
}

static void expect_fault(const char *patterns, const char *text)
{
	struct err err = { 0 };

	cr_expect_not(threadfilter_check(str_of(patterns), &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect_str_eq(err.text, text);
}

Test(threadfilter, refuses_what_names_nobody)
{
	expect_fault("", "there is no name in it");
	expect_fault(" , ,", "there is no name in it");
	expect_fault("!", "there is no name behind '!'");
	expect_fault("main, ! ", "there is no name behind '!'");
	cr_expect(threadfilter_check(STR("main"), NULL));
	cr_expect(threadfilter_check(STR(",!main,"), NULL));
}
