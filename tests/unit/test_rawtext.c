#include <criterion/criterion.h>

#include "fault.h"
#include "jfr/rawtext.h"

static void expect_bytes(struct buf *to, const char *wanted, size_t size)
{
	cr_assert_not(to->failed);
	cr_assert_eq(to->size, size);
	cr_expect_arr_eq(to->bytes, wanted, size);
	buf_reset(to);
}

Test(rawtext, becomes_text)
{
	struct buf to = { 0 };

	rawtext_encode(&to, STR("a\nb"));
	expect_bytes(&to, "\3\3a\nb", 5);
	rawtext_encode(&to, STR("\xc3\xa4"));
	expect_bytes(&to, "\3\2\xc3\xa4", 4);
	rawtext_encode(&to, STR("a\xff"));
	expect_bytes(&to, "\3\4a\xef\xbf\xbd", 6);
	rawtext_encode(&to, STR(""));
	expect_bytes(&to, "\1", 1);
	rawtext_encode(&to, (struct str){ NULL, 0 });
	expect_bytes(&to, "\0", 1);
	buf_clear(&to);
}

Test(rawtext, of_a_buffer_is_taken_out_of_it)
{
	struct buf to = { 0 }, raw = { 0 };

	rawtext_encode_buf(&to, &raw);
	expect_bytes(&to, "\1", 1);
	buf_text(&raw, "\xe2\x82");
	rawtext_encode_buf(&to, &raw);
	expect_bytes(&to, "\3\3\xef\xbf\xbd", 5);
	cr_expect_eq(raw.size, 0);
	buf_clear(&to);
}

Test(rawtext, fails_with_its_buffers)
{
	struct buf to = { 0 }, raw = { .failed = true };

	rawtext_encode_buf(&to, &raw);
	cr_expect(to.failed);
	buf_reset(&to);
	buf_grow(&to, 100);
	fault_at(1);
	rawtext_encode(&to, STR("\xff"));
	fault_at(0);
	cr_expect(to.failed);
	buf_clear(&to);
}
