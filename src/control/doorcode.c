#include "control/doorcode.h"

#include <errno.h>
#include <stddef.h>

static const char *const texts[] = {
	[DOOR_OPTIONS] = "it does not know its options",
	[DOOR_FOLDER] = "its folder cannot be made",
	[DOOR_SOCKET] = "the socket in its folder cannot be made",
	[DOOR_THREAD] = "its thread cannot be started",
	[DOOR_JVM] = "the JVM refuses what it needs",
	[DOOR_ENDING] = "the JVM goes down, or is not up yet",
	[DOOR_LEAVING] = "an agent that was there before is still leaving: try again",
	[DOOR_STUCK] = "a thread never came out of an agent that was there before: "
		       "this JVM can be recorded when it was restarted",
};

void doorcode_tell(int code, struct err *err)
{
	size_t step = (unsigned)code >> 16;

	errno = code & 0xffff;
	if (step >= sizeof(texts) / sizeof(*texts) || !texts[step])
		err_set(err, ERR_SYSTEM, "it returned %d, which means nothing here", code);
	else if (errno)
		err_system(err, "%s", texts[step]);
	else
		err_set(err, ERR_SYSTEM, "%s", texts[step]);
}
