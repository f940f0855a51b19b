/*
 * facts.h - what the agent tells of itself (control/facts.h).
 */
#ifndef AGENT_FACTS_H
#define AGENT_FACTS_H

#include "agent/agent.h"
#include "control/facts.h"

/* On the control thread. Texts are the agent's. */
void facts_of_engine(struct agent *agent, struct engine_facts *facts);

#endif
