#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/answers.h"
#include "control/message.h"

static int ends[2];
static struct answers to;
static struct message got;

static void begin(void)
{
	struct fileid id;

	cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends), 0);
	id = fileid_of(ends[0]);
	answers_open(&to, ends[0], &id);
}

TestSuite(answers, .init = begin);

static void expect(const char *word, const char *rest)
{
	struct err err = { ERR_NONE, "" };

	cr_assert_eq(message_receive(ends[1], &got, &err), 1, "%s", err.text);
	cr_expect_str_eq(got.word, word);
	cr_expect_str_eq(got.rest, rest);
}

Test(answers, come_one_by_one)
{
	struct err err = { ERR_USAGE, "no such thing" };
	struct buf notes = { 0 };

	buf_text(&notes, "one\n\ntwo\nthree");
	cr_expect(answers_say_notes(&to, &notes));
	cr_expect(answers_say_failed(&to, &err));
	buf_clear(&notes);
	expect("note", "one");
	expect("note", "two");
	expect("note", "three");
	expect("failed", "no such thing");
}

Test(answers, go_to_nobody_who_is_gone)
{
	close(ends[1]);
	cr_expect_not(answers_say(&to, "done", "", -1));
	cr_expect(to.is_gone);
}

Test(answers, do_not_go_to_a_stranger)
{
	int others[2];

	cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, others), 0);
	cr_assert_eq(dup2(others[0], ends[0]), ends[0]);
	cr_expect_not(answers_say(&to, "done", "", -1));
	cr_expect_eq(message_receive(others[1], &got, NULL), 0, "nothing came");
}

Test(answers, do_not_wait_for_long_for_one_who_does_not_read)
{
	int64_t begin = now_ticks();

	to.patience = 200 * MILLISECOND;
	while (answers_say(&to, "note", "more and more", -1))
		;
	cr_expect(now_ticks() - begin < 5 * SECOND);
	begin = now_ticks();
	cr_expect_not(answers_say(&to, "note", "more", -1));
	cr_expect(now_ticks() - begin < 100 * MILLISECOND, "it is given up for good");
}

Test(answers, tell_once_a_second_that_there_is_work)
{
	answers_work(&to);
	usleep(1300000);
	answers_rest(&to);
	answers_rest(&to);
	answers_say(&to, "done", "", -1);
	expect("working", "");
	expect("done", "");
}
