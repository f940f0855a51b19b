#include <criterion/criterion.h>
#include <string.h>

#include "control/members.h"

enum color { RED, GREEN };

struct thing {
	struct str name;
	int64_t length;
	uint64_t count;
	bool is_new;
	enum color color;
};

static const char *const colors[] = { "red", "green", NULL };

static const struct member rows[] = {
	MEMBER_ROW(struct thing, "name", MEMBER_TEXT, name, .most = 6),
	MEMBER_ROW(struct thing, "length", MEMBER_NUMBER, length),
	MEMBER_ROW(struct thing, "count", MEMBER_COUNT, count),
	MEMBER_ROW(struct thing, "new", MEMBER_FLAG, is_new),
	MEMBER_ROW(struct thing, "color", MEMBER_WORD, color, .words = colors),
};

static const struct member_table table = MEMBER_TABLE(rows);

static void expect_written(const struct thing *thing, const char *text)
{
	struct buf buf = { 0 };

	members_write(thing, &table, &buf);
	cr_expect(str_is(buf_as_str(&buf), str_of(text)), "%.*s", (int)buf.size,
		  buf.bytes);
	buf_clear(&buf);
}

Test(members, are_written_as_lines)
{
	struct thing thing = { .length = -1, .count = UINT64_MAX };

	expect_written(&thing, "length=0\ncount=9223372036854775807\nnew=false\n"
			       "color=red\n");
	thing = (struct thing){ STR("a=b\n"), INT64_MAX, 7, true, GREEN };
	expect_written(&thing, "name=a=b\\n\nlength=9223372036854775807\ncount=7\n"
			       "new=true\ncolor=green\n");
}

/* With as many bytes as there is room for, and no part of a character. */
Test(members, are_cut_where_they_are_too_long)
{
	struct thing thing = { STR("123456"), 0, 0, false, RED };
	const char *rest = "length=0\ncount=0\nnew=false\ncolor=red\n";
	static const char *const texts[][2] = {
		{ "123456", "123456" },
		{ "1234567", "123456" },
		{ "12345\n", "12345" },
		{ "1234\n7", "1234\\n" },
		{ "12345\xe2\x82\xac", "12345" },
		{ "123\xe2\x82\xac" "7", "123\xe2\x82\xac" },
		{ "\\\\\\\\", "\\\\\\\\\\\\" },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct buf text = { 0 };

		thing.name = str_of(texts[i][0]);
		buf_printf(&text, "name=%s\n%s", texts[i][1], rest);
		buf_byte(&text, '\0');
		expect_written(&thing, text.bytes);
		buf_clear(&text);
	}
}

/* What is wrong with the line, or "". */
static const char *fault_of(struct thing *thing, const char *line)
{
	static struct err err;
	static struct arena arena;
	const struct member *row;
	struct str key, value;

	err = (struct err){ 0 };
	arena_reset(&arena);
	if (!member_split(str_of(line), &key, &value, &err))
		return err.text;
	row = member_find(&table, key);
	if (row ? !member_read(thing, row, value, &arena, &err)
		: !member_unknown(key, &err))
		cr_expect_eq(err.kind, ERR_FORMAT);
	return err.text;
}

Test(members, are_read)
{
	struct thing thing = { .length = 1 };

	cr_expect_str_eq(fault_of(&thing, "color=green"), "");
	cr_expect_eq(thing.color, GREEN);
	cr_expect_str_eq(fault_of(&thing, "count=9223372036854775807"), "");
	cr_expect_eq(thing.count, (uint64_t)INT64_MAX);
	cr_expect_str_eq(fault_of(&thing, "new=true"), "");
	cr_expect(thing.is_new);
	cr_expect_str_eq(fault_of(&thing, "name="), "");
	cr_expect_eq(thing.name.size, 0);
	cr_expect_str_eq(fault_of(&thing, "name=longer\\n\\\\=than that"), "");
	cr_expect_str_eq(thing.name.bytes, "longer\n\\=than that");
}

Test(members, stay_as_they_are_where_a_value_is_wrong)
{
	struct thing thing = { .length = 1, .color = GREEN };

	cr_expect_str_eq(fault_of(&thing, "length=-1"),
			 "length: '-1' is no number from 0 on");
	cr_expect_str_eq(fault_of(&thing, "count=9223372036854775808"),
			 "count: '9223372036854775808' is no number from 0 on");
	cr_expect_str_eq(fault_of(&thing, "new=1"),
			 "new: '1' is neither true nor false");
	cr_expect_str_eq(fault_of(&thing, "color=blue"), "color: 'blue' is unknown here");
	cr_expect_str_eq(fault_of(&thing, "colour=red"), "'colour' is unknown here");
	cr_expect_str_eq(fault_of(&thing, "name=\\x"),
			 "name: a backslash before nothing that needs one");
	cr_expect_str_eq(fault_of(&thing, "color"), "no '='");
	cr_expect_str_eq(fault_of(&thing, ""), "no '='");
	cr_expect(thing.length == 1 && thing.color == GREEN && !thing.name.bytes);
}
