/*
 * requests.h - what an agent does when it is asked (control/request.h): one row for each
 * verb. On the control thread alone.
 */
#ifndef AGENT_REQUESTS_H
#define AGENT_REQUESTS_H

#include "agent/control.h"

extern const struct control_calls requests_calls;

#endif
