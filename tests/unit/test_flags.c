#include <criterion/criterion.h>

#include "jvms/cmdline.h"
#include "jvms/flags.h"
#include "jvms/javacommand.h"

Test(flags, the_last_word_counts)
{
	static const struct {
		const char *options;
		int flag;
	} rows[] = {
		{ "", 0 },
		{ "-XX:+Off", 1 },
		{ "-XX:-Off", -1 },
		{ "-XX:+Off -Xmx1g -XX:-Off", -1 },
		{ "-XX:-Off   -XX:+Off", 1 },
		{ "-XX:+Offer -XX:+On -XX:Off -XX:+Off=1 +Off", 0 },
		{ "-XX:", 0 },
		{ "-XX:+", 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		cr_expect_eq(flags_in(str_of(rows[i].options), ' ', "Off"),
			     rows[i].flag, "%s", rows[i].options);
}

Test(cmdline, ends_with_null)
{
	struct cmdline cmdline;

	cr_assert(cmdline_parse(&cmdline, STR("java\0\0-cp\0x")));
	cr_assert_eq(cmdline.words.count, 5);
	cr_expect_str_eq(cmdline.words.items[1], "");
	cr_expect_str_eq(cmdline.words.items[3], "x");
	cr_expect_null(cmdline.words.items[4]);
	cmdline_clear(&cmdline);
	cr_assert(cmdline_parse(&cmdline, STR("")));
	cr_expect_eq(cmdline.words.count, 1);
	cmdline_clear(&cmdline);
}

static void expect_main(const char *main, size_t options, char *const *words)
{
	size_t count = 77;
	const char *found = javacommand_main(words, &count);

	cr_expect_eq(!main, !found);
	if (main && found)
		cr_expect_str_eq(found, main);
	cr_expect_eq(count, options, "%zu", count);
}

#define WORDS(...) ((char *const[]){ __VA_ARGS__, NULL })

Test(javacommand, finds_the_main_class)
{
	static char main[] = "a.Main", cp[] = "-cp", x[] = "x", jar[] = "-jar";
	static char module[] = "--module=m/a.Main", g[] = "-Xmx1g", at[] = "@options";

	expect_main("a.Main", 0, WORDS(main, x));
	expect_main("a.Main", 3, WORDS(g, cp, x, main, jar));
	expect_main("x", 2, WORDS(g, jar, x, main));
	expect_main("m/a.Main", 1, WORDS(g, module, x));
	expect_main(NULL, 3, WORDS(g, at, main));
	expect_main(NULL, 2, WORDS(g, cp));
	expect_main(NULL, 1, WORDS(jar));
	expect_main(NULL, 0, (char *const[]){ NULL });
}
