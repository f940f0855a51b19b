#include "session/session.h"

#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "control/message.h"

#define MILLI INT64_C(1000000)
#define SECOND (1000 * MILLI)

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * SECOND + time.tv_nsec;
}

bool session_open(struct session *session, char *const *arguments,
		  char *const *environment, bool to_error, int listener,
		  struct err *err)
{
	*session = (struct session){ .listener = listener, .start = now() };
	session->tick = session->start;
	if (child_start(&session->child, arguments, environment, to_error, err))
		return true;
	close(listener);
	return false;
}

/* --- what comes in ---------------------------------------------------------------- */

static void accept_all(struct session *session)
{
	struct err err;
	int connection;

	while ((connection = message_accept(session->listener, &err)) >= 0) {
		struct guest *guest = guest_new(connection);

		if (guest && vec_push(&session->guests, guest))
			continue;
		guest_free(guest);
		err_memory(&session->trouble);
		return;
	}
	if (err.kind != ERR_NONE)
		session->trouble = err;
}

/*
 * Signals first: when the command has ended, what its JVM has said is there already,
 * and is taken before anybody looks whether there is a JVM.
 */
static void look(struct session *session)
{
	session->is_interrupted |= child_signals(&session->child);
	accept_all(session);
	for (size_t i = 0; i < session->guests.count; i++)
		guest_look(session->guests.items[i]);
}

static void wait_for(struct session *session, int64_t until)
{
	size_t count = 2;
	struct pollfd *polled = calloc(session->guests.count + 2, sizeof(*polled));
	int64_t left = until - now();

	if (!polled)
		return;
	polled[0] = (struct pollfd){ session->child.signals, POLLIN, 0 };
	polled[1] = (struct pollfd){ session->listener, POLLIN, 0 };
	for (size_t i = 0; i < session->guests.count; i++) {
		int connection = session->guests.items[i]->connection;

		if (connection >= 0)
			polled[count++] = (struct pollfd){ connection, POLLIN, 0 };
	}
	poll(polled, count, left > 0 ? (int)(left / MILLI + 1) : 0);
	free(polled);
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

static bool has_news(struct session *session, struct session_news *news)
{
	if (session->trouble.kind != ERR_NONE) {
		news->kind = SESSION_TROUBLE;
		return true;
	}
	if (next_of_guests(session, news))
		return true;
	if (turns(session->child.has_ended, &session->is_end_told)) {
		news->kind = SESSION_COMMAND_ENDED;
		return true;
	}
	news->kind = SESSION_INTERRUPTED;
	return turns(session->is_interrupted, &session->is_interruption_told);
}

size_t session_recording(const struct session *session)
{
	size_t count = 0;

	for (size_t i = 0; i < session->guests.count; i++)
		count += guest_is_recording(session->guests.items[i]);
	return count;
}

static bool is_over(const struct session *session)
{
	return session->child.has_ended &&
	       (session->is_interrupted || session_recording(session) == 0);
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
		wait_for(session, session->tick + SECOND);
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

int session_close(struct session *session)
{
	for (size_t i = 0; i < session->guests.count; i++)
		guest_free(session->guests.items[i]);
	vec_clear(&session->guests);
	close(session->listener);
	child_close(&session->child);
	return session->child.status;
}
