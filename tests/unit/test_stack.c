#include <criterion/criterion.h>

#include "engine/stack.h"
#include "fault.h"
#include "make.h"
#include "unit/bareconstants.h"

TestSuite(stack, .init = bareconstants_open,
	  .fini = bareconstants_close);

/* The key of a constant with these values. */
static uint64_t key_of(enum pool_id type, const struct make_value *values)
{
	struct buf buf = { 0 };
	uint64_t key;

	make_values(&buf, values);
	key = constants_intern_buf(constants, type, &buf);
	buf_clear(&buf);
	return key;
}

static uint64_t frame_type(const char *name)
{
	return constants_string(constants, POOL_FRAME_TYPE, str_of(name));
}

Test(stack, has_its_frames_in_order)
{
	struct method_place innermost = { .method = 7, .line = 20 };
	struct method_place native = { .method = 8, .line = -1, .is_native = true };
	struct buf stack = { 0 };
	uint64_t compiled = frame_type("JIT compiled");

	stack_begin(&stack, true, 2);
	stack_frame(&stack, constants, &innermost, 12, compiled);
	stack_frame(&stack, constants, &native, -1, compiled);
	cr_expect_eq(stack_end(&stack, constants),
		     key_of(POOL_STACK_TRACE,
			    VALUES(BOOLEAN(true), COUNT(2), KEY(7), INT(20), INT(12),
				   KEY(compiled), KEY(8), INT(-1), INT(0),
				   KEY(frame_type("Native")))));
	stack_begin(&stack, false, 1);
	stack_frame(&stack, constants, &innermost, 12, 0);
	cr_expect_eq(stack_end(&stack, constants),
		     key_of(POOL_STACK_TRACE,
			    VALUES(BOOLEAN(false), COUNT(1), KEY(7), INT(20), INT(12),
				   KEY(0))));
	buf_clear(&stack);
}

Test(stack, has_a_method_that_is_not_known)
{
	uint64_t key = stack_unknown_method(constants);
	uint64_t unknown = constants_symbol(constants, STR("<unknown>"));
	uint64_t class = key_of(POOL_CLASS, VALUES(KEY(0), KEY(unknown), KEY(0), INT(0),
						   BOOLEAN(false)));

	cr_expect_neq(key, 0);
	cr_expect_eq(stack_unknown_method(constants), key);
	cr_expect_eq(key_of(POOL_METHOD,
			    VALUES(KEY(class), KEY(unknown),
				   KEY(constants_symbol(constants, STR("()V"))), INT(0),
				   BOOLEAN(false))), key);
}

Test(stack, needs_memory)
{
	struct buf stack = { 0 };

	fault_at(1);
	stack_begin(&stack, false, 0);
	cr_expect_eq(stack_end(&stack, constants), 0);
	cr_expect(fault_happened());
	fault_at(0);
	buf_clear(&stack);
}
