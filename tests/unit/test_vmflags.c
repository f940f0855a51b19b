#include <criterion/criterion.h>
#include <stdbool.h>

#include "hotspot/vmflags.h"
#include "vmtables.h"

static bool yes = true;
static int32_t below = -3;
static uint32_t few = 4000000000;
static int64_t far_below = -5;
static uint64_t many = UINT64_MAX;
static double ratio = 0.5;
static const char *text = "some";

/* As JDK 16 and later have it, and up to 15. */
struct flag {
	const void *address;
	const char *name;
	int32_t flags;
	int32_t type;
};
struct old_flag {
	const char *type, *name;
	const void *address;
	int64_t flags;
};

static const struct flag some[] = {
	{ &yes, "UseIt", 0, 0 },      { &below, "Below", 0, 1 },
	{ &few, "Few", 0, 2 },	      { &far_below, "FarBelow", 0, 3 },
	{ &many, "Many", 0, 4 },      { &many, "Wide", 0, 5 },
	{ &many, "Size", 0, 6 },      { &ratio, "Ratio", 0, 7 },
	{ &text, "Text", 0, 8 },      { &text, "List", 0, 9 },
	{ &many, "Unknown", 0, 10 },  { &many, "Negative", 0, -1 },
	{ NULL, "Nowhere", 0, 0 },    { NULL, NULL, 0, 0 },
};

static const struct old_flag some_old[] = {
	{ "bool", "UseIt", &yes, 0 },	       { "int", "Below", &below, 0 },
	{ "uint", "Few", &few, 0 },	       { "intx", "FarBelow", &far_below, 0 },
	{ "uintx", "Many", &many, 0 },	       { "uint64_t", "Wide", &many, 0 },
	{ "size_t", "Size", &many, 0 },	       { "double", "Ratio", &ratio, 0 },
	{ "ccstr", "Text", &text, 0 },	       { "ccstrlist", "List", &text, 0 },
	{ "short", "Unknown", &many, 0 },      { NULL, "Negative", &many, 0 },
	{ "bool", "Nowhere", NULL, 0 },	       { NULL, NULL, NULL, 0 },
};

static const void *first = some, *first_old = some_old;
static size_t count = sizeof(some) / sizeof(some[0]);

static const struct vmtables_field fields[] = {
	{ "JVMFlag", "_type", "int", 0, offsetof(struct flag, type), NULL },
	{ "JVMFlag", "_name", "const char*", 0, offsetof(struct flag, name), NULL },
	{ "JVMFlag", "_addr", NULL, 0, offsetof(struct flag, address), NULL },
	{ "JVMFlag", "flags", "JVMFlag*", 1, 0, &first },
	{ "JVMFlag", "numFlags", "size_t", 1, 0, &count },
	{ NULL, NULL, NULL, 0, 0, NULL },
};

static const struct vmtables_field old_fields[] = {
	{ "Flag", "_type", "const char*", 0, offsetof(struct old_flag, type), NULL },
	{ "Flag", "_name", "const char*", 0, offsetof(struct old_flag, name), NULL },
	{ "Flag", "_addr", NULL, 0, offsetof(struct old_flag, address), NULL },
	{ "Flag", "flags", "Flag*", 1, 0, &first_old },
	{ "Flag", "numFlags", "size_t", 1, 0, &count },
	{ NULL, NULL, NULL, 0, 0, NULL },
};

static const struct vmtables_type types[] = {
	{ "JVMFlag", NULL, 0, 0, 0, sizeof(struct flag) },
	{ "Flag", NULL, 0, 0, 0, sizeof(struct old_flag) },
	{ NULL, NULL, 0, 0, 0, 0 },
};

static const struct vmstructs *found(void)
{
	static struct vmstructs structs;

	structs = vmtables_structs();
	return &structs;
}

static void expect_number(const struct vmflags *flags, const char *name,
			  uint64_t wanted)
{
	uint64_t number = 77;

	cr_expect(vmflags_number(flags, name, &number), "%s", name);
	cr_expect_eq(number, wanted, "%s", name);
}

static void expect_all(const struct vmflags *flags)
{
	bool value = false;
	uint64_t number;

	cr_expect(vmflags_boolean(flags, "UseIt", &value));
	cr_expect(value);
	cr_expect(vmflags_is_on(flags, "UseIt"));
	expect_number(flags, "Below", (uint64_t)-3);
	expect_number(flags, "Few", 4000000000);
	expect_number(flags, "FarBelow", (uint64_t)-5);
	expect_number(flags, "Many", UINT64_MAX);
	expect_number(flags, "Wide", UINT64_MAX);
	expect_number(flags, "Size", UINT64_MAX);
	cr_expect_eq(vmflags_at(flags, 7).type, VMFLAG_DOUBLE);
	cr_expect_eq(vmflags_at(flags, 8).type, VMFLAG_TEXT);
	cr_expect_eq(vmflags_at(flags, 9).type, VMFLAG_TEXT);
	cr_expect_not(vmflags_number(flags, "Unknown", &number));
	cr_expect_not(vmflags_number(flags, "Negative", &number));
	cr_expect_not(vmflags_boolean(flags, "Nowhere", &value));
	cr_expect_not(vmflags_number(flags, "UseIt", &number));
	cr_expect_not(vmflags_boolean(flags, "Many", &value));
	cr_expect_not(vmflags_is_on(flags, "Many"));
	cr_expect_not(vmflags_is_on(flags, "UseOther"));
}

Test(vmflags, are_read_by_their_types)
{
	struct vmflags flags;

	vmtables_set(fields, types);
	cr_assert(vmflags_find(&flags, found()));
	expect_all(&flags);
}

Test(vmflags, are_read_as_old_jvms_have_them)
{
	struct vmflags flags;

	vmtables_set(old_fields, types);
	cr_assert(vmflags_find(&flags, found()));
	expect_all(&flags);
}

Test(vmflags, are_read_as_they_are_now)
{
	struct vmflags flags;

	vmtables_set(fields, types);
	cr_assert(vmflags_find(&flags, found()));
	few = 7;
	yes = false;
	expect_number(&flags, "Few", 7);
	cr_expect_not(vmflags_is_on(&flags, "UseIt"));
}

Test(vmflags, are_unknown_outside_a_jvm)
{
	struct vmflags flags;
	bool value;

	cr_expect_not(vmflags_find(&flags, &(struct vmstructs){ 0 }));
	cr_expect_eq(flags.count, 0);
	cr_expect_not(vmflags_boolean(&flags, "UseIt", &value));
}

/* Each row of the tables is needed, and a count that is absurd is none. */
Test(vmflags, are_unknown_when_a_row_is_missing)
{
	static struct vmtables_field some_fields[5];	/* the last ends them */
	struct vmflags flags;

	for (size_t left_out = 0; left_out < 5; left_out++) {
		size_t to = 0;

		for (size_t i = 0; i < 5; i++) {
			if (i != left_out)
				some_fields[to++] = fields[i];
		}
		vmtables_set(some_fields, types);
		cr_expect_not(vmflags_find(&flags, found()), "row %zu", left_out);
		cr_expect_eq(flags.count, 0);
	}
	vmtables_set(fields, types + 2);
	cr_expect_not(vmflags_find(&flags, found()));
	vmtables_set(fields, types);
	count = SIZE_MAX;
	cr_expect_not(vmflags_find(&flags, found()));
	cr_expect_eq(flags.count, 0);
}
