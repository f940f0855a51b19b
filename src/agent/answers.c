#include "agent/answers.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>

#include "agent/ownthread.h"
#include "control/message.h"

#define NOTE_SIZE 4096

void answers_open(struct answers *to, int connection, const struct fileid *id)
{
	*to = (struct answers){
		.connection = connection,
		.id = *id,
		.patience = ANSWERS_PATIENCE,
	};
}

/* Until there is room for another message. */
static bool wait_for_room(struct answers *to)
{
	struct pollfd polled = { .fd = to->connection, .events = POLLOUT };
	int64_t begin = now_ticks();
	int ready = 0;

	if (to->patience > 0)
		ready = poll(&polled, 1, (int)(to->patience / MILLISECOND) + 1);
	to->patience -= now_ticks() - begin;
	return (ready == 1 && !(polled.revents & (POLLERR | POLLHUP | POLLNVAL))) ||
	       (ready < 0 && errno == EINTR);
}

bool answers_say(struct answers *to, const char *word, const char *rest, int fd)
{
	while (!to->is_gone) {
		if (!fileid_is(&to->id, to->connection))
			break;
		errno = 0;
		if (message_send(to->connection, word, rest, fd, NULL))
			return true;
		if ((errno != EAGAIN && errno != ENOBUFS) || !wait_for_room(to))
			break;
	}
	to->is_gone = true;
	return false;
}

bool answers_say_failed(struct answers *to, const struct err *err)
{
	return answers_say(to, MESSAGE_FAILED, err->text, -1);
}

bool answers_say_notes(struct answers *to, const struct buf *lines)
{
	struct str rest = buf_as_str(lines), piece;
	bool is_taken = true;

	while (is_taken && str_split(&rest, '\n', &piece)) {
		char line[NOTE_SIZE];

		snprintf(line, sizeof(line), "%.*s", (int)piece.size, piece.bytes);
		is_taken = piece.size == 0 ||
			   answers_say(to, MESSAGE_NOTE, line, -1);
	}
	return is_taken;
}

static void *work(void *context)
{
	struct answers *to = context;

	while (!bell_wait(&to->rest, SECOND)) {
		if (fileid_is(&to->id, to->connection))
			message_send(to->connection, MESSAGE_WORKING, "", -1, NULL);
	}
	return NULL;
}

/* Without a thread for it, it is not said. */
void answers_work(struct answers *to)
{
	to->is_working = !to->is_working && ownthread_start(&to->worker, work, to) == 0;
}

void answers_rest(struct answers *to)
{
	if (!to->is_working)
		return;
	bell_ring(&to->rest);
	pthread_join(to->worker, NULL);
	to->is_working = false;
}
