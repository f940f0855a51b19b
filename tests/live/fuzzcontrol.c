/*
 * fuzzcontrol.c - somebody who talks nonsense to an agent: connects to its door again and
 * again for so many seconds, and sends packets and descriptors that are not quite right, or
 * not at all: fuzzcontrol DOOR SECONDS SEED
 *
 * None of them stops or sets a recording whose name does not begin with "f", or asks the
 * agent to leave. Tells how many connections there were, and what was answered. Status 1:
 * there is nobody at the door any more.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define PACKET_MAX 100000
#define FDS_MAX 8

static const char *const packets[] = {
	"start", "check", "check name=f", "dump name=f", "dump name=f\nlast=1000000000",
	"dump", "stop name=f", "stop name=f\nto=client", "stop name=f\nto=nobody",
	"stop name=f\nto=output", "set name=f", "taken", "done", "agent 1 x", "hello /tmp",
	"folder 1", "detach now=1", "dump last=99999999999999999999", "dump\nname=\\",
	"start name=f", "check x=y", " ", "\n\n\n", "dump name=f\nname=f\nname=f",
};
static const char *const orders[] = {
	"name=f\nsetting=jdk.ThreadStart#enabled=true\n",
	"name=f1\ndestination=/nowhere/at/all/%p.jfr\nduration=1000000000\n",
	"name=f2\nto-disk=false\nmax-age=1\nmax-size=1\n",
	"name=f3\nrepository=/proc/self/fd\nsocket=/x\n",
	"setting=jdk.MethodTrace#filter=a.B::c\nsetting=jdk.MethodTrace#enabled=true\n",
	"name=f4\nsetting=jdk.CPULoad#period=0 ms\nsetting=none#x=\\\n",
	"name=f5\nmemory-size=99999999999\nbuffer-size=-1\nstack-depth=1000000\n",
	"setting=jdk.MethodTrace#threshold=20 parsecs\n",
	"name=f6\ndelay=9223372036854775807\nduration=-9223372036854775808\n",
};
static unsigned long state;
static unsigned long connections, done, failed, closed, others;

static unsigned dice(unsigned sides)
{
	state = state * 6364136223846793005ul + 1442695040888963407ul;
	return (unsigned)(state >> 33) % sides;
}

/* Copies, and spoils: bytes are others, gone, or twice; all of it is, many times. */
static size_t spoiled(char *to, size_t room, const char *from)
{
	size_t size = strlen(from);

	memcpy(to, from, size);
	for (unsigned i = dice(4); i > 0 && size > 1; i--) {
		size_t at = dice(size);

		switch (dice(4)) {
		case 0: to[at] = (char)dice(256); break;
		case 1: size = at; break;
		case 2: to[at] = "=\n\\0# %"[dice(7)]; break;
		default:
			memmove(to + at + 1, to + at, size - at);
			size++;
		}
	}
	if (dice(20) == 0 && size) {
		while (size * 2 < room)
			memcpy(to + size, to, size), size *= 2;
	}
	return size;
}

/* What would really end what others record. */
static int is_harmful(const char *packet, size_t size)
{
	int is_of_one = (size >= 4 && memcmp(packet, "stop", 4) == 0) ||
			(size >= 3 && memcmp(packet, "set", 3) == 0);

	if (size >= 6 && memcmp(packet, "detach", 6) == 0)
		return !memchr(packet, '=', size);
	return is_of_one && !memmem(packet, size, "name=f", 6);
}

static int memory_with(const char *text, size_t size)
{
	int fd = memfd_create("orders", MFD_CLOEXEC);

	if (fd >= 0 && write(fd, text, size) < 0)
		perror("write");
	return fd;
}

static int descriptor(void)
{
	static char text[PACKET_MAX];
	int ends[2] = { -1, -1 };
	int fd;

	switch (dice(9)) {
	case 0: return open("/dev/zero", O_RDONLY | O_CLOEXEC);
	case 1: return open("/", O_DIRECTORY | O_RDONLY | O_CLOEXEC);
	case 2: return open("/etc/passwd", O_RDONLY | O_CLOEXEC);
	case 3: return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	case 4:
		if (pipe2(ends, O_CLOEXEC) == 0)
			close(ends[1]);
		return ends[0];
	case 5:
		fd = memory_with("name=f\n", 7);
		if (ftruncate(fd, 1l << (10 + dice(31))))
			perror("ftruncate");
		return fd;
	default:
		return memory_with(text, spoiled(text, sizeof(text) / 2,
						 orders[dice(sizeof(orders) / 8)]));
	}
}

static void say(int door, const char *packet, size_t size, int fds)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(FDS_MAX * sizeof(int))];
	} control;
	struct iovec part = { (char *)packet, size };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	int sent[FDS_MAX], count = 0;

	for (; count < fds; count++) {
		sent[count] = descriptor();
		if (sent[count] < 0)
			break;
	}
	if (count) {
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(count * sizeof(int));
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(&control.head), sent, count * sizeof(int));
	}
	sendmsg(door, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
	while (count > 0)
		close(sent[--count]);
}

/* Reads what comes for a moment. Descriptors are not taken, so they are gone. */
static void hear(int door, int millis)
{
	static char text[PACKET_MAX];
	struct pollfd one = { .fd = door, .events = POLLIN };

	while (poll(&one, 1, millis) > 0) {
		ssize_t size = recv(door, text, sizeof(text), MSG_DONTWAIT);

		if (size <= 0) {
			closed++;
			return;
		}
		if (size >= 4 && memcmp(text, "done", 4) == 0)
			done++;
		else if (size >= 6 && memcmp(text, "failed", 6) == 0)
			failed++;
		else
			others++;
	}
}

static void talk(int door)
{
	static char packet[2 * PACKET_MAX];

	if (dice(4))
		hear(door, dice(20));
	for (unsigned i = dice(4); i > 0; i--) {
		size_t size;

		if (dice(5) == 0) {
			size = dice(dice(2) ? 64 : PACKET_MAX);
			for (size_t at = 0; at < size; at++)
				packet[at] = (char)dice(256);
		} else {
			size = spoiled(packet, PACKET_MAX,
				       packets[dice(sizeof(packets) / 8)]);
		}
		if (!is_harmful(packet, size))
			say(door, packet, size, dice(3) ? (int)dice(2) : (int)dice(FDS_MAX));
		if (dice(2))
			hear(door, dice(40));
	}
	if (dice(3))
		hear(door, dice(200));
}

int main(int count, char **words)
{
	struct sockaddr_un place = { .sun_family = AF_UNIX };
	unsigned in_vain = 0;
	time_t end;

	if (count != 4)
		return 2;
	end = time(NULL) + atoi(words[2]);
	state = strtoul(words[3], NULL, 10);
	snprintf(place.sun_path, sizeof(place.sun_path), "%s", words[1]);
	while (time(NULL) < end) {
		int door = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

		if (connect(door, (struct sockaddr *)&place, sizeof(place)) == 0) {
			connections++;
			in_vain = 0;
			talk(door);
		} else if (++in_vain > 500) {
			printf("nobody is there: %s\n", strerror(errno));
			return 1;
		} else {
			usleep(20000);
		}
		close(door);
		usleep(1000);
	}
	printf("%lu connections: done %lu, failed %lu, closed %lu, else %lu\n", connections,
	       done, failed, closed, others);
	return 0;
}
