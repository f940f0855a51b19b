#include "session/session.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "control/message.h"

#define MILLI INT64_C(1000000)
#define SECOND (1000 * MILLI)

/* JVMs that end together with the command, or are killed, are given so long for that. */
#define GRACE (SECOND / 2)

/* Descriptors that are left for the writing of recordings, if there are that many. */
#define RESERVE 16

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * SECOND + time.tv_nsec;
}

/* There may be many JVMs. The command must not notice: programs count on theirs. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* The system gives the lowest number that is free. */
static rlim_t lowest_free(const struct session *session, rlim_t none)
{
	int fd = fcntl(session->listener, F_DUPFD_CLOEXEC, 0);

	if (fd < 0)
		return none;
	close(fd);
	return (rlim_t)fd;
}

bool session_open(struct session *session, char *const *arguments,
		  char *const *environment, bool to_error, int listener,
		  struct err *err)
{
	*session = (struct session){ .listener = listener, .start = now() };
	session->tick = session->start;
	if (!child_start(&session->child, arguments, environment, to_error, err)) {
		close(listener);
		return false;
	}
	raise_limit();
	session->others = lowest_free(session, 0);
	return true;
}

/* --- what comes in ---------------------------------------------------------------- */

/*
 * Those that are in use, or will be when guests have said all. Low numbers may be free
 * while there are none higher up, so guests are counted, too.
 */
static rlim_t in_use(const struct session *session, rlim_t most)
{
	rlim_t held = 0, owed = 0, lowest = lowest_free(session, most);

	for (size_t i = 0; i < session->guests.count; i++) {
		const struct guest *guest = session->guests.items[i];
		rlim_t now = guest_descriptors(guest);

		held += now;
		if (now && !(guest->happened & GUEST_BEGAN))
			owed += GUEST_DESCRIPTORS - now;
	}
	if (lowest < session->others + held)
		lowest = session->others + held;
	return lowest + owed;
}

static bool has_connection(const struct session *session)
{
	for (size_t i = 0; i < session->guests.count; i++) {
		if (session->guests.items[i]->connection >= 0)
			return true;
	}
	return false;
}

/* Whoever finds no room waits for it at the socket. */
static bool has_room(const struct session *session, struct err *err)
{
	struct rlimit limit;
	rlim_t reserve;

	err->kind = ERR_NONE;
	if (!has_connection(session) || getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return true;
	reserve = limit.rlim_cur / 4 < RESERVE ? limit.rlim_cur / 4 : RESERVE;
	if (in_use(session, limit.rlim_cur) < limit.rlim_cur - reserve)
		return true;
	return err_set(err, ERR_SYSTEM, "with %lu file descriptors (ulimit -n) no more "
		       "JVMs can be followed at once; others wait until one ends",
		       (unsigned long)limit.rlim_cur);
}

/* False if no more connections can be taken for now. */
static bool accept_one(struct session *session, struct err *err)
{
	int connection = has_room(session, err)
				 ? message_accept(session->listener, err) : -1;
	struct guest *guest;

	if (connection < 0)
		return false;
	guest = guest_new(connection);
	if (guest && vec_push(&session->guests, guest))
		return true;
	guest_free(guest);
	return err_memory(err);
}

/* What goes wrong is told once, not each time that it happens again. */
static void accept_all(struct session *session)
{
	struct err err;

	while (accept_one(session, &err))
		continue;
	if (err.kind != ERR_NONE && strcmp(err.text, session->trouble.text) != 0)
		session->trouble = err;
	session->is_troubled = err.kind != ERR_NONE;
}

/*
 * Signals first: when the command has ended, what its JVM has said is there already,
 * and is taken before anybody looks whether there is a JVM.
 */
static void look(struct session *session)
{
	session->is_interrupted |= child_signals(&session->child);
	if (session->child.has_ended && !session->end)
		session->end = now();
	accept_all(session);
	for (size_t i = 0; i < session->guests.count; i++)
		guest_look(session->guests.items[i]);
}

static void wait_for(struct session *session, int64_t until)
{
	size_t count = 2;
	struct pollfd *polled = calloc(2 * session->guests.count + 2, sizeof(*polled));
	int64_t left = until - now();

	if (!polled)
		return;
	polled[0] = (struct pollfd){ session->child.signals, POLLIN, 0 };
	/* While nobody is taken who waits there, that is no news. */
	polled[1] = (struct pollfd){ session->is_troubled ? -1 : session->listener,
				     POLLIN, 0 };
	for (size_t i = 0; i < session->guests.count; i++) {
		const struct guest *guest = session->guests.items[i];

		/* Those that are -1 it passes over. */
		polled[count++] = (struct pollfd){ guest->connection, POLLIN, 0 };
		polled[count++] = (struct pollfd){ guest->process, POLLIN, 0 };
	}
	poll(polled, count, left > 0 ? (int)(left / MILLI + 1) : 0);
	free(polled);
}

size_t session_recording(const struct session *session)
{
	size_t count = 0;

	for (size_t i = 0; i < session->guests.count; i++)
		count += guest_is_recording(session->guests.items[i]);
	return count;
}

/* --- what is told ----------------------------------------------------------------- */

/* That a recording is complete goes without saying when its JVM is gone. */
static unsigned next_of(struct guest *guest)
{
	unsigned left, one;

	if (guest->happened & GUEST_GONE)
		guest->known |= GUEST_STOPPED;
	left = guest->happened & ~guest->known;
	one = left & -left;
	guest->known |= one;
	return one;
}

static bool next_of_guests(struct session *session, struct session_news *news)
{
	for (size_t i = 0; i < session->guests.count; i++) {
		news->guest = session->guests.items[i];
		news->what = next_of(news->guest);
		news->kind = SESSION_GUEST;
		if (news->what)
			return true;
	}
	news->guest = NULL;
	return false;
}

/* A flag that is set is told once. */
static bool turns(bool is_set, bool *is_told)
{
	bool is_news = is_set && !*is_told;

	*is_told |= is_set;
	return is_news;
}

/*
 * Whether JVMs still run then is best asked a little later. An end is not waited for if
 * somebody has had enough of waiting.
 */
static bool is_end_sure(const struct session *session)
{
	return session->child.has_ended &&
	       (session->is_interrupted || session_recording(session) == 0 ||
		now() >= session->end + GRACE);
}

static bool has_news(struct session *session, struct session_news *news)
{
	if (session->trouble.kind != ERR_NONE) {
		news->kind = SESSION_TROUBLE;
		return true;
	}
	if (next_of_guests(session, news))
		return true;
	if (turns(is_end_sure(session), &session->is_end_told)) {
		news->kind = SESSION_COMMAND_ENDED;
		return true;
	}
	news->kind = SESSION_INTERRUPTED;
	return turns(session->is_interrupted, &session->is_interruption_told);
}

static bool is_over(const struct session *session)
{
	return session->child.has_ended &&
	       (session->is_interrupted || session_recording(session) == 0);
}

/* When there may be news though nobody says a word. */
static int64_t next_time(const struct session *session)
{
	int64_t tick = session->tick + SECOND, sure = session->end + GRACE;

	return session->end && !session->is_end_told && sure < tick ? sure : tick;
}

bool session_next(struct session *session, struct session_news *news)
{
	int64_t time;

	if (news->kind == SESSION_TROUBLE)
		session->trouble.kind = ERR_NONE;
	*news = (struct session_news){ .kind = SESSION_TICK };
	while (true) {
		look(session);
		if (has_news(session, news))
			return true;
		if (is_over(session))
			return false;
		time = now();
		if (time >= session->tick + SECOND) {
			session->tick = time;
			news->kind = SESSION_TICK;
			return true;
		}
		wait_for(session, next_time(session));
	}
}

struct session_sums session_sum(const struct session *session)
{
	struct session_sums sums = { .nanos = now() - session->start };

	for (size_t i = 0; i < session->guests.count; i++) {
		const struct guest_sums *one = &session->guests.items[i]->sums;

		sums.events += one->events;
		sums.bytes += one->bytes;
		sums.lost += one->lost;
	}
	return sums;
}

/* A command that has just been started may still have the listener, too. */
void session_refuse(struct session *session)
{
	if (session->listener < 0)
		return;
	shutdown(session->listener, SHUT_RDWR);
	close(session->listener);
	session->listener = -1;
}

int session_close(struct session *session)
{
	for (size_t i = 0; i < session->guests.count; i++)
		guest_free(session->guests.items[i]);
	vec_clear(&session->guests);
	session_refuse(session);
	child_close(&session->child);
	return session->child.status;
}
