#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jvms/process.h"

#define STATUS(middle)                                                                 \
	"Name:\tja\\nva x\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t120\n"           \
	"Ngid:\t0\nPid:\t120\nUid:\t1\t2\t3\t4\nGid:\t5\t6\t7\t8\n" middle

Test(process, has_a_status)
{
	struct process process = { .pid = 120 };

	cr_assert(process_parse_status(&process,
				       STR(STATUS("NSpid:\t120\t17\t1\nVmSize:\t 1 kB\n"
						  "SigCgt:\t0000000000000004\n"))));
	cr_expect_str_eq(process.name, "ja\\nva x");
	cr_expect_eq(process.state, 'S');
	cr_expect_eq(process.group, 120);
	cr_expect_eq(process.uid, 2);
	cr_expect_eq(process.gid, 6);
	cr_expect_eq(process.inner, 1);
	cr_expect(process.is_nested);
	cr_expect(process.takes_quit);
	cr_expect_not(process.is_kernel);
}

Test(process, may_not_wait_for_the_signal)
{
	struct process process = { .pid = 120 };

	cr_assert(process_parse_status(
		&process, STR(STATUS("NSpid:\t120\nSigCgt:\tfffffffffffffffb\n"))));
	cr_expect_not(process.takes_quit);
	cr_expect_not(process.is_nested);
	cr_expect(process.is_kernel);
}

Test(process, of_an_old_system_is_its_own_number)
{
	struct process process = { .pid = 120 };

	cr_assert(process_parse_status(&process,
				       STR(STATUS("VmSize:\t 1 kB\nSigCgt:\t0\n"))));
	cr_expect_eq(process.inner, 120);
}

Test(process, is_not_half_a_status)
{
	static const char *const texts[] = {
		"",
		"Name:\tx\n",
		STATUS(""),
		STATUS("SigCgt:\tzz\n"),
		STATUS("SigCgt:\t\n"),
		STATUS("NSpid:\t-1\nSigCgt:\t0\n"),
		STATUS("NSpid:\t99999999999\nSigCgt:\t0\n"),
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct process process = { .pid = 120 };

		cr_expect_not(process_parse_status(&process, str_of(texts[i])), "%zu",
			      i);
	}
}

Test(process, begins_behind_any_name)
{
	struct process process = { .pid = 1 };

	cr_assert(process_parse_stat(
		&process, STR("1 (x) S 1 (y)) S 0 1 1 0 -1 4 5 6 7 8 9 10 11 12 20 0 1 "
			      "0 4711 3 4\n")));
	cr_expect_eq(process.begun, 4711);
	cr_expect_not(process_parse_stat(&process, STR("1 (x) S 1")));
	cr_expect_not(process_parse_stat(&process, STR("")));
}

Test(process, is_looked_at)
{
	struct process process;
	struct buf text = { NULL };

	cr_assert(process_open(&process, getpid()));
	cr_expect_eq(process.uid, geteuid());
	cr_expect_eq(process.group, getpid());
	cr_expect_gt(process.begun, 0);
	cr_assert(process_read(&process, "cmdline", 3, &text));
	cr_expect_eq(text.size, 3);
	buf_clear(&text);
	process_close(&process);
	cr_expect_not(process_open(&process, 0x7fffffff));
	cr_expect_eq(errno, ENOENT);
}

Test(process, that_is_gone_gets_no_signal)
{
	struct process process;
	pid_t child = fork();

	if (child == 0) {
		pause();
		_exit(0);
	}
	cr_assert(process_open(&process, child));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	cr_expect_not(process_renew(&process));
	cr_expect_not(process_quit(&process));
	cr_expect_eq(errno, ESRCH);
	process_close(&process);
}
