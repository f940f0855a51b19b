#include <criterion/criterion.h>

#include "host/processes.h"

#define EXPECT(text, redact, wanted)                                           \
	expect((struct str){ text, sizeof(text) - 1 }, redact, wanted)

static void expect(struct str text, bool redact, const char *wanted)
{
	struct buf to = { 0 };

	processes_add_line(&to, text, redact);
	cr_expect(str_is((struct str){ to.bytes, to.size }, str_of(wanted)), "%.*s",
		  (int)to.size, to.bytes);
	buf_clear(&to);
}

Test(processes, have_command_lines)
{
	EXPECT("java\0-jar\0a b.jar\0", true, "java -jar a b.jar");
	EXPECT("java\0\0x\0", true, "java  x");
	EXPECT("nginx: worker\0\0\0\0", true, "nginx: worker");
	EXPECT("cut", true, "cut");
	EXPECT("", true, "");
	EXPECT("\0\0", true, "");
}

Test(processes, have_no_secrets)
{
	EXPECT("mysql\0--password\0a b\0db\0", true, "mysql --password <redacted> db");
	EXPECT("x\0--token=a b\0", true, "x --token=<redacted>");
	EXPECT("x\0--token=a b\0", false, "x --token=a b");
}
