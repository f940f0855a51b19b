#include <criterion/criterion.h>
#include <unistd.h>

#include "jvms/mapped.h"

#define CODE "7f1200000000-7f1200001000 r-xp 00001000 fe:00 77   "
#define DATA "7f1200000000-7f1200001000 r--p 00001000 fe:00 77   "

static struct mapped parsed(const char *text)
{
	struct mapped mapped = { NULL };

	cr_assert(mapped_parse(&mapped, str_of(text)));
	return mapped;
}

Test(mapped, has_a_jvm_if_it_runs_it)
{
	struct mapped mapped = parsed(CODE "/a b/libjvm.so\n" CODE "/c/libjvm.so\n");

	cr_expect_str_eq(mapped.jvm, "/a b/libjvm.so");
	mapped_clear(&mapped);
	mapped = parsed(DATA "/a/libjvm.so\n" CODE "/a/libjvm.so.1\n" CODE "[vdso]\n");
	cr_expect_null(mapped.jvm);
	mapped_clear(&mapped);
}

Test(mapped, has_our_agent_also_if_its_file_is_gone)
{
	struct mapped mapped = parsed(DATA "/tmp/x/libcjfragent.so (deleted)\n" CODE
					   "/tmp/x/libcjfragent.so (deleted)\n");

	cr_expect_str_eq(mapped.agent, "/tmp/x/libcjfragent.so");
	mapped_clear(&mapped);
}

Test(mapped, has_a_c_library)
{
	struct mapped mapped = parsed(CODE "/lib/ld-musl-x86_64.so.1\n");

	cr_expect_eq(mapped.libc, ELF_LIBC_MUSL);
	mapped = parsed(CODE "/lib/libc.so.6\n");
	cr_expect_eq(mapped.libc, ELF_LIBC_GLIBC);
	mapped = parsed(CODE "/lib/libc-2.17.so\n");
	cr_expect_eq(mapped.libc, ELF_LIBC_GLIBC);
	mapped = parsed(CODE "/lib/libcrypt.so\n");
	cr_expect_eq(mapped.libc, ELF_LIBC_UNKNOWN);
}

Test(mapped, may_be_another_jvm)
{
	struct mapped mapped = parsed(CODE "/j/libjvm.so\n" CODE "/j/libj9vm29.so\n");

	cr_expect(mapped.is_openj9);
	mapped_clear(&mapped);
}

Test(mapped, bears_anything)
{
	static const char *const texts[] = { "",       "\n",	   "/",
					     " /x",    "  x /",	   "a r-x",
					     "a r-xp", "a r-xp /", "a r-xp/libjvm.so" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct mapped mapped = parsed(texts[i]);

		mapped_clear(&mapped);
	}
}

Test(mapped, is_read)
{
	struct process process;
	struct mapped mapped;

	cr_assert(process_open(&process, getpid()));
	cr_assert(mapped_read(&mapped, &process));
	cr_expect_null(mapped.jvm);
	mapped_clear(&mapped);
	process_close(&process);
}
