#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include "cmd/filtering.h"

struct options {
	int other;
	struct filtering filtering;
};

static const struct option_row rows[] = {
	FILTERING_ROWS(struct options, filtering),
	OPTION_ROW_LAST,
};

static const struct command command = { .name = "try", .syntax = { "[options]" },
					.options = rows };

static enum status read_words(struct filter *filter, const char *const *words)
{
	static char *argv[50] = { (char *)"try" };
	struct invocation invocation = {
		.program = "cjfr", .command = &command, .argc = 1, .argv = argv
	};
	struct options options = { .other = 0 };
	enum status status;
	struct words files;

	for (size_t i = 0; words[i]; i++)
		argv[invocation.argc++] = (char *)words[i];
	argv[invocation.argc] = NULL;
	cr_assert(options_read(&invocation, &options, &files, &status));
	return filtering_read(&invocation, &options.filtering, filter);
}

#define WORDS(...) (const char *const[]){ __VA_ARGS__, NULL }

Test(filtering, makes_a_filter_of_options)
{
	struct filter filter;

	cr_assert_eq(read_words(&filter, WORDS("--events", "a.*", "--categories", "GC",
					       "--thread", "main", "--from", "22:06",
					       "--to", "-30s", "--min-duration", "20ms",
					       "--where", "x > 5", "--where", "y = z")),
		     STATUS_DONE);
	cr_expect(str_is(filter.events, STR("a.*")));
	cr_expect(str_is(filter.categories, STR("GC")));
	cr_expect(str_is(filter.threads, STR("main")));
	cr_expect_eq(filter.from.kind, BOUND_OF_DAY);
	cr_expect_eq(filter.to.kind, BOUND_BEFORE_END);
	cr_expect(filter.has_min_duration);
	cr_expect_eq(filter.min_duration, 20000000);
	cr_assert_eq(filter.conditions.count, 2);
	cr_expect(str_is(filter.conditions.items[1]->path, STR("y")));
	filter_clear(&filter);
}

Test(filtering, makes_a_plain_filter_of_none)
{
	struct filter filter;

	cr_assert_eq(read_words(&filter, WORDS("r.jfr")), STATUS_DONE);
	cr_expect(filter_takes_all(&filter));
	cr_expect_null(filter.events.bytes);
	filter_clear(&filter);
	cr_assert_eq(read_words(&filter, WORDS("--last", "5m")), STATUS_DONE);
	cr_expect(filter_needs_end(&filter));
	filter_clear(&filter);
}

#define USAGE "\nUsage:\n\n cjfr try [options]\n\nSee 'cjfr help try'.\n"

static void expect_message(const char *const *words, const char *message)
{
	struct filter filter;

	cr_redirect_stderr();
	cr_expect_eq(read_words(&filter, words), STATUS_USAGE);
	cr_expect_stderr_eq_str(message);
}

Test(filtering, tells_of_a_bad_start)
{
	expect_message(
		WORDS("--from", "soon"),
		"cjfr try: --from: 'soon' is neither a point in time "
		"(2026-11-29T22:06:54Z, 22:06) nor a length of time (30s, -30s)\n" USAGE);
}

Test(filtering, tells_of_a_bad_end)
{
	expect_message(
		WORDS("--to", "2026-02-30"),
		"cjfr try: --to: '2026-02-30' has a day that its month does not have\n" USAGE);
}

Test(filtering, tells_of_a_bad_length)
{
	expect_message(WORDS("--last", "5"),
		       "cjfr try: --last: 5 has no unit; write 5ms or 5s\n" USAGE);
}

Test(filtering, tells_of_a_bad_duration)
{
	expect_message(WORDS("--min-duration", "-5ms"),
		       "cjfr try: --min-duration: '-5ms' must not be negative\n" USAGE);
}

Test(filtering, tells_of_a_bad_condition)
{
	expect_message(
		WORDS("--where", "a = 1", "--where", "b"),
		"cjfr try: --where: 'b' has no operator; there are = != < <= > >= ~ !~\n" USAGE);
}

Test(filtering, tells_of_an_empty_thread)
{
	expect_message(WORDS("--thread", ""),
		       "cjfr try: --thread: it is empty\n" USAGE);
}

Test(filtering, has_one_start_of_the_window)
{
	expect_message(WORDS("--last", "5m", "--to", "22:06"),
		       "cjfr try: --last goes with neither --from nor --to\n" USAGE);
}

Test(filtering, has_no_end_before_the_start)
{
	expect_message(
		WORDS("--from", "2026-11-29", "--to", "2026-11-28"),
		"cjfr try: --from, --to: the end of the window is before its start\n" USAGE);
}
