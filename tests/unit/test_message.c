#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "control/message.h"
#include "unit/place.h"

static const char *place;

static void begin(void)
{
	place_open();
	place = place_of("socket");
}

TestSuite(message, .init = begin, .fini = place_close);

struct talk {
	int listener, agent, parent;
};

static struct talk talk_open(void)
{
	struct err err = { ERR_NONE, "" };
	struct talk talk = { .listener = message_listen(place, &err) };

	cr_assert_geq(talk.listener, 0, "%s", err.text);
	cr_assert_eq(message_accept(talk.listener, &err), -1);
	cr_assert_eq(err.kind, ERR_NONE);
	talk.agent = message_connect(place, &err);
	cr_assert_geq(talk.agent, 0, "%s", err.text);
	talk.parent = message_accept(talk.listener, &err);
	cr_assert_geq(talk.parent, 0, "%s", err.text);
	return talk;
}

static void talk_close(struct talk *talk)
{
	close(talk->listener);
	close(talk->agent);
	close(talk->parent);
}

Test(message, arrives_with_its_descriptor)
{
	struct talk talk = talk_open();
	struct err err = { ERR_NONE, "" };
	struct message message;
	int ends[2];
	char byte = 0;

	cr_assert_eq(message_receive(talk.parent, &message, &err), 0);
	cr_assert_eq(pipe(ends), 0);
	cr_assert(message_send(talk.agent, "hello", "/tmp/a b", ends[1], &err));
	close(ends[1]);
	cr_assert(message_send(talk.agent, "failed", "", -1, &err));

	cr_assert_eq(message_receive(talk.parent, &message, &err), 1);
	cr_expect_str_eq(message.word, "hello");
	cr_expect_str_eq(message.rest, "/tmp/a b");
	cr_expect_eq(message.pid, getpid());
	cr_assert_geq(message.fd, 0);
	cr_expect(fcntl(message.fd, F_GETFD) & FD_CLOEXEC);
	cr_assert_eq(write(message.fd, "x", 1), 1);
	cr_assert_eq(read(ends[0], &byte, 1), 1);
	cr_expect_eq(byte, 'x');
	close(message.fd);
	close(ends[0]);

	cr_assert_eq(message_receive(talk.parent, &message, &err), 1);
	cr_expect_str_eq(message.word, "failed");
	cr_expect_str_eq(message.rest, "");
	cr_expect_eq(message.fd, -1);
	cr_assert_eq(message_receive(talk.parent, &message, &err), 0);
	talk_close(&talk);
}

Test(message, goes_both_ways)
{
	struct talk talk = talk_open();
	struct message message;

	cr_assert(message_send(talk.parent, "stop", "now", -1, NULL));
	cr_assert_eq(message_receive(talk.agent, &message, NULL), 1);
	cr_expect_str_eq(message.rest, "now");
	talk_close(&talk);
}

Test(message, tells_that_the_other_is_gone)
{
	struct talk talk = talk_open();
	struct err err = { ERR_SYSTEM, "" };
	struct message message;

	close(talk.agent);
	cr_assert_eq(message_receive(talk.parent, &message, &err), -1);
	cr_expect_eq(err.kind, ERR_NONE);
	cr_assert_not(message_send(talk.parent, "stop", "", -1, &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	close(talk.parent);
	close(talk.listener);
}

Test(message, knows_the_process_that_sent_it)
{
	struct err err = { ERR_NONE, "" };
	int listener = message_listen(place, &err), connection = -1, status;
	struct message message;
	pid_t child;

	cr_assert_geq(listener, 0);
	child = fork();
	if (child == 0) {
		int fd = message_connect(place, NULL);

		_exit(!message_send(fd, "hello", "x", -1, NULL));
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert_eq(status, 0);
	connection = message_accept(listener, &err);
	cr_assert_geq(connection, 0);
	cr_assert_eq(message_receive(connection, &message, &err), 1);
	cr_expect_eq(message.pid, child);
	cr_assert_eq(message_receive(connection, &message, &err), -1);
	cr_expect_eq(err.kind, ERR_NONE);
	close(connection);
	close(listener);
}

Test(message, of_the_largest_size_arrives_and_none_beyond)
{
	static char text[MESSAGE_MAX + 1];
	struct talk talk = talk_open();
	struct err err = { ERR_NONE, "" };
	struct message message;
	size_t most = MESSAGE_MAX - 1 - strlen("hello ");

	memset(text, 'x', most + 1);
	cr_assert_not(message_send(talk.agent, "hello", text, -1, &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	text[most] = '\0';
	cr_assert(message_send(talk.agent, "hello", text, -1, &err));
	cr_assert_eq(message_receive(talk.parent, &message, &err), 1);
	cr_expect_str_eq(message.rest, text);
	talk_close(&talk);
}

Test(message, that_is_none_is_refused)
{
	static char large[MESSAGE_MAX + 100];
	static const struct {
		const char *bytes;
		size_t size;
	} cases[] = {
		{ "hello", 5 }, { " x", 2 }, { "a b\0c", 5 }, { large, sizeof(large) },
	};
	struct talk talk = talk_open();
	struct err err;
	struct message message;

	memset(large, 'a', sizeof(large));
	large[1] = ' ';
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		err.kind = ERR_NONE;
		cr_assert_geq(send(talk.agent, cases[i].bytes, cases[i].size, 0), 0);
		cr_expect_eq(message_receive(talk.parent, &message, &err), -1);
		cr_expect_eq(err.kind, ERR_FORMAT, "case %zu", i);
		cr_expect_eq(message.fd, -1);
	}
	talk_close(&talk);
}

/* How many descriptors are open. */
static size_t descriptors(void)
{
	size_t count = 0;

	for (int fd = 0; fd < 256; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

#define DESCRIPTORS_MAX 253	/* in one packet: the kernel's limit */

/* A packet with standard input that many times. */
static void send_descriptors(int connection, size_t count)
{
	struct iovec part = { (void *)"a b", 3 };
	union {
		char bytes[CMSG_SPACE(DESCRIPTORS_MAX * sizeof(int))];
		struct cmsghdr alignment;
	} carried = { .bytes = { 0 } };
	struct msghdr packet = { .msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = &carried,
				 .msg_controllen = CMSG_SPACE(count * sizeof(int)) };
	struct cmsghdr *header = CMSG_FIRSTHDR(&packet);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(count * sizeof(int));
	cr_assert_eq(sendmsg(connection, &packet, 0), 3);
}

/* Also where there are more than there is room for. */
Test(message, with_several_descriptors_is_refused_and_leaves_none)
{
	static const size_t counts[] = { 2, 3, 4, 17, DESCRIPTORS_MAX };
	struct talk talk = talk_open();
	struct message message;
	size_t before = descriptors();

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct err err = { ERR_NONE, "" };

		send_descriptors(talk.agent, counts[i]);
		cr_assert_eq(message_receive(talk.parent, &message, &err), -1);
		cr_expect_eq(err.kind, ERR_FORMAT);
		cr_expect_eq(message.fd, -1);
		cr_expect_eq(descriptors(), before);
	}
	send_descriptors(talk.agent, 1);
	cr_assert_eq(message_receive(talk.parent, &message, NULL), 1);
	cr_expect_eq(descriptors(), before + 1);
	close(message.fd);
	talk_close(&talk);
}

/* They are all there, and go when nobody has received them. */
Test(message, with_descriptors_may_stay_unread)
{
	struct talk talk = talk_open();
	int ends[2];
	char byte;

	cr_assert_eq(pipe(ends), 0);
	cr_assert(message_send(talk.agent, "a", "b", ends[1], NULL));
	close(ends[1]);
	talk_close(&talk);
	cr_expect_eq(read(ends[0], &byte, 1), 0);
	close(ends[0]);
}

Test(message, arrives_also_where_its_descriptor_cannot)
{
	struct rlimit before, none;
	struct talk talk = talk_open();
	struct err err = { ERR_NONE, "" };
	struct message message;

	getrlimit(RLIMIT_NOFILE, &before);
	none = (struct rlimit){ 3, before.rlim_max };
	cr_assert(message_send(talk.agent, "hello", "x", talk.listener, &err));
	setrlimit(RLIMIT_NOFILE, &none);
	cr_expect_eq(message_receive(talk.parent, &message, &err), 1);
	setrlimit(RLIMIT_NOFILE, &before);
	cr_expect_str_eq(message.rest, "x");
	cr_expect_eq(message.fd, -1);
	talk_close(&talk);
}

Test(message, never_waits)
{
	struct err err = { ERR_NONE, "" };
	int listener = message_listen(place, &err), fd = 0;
	struct talk talk;

	cr_assert_geq(listener, 0);
	for (int i = 0; i < 1000 && fd >= 0; i++)
		fd = message_connect(place, &err);
	cr_expect_lt(fd, 0);
	cr_expect_eq(err.kind, ERR_SYSTEM);
	close(listener);
	unlink(place);

	talk = talk_open();
	err.kind = ERR_NONE;
	for (int i = 0; i < 100000 && err.kind == ERR_NONE; i++)
		message_send(talk.agent, "hello", "x", -1, &err);
	cr_expect_eq(err.kind, ERR_SYSTEM);
	talk_close(&talk);
}

Test(message, place_may_have_a_long_name)
{
	static char name[500];
	struct talk talk;
	struct message message;

	snprintf(name, sizeof(name), "%0*d/%0*d", 200, 0, 200, 0);
	place_make(name);
	snprintf(name, sizeof(name), "%0*d/%0*d/socket", 200, 0, 200, 0);
	place = place_of(name);
	talk = talk_open();
	cr_assert(message_send(talk.agent, MESSAGE_HELLO, "x", -1, NULL));
	cr_assert_eq(message_receive(talk.parent, &message, NULL), 1);
	talk_close(&talk);
	cr_expect_eq(unlink(place), 0);
}

Test(message, has_no_place_that_others_may_use)
{
	int listener = message_listen(place, NULL);
	struct stat status;

	cr_assert_eq(stat(place, &status), 0);
	cr_expect_eq(status.st_mode & 077, 0u);
	close(listener);
}

Test(message, needs_a_place)
{
	struct err err = { ERR_NONE, "" };

	cr_expect_eq(message_connect(place, &err), -1);
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect(strstr(err.text, "No such file"), "%s", err.text);
	cr_expect_eq(message_listen("/nowhere/at/all", &err), -1);
	cr_expect(strstr(err.text, "/nowhere/at/all"), "%s", err.text);
}

/* Whether somebody else can connect. */
static bool nobody_connects(void)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(setuid(65534) != 0 || message_connect(place, NULL) < 0);
	waitpid(child, &status, 0);
	return status == 0;
}

Test(message, is_not_for_other_users)
{
	int listener = message_listen(place, NULL);
	struct err err = { ERR_NONE, "" };

	if (geteuid() != 0)
		cr_skip_test("only root can be somebody else");
	cr_assert_eq(chmod(place_folder, 0755), 0);
	cr_expect_not(nobody_connects(), "the socket's mode");
	cr_assert_eq(chmod(place, 0777), 0);
	cr_assert(nobody_connects());
	cr_expect_eq(message_accept(listener, &err), -1);
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect(strstr(err.text, "65534"), "%s", err.text);
	close(listener);
}

/* Somebody else listens at the place; the child ends when `ready` closes. */
static pid_t listen_as_nobody(int ready[2])
{
	pid_t child = fork();

	if (child == 0) {
		int listener = setuid(65534) == 0 ? message_listen(place, NULL) : -1;
		char byte;

		if (listener < 0 || write(ready[0], "x", 1) != 1)
			_exit(1);
		shutdown(ready[0], SHUT_WR);
		_exit(read(ready[0], &byte, 1) != 0);
	}
	return child;
}

Test(message, connects_to_no_other_user)
{
	struct err err = { ERR_NONE, "" };
	int ready[2], status;
	pid_t other;
	char byte;

	if (geteuid() != 0)
		cr_skip_test("only root can be somebody else");
	cr_assert_eq(chmod(place_folder, 0777), 0);
	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ready), 0);
	other = listen_as_nobody(ready);
	cr_assert_eq(read(ready[1], &byte, 1), 1);
	cr_expect_eq(message_connect(place, &err), -1);
	cr_expect(strstr(err.text, "65534"), "%s", err.text);
	shutdown(ready[1], SHUT_WR);
	cr_assert_eq(waitpid(other, &status, 0), other);
	cr_expect_eq(status, 0);
}
