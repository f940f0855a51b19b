/*
 * knock.c - somebody at the door of an agent: connects to a socket (SOCK_SEQPACKET) and
 * tells what comes, a line for a packet, until it is closed or has been quiet for so many
 * seconds: knock PATH SECONDS [PACKET]...
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **words)
{
	struct sockaddr_un place = { .sun_family = AF_UNIX };
	int door = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	static char packet[65536];

	if (count < 3 || door < 0)
		return 2;
	snprintf(place.sun_path, sizeof(place.sun_path), "%s", words[1]);
	if (connect(door, (struct sockaddr *)&place, sizeof(place))) {
		printf("connect: %s\n", strerror(errno));
		return 1;
	}
	for (int i = 3; i < count; i++)
		send(door, words[i], strlen(words[i]), MSG_NOSIGNAL);
	while (1) {
		struct pollfd one = { .fd = door, .events = POLLIN };
		ssize_t size;

		if (poll(&one, 1, atoi(words[2]) * 1000) <= 0) {
			printf("quiet\n");
			return 0;
		}
		size = recv(door, packet, sizeof(packet), 0);
		if (size <= 0) {
			printf("closed\n");
			return 0;
		}
		printf("%.*s\n", (int)size, packet);
	}
}
