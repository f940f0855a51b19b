/*
 * pretender.c - a process that has a JVM in its memory, and is none:
 *
 *	pretender LIBJVM HOW
 *
 * deaf: it does not wait for SIGQUIT, which would end it; mute: it does, and then does
 * nothing; else it listens where a JVM would, and answers so: shut: not at all, at once;
 * babble: no number; endless: no end.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void ignore(int signal)
{
	(void)signal;
}

static int listen_there(void)
{
	struct sockaddr_un place = { .sun_family = AF_UNIX };
	int door = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(place.sun_path, sizeof(place.sun_path), "/tmp/.java_pid%d",
		 (int)getpid());
	unlink(place.sun_path);
	if (bind(door, (struct sockaddr *)&place, sizeof(place)) != 0 ||
	    listen(door, 5) != 0)
		return -1;
	return door;
}

static void answer(int door, const char *how)
{
	static const char line[] = "0 or so\n";
	int guest = accept(door, NULL, NULL);
	char bytes[4096];

	if (strcmp(how, "shut") != 0 && read(guest, bytes, sizeof(bytes)) > 0) {
		do {
			if (send(guest, line, sizeof(line) - 1, MSG_NOSIGNAL) < 0)
				break;
		} while (strcmp(how, "endless") == 0);
	}
	close(guest);
}

int main(int count, char **words)
{
	int door;

	if (count < 3 || !dlopen(words[1], RTLD_LAZY)) {
		printf("no JVM: %s\n", dlerror());
		return 1;
	}
	if (strcmp(words[2], "deaf") != 0)
		signal(SIGQUIT, ignore);
	alarm(120);
	puts("up");
	fflush(stdout);
	if (strcmp(words[2], "deaf") == 0 || strcmp(words[2], "mute") == 0) {
		for (;;)
			pause();
	}
	for (door = listen_there(); door >= 0;)
		answer(door, words[2]);
	return 1;
}
