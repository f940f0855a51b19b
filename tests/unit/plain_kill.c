/*
 * plain_kill.c - a process that records is killed, again and again: what it had committed
 * is in its recording, each event once. Without a JVM, and without Criterion.
 *
 *	plain_kill [SEED [KILLS]]	PLAIN_KILL_KEEP in the environment: files stay
 *
 * Threads commit events (worker.h) and count them. The parent kills, reads chunk files
 * and spill file, and compares (regain.h). In some trials there is not room for all: then
 * what is there is the newest.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "regain.h"
#include "worker.h"

#define KILLS 60

/* How a child records, and how long it lives. */
struct trial {
	struct worker_plan plan;
	int64_t rest;			/* nanoseconds, after `burst` events */
	uint64_t burst;
	int64_t linger;			/* nanoseconds, before and after each write */
	int64_t life;			/* nanoseconds, until it is killed */
	int64_t stop;			/* until the recording is stopped; 0: never */
};

static void pause_for(int64_t nanos)
{
	struct timespec time = { nanos / SECOND, nanos % SECOND };

	if (nanos > 0)
		nanosleep(&time, NULL);
}

/* --- the child: writes ------------------------------------------------------------- */

static int64_t linger;

/*
 * All that is written to chunk files goes through here. Between two writes, and before it
 * is known that they were done, a process dies too seldom to wait for; least of all
 * behind that of a header, which is the one that counts.
 */
ssize_t __real_pwrite(int fd, const void *bytes, size_t size, off_t at);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t at);

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	ssize_t written;

	pause_for(linger);
	written = __real_pwrite(fd, bytes, size, at);
	pause_for(at == 0 ? 8 * linger : linger);
	return written;
}

/* --- the child: threads ------------------------------------------------------------ */

static const struct trial *trial_now;

/* What does not get through is tried again: then it has the same number. */
static void *work(void *context)
{
	const int *number = context;
	struct worker worker;

	worker_begin(&worker, *number);
	for (uint64_t i = 1;; i++) {
		if (i % 64 == 0)
			worker_class(&worker, i);
		if (!worker_event(&worker))
			pause_for(MILLISECOND / 10);
		worker_sample(&worker);
		if (i % trial_now->burst == 0)
			pause_for(trial_now->rest);
	}
	return NULL;
}

static void start_threads(void)
{
	static int numbers[WORKERS];
	pthread_t thread;

	for (int i = 0; i < WORKERS; i++) {
		numbers[i] = i;
		if (pthread_create(&thread, NULL, work, &numbers[i]) != 0)
			worker_die("pthread_create");
	}
}

/* Records until it is killed. */
static void record(const struct trial *trial, const char *folder, int connection)
{
	int64_t end = now_ticks() + trial->stop;

	linger = trial->linger;
	trial_now = trial;
	worker_record(&trial->plan, folder, connection);
	start_threads();
	while (!trial->stop || now_ticks() < end) {
		int64_t due = recorder_round(&worker_recorder), now = now_ticks();

		pause_for(due - now > MILLISECOND ? MILLISECOND : due - now);
	}
	recorder_stop(&worker_recorder, INT64_MAX);
	for (;;)
		pause();
}

/* --- the parent -------------------------------------------------------------------- */

static uint64_t state, total;

static uint64_t below(uint64_t limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % limit;
}

static struct worker_plan choose_plan(void)
{
	static const int64_t chunk_sizes[] = { 20000, 200000, 12000000 };
	static const int64_t intervals[] = { MILLISECOND, 5 * MILLISECOND,
					     50 * MILLISECOND };
	struct worker_plan plan = {
		.to_disk = below(4) > 0,
		.in_file = below(2),
		.chunk_size = chunk_sizes[below(3)],
		.flush_interval = intervals[below(3)],
		.memory_size = 64000000,
	};

	if (below(4) == 0)
		plan.max_size = plan.to_disk ? 600000 : 0;
	if (below(2) == 0 && !plan.to_disk)
		plan.memory_size = 2000000;
	return plan;
}

/* Most lives are short: more happens at the start. */
static struct trial choose(void)
{
	struct trial trial = {
		.plan = choose_plan(),
		.burst = 1 + below(100),
		.rest = (int64_t)below(2) * MILLISECOND,
	};

	if (below(2))
		trial.linger = MILLISECOND / 5;
	trial.life = (int64_t)below((uint64_t)MILLISECOND << below(8));
	if (below(4) == 0)
		trial.stop = 1 + (int64_t)below((uint64_t)trial.life + 1);
	return trial;
}

static void print_trial(const struct trial *trial)
{
	const struct worker_plan *plan = &trial->plan;

	printf("# %s, %s, chunks of %lld of %lld, memory %lld, flushed each %lld us, "
	       "killed after %lld us, stopped after %lld us, writes of %lld us\n",
	       plan->to_disk ? "disk" : "memory", plan->in_file ? "file" : "memfd",
	       (long long)plan->chunk_size, (long long)plan->max_size,
	       (long long)plan->memory_size, (long long)plan->flush_interval / 1000,
	       (long long)trial->life / 1000, (long long)trial->stop / 1000,
	       (long long)trial->linger / 500);
}

/* Not all is there if it was more than there was room for. */
static bool may_begin_late(const struct worker_plan *plan)
{
	return plan->max_size > 0 || plan->memory_size < 10000000;
}

static bool is_all_there(const struct trial *trial, int spill, const char *folder)
{
	char *repository = regain_repository(folder);
	bool is_good = regain_check(repository, trial->plan.in_file ? -1 : spill, folder,
				    may_begin_late(&trial->plan));

	free(repository);
	total += regain_sum();
	return is_good;
}

static bool run(const struct trial *trial, const char *folder)
{
	int ends[2], spill, status;
	bool is_good;
	pid_t child;

	memset(worker_counts, 0, WORKERS * sizeof(*worker_counts));
	worker_born = now_ticks();
	fflush(stdout);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends))
		worker_die("socketpair");
	child = fork();
	if (child == 0) {
		close(ends[0]);
		record(trial, folder, ends[1]);
	}
	close(ends[1]);
	pause_for(trial->life);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	spill = regain_descriptor(ends[0]);
	is_good = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL &&
		  is_all_there(trial, spill, folder);
	if (spill >= 0)
		close(spill);
	close(ends[0]);
	return is_good;
}

static bool run_in(const struct trial *trial)
{
	char *folder = regain_folder("plain_kill");
	bool is_good = run(trial, folder);

	if (!getenv("PLAIN_KILL_KEEP"))
		regain_remove(folder);
	free(folder);
	return is_good;
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10)
				 : (uint64_t)now_nanos() / 1000;
	int kills = argc > 2 ? atoi(argv[2]) : KILLS, failures = 0;

	worker_counts = mmap(NULL, WORKERS * sizeof(*worker_counts),
			     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (worker_counts == MAP_FAILED)
		worker_die("mmap");
	printf("# seed %llu\n", (unsigned long long)seed);
	state = seed | 1;
	for (int i = 1; i <= kills; i++) {
		struct trial trial = choose();
		bool is_good = run_in(&trial);

		if (!is_good)
			print_trial(&trial);
		failures += !is_good;
		printf("%sok %d - kill\n", is_good ? "" : "not ", i);
	}
	printf("# %llu events\n", (unsigned long long)total);
	printf("%sok %d - there were events\n", total ? "" : "not ", kills + 1);
	printf("1..%d\n", kills + 1);
	return failures != 0 || total == 0;
}
