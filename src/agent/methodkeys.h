/*
 * methodkeys.h - methods with probes, as constants that events refer to.
 *
 * By class, name, descriptor and modifiers, so that all events of a method have the same
 * key. The calling thread is one of the JVM's; no lock but that of constants.
 */
#ifndef AGENT_METHODKEYS_H
#define AGENT_METHODKEYS_H

#include <stdint.h>

#include "agent/agent.h"
#include "probe/probed.h"

/* POOL_METHOD, to be used at once; 0 without memory. */
uint64_t methodkeys_key(struct agent *agent, const struct probed_copy *method);

#endif
