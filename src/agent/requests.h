/*
 * requests.h - what an agent does when it is asked (control/request.h): one row for each
 * verb. On the control thread alone.
 */
#ifndef AGENT_REQUESTS_H
#define AGENT_REQUESTS_H

#include "agent/control.h"
#include "control/message.h"

/*
 * Does what the packet says, and answers up to "done" or "failed". If a folder is handed
 * over, `handed` is it, and the rest is said when it was taken.
 */
void requests_do(struct agent *agent, JNIEnv *jni, const struct message *message,
		 struct answers *to, struct handed *handed);

/* Who has the folder says that: it is gone then, and what it is of, if that is over. */
void requests_taken(struct agent *agent, struct handed *handed,
		    const struct message *message, struct answers *to);

/* Who had it has gone without a word: only the folder is gone. May be called again. */
void requests_untaken(struct handed *handed);

#endif
