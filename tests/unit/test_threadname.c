#include <criterion/criterion.h>

#include "engine/threadname.h"
#include "fault.h"
#include "make.h"
#include "unit/bareconstants.h"

TestSuite(threadname, .init = bareconstants_open,
	  .fini = bareconstants_close);

static void expect(const struct threadname *threadname, const struct make_value *values)
{
	struct buf wanted = { 0 }, value = { 0 };

	make_values(&wanted, values);
	threadname_encode(&value, threadname);
	cr_expect(str_is(buf_as_str(&value), buf_as_str(&wanted)));
	buf_clear(&wanted);
	buf_clear(&value);
}

Test(threadname, is_that_of_the_system_or_of_java)
{
	struct threadname threadname = { .name = STR("main"), .tid = 70 };

	expect(&threadname, VALUES(TEXT("main"), LONG(70), NO_TEXT, LONG(0), KEY(0),
				   BOOLEAN(false)));
	threadname.is_java = true;
	threadname.java_tid = 1;
	threadname.group = 9;
	expect(&threadname, VALUES(TEXT("main"), LONG(70), TEXT("main"), LONG(1), KEY(9),
				   BOOLEAN(false)));
	threadname.is_virtual = true;
	expect(&threadname, VALUES(NO_TEXT, LONG(70), TEXT("main"), LONG(1), KEY(9),
				   BOOLEAN(true)));
}

Test(threadname, is_in_groups_within_groups)
{
	uint64_t top = threadname_group(constants, 0, STR("system"));
	uint64_t group = threadname_group(constants, top, STR("main"));

	cr_expect_neq(top, 0);
	cr_expect_neq(group, 0);
	cr_expect_neq(group, top);
	cr_expect_eq(threadname_group(constants, 0, STR("system")), top);
	cr_expect_neq(threadname_group(constants, 0, STR("main")), group);
}

Test(threadname, is_made_of_a_number_if_there_is_none)
{
	uint64_t key = threadname_java_key(12), known = threadname_java_key(13);
	size_t count;

	cr_assert(constants_put(constants, POOL_THREAD, known, "\0\0\0\0\0\0", 6));
	count = constants_count(constants);
	cr_expect_eq(threadname_of_number(constants, known), known);
	cr_expect_eq(constants_count(constants), count);
	cr_expect_eq(threadname_of_number(constants, key), key);
	cr_expect_eq(constants_count(constants), count + 3, "with two groups");
	cr_expect_eq(threadname_of_number(constants, key), key);
	cr_expect_eq(constants_count(constants), count + 3);
	cr_expect(constants_touch(constants, POOL_THREAD, key));
	constants_epoch(constants, 2);
	constants_evict(constants, 3);
	cr_expect_not(constants_touch(constants, POOL_THREAD, key), "nothing pins it");
	cr_expect(constants_touch(constants, POOL_THREAD, known));
}

Test(threadname, needs_memory)
{
	for (size_t n = 1; n < 100; n++) {
		uint64_t key = threadname_java_key((int64_t)n), got;

		fault_at(n);
		got = threadname_of_number(constants, key);
		cr_expect(got == 0 || got == key);
		if (!fault_happened())
			break;
		cr_assert_lt(n, 99);
	}
	fault_at(0);
}
