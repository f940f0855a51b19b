#include <criterion/criterion.h>

#include "fault.h"
#include "jfr/lines.h"
#include "jfr/methodnote.h"

static void expect_same(const struct methodnote *note)
{
	struct methodnote read;
	struct buf bytes = { 0 };

	methodnote_write(&bytes, note);
	cr_assert(methodnote_read(&read, bytes.bytes, bytes.size));
	cr_expect_eq(read.method, note->method);
	cr_expect_eq(read.is_native, note->is_native);
	cr_expect_eq(!read.waiting.bytes, !note->waiting.bytes);
	cr_expect(str_is(read.waiting, note->waiting));
	cr_expect(str_is(read.lines, note->lines));
	buf_clear(&bytes);
}

Test(methodnote, is_read_as_it_was_written)
{
	expect_same(&(struct methodnote){ .method = 7 });
	expect_same(&(struct methodnote){ .method = UINT64_MAX,
					  .is_native = true,
					  .waiting = STR("STATE_PARKED") });
	expect_same(&(struct methodnote){ .method = 1 << 20, .lines = STR("\0\20\2\1") });
	expect_same(&(struct methodnote){ .method = 300,
					  .waiting = STR("STATE_SLEEPING"),
					  .lines = STR("\0\20") });
}

Test(methodnote, takes_few_bytes)
{
	struct buf bytes = { 0 };

	methodnote_write(&bytes, &(struct methodnote){ .method = 7,
						       .lines = STR("\0\20") });
	cr_expect_eq(bytes.size, 5);
	buf_clear(&bytes);
}

Test(methodnote, is_not_read_from_less)
{
	struct methodnote note;

	cr_expect_not(methodnote_read(&note, NULL, 0));
	cr_expect_not(methodnote_read(&note, "\7", 1));
	cr_expect_not(methodnote_read(&note, "\7\1", 2));
	cr_expect_not(methodnote_read(&note, "\7\1\3ab", 5));
	cr_expect_not(methodnote_read(
		&note, "\7\1\377\377\377\377\377\377\377\377\377abc", 14));
	cr_expect(methodnote_read(&note, "\7\1\3abc", 6));
	cr_expect_eq(note.lines.size, 0);
	cr_expect(str_is(note.waiting, STR("abc")));
}

Test(methodnote, without_memory_has_failed)
{
	struct buf bytes = { 0 };

	fault_at(1);
	methodnote_write(&bytes, &(struct methodnote){ .method = 7 });
	fault_at(0);
	cr_expect(bytes.failed);
	buf_clear(&bytes);
}
