#include <criterion/criterion.h>
#include <stdio.h>

#include "host/cgroup.h"
#include "unit/place.h"

/* A file of one line. */
static void put(const char *name, const char *line)
{
	char text[64];

	snprintf(text, sizeof(text), "%s\n", line);
	place_put(name, text);
}

TestSuite(cgroup, .init = place_open, .fini = place_close);

static void expect(const char *text, uint64_t limit, uint64_t used)
{
	struct cgroup_memory memory;
	bool has_limit = cgroup_memory_in(&memory, str_of(text), place_folder);

	cr_assert_eq(has_limit, limit != 0, "%s", text);
	if (has_limit) {
		cr_expect_eq(memory.limit, limit, "%s", text);
		cr_expect_eq(memory.used, used, "%s", text);
	}
}

Test(cgroup, limits_memory)
{
	put("a/b/memory.max", "5000");
	put("a/b/memory.current", "4000");
	expect("0::/a/b\n", 5000, 4000);
	expect("1:cpu:/x\n0::/a/b\n", 5000, 4000);
	expect("0::/a\n", 0, 0);
}

Test(cgroup, of_version_1_limits_memory)
{
	put("memory/a/memory.limit_in_bytes", "5000");
	put("memory/a/memory.usage_in_bytes", "4000");
	put("memory/memory.limit_in_bytes", "9223372036854771712");
	put("memory/memory.usage_in_bytes", "7000");
	put("memory.max", "1");
	put("memory.current", "1");
	expect("9:name=systemd:/\n4:memory:/a\n0::/\n", 5000, 4000);
	expect("0::/\n4:cpu,memory:/a\n", 5000, 4000);
	expect("4:memory:/\n0::/\n", 0, 0);
}

Test(cgroup, is_limited_by_those_around_it)
{
	put("a/memory.max", "3000");
	put("a/memory.current", "2000");
	put("a/b/memory.max", "max");
	put("a/b/memory.current", "1000");
	put("a/b/c/memory.max", "5000");
	put("a/b/c/memory.current", "500");
	put("memory.max", "4000");
	put("memory.current", "2500");
	expect("0::/a/b/c\n", 3000, 2000);
	expect("0::/\n", 4000, 2500);
}

/* What the container calls its path is one of the host's. */
Test(cgroup, of_a_container_is_the_root)
{
	put("memory.max", "6000");
	put("memory.current", "10");
	expect("0::/docker/1234\n", 6000, 10);
	expect("0::/../other\n", 6000, 10);
}

Test(cgroup, has_no_limit_where_nothing_is_known)
{
	static char deep[4000];

	put("a/memory.max", "x");
	put("a/memory.current", "1");
	put("b/memory.max", "7");
	expect("", 0, 0);
	expect("x\n:\n::\n0:\n0::\n", 0, 0);
	expect("0::/a\n", 0, 0);
	expect("0::/b\n", 0, 0);
	memset(deep, '/', sizeof(deep) - 1);
	memcpy(deep, "0::", 3);
	expect(deep, 0, 0);
}
