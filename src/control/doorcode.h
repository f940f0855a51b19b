/*
 * doorcode.h - what Agent_OnAttach returns: the JVM passes on no more than a number.
 *
 * 0: the agent is there, and listens in its folder (places.h), whether it came now or
 * was there before. Else step and errno in one.
 */
#ifndef CONTROL_DOORCODE_H
#define CONTROL_DOORCODE_H

#include "base/err.h"

enum door_step {
	DOOR_OPTIONS = 1,	/* they are not understood */
	DOOR_FOLDER,		/* its folder cannot be made */
	DOOR_SOCKET,		/* the socket in it */
	DOOR_THREAD,		/* its thread */
	DOOR_JVM,		/* the JVM refuses what is needed */
	DOOR_ENDING,		/* the JVM goes down, or is not up yet */
	DOOR_LEAVING,		/* an agent of before is still leaving */
	DOOR_STUCK,		/* a thread is still in one of before */
};

/* "attach" or "attach=/folder": where its folder is made, instead of $TMPDIR or /tmp. */
#define DOOR_OPTIONS_WORD "attach"

static inline int doorcode(enum door_step step, int error)
{
	return (int)step << 16 | (error & 0xffff);
}

/* Says what such a number means: "its folder cannot be made (No space left on device)". */
void doorcode_tell(int code, struct err *err);

#endif
