/*
 * samples.h - events made of raw samples: jdk.ExecutionSample, jdk.NativeMethodSample.
 */
#ifndef AGENT_SAMPLES_H
#define AGENT_SAMPLES_H

#include <stddef.h>

#include "agent/agent.h"
#include "engine/batch.h"

/*
 * Makes an event of each raw sample in the bytes (whole events of a raw lane), with its
 * stack, behind what is in the batch. On a thread that is none of the JVM's, methods that
 * were not met before have no names. Bytes that are none are passed over.
 */
void samples_translate(struct agent *agent, struct batch *batch, const char *bytes,
		       size_t size);

#endif
