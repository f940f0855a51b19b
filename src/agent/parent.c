#include "agent/parent.h"

#include <poll.h>

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

bool parent_is_gone(const struct agent *agent)
{
	struct pollfd polled = { .fd = agent->connection };

	return fileid_is(&agent->connected, agent->connection) &&
	       poll(&polled, 1, 0) == 1 && polled.revents & (POLLHUP | POLLERR);
}
