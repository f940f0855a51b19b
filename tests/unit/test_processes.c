#include <criterion/criterion.h>

#include "host/processes.h"

#define EXPECT(text, no_redact, wanted)                                           \
	expect((struct str){ text, sizeof(text) - 1 }, no_redact, wanted)

static void expect(struct str text, bool no_redact, const char *wanted)
{
	struct buf to = { 0 };

	processes_add_line(&to, text, no_redact);
	cr_expect(str_is((struct str){ to.bytes, to.size }, str_of(wanted)), "%.*s",
		  (int)to.size, to.bytes);
	buf_clear(&to);
}

Test(processes, have_command_lines)
{
	EXPECT("java\0-jar\0a b.jar\0", false, "java -jar a b.jar");
	EXPECT("java\0\0x\0", false, "java  x");
	EXPECT("nginx: worker\0\0\0\0", false, "nginx: worker");
	EXPECT("cut", false, "cut");
	EXPECT("", false, "");
	EXPECT("\0\0", false, "");
}

Test(processes, have_no_secrets)
{
	EXPECT("mysql\0--password\0a b\0db\0", false, "mysql --password <redacted> db");
	EXPECT("x\0--token=a b\0", false, "x --token=<redacted>");
	EXPECT("x\0--token=a b\0", true, "x --token=a b");
}
