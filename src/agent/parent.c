#include "agent/parent.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "agent/log.h"
#include "control/message.h"

void parent_tell(const struct agent *agent, const char *word, const char *rest, int fd)
{
	struct err err;

	if (fileid_is(&agent->connected, agent->connection) &&
	    !message_send(agent->connection, word, rest, fd, &err))
		log_line(err.text);
}

void parent_warn(const struct agent *agent, const char *text)
{
	log_line(text);
	parent_tell(agent, MESSAGE_WARNING, text, -1);
}

/*
 * The application has closed our connection: whether there is still somebody who listens
 * tells another one.
 */
static bool does_not_listen(const struct agent *agent)
{
	int connection;

	errno = 0;
	connection = message_connect(agent->orders.socket.bytes, NULL);

	if (connection < 0)
		return errno != EAGAIN;		/* too many wait for it */
	close(connection);
	return false;
}

bool parent_is_gone(const struct agent *agent)
{
	struct pollfd polled = { .fd = agent->connection };

	if (agent->orders.socket.size == 0)
		return false;
	if (!fileid_is(&agent->connected, agent->connection))
		return does_not_listen(agent);
	return poll(&polled, 1, 0) == 1 && polled.revents & (POLLHUP | POLLERR);
}
