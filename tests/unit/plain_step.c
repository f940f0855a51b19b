/*
 * plain_step.c - a process that records may die between any two of its stores: it stands
 * still behind each that changes the spill file, and around its calls of the system, and
 * what it has committed by then is in its recording. Without Criterion.
 *
 *	plain_step [all]
 *
 * As plain_kill (worker.h, regain.h), but the same each time. The spill file cannot be
 * written to, so each store is a signal, whose handler lets it happen as a single step.
 * Where writes to chunk files are refused, only calls of the system are looked at, or with
 * `all` each store, too.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "regain.h"
#include "worker.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
	__has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

#define EXIT_ALONE 77	/* of the child: something is wrong with the test */
#define STORES_MIN 500	/* there are more */
#define ROUNDS 2
#define ROUND_EVENTS 2
#define TRIED_WORKERS 2

/* Which write is refused; 0: none. */
struct refusal {
	int first;
	bool and_all_behind;	/* the disk is full */
};

struct trial {
	const char *name;
	struct worker_plan plan;
	struct refusal refusal;
	bool is_coarse;		/* only calls of the system are looked at */
};

/* --- the child: stands still -------------------------------------------------------- */

static int parent;		/* a socket */
static bool is_watched, is_guarded;

/* Until the parent has looked. */
static void stand_still(void)
{
	char byte = 0;

	if (is_watched && (write(parent, &byte, 1) != 1 || read(parent, &byte, 1) != 1))
		_exit(EXIT_ALONE);
}

static void protect(int protection)
{
	const struct spillfile *file = &worker_recorder.store.slots.file;

	if (is_guarded && mprotect(file->header, file->mapped, protection) != 0)
		_exit(EXIT_ALONE);
}

#if defined(__x86_64__)
#define TRAP_FLAG 0x100

/* The store that cannot be made is made, as the only step until the next signal. */
static void on_signal(int signal, siginfo_t *info, void *context)
{
	greg_t *flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];
	const struct spillfile *file = &worker_recorder.store.slots.file;
	size_t at = (size_t)((char *)info->si_addr - (char *)file->header);

	if (signal == SIGTRAP) {
		*flags &= ~TRAP_FLAG;
		protect(PROT_READ);
		stand_still();
	} else if (at < file->mapped) {
		*flags |= TRAP_FLAG;
		protect(PROT_READ | PROT_WRITE);
	} else {
		_exit(EXIT_ALONE);
	}
}
#else
static void on_signal(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
}
#endif

static void guard(void)
{
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };

	is_guarded = true;
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGTRAP, &action, NULL);
	protect(PROT_READ);
}

/* --- the child: asks the system ----------------------------------------------------- */

/* Shared: what was asked for, and whether it came to that. */
static struct shared {
	int writes;
	bool was_refused;
} *shared;

static struct refusal refusal;

ssize_t __real_pwrite(int fd, const void *bytes, size_t size, off_t at);
int __real_ftruncate(int fd, off_t size);
int __real_madvise(void *at, size_t size, int advice);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t at);
int __wrap_ftruncate(int fd, off_t size);
int __wrap_madvise(void *at, size_t size, int advice);

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	int number = ++shared->writes;
	ssize_t written;

	if (refusal.first && (number == refusal.first ||
			      (number > refusal.first && refusal.and_all_behind))) {
		shared->was_refused = true;
		errno = refusal.and_all_behind ? ENOSPC : EIO;
		return -1;
	}
	written = __real_pwrite(fd, bytes, size, at);
	stand_still();
	return written;
}

int __wrap_ftruncate(int fd, off_t size)
{
	int result = __real_ftruncate(fd, size);

	stand_still();
	return result;
}

int __wrap_madvise(void *at, size_t size, int advice)
{
	int result;

	protect(PROT_READ | PROT_WRITE);
	result = __real_madvise(at, size, advice);
	protect(PROT_READ);
	stand_still();
	return result;
}

/* --- the child: records ------------------------------------------------------------- */

static void commit(struct worker *workers, int count)
{
	for (int i = 0; i < count; i++) {
		for (int j = 0; j < TRIED_WORKERS; j++) {
			worker_event(&workers[j]);
			worker_sample(&workers[j]);
		}
	}
}

static void record(const struct trial *trial, const char *folder)
{
	static struct worker workers[TRIED_WORKERS];

	worker_record(&trial->plan, folder, parent);
	for (int i = 0; i < TRIED_WORKERS; i++)
		worker_begin(&workers[i], i);
	shared->writes = 0;
	refusal = trial->refusal;
	is_watched = true;
	if (!trial->is_coarse)
		guard();
	for (int round = 0; round < ROUNDS; round++) {
		commit(workers, ROUND_EVENTS);
		worker_class(&workers[0], (uint64_t)round + 7);
		recorder_round(&worker_recorder);
	}
	commit(workers, 1);
	recorder_stop(&worker_recorder, INT64_MAX);
	_exit(0);
}

/* --- the parent --------------------------------------------------------------------- */

struct watch {
	const struct trial *trial;
	const char *folder;
	char *repository;
	int child, spill;	/* socket and file */
	uint64_t checks, failures;
};

static void check(struct watch *watch)
{
	watch->checks++;
	if (regain_check(watch->repository, watch->spill, watch->folder, false))
		return;
	if (watch->failures++ < 5)
		printf("# look %llu, write %d\n", (unsigned long long)watch->checks,
		       shared->writes);
}

/* Until the child has ended. */
static void watch_all(struct watch *watch)
{
	char byte;

	while (read(watch->child, &byte, 1) == 1) {
		check(watch);
		if (write(watch->child, &byte, 1) != 1)
			break;
	}
	check(watch);
}

/* --- trials ------------------------------------------------------------------------- */

static int number;

static bool run(const struct trial *trial, const char *folder)
{
	struct watch watch = { .trial = trial, .folder = folder };
	int ends[2], status = 0;
	pid_t child;

	memset(worker_counts, 0, WORKERS * sizeof(*worker_counts));
	*shared = (struct shared){ .writes = 0 };
	worker_born = now_ticks();
	fflush(stdout);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		worker_die("socketpair");
	child = fork();
	if (child == 0) {
		parent = ends[1];
		close(ends[0]);
		record(trial, folder);
	}
	close(ends[1]);
	watch.child = ends[0];
	poll(&(struct pollfd){ .fd = ends[0], .events = POLLIN }, 1, -1);
	watch.spill = regain_descriptor(watch.child);
	watch.repository = regain_repository(folder);
	watch_all(&watch);
	waitpid(child, &status, 0);
	free(watch.repository);
	close(watch.spill);
	close(watch.child);
	printf("# looked at %llu times, %llu events at the end\n",
	       (unsigned long long)watch.checks, (unsigned long long)regain_sum());
	return status == 0 && watch.failures == 0 && regain_sum() > 0 &&
	       watch.checks > (trial->is_coarse ? 0 : STORES_MIN);
}

static bool try(const struct trial *trial)
{
	char *folder = regain_folder("plain_step");
	bool is_good = run(trial, folder);

	regain_remove(folder);
	free(folder);
	printf("%sok %d - %s", is_good ? "" : "not ", ++number, trial->name);
	if (trial->refusal.first)
		printf(", write %d refused%s", trial->refusal.first,
		       trial->refusal.and_all_behind ? " and all behind" : "");
	printf("\n");
	return is_good;
}

/* Each write is refused in turn, until there are no more. */
static bool try_refused(struct trial trial, bool and_all_behind)
{
	bool is_good = true;

	trial.refusal.and_all_behind = and_all_behind;
	do {
		trial.refusal.first++;
		is_good &= try(&trial);
	} while (shared->was_refused);
	return is_good;
}

static void *share(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);

	if (at == MAP_FAILED)
		worker_die("mmap");
	return at;
}

static const char *reason_to_skip(void)
{
#if defined(SANITIZED)
	return "a sanitizer has signals of its own";
#elif !defined(__x86_64__)
	return "single steps are known for x86-64 only";
#else
	return NULL;
#endif
}

int main(int argc, char **argv)
{
	struct trial disk = {
		.name = "to disk",
		.plan = { .to_disk = true, .chunk_size = 20000, .flush_interval = 1000,
			  .memory_size = 64000000 },
	};
	struct trial memory = disk;
	const char *reason = reason_to_skip();
	bool is_good;

	if (reason) {
		printf("1..0 # SKIP %s\n", reason);
		return 0;
	}
	worker_counts = share(WORKERS * sizeof(*worker_counts));
	shared = share(sizeof(*shared));
	memory.name = "in memory";
	memory.plan.to_disk = false;
	is_good = try(&disk);
	is_good &= try(&memory);
	disk.is_coarse = memory.is_coarse = argc < 2 || strcmp(argv[1], "all") != 0;
	is_good &= try_refused(disk, false);
	is_good &= try_refused(disk, true);
	is_good &= try_refused(memory, false);
	is_good &= try_refused(memory, true);
	printf("1..%d\n", number);
	return !is_good;
}
