#include <criterion/criterion.h>

#include "hotspot/gcid.h"
#include "vmtables.h"

/* A thread of the JVM, as its tables tell it. */
struct thread {
	void *name, *processed;
	uint32_t id;
};

static const struct vmtables_field fields[] = {
	{ "NamedThread", "_name", "char*", 0, 0, NULL },
	{ "NamedThread", "_processed_thread", "Thread*", 0, 8, NULL },
	{ NULL, NULL, NULL, 0, 0, NULL },
};

static struct gcid find(uint64_t size, const void *thread)
{
	const struct vmtables_type types[] = {
		{ "NamedThread", NULL, 0, 0, 0, size },
		{ NULL, NULL, 0, 0, 0, 0 },
	};
	struct vmstructs vmstructs;
	struct gcid gcid;

	vmtables_set(fields, types);
	cr_assert(vmstructs_find(&vmstructs, vmtables_symbol));
	cr_expect_eq(gcid_find(&gcid, &vmstructs, (uintptr_t)thread), gcid.is_known);
	return gcid;
}

Test(gcid, reads_what_the_thread_has)
{
	struct thread thread = { .id = 7 };
	pthread_key_t key;
	struct gcid gcid;

	cr_assert_eq(pthread_key_create(&key, NULL), 0);
	pthread_setspecific(key, &thread);
	gcid = find(sizeof(thread), &thread);
	cr_assert(gcid.is_known);
	cr_expect_eq(gcid_here(&gcid), 7);
	thread.id = UINT32_MAX;
	cr_expect_eq(gcid_here(&gcid), -1, "it is at work for none");
	pthread_setspecific(key, NULL);
	cr_expect_eq(gcid_here(&gcid), -1, "it is no thread of the JVM");
}

Test(gcid, is_not_known_where_there_is_none)
{
	struct thread thread = { .id = 7 };
	struct gcid none = { .is_known = false };
	pthread_key_t key;

	cr_assert_eq(pthread_key_create(&key, NULL), 0);
	pthread_setspecific(key, &thread);
	cr_expect_not(find(16, &thread).is_known, "JDK 8 has no number");
	cr_expect_not(find(32, &thread).is_known, "what else is there?");
	cr_expect_not(find(sizeof(thread), &none).is_known, "no key leads there");
	cr_expect_not(find(sizeof(thread), NULL).is_known);
	cr_expect_eq(gcid_here(&none), -1);
}
