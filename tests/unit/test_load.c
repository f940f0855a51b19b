#include <criterion/criterion.h>
#include <math.h>

#include "host/load.h"

#define TICK 10000000

static void expect(struct load load, double user, double system, double machine)
{
	cr_expect(fabs(load.user - user) < 1e-6, "user %f", load.user);
	cr_expect(fabs(load.system - system) < 1e-6, "system %f", load.system);
	cr_expect(fabs(load.machine - machine) < 1e-6, "machine %f", load.machine);
}

static struct load_sample sample(int64_t user, int64_t system, uint64_t busy,
				 uint64_t total)
{
	return (struct load_sample){ { user, system }, { busy, total } };
}

Test(load, is_a_share_of_all_processors)
{
	struct load_sample before = sample(5 * TICK, 7 * TICK, 1000, 10000);
	struct load_sample after = sample(55 * TICK, 17 * TICK, 1100, 10200);

	expect(load_between(&before, &after, TICK), 0.25, 0.05, 0.5);
}

Test(load, is_nothing_where_no_time_passed)
{
	struct load_sample before = sample(5, 7, 1000, 10000);

	expect(load_between(&before, &before, TICK), 0, 0, 0);
}

/* Ticks are counted late, or of an idle processor not at all. */
Test(load, is_never_more_than_all)
{
	struct load_sample before = sample(0, 0, 1000, 10000);
	struct load_sample busier = sample(3 * TICK, TICK, 1001, 10008);
	struct load_sample full = sample(3 * TICK, TICK, 1001, 10001);

	expect(load_between(&before, &busier, TICK), 0.375, 0.125, 0.5);
	expect(load_between(&before, &full, TICK), 0.75, 0.25, 1);
	expect(load_between(&before, &full, 1), 0.75, 0.25, 1);
}

Test(load, is_never_less_than_nothing)
{
	struct load_sample before = sample(TICK, TICK, 1000, 10000);
	struct load_sample after = sample(0, 0, 900, 10100);
	struct load_sample back = sample(TICK, TICK, 1000, 9000);

	expect(load_between(&before, &after, TICK), 0, 0, 0);
	expect(load_between(&before, &back, TICK), 0, 0, 0);
}
