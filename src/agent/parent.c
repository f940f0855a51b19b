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

/* Where the program has closed the connection: nobody has the other end of a new one. */
static bool is_unheard(const char *socket)
{
	int connection;

	errno = 0;
	connection = message_connect(socket, NULL);
	if (connection >= 0)
		close(connection);
	return connection < 0 && errno != EAGAIN;	/* too many wait for it */
}

bool parent_is_gone(const struct agent *agent)
{
	struct pollfd polled = { .fd = agent->connection };

	if (agent->connected.inode == 0)
		return false;
	if (!fileid_is(&agent->connected, agent->connection))
		return is_unheard(agent->orders.socket.bytes);
	return poll(&polled, 1, 0) == 1 && polled.revents & (POLLHUP | POLLERR);
}
