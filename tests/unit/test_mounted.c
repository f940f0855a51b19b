#include <criterion/criterion.h>
#include <string.h>

#include "hotspot/mounted.h"
#include "vmtables.h"

/* A thread as the JVM has it, and what the JVM's recorder has of it. */
struct recorded {
	int64_t other, number;
	bool is_other, is_mounted;
};
struct thread {
	int64_t other;
	struct recorded recorded;
	int64_t owner;
};

#define MEMBER(type, name, holder, member)                                     \
	{ type, name, NULL, 0, offsetof(struct holder, member), NULL }

static const struct vmtables_field owner[] = {
	MEMBER("JavaThread", "_vthread", thread, other),
	MEMBER("JavaThread", "_monitor_owner_id", thread, owner),
	{ NULL, NULL, NULL, 0, 0, NULL },
};
static const struct vmtables_field virtuals[] = {
	MEMBER("JavaThread", "_vthread", thread, other),
	{ NULL, NULL, NULL, 0, 0, NULL },
};
static const struct vmtables_field none[] = { { NULL, NULL, NULL, 0, 0, NULL } };
static const struct vmtables_type types[] = { { NULL, NULL, 0, 0, 0, 0 } };

/* The table that the JVM does not export. */
static struct vmtables_field hidden[] = {
	MEMBER("Thread", "_jfr_thread_local", thread, recorded),
	MEMBER("JfrThreadLocal", "_vthread_id", recorded, number),
	MEMBER("JfrThreadLocal", "_vthread", recorded, is_mounted),
	{ NULL, NULL, NULL, 0, 0, NULL },
};
static const struct vmtables_field *its_hidden = hidden;

static const void *symbol(const char *name)
{
	return strcmp(name, "jvmciHotSpotVMStructs") == 0 ? &its_hidden : NULL;
}

static bool find(struct mounted *mounted, const struct vmtables_field *fields)
{
	struct vmstructs structs;

	vmtables_set(fields, types);
	structs = vmtables_structs();
	return mounted_find(mounted, &structs, symbol);
}

Test(mounted, is_the_owner_of_monitors)
{
	struct thread thread = { .owner = 4711, .recorded = { .number = 5 } };
	struct mounted mounted;

	cr_assert(find(&mounted, owner));
	cr_expect_eq(mounted_here(&mounted, (uintptr_t)&thread), 4711);
	cr_expect_eq(mounted_here(&mounted, 0), 0);
}

Test(mounted, is_what_the_recorder_of_the_JVM_knows)
{
	struct thread thread = { .owner = 7, .recorded = { .number = 4711 } };
	struct mounted mounted;

	cr_assert(find(&mounted, virtuals));
	cr_expect_eq(mounted_here(&mounted, (uintptr_t)&thread), 0);
	thread.recorded.is_other = true;
	cr_expect_eq(mounted_here(&mounted, (uintptr_t)&thread), 0);
	thread.recorded.is_mounted = true;
	cr_expect_eq(mounted_here(&mounted, (uintptr_t)&thread), 4711);
	cr_expect_eq(mounted_here(&mounted, 0), 0);
}

/* JDKs without virtual threads have the table, too, but for other things. */
Test(mounted, is_not_known_where_there_are_no_virtual_threads)
{
	struct thread thread = { .owner = 7, .recorded = { .number = 5 } };
	struct mounted mounted;

	cr_expect_not(find(&mounted, none));
	cr_expect_eq(mounted_here(&mounted, (uintptr_t)&thread), 0);
}

Test(mounted, is_not_known_without_the_table_or_any_of_its_rows)
{
	struct vmtables_field *first = hidden;
	struct mounted mounted;

	for (size_t i = 0; i < 3; i++) {
		const char *name = first[i].name;

		first[i].name = "_of_another_version";
		cr_expect_not(find(&mounted, virtuals), "row %zu", i);
		cr_expect_not(mounted.is_known);
		first[i].name = name;
	}
	its_hidden = NULL;
	cr_expect_not(find(&mounted, virtuals));
}

Test(mounted, is_not_known_outside_a_JVM)
{
	struct vmstructs structs = { 0 };
	struct mounted mounted;

	cr_expect_not(mounted_find(&mounted, &structs, NULL));
	vmtables_set(virtuals, types);
	structs = vmtables_structs();
	cr_expect_not(mounted_find(&mounted, &structs, NULL));
}
