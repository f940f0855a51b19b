#include <criterion/criterion.h>

#include "base/scale.h"

static const struct scale hertz = { 1000, "hz" };

static void expect(const struct scale *scale, const char *text, uint64_t wanted, int line)
{
	uint64_t factor;
	bool is_good = scale_read(scale, str_of(text), &factor);

	cr_expect_eq(is_good, wanted != 0, "line %d", line);
	cr_expect(!is_good || factor == wanted, "line %d: %llu", line,
		  (unsigned long long)factor);
}

#define SCALES(scale, text, wanted) expect(scale, text, wanted, __LINE__)
#define IS_NONE(scale, text) expect(scale, text, 0, __LINE__)

Test(scale, reads_what_people_write)
{
	SCALES(&scale_of_bytes, "", 1);
	SCALES(&scale_of_bytes, "B", 1);
	SCALES(&scale_of_bytes, "bytes", 1);
	SCALES(&scale_of_bytes, "k", 1024);
	SCALES(&scale_of_bytes, "KB", 1024);
	SCALES(&scale_of_bytes, "MiB", 1 << 20);
	SCALES(&scale_of_bytes, "g", 1 << 30);
	SCALES(&scale_of_bytes, "E", UINT64_C(1) << 60);
	SCALES(&hertz, "GHz", 1000000000);
	SCALES(&hertz, "hz", 1);
}

Test(scale, has_no_other_names)
{
	IS_NONE(&scale_of_bytes, "x");
	IS_NONE(&scale_of_bytes, "kk");
	IS_NONE(&scale_of_bytes, "kx");
	IS_NONE(&scale_of_bytes, "ib");
	IS_NONE(&scale_of_bytes, " ");
	IS_NONE(&scale_of_bytes, "kilobytes and some more");
	IS_NONE(&hertz, "kiHz");
	IS_NONE(&hertz, "B");
	cr_expect_not(scale_read(&scale_of_bytes, STR("k\0"), &(uint64_t){ 0 }));
}
