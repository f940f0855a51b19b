#include "session/child.h"

#include <errno.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Those that ask a process to end, and what programs make of others is theirs. */
static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static const int others[] = { SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH };

static const int faults[] = {
	SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS,
};

#define PAUSE 10000000		/* nanoseconds */

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static bool is_ending(int number)
{
	for (size_t i = 0; i < COUNT(ending); i++) {
		if (ending[i] == number)
			return true;
	}
	return false;
}

static void ending_signals(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < COUNT(ending); i++)
		sigaddset(set, ending[i]);
}

/*
 * Signals wait in the descriptor from here on. SIGPIPE and SIGXFSZ as well: nobody may want
 * our words any more, or a file not be so large (ulimit -f), but there is a recording that
 * must not be lost.
 */
static bool take_signals(struct child *child)
{
	sigset_t set;

	ending_signals(&set);
	for (size_t i = 0; i < COUNT(others); i++)
		sigaddset(&set, others[i]);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGPIPE);
	sigaddset(&set, SIGXFSZ);
	child->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	/* Where it is ignored, nobody tells how a child ended. */
	signal(SIGCHLD, SIG_DFL);
	return child->signals >= 0 && sigprocmask(SIG_BLOCK, &set, &child->before) == 0;
}

/* 0, or the number of an error. */
static int spawn(struct child *child, char *const *arguments, char *const *environment,
		 bool to_error)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return error;
	error = posix_spawnattr_init(&attributes);
	if (!error && to_error)
		error = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO,
							 STDOUT_FILENO);
	if (!error)
		error = posix_spawnattr_setsigmask(&attributes, &child->before);
	if (!error)
		error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	if (!error)
		error = posix_spawnp(&child->pid, arguments[0], &actions, &attributes,
				     arguments, environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

bool child_start(struct child *child, char *const *arguments, char *const *environment,
		 bool to_error, struct err *err)
{
	int error;

	*child = (struct child){ .signals = -1 };
	if (!take_signals(child)) {
		if (child->signals >= 0)
			close(child->signals);
		return err_system(err, "cannot wait for signals");
	}
	error = spawn(child, arguments, environment, to_error);
	if (!error)
		return true;
	child_close(child);
	child->is_missing = error == ENOENT || error == ENOTDIR;
	errno = error;
	return err_system(err, "cannot run '%s'", arguments[0]);
}

static void look(struct child *child)
{
	if (!child->has_ended)
		child->has_ended =
			waitpid(child->pid, &child->status, WNOHANG) == child->pid;
}

/* What the kernel sends comes from the terminal, and the child has it already. */
static void pass_on(const struct child *child, const struct signalfd_siginfo *signal)
{
	if (signal->ssi_code != SI_KERNEL && !child->has_ended)
		kill(child->pid, (int)signal->ssi_signo);
}

bool child_signals(struct child *child)
{
	struct signalfd_siginfo signal;
	bool asks_to_end = false;

	look(child);
	while (read(child->signals, &signal, sizeof(signal)) == sizeof(signal)) {
		int number = (int)signal.ssi_signo;

		if (number == SIGCHLD)
			look(child);
		else if (child->has_ended)
			asks_to_end |= is_ending(number);
		else if (number != SIGPIPE && number != SIGXFSZ)
			pass_on(child, &signal);
	}
	return asks_to_end;
}

/* --- while nobody reads the signals ----------------------------------------------- */

/* Of the handler of signals; there is one child at a time. */
static struct {
	pid_t pid;		/* 0: it has ended */
	struct str last_words;
	struct sigaction before[COUNT(ending)];
} left;

static void end_by(int number)
{
	const struct rlimit none = { 0, 0 };
	sigset_t set;

	setrlimit(RLIMIT_CORE, &none);	/* there is one core, and it is the child's */
	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
}

static bool still_runs(void)
{
	siginfo_t info = { .si_pid = 0 };

	return left.pid != 0 &&
	       waitid(P_PID, (id_t)left.pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == 0;
}

/* Standard error may be what nobody reads. */
static void say_last_words(void)
{
	struct pollfd errors = { STDERR_FILENO, POLLOUT, 0 };
	ssize_t written = 0;

	if (poll(&errors, 1, 0) == 1 && errors.revents & POLLOUT)
		written = write(STDERR_FILENO, left.last_words.bytes,
				left.last_words.size);
	(void)written;
}

static void pass_on_or_end(int number, siginfo_t *info, void *context)
{
	int error = errno;

	(void)context;
	if (still_runs()) {
		if (info->si_code != SI_KERNEL)
			kill(left.pid, number);
		errno = error;
		return;
	}
	say_last_words();
	end_by(number);
}

void child_leave(const struct child *child, struct str last_words)
{
	struct sigaction action = { .sa_sigaction = pass_on_or_end,
				    .sa_flags = SA_SIGINFO | SA_RESTART };
	sigset_t set;

	left.pid = child->has_ended ? 0 : child->pid;
	left.last_words = last_words;
	ending_signals(&set);
	action.sa_mask = set;
	for (size_t i = 0; i < COUNT(ending); i++) {
		sigaction(ending[i], NULL, &left.before[i]);
		if (left.before[i].sa_handler != SIG_IGN)
			sigaction(ending[i], &action, NULL);
	}
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void child_return(void)
{
	sigset_t set;

	ending_signals(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (size_t i = 0; i < COUNT(ending); i++)
		sigaction(ending[i], &left.before[i], NULL);
}

void child_close(struct child *child)
{
	struct signalfd_siginfo signal;

	/* What came too late is not for anybody. */
	while (read(child->signals, &signal, sizeof(signal)) == sizeof(signal))
		continue;
	close(child->signals);
	child->signals = -1;
	sigprocmask(SIG_SETMASK, &child->before, NULL);
}

void child_await(struct child *child, int64_t most)
{
	const struct timespec pause = { .tv_nsec = PAUSE };

	for (look(child); !child->has_ended && most > 0; look(child)) {
		nanosleep(&pause, NULL);
		most -= PAUSE;
	}
}

/* Those that a process has of its own faults, or by which it ends itself. */
static bool is_of_fault(int number)
{
	for (size_t i = 0; i < COUNT(faults); i++) {
		if (faults[i] == number)
			return true;
	}
	return false;
}

const char *child_text(int status, char to[CHILD_TEXT_MAX])
{
	if (WIFSIGNALED(status))
		snprintf(to, CHILD_TEXT_MAX, "%s (signal %d)",
			 is_of_fault(WTERMSIG(status)) ? "crashed" : "was killed",
			 WTERMSIG(status));
	else
		snprintf(to, CHILD_TEXT_MAX, "ended at once, with status %d",
			 WEXITSTATUS(status));
	return to;
}

int child_exit_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void child_follow(int status)
{
	if (WIFSIGNALED(status))
		end_by(WTERMSIG(status));
}
