#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include "cmd/options.h"

struct values {
	const char *text;
	struct option_list list;
	bool flag;
};

static const struct option_row rows[] = {
	{ "text", 't', OPTION_TEXT, offsetof(struct values, text), "<text>", "A text" },
	{ "list", 0, OPTION_LIST, offsetof(struct values, list), "<item>",
	  "One of several" },
	{ "flag", 0, OPTION_FLAG, offsetof(struct values, flag), NULL, "A flag" },
	OPTION_ROW_LAST,
};

static const struct command command = {
	.name = "try",
	.syntax = { "[options]" },
	.file = FILE_OR_INPUT,
	.summary = "To try",
	.options = rows,
};

#define WORDS_MAX 100

/* Reads what stands behind the command. */
static bool read_words(struct values *values, const char *const *words,
		       enum status *status)
{
	static char *argv[WORDS_MAX + 2] = { (char *)"try" };
	struct invocation invocation = {
		.program = "cjfr", .command = &command, .argc = 1, .argv = argv
	};
	struct words files;

	for (size_t i = 0; words[i]; i++)
		argv[invocation.argc++] = (char *)words[i];
	argv[invocation.argc] = NULL;
	*values = (struct values){ .text = NULL };
	return options_read(&invocation, values, &files, status);
}

#define WORDS(...) (const char *const[]){ __VA_ARGS__, NULL }

Test(options, give_the_last_of_texts_and_all_of_lists)
{
	struct values values;
	enum status status;

	cr_assert(read_words(&values,
			     WORDS("--text", "one", "--list", "a", "--text=two",
				   "--list=b", "r.jfr", "--list", "", "--flag"),
			     &status));
	cr_expect_str_eq(values.text, "two");
	cr_assert_eq(values.list.count, 3);
	cr_expect_str_eq(values.list.items[0], "a");
	cr_expect_str_eq(values.list.items[1], "b");
	cr_expect_str_eq(values.list.items[2], "");
	cr_expect(values.flag);
	cr_assert(read_words(&values, WORDS("-t", "-30s", "--list", "-x"), &status));
	cr_expect_str_eq(values.text, "-30s");
	cr_expect_str_eq(values.list.items[0], "-x");
	cr_assert(read_words(&values, WORDS("r.jfr"), &status));
	cr_expect_null(values.text);
	cr_expect_eq(values.list.count, 0);
}

static void expect_message(const char *const *words, const char *message)
{
	struct values values;
	enum status status;

	cr_redirect_stderr();
	cr_expect_not(read_words(&values, words, &status));
	cr_expect_eq(status, STATUS_USAGE);
	cr_expect_stderr_eq_str(message);
}

#define USAGE                                                                          \
	"\nUsage:\n\n cjfr try [options]\n          [<file>]...\n\nSee 'cjfr help try'.\n"

Test(options, want_values_for_texts)
{
	expect_message(WORDS("r.jfr", "--text"),
		       "cjfr try: missing value for --text\n" USAGE);
}

Test(options, want_values_for_lists)
{
	expect_message(WORDS("--list", "--flag", "r.jfr"),
		       "cjfr try: missing value for --list (found --flag)\n" USAGE);
}

Test(options, do_not_take_an_option_for_a_text)
{
	expect_message(WORDS("--text", "--list", "a", "r.jfr"),
		       "cjfr try: missing value for --text (found --list)\n" USAGE);
}

Test(options, have_a_longest_list)
{
	const char *words[2 * OPTION_LIST_MAX + 3];
	struct values values;
	enum status status;
	size_t count = 0;

	while (count < 2 * OPTION_LIST_MAX) {
		words[count++] = "--list";
		words[count++] = "a";
	}
	words[count] = NULL;
	cr_assert(read_words(&values, words, &status));
	cr_expect_eq(values.list.count, OPTION_LIST_MAX);
	words[count] = "--list";
	words[count + 1] = "a";
	words[count + 2] = NULL;
	expect_message(words, "cjfr try: --list is given more than 32 times\n" USAGE);
}

static const struct option_row step_rows[] = {
	{ "more", 0, OPTION_STEP, 0, "<filter>", "More" },
	{ "less", 0, OPTION_STEP, 0, "<filter>", "Less" },
	OPTION_ROW_LAST,
};

/* Several options in one list, in the order in which they were given. */
Test(options, keep_steps_in_their_order)
{
	static const struct command stepping = { .name = "try", .options = step_rows };
	static char *argv[] = { (char *)"try", (char *)"--less", (char *)"a",
				(char *)"--more=b", (char *)"x.jfr", (char *)"--less",
				(char *)"c", NULL };
	struct invocation invocation = {
		.program = "cjfr", .command = &stepping, .argc = 7, .argv = argv
	};
	static struct option_steps steps;
	enum status status;
	struct words files;

	cr_assert(options_read(&invocation, &steps, &files, &status));
	cr_assert_eq(steps.count, 3);
	cr_expect_str_eq(steps.items[0].row->name, "less");
	cr_expect_str_eq(steps.items[0].value, "a");
	cr_expect_str_eq(steps.items[1].row->name, "more");
	cr_expect_str_eq(steps.items[2].value, "c");
	cr_expect_eq(files.count, 1);
}
