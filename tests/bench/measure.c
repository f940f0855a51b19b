/*
 * measure - runs a program some times and tells what it took.
 *
 *	measure RUNS PROGRAM [ARGUMENT]...
 *
 * Standard output of the program goes to /dev/null. One line is printed: seconds and
 * processor seconds of the fastest run, then the largest peaks, in KB, of own memory
 * and of all resident memory. Own memory is anonymous and shared memory, without the
 * pages of mapped files; it is looked at every few milliseconds. All resident memory
 * is what the kernel calls VmHWM. Fails as soon as the program does.
 */
#include <err.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FIRST_LOOKS 10		/* at one a millisecond: some programs are quick */
#define PERIOD 5		/* milliseconds between two looks later on */

struct figures {
	double wall;		/* seconds */
	double cpu;		/* seconds, user and system */
	long own;		/* KB */
	long resident;		/* KB */
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static long own_memory(pid_t pid)
{
	char path[64], line[256];
	long sum = 0, size;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	status = fopen(path, "r");
	if (!status)
		return 0;
	while (fgets(line, sizeof(line), status)) {
		if (sscanf(line, "RssAnon: %ld", &size) == 1 ||
		    sscanf(line, "RssShmem: %ld", &size) == 1)
			sum += size;
	}
	fclose(status);
	return sum;
}

static void become(char **command)
{
	int null = open("/dev/null", O_WRONLY);

	if (null < 0 || dup2(null, STDOUT_FILENO) < 0)
		err(1, "/dev/null");
	execvp(command[0], command);
	err(127, "%s", command[0]);
}

/* Looks at the program until it has ended; the peak of its own memory. */
static long watch(pid_t pid)
{
	struct pollfd end = { .events = POLLIN };
	long peak = 0;

	end.fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (end.fd < 0)
		err(1, "pidfd_open");
	for (int i = 0; poll(&end, 1, i < FIRST_LOOKS ? 1 : PERIOD) == 0; i++) {
		long size = own_memory(pid);

		if (size > peak)
			peak = size;
	}
	close(end.fd);
	return peak;
}

static struct figures run(char **command)
{
	struct figures run = { 0 };
	struct rusage usage;
	double start = now();
	int status;
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (pid == 0)
		become(command);
	run.own = watch(pid);
	if (wait4(pid, &status, 0, &usage) != pid)
		err(1, "wait4");
	run.wall = now() - start;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		errx(1, "%s failed", command[0]);
	run.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
	run.resident = usage.ru_maxrss;
	return run;
}

static long larger(long one, long other)
{
	return one > other ? one : other;
}

int main(int argc, char **argv)
{
	int runs = argc > 2 ? atoi(argv[1]) : 0;
	struct figures best = { 0 };

	if (runs < 1)
		errx(2, "usage: measure RUNS PROGRAM [ARGUMENT]...");
	for (int i = 0; i < runs; i++) {
		struct figures one = run(argv + 2);
		bool is_best = i == 0 || one.wall < best.wall;

		best.own = larger(best.own, one.own);
		best.resident = larger(best.resident, one.resident);
		if (is_best) {
			best.wall = one.wall;
			best.cpu = one.cpu;
		}
	}
	printf("%.4f %.4f %ld %ld\n", best.wall, best.cpu, best.own, best.resident);
	return 0;
}
