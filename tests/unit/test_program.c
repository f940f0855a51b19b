#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "session/program.h"

static void expect(char *name, const char *wanted)
{
	cr_assert_not_null(name);
	cr_expect_str_eq(name, wanted);
	free(name);
}

Test(program, is_what_a_command_runs)
{
	static const struct {
		const char *words[8], *subject;
	} cases[] = {
		{ { "java", "-jar", "lib/app.jar", "x" }, "app" },
		{ { "/opt/jdk/bin/java", "-Xmx1g", "shop.Main", "-jar" }, "Main" },
		{ { "java", "-cp", "a.jar:b.jar", "--add-opens", "a/b=c", "Main" }, "Main" },
		{ { "java", "-p", "mods", "-m", "shop/shop.desk.Till" }, "Till" },
		{ { "java", "--module=shop/shop.desk.Till" }, "Till" },
		{ { "java", "src/Hello.java" }, "Hello" },
		{ { "java", "-version" }, "java" },
		{ { "java" }, "java" },
		{ { "java", "-jar" }, "java" },
		{ { "java", "-cp" }, "java" },
		{ { "java", "@options", "Main" }, "java" },
		{ { "/usr/bin/mvn", "verify" }, "mvn" },
		{ { "./-x y;z" }, "_x_y_z" },
		{ { "/" }, "recording" },
		{ { "./.hidden" }, "_hidden" },
		{ { "./grün" }, "grün" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(program_name((char **)(uintptr_t)cases[i].words),
		       cases[i].subject);
}

Test(program, is_short_and_ends_with_a_whole_character)
{
	char long_name[] =
		"./grüngrüngrüngrüngrüngrüngrüngrüngrüngrüngrüngrüngrüngrüngrüngrün";
	char *words[] = { long_name, NULL };
	char *subject = program_name(words);

	cr_assert_not_null(subject);
	cr_expect_leq(strlen(subject), 64u);
	cr_expect_eq(strncmp(subject, long_name + 2, strlen(subject)), 0);
	cr_expect_neq((unsigned char)subject[strlen(subject) - 1], 0xc3);
	free(subject);
}
