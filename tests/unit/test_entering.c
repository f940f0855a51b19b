#include <criterion/criterion.h>

#include "hotspot/entering.h"
#include "vmtables.h"

/* A thread as the JVM has it. */
struct thread {
	int64_t other;
	void *monitor;
};

#define MONITOR(type)                                                            \
	{ type, "_current_pending_monitor", NULL, 0,                             \
	  offsetof(struct thread, monitor), NULL }

static const struct vmtables_field fields[] = {
	MONITOR("JavaThread"),
	{ NULL, NULL, NULL, 0, 0, NULL },
};
static const struct vmtables_field above[] = {
	MONITOR("Thread"),
	{ NULL, NULL, NULL, 0, 0, NULL },
};
static const struct vmtables_field none[] = { { NULL, NULL, NULL, 0, 0, NULL } };
static const struct vmtables_type types[] = { { NULL, NULL, 0, 0, 0, 0 } };

static bool find(struct entering *entering, const struct vmtables_field *of)
{
	struct vmstructs structs;

	vmtables_set(of, types);
	structs = vmtables_structs();
	return entering_find(entering, &structs);
}

static void expect_seen(const struct vmtables_field *of)
{
	struct thread waits = { .monitor = &waits }, runs = { .other = 1 };
	struct entering entering;

	cr_assert(find(&entering, of));
	cr_expect(entering_here(&entering, (uintptr_t)&waits));
	cr_expect_not(entering_here(&entering, (uintptr_t)&runs));
	cr_expect_not(entering_here(&entering, 0));
}

Test(entering, is_seen_by_the_monitor_that_is_waited_for)
{
	expect_seen(fields);
}

Test(entering, is_seen_in_a_class_above)
{
	expect_seen(above);
}

Test(entering, is_not_known_without_the_field)
{
	struct thread waits = { .monitor = &waits };
	struct entering entering, zeroed = { 0 };

	cr_expect_not(find(&entering, none));
	cr_expect_not(entering_here(&entering, (uintptr_t)&waits));
	cr_expect_not(entering_here(&zeroed, (uintptr_t)&waits));
}
