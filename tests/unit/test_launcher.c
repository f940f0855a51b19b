#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/launcher.h"
#include "unit/fault.h"
#include "unit/place.h"

/* Words that nobody writes to. */
#define WORDS(...) ((char **)(uintptr_t)(const char *const[]){ __VA_ARGS__, NULL })

static void expect(char *text, const char *wanted)
{
	cr_assert_not_null(text);
	cr_expect_str_eq(text, wanted);
	free(text);
}

Test(launcher, knows_java_by_its_name)
{
	cr_expect(launcher_is_java("java"));
	cr_expect(launcher_is_java("/opt/jdk-25/bin/java"));
	cr_expect_not(launcher_is_java("javac"));
	cr_expect_not(launcher_is_java("java/run"));
}

Test(launcher, puts_the_agent_behind_java)
{
	char **command = WORDS("/opt/bin/java", "@options", "Main", "-x");
	char **environment = WORDS("A=1", "JAVA_TOOL_OPTIONS=-Xint");
	struct launcher launcher;
	struct err err = { 0 };

	cr_assert(launcher_init(&launcher, command, environment, "/lib/a b.so",
				"/tmp/x y/orders", &err));
	cr_expect(launcher.is_java);
	cr_expect_str_eq(launcher.arguments[0], "/opt/bin/java");
	cr_expect_str_eq(launcher.arguments[1], "-agentpath:/lib/a b.so=/tmp/x y/orders");
	cr_expect_str_eq(launcher.arguments[2], "@options");
	cr_expect_str_eq(launcher.arguments[4], "-x");
	cr_expect_null(launcher.arguments[5]);
	cr_expect_str_eq(launcher.environment[1], "JAVA_TOOL_OPTIONS=-Xint");
	cr_expect_null(launcher.environment[2]);
	launcher_clear(&launcher);
}

Test(launcher, puts_the_agent_into_the_environment)
{
	char **command = WORDS("mvn", "verify");
	char **with = WORDS("A=1", "JAVA_TOOL_OPTIONS=-Xint -ea", "B=2");
	char **without = WORDS("A=1");
	char **empty = WORDS("JAVA_TOOL_OPTIONS=");
	struct launcher launcher;

	cr_assert(launcher_init(&launcher, command, with, "/a.so", "/orders", NULL));
	cr_expect_not(launcher.is_java);
	cr_expect_str_eq(launcher.arguments[1], "verify");
	cr_expect_null(launcher.arguments[2]);
	cr_expect_str_eq(launcher.environment[1],
			 "JAVA_TOOL_OPTIONS=-Xint -ea -agentpath:/a.so=/orders");
	cr_expect_str_eq(launcher.environment[2], "B=2");
	cr_expect_null(launcher.environment[3]);
	launcher_clear(&launcher);

	cr_assert(launcher_init(&launcher, command, without, "/a.so", "/or ders", NULL));
	cr_expect_str_eq(launcher.environment[0], "A=1");
	cr_expect_str_eq(launcher.environment[1],
			 "JAVA_TOOL_OPTIONS=\"-agentpath:/a.so=/or ders\"");
	cr_expect_null(launcher.environment[2]);
	launcher_clear(&launcher);

	cr_assert(launcher_init(&launcher, command, empty, "/a.so", "/orders", NULL));
	cr_expect_str_eq(launcher.environment[0],
			 "JAVA_TOOL_OPTIONS=-agentpath:/a.so=/orders");
	launcher_clear(&launcher);
}

Test(launcher, refuses_an_agent_whose_name_would_be_cut)
{
	char **command = WORDS("mvn");
	char **environment = WORDS(NULL);
	struct launcher launcher;
	struct err err = { 0 };

	cr_expect_not(launcher_init(&launcher, command, environment, "/a=b/x.so",
				    "/orders", &err));
	cr_expect_eq(err.kind, ERR_USAGE);
}

Test(launcher, quotes_as_jvms_read_it)
{
	expect(launcher_quote("-agentpath:/a.so=/b"), "-agentpath:/a.so=/b");
	expect(launcher_quote("a b"), "\"a b\"");
	expect(launcher_quote("it's"), "\"it's\"");
	expect(launcher_quote("say \"a b\" 'c'"), "\"say \"'\"a b\" '\"'c'\"");
	expect(launcher_quote("\t"), "\"\t\"");
	expect(launcher_quote("\""), "'\"'");
}

Test(launcher, needs_memory)
{
	char **command = WORDS("mvn"), **java = WORDS("java");
	char **environment = WORDS("A=1");
	struct launcher launcher;
	struct err err = { 0 };

	for (size_t n = 1; n <= 2; n++) {
		fault_at(n);
		cr_expect_not(launcher_init(&launcher, command, environment, "/a", "/b",
					    &err));
		cr_expect_eq(err.kind, ERR_MEMORY);
		fault_at(n);
		cr_expect_not(launcher_init(&launcher, java, environment, "/a", "/b",
					    &err));
	}
	fault_at(0);
}

/* A file that can be run, or not. */
static const char *file;

static void make_file(const char *name, mode_t mode, const char *text)
{
	file = place_put(name, text);
	chmod(file, mode);
}

Test(launcher, finds_commands_as_a_shell_does, .init = place_open,
     .fini = place_close)
{
	char path[256];

	make_file("java", 0755, "#!/bin/sh\n");
	snprintf(path, sizeof(path), "/nowhere:%s:/bin", place_folder);
	setenv("PATH", path, 1);
	expect(launcher_find_command("java"), file);
	expect(launcher_find_command(file), file);
	cr_expect_null(launcher_find_command("no-such-command"));
	cr_expect_null(launcher_find_command("/no/such/command"));
	cr_assert_eq(chdir(place_folder), 0);
	setenv("PATH", ":/nowhere", 1);
	expect(launcher_find_command("java"), "./java");
	chmod(file, 0644);
	cr_expect_null(launcher_find_command("java"));
}

Test(launcher, tells_where_the_agent_is_not, .init = place_open, .fini = place_close)
{
	struct err err = { 0 };

	setenv("CJFR_AGENT", "/nowhere/agent.so", 1);
	cr_expect_null(launcher_find_agent(&err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect(strstr(err.text, "/nowhere/agent.so"), "%s", err.text);
	make_file("agent.so", 0644, "");
	setenv("CJFR_AGENT", file, 1);
	expect(launcher_find_agent(&err), file);
}

Test(launcher, checks_only_what_can_be_told, .init = place_open, .fini = place_close)
{
	struct err err = { 0 };

	make_file("java", 0755, "#!/bin/sh\n");
	cr_expect(launcher_check(file, "/proc/self/exe", &err));
	cr_expect(launcher_check("/nowhere", "/proc/self/exe", &err));
	cr_expect(launcher_check(NULL, "/proc/self/exe", &err));
	cr_expect(launcher_check("/proc/self/exe", "/proc/self/exe", &err));
	cr_expect_not(launcher_check("/proc/self/exe", file, &err));
	cr_expect_eq(err.kind, ERR_USAGE);
}

/* This program, as if it were made for something else. */
static void make_foreign(bool is_musl)
{
	static char bytes[1 << 16];
	FILE *stream = fopen("/proc/self/exe", "r");
	size_t size = fread(bytes, 1, sizeof(bytes), stream);
	char *loader = memmem(bytes, size, "/ld-linux", 9);

	fclose(stream);
	if (is_musl && loader)
		memcpy(loader, "/ld-musl-", 9);
	if (!is_musl)
		bytes[18] ^= 1;
	make_file("java", 0755, "");
	stream = fopen(file, "w");
	cr_assert_eq(fwrite(bytes, 1, size, stream), size);
	fclose(stream);
	if (is_musl && !loader)
		cr_skip_test("this program is not one of glibc");
}

Test(launcher, refuses_an_agent_for_another_processor, .init = place_open,
     .fini = place_close)
{
	struct err err = { 0 };

	make_foreign(false);
	cr_expect_not(launcher_check(file, "/proc/self/exe", &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect(strstr(err.text, "is made for"), "%s", err.text);
}

Test(launcher, refuses_an_agent_for_another_c_library, .init = place_open,
     .fini = place_close)
{
	struct err err = { 0 };

	make_foreign(true);
	cr_expect_not(launcher_check(file, "/proc/self/exe", &err));
	cr_expect(strstr(err.text, "uses musl, the agent glibc"), "%s", err.text);
}

static const char *archiving_of(char **command)
{
	struct launcher launcher;
	struct err err = { 0 };
	const char *found;

	cr_assert(launcher_init(&launcher, command, WORDS("A=1"), "/a", "/b", &err));
	found = launcher.archiving;
	launcher_clear(&launcher);
	return found;
}

Test(launcher, tells_which_option_keeps_a_JVM_from_loading_agents)
{
	cr_expect_str_eq(archiving_of(WORDS("java", "-cp", "x", "-Xshare:dump")),
			 "-Xshare:dump");
	cr_expect_str_eq(archiving_of(WORDS("java", "-XX:ArchiveClassesAtExit=a.jsa", "Main")),
			 "-XX:ArchiveClassesAtExit=a.jsa");
	cr_expect_str_eq(archiving_of(WORDS("java", "-XX:+AutoCreateSharedArchive")),
			 "-XX:+AutoCreateSharedArchive");
	cr_expect_str_eq(archiving_of(WORDS("java", "-XX:AOTMode=create")),
			 "-XX:AOTMode=create");
	cr_expect_null(archiving_of(WORDS("java", "-Xshare:auto", "-XX:AOTMode=record")));
	cr_expect_null(archiving_of(WORDS("mvn", "-Xshare:dump")));
}
