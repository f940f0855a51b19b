#include <criterion/criterion.h>
#include <errno.h>

#include "control/doorcode.h"

static const char *told(int code)
{
	static struct err err;

	doorcode_tell(code, &err);
	cr_expect_eq(err.kind, ERR_SYSTEM);
	return err.text;
}

Test(doorcode, tells_step_and_reason)
{
	cr_expect_str_eq(told(doorcode(DOOR_FOLDER, ENOSPC)),
			 "its folder cannot be made (No space left on device)");
	cr_expect_str_eq(told(doorcode(DOOR_LEAVING, 0)),
			 "an agent that was there before is still leaving: try again");
	for (int step = DOOR_OPTIONS; step <= DOOR_STUCK; step++)
		cr_expect_neq(*told(doorcode(step, 0)), '\0');
}

Test(doorcode, knows_what_is_none)
{
	cr_expect_str_eq(told(0), "it returned 0, which means nothing here");
	cr_expect_str_eq(told(-1), "it returned -1, which means nothing here");
	cr_expect_str_eq(told(doorcode(DOOR_STUCK + 1, 1)),
			 "it returned 589825, which means nothing here");
}
