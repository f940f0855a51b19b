#include <criterion/criterion.h>

#include "hotspot/frametypes.h"
#include "vmtables.h"

/* A JVM's interpreter in its code cache, and methods. */
static char cache[1000];
struct queue {
	int64_t other;
	const char *buffer;
	int32_t size, limit;
};
struct method {
	int64_t other;
	const void *code;
};
static const struct queue queue = { 0, cache + 100, 999, 300 };
static const struct queue *the_queue = &queue;
static const char *low = cache, *high = cache + sizeof(cache);

/* As JDK 8 has it: a heap with its memory in it. */
struct heap {
	int64_t other[2];
	struct space {
		const char *low, *low_boundary, *high, *high_boundary;
	} space;
};
static const struct heap heap = { .space = { NULL, cache, NULL, cache + 1000 } };
static const struct heap *the_heap = &heap;

#define AT(type, member) offsetof(struct type, member)

static struct vmtables_field fields[] = {
	{ "AbstractInterpreter", "_code", "StubQueue*", 1, 0, &the_queue },
	{ "StubQueue", "_stub_buffer", "address", 0, AT(queue, buffer), NULL },
	{ "StubQueue", "_buffer_limit", "int", 0, AT(queue, limit), NULL },
	{ "Method", "_code", "nmethod*", 0, AT(method, code), NULL },
	{ "CodeCache", "_low_bound", "address", 1, 0, &low },
	{ "CodeCache", "_high_bound", "address", 1, 0, &high },
	{ NULL, NULL, NULL, 0, 0, NULL },
};
static const struct vmtables_field old_fields[] = {
	{ "AbstractInterpreter", "_code", "StubQueue*", 1, 0, &the_queue },
	{ "StubQueue", "_stub_buffer", "address", 0, AT(queue, buffer), NULL },
	{ "StubQueue", "_buffer_limit", "int", 0, AT(queue, limit), NULL },
	{ "CodeCache", "_heap", "CodeHeap*", 1, 0, &the_heap },
	{ "CodeHeap", "_memory", "VirtualSpace", 0, AT(heap, space), NULL },
	{ "VirtualSpace", "_low_boundary", "char*", 0, AT(space, low_boundary), NULL },
	{ "VirtualSpace", "_high_boundary", "char*", 0, AT(space, high_boundary),
	  NULL },
	{ NULL, NULL, NULL, 0, 0, NULL },
};
static const struct vmtables_type no_types[] = { { NULL, NULL, 0, 0, 0, 0 } };

static struct frametypes find(const struct vmtables_field *of, int version)
{
	struct frametypes types;
	struct vmstructs structs;

	vmtables_set(of, no_types);
	structs = vmtables_structs();
	frametypes_find(&types, &structs, version);
	return types;
}

static const struct method compiled = { 0, cache + 500 }, interpreted = { 0, NULL };
static const struct method *of_compiled = &compiled, *of_interpreted = &interpreted;
static const struct method *of_none;

static enum frametype ask(const struct frametypes *types, const struct method **id,
			  const char *pc)
{
	return frametypes_of(types, (uintptr_t)id, (uintptr_t)pc);
}

Test(frametypes, of_the_innermost_tells_its_address)
{
	struct frametypes types = find(fields, 17);

	for (int i = 0; i < 2; i++) {
		const struct method **id = i ? &of_compiled : &of_interpreted;

		cr_expect_eq(ask(&types, id, cache + 99), FRAMETYPE_COMPILED);
		cr_expect_eq(ask(&types, id, cache + 100), FRAMETYPE_INTERPRETED);
		cr_expect_eq(ask(&types, id, cache + 399), FRAMETYPE_INTERPRETED);
		cr_expect_eq(ask(&types, id, cache + 400), FRAMETYPE_COMPILED);
	}
}

/* So it is of the innermost, if it is in the JVM's own code. */
Test(frametypes, of_others_tells_the_method)
{
	struct frametypes types = find(fields, 25);

	cr_expect_eq(ask(&types, &of_compiled, NULL), FRAMETYPE_COMPILED);
	cr_expect_eq(ask(&types, &of_interpreted, NULL), FRAMETYPE_INTERPRETED);
	cr_expect_eq(ask(&types, &of_compiled, cache + 1000), FRAMETYPE_COMPILED);
	cr_expect_eq(ask(&types, &of_interpreted, cache + 1000), FRAMETYPE_INTERPRETED);
	cr_expect_eq(ask(&types, &of_none, NULL), FRAMETYPE_UNKNOWN);
	cr_expect_eq(ask(&types, NULL, NULL), FRAMETYPE_UNKNOWN);
}

/* Nothing is read there. */
Test(frametypes, numbers_do_not_lead_to_methods)
{
	struct frametypes types = find(fields, 26);

	cr_expect_eq(frametypes_of(&types, 7, 0), FRAMETYPE_UNKNOWN);
	cr_expect_eq(frametypes_of(&types, 7, (uintptr_t)cache + 1000),
		     FRAMETYPE_UNKNOWN);
	cr_expect_eq(frametypes_of(&types, 7, (uintptr_t)cache + 100),
		     FRAMETYPE_INTERPRETED);
	cr_expect_eq(frametypes_of(&types, 7, (uintptr_t)cache + 500),
		     FRAMETYPE_COMPILED);
}

Test(frametypes, are_found_in_old_tables)
{
	struct frametypes types = find(old_fields, 8);

	cr_expect_eq(ask(&types, NULL, cache), FRAMETYPE_COMPILED);
	cr_expect_eq(ask(&types, NULL, cache + 100), FRAMETYPE_INTERPRETED);
	cr_expect_eq(ask(&types, NULL, cache + 1000), FRAMETYPE_UNKNOWN);
	cr_expect_eq(ask(&types, &of_compiled, NULL), FRAMETYPE_UNKNOWN);
}

/* That an address is in no code that is known does not say that it is compiled. */
Test(frametypes, are_not_known_without_tables)
{
	struct frametypes types;

	fields[0].name = "_other";
	types = find(fields, 17);
	cr_expect_eq(ask(&types, NULL, cache + 100), FRAMETYPE_UNKNOWN);
	cr_expect_eq(ask(&types, &of_compiled, NULL), FRAMETYPE_COMPILED);
	types = find(NULL, 17);
	cr_expect_eq(ask(&types, &of_compiled, cache + 100), FRAMETYPE_UNKNOWN);
	types = (struct frametypes){ 0 };
	cr_expect_eq(ask(&types, &of_compiled, cache + 100), FRAMETYPE_UNKNOWN);
}
