#include <criterion/criterion.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hotspot/osthread.h"
#include "vmtables.h"

/* A thread as the JVM has it, and what belongs to the system. */
struct part {
	int64_t other;
	pid_t id;
};
struct thread {
	int64_t others[2];
	const struct part *part;
};

static struct vmtables_field fields[] = {
	{ "OSThread", "_thread_id", "int", 0, offsetof(struct part, id), NULL },
	{ "JavaThread", "_osthread", "OSThread*", 0, offsetof(struct thread, part),
	  NULL },
	{ NULL, NULL, NULL, 0, 0, NULL },
};
static const struct vmtables_type types[] = { { NULL, NULL, 0, 0, 0, 0 } };

static bool find(struct osthread *osthread)
{
	struct vmstructs structs;

	vmtables_set(fields, types);
	structs = vmtables_structs();
	return osthread_find(osthread, &structs);
}

static pid_t ask(const struct thread *thread)
{
	struct osthread osthread;

	cr_assert(find(&osthread));
	return osthread_tid(&osthread, (uintptr_t)thread);
}

Test(osthread, is_read_where_the_tables_say)
{
	struct part part = { 1, 4711 };
	struct thread thread = { .part = &part };

	cr_expect_eq(ask(&thread), 4711);
	fields[1].type = "Thread";		/* up to JDK 16 */
	cr_expect_eq(ask(&thread), 4711);
}

/* It ended, and its memory is gone, or is something else's by now. */
Test(osthread, is_not_known_when_the_memory_is_gone)
{
	struct thread thread = { .part = NULL };
	struct part part = { 1, -5 };
	char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	cr_assert_neq(page, MAP_FAILED);
	munmap(page, 4096);
	cr_expect_eq(ask(NULL), 0);
	cr_expect_eq(ask(&thread), 0);
	cr_expect_eq(ask((const struct thread *)page), 0);
	thread.part = &part;
	cr_expect_eq(ask(&thread), 0);
}

Test(osthread, is_not_known_without_tables)
{
	struct part part = { 1, 4711 };
	struct thread thread = { .part = &part };
	struct osthread osthread;

	fields[1].name = "_other";
	cr_expect_not(find(&osthread));
	cr_expect_eq(osthread_tid(&osthread, (uintptr_t)&thread), 0);
}
