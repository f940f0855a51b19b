#include <criterion/criterion.h>
#include <string.h>

#include "hotspot/anchor.h"
#include "vmtables.h"

#define CODE 0x7000
#define CODE_END 0x8000

/* A thread as the JVM has it. */
struct note {
	uintptr_t sp, fp, pc;
};
struct thread {
	int64_t others[3];
	struct note note;
	int32_t unused, state;
};

#define IN_VM 6
#define IN_NATIVE 4

#define MEMBER(type, name, holder, member)                                     \
	{ type, name, NULL, 0, offsetof(struct holder, member), NULL }

static struct vmtables_field fields[] = {
	MEMBER("JavaThread", "_anchor", thread, note),
	MEMBER("JavaFrameAnchor", "_last_Java_sp", note, sp),
	MEMBER("JavaFrameAnchor", "_last_Java_fp", note, fp),
	MEMBER("JavaFrameAnchor", "_last_Java_pc", note, pc),
	MEMBER("JavaThread", "_thread_state", thread, state),
	{ NULL, NULL, NULL, 0, 0, NULL },
};
static const struct vmtables_type types[] = { { NULL, NULL, 0, 0, 0, 0 } };

static struct vmtables_int ints[] = { { "_thread_in_vm", IN_VM }, { NULL, 0 } };

static uintptr_t stack[32];
static struct thread thread;
static struct anchor anchor;

static bool find(struct anchor *found)
{
	struct vmstructs structs;

	vmtables_set(fields, types);
	vmtables_set_ints(ints);
	structs = vmtables_structs();
	return anchor_find(found, &structs, CODE, CODE_END);
}

/* The noted stack ends at word 2: in a stub, which is at word 1. */
static void begin(void)
{
	cr_assert(find(&anchor));
	stack[1] = CODE + 1;
	thread.note = (struct note){ (uintptr_t)&stack[2], 0, 0 };
	thread.state = IN_VM;
}

TestSuite(anchor, .init = begin);

static enum anchor_kind read_note(struct anchor_note *note)
{
	return anchor_read(&anchor, (uintptr_t)&thread, note);
}

/* Goes that way; the place where it leads, or 0. */
static uintptr_t go(int way, struct anchor_note *note)
{
	cr_assert_eq(read_note(note), ANCHOR_OWN);
	return anchor_go(&anchor, note, way) ? note->pc : 0;
}

Test(anchor, is_read_and_written_where_the_tables_say)
{
	struct anchor_note note, other = { 1, 2, 3 };

	thread.note.fp = 77;
	cr_assert_eq(read_note(&note), ANCHOR_OWN);
	cr_expect_eq(note.sp, (uintptr_t)&stack[2]);
	cr_expect_eq(note.fp, 77);
	anchor_write(&anchor, (uintptr_t)&thread, &other);
	cr_expect_eq(thread.note.sp, 1);
	cr_expect_eq(thread.note.fp, 2);
	cr_expect_eq(thread.note.pc, 3);
	cr_expect_eq(thread.others[2], 0);
}

Test(anchor, is_left_alone_when_others_may_look)
{
	struct anchor_note note;

	thread.note.pc = CODE;
	cr_expect_eq(read_note(&note), ANCHOR_SHARED);
	thread.note.pc = 0;
	for (thread.state = 0; thread.state < 12; thread.state++)
		cr_expect_eq(read_note(&note), thread.state == IN_VM ? ANCHOR_OWN
								     : ANCHOR_SHARED);
}

Test(anchor, is_none_where_no_Java_is)
{
	struct anchor_note note;

	thread.note.sp = 0;
	cr_expect_eq(read_note(&note), ANCHOR_EMPTY);
	thread.state = IN_NATIVE;
	cr_expect_eq(read_note(&note), ANCHOR_EMPTY);
	cr_expect_eq(anchor_read(&anchor, 0, &note), ANCHOR_UNKNOWN);
}

Test(anchor, is_not_known_without_its_tables)
{
	struct anchor found;
	struct anchor_note note;

	for (size_t i = 0; i < 5; i++) {
		const char *name = fields[i].name;

		fields[i].name = "_other";
		cr_expect_not(find(&found), "row %zu", i);
		cr_expect_eq(anchor_read(&found, (uintptr_t)&thread, &note),
			     ANCHOR_UNKNOWN);
		fields[i].name = name;
	}
	ints[0].name = "_other";
	cr_expect_not(find(&found));
	cr_expect_eq(anchor_read(&found, (uintptr_t)&thread, &note), ANCHOR_UNKNOWN);
}

Test(anchor, leads_to_where_the_stack_ends)
{
	struct anchor_note note;

	cr_expect_eq(go(0, &note), CODE + 1);
	cr_expect_eq(note.sp, (uintptr_t)&stack[2]);
	stack[1] = CODE_END;
	cr_expect_eq(go(0, &note), 0);
}

Test(anchor, leads_to_code_a_little_further_up)
{
	struct anchor_note note;

	cr_expect_eq(go(1, &note), 0);
	stack[5] = 4711;
	stack[6] = CODE + 6;
	stack[7] = CODE + 7;
	cr_expect_eq(go(1, &note), CODE + 6);
	cr_expect_eq(note.sp, (uintptr_t)&stack[7]);
	cr_expect_eq(note.fp, 4711);
	stack[2] = CODE + 2;
	cr_expect_eq(go(1, &note), CODE + 2);
	cr_expect_eq(note.fp, 0);
}

Test(anchor, does_not_lead_to_code_far_up)
{
	struct anchor_note note;

	stack[2 + 16] = CODE + 6;
	cr_expect_eq(go(1, &note), 0);
	stack[2 + 15] = CODE + 5;
	cr_expect_eq(go(1, &note), CODE + 5);
}

Test(anchor, leads_where_the_frame_pointer_does)
{
	struct anchor_note note;

	cr_expect_eq(go(2, &note), 0);
	thread.note.fp = (uintptr_t)&stack[20];
	cr_expect_eq(go(2, &note), 0);
	stack[20] = 4711;
	stack[21] = CODE + 21;
	cr_expect_eq(go(2, &note), CODE + 21);
	cr_expect_eq(note.sp, (uintptr_t)&stack[22]);
	cr_expect_eq(note.fp, 4711);
}

/* It may be that of a call that has returned. */
Test(anchor, does_not_follow_a_frame_pointer_out_of_the_frame)
{
	struct anchor_note note;

	stack[0] = CODE;
	thread.note.fp = (uintptr_t)&stack[0];
	cr_expect_eq(go(2, &note), 0);
	thread.note.fp = (uintptr_t)&stack[2] + (1 << 20);
	cr_expect_eq(go(2, &note), 0);
}
