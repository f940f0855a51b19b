/*
 * samples.h - events made of raw samples: jdk.ExecutionSample, jdk.NativeMethodSample.
 *
 * By the agent while the JVM can be asked what methods are called; by salvage, which has
 * what was noted of them.
 */
#ifndef ENGINE_SAMPLES_H
#define ENGINE_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "engine/batch.h"
#include "engine/constants.h"
#include "engine/stack.h"

/* Who knows what the numbers in raw samples are. */
struct namer {
	void *context;
	/* The place of an instruction; a stand-in for a method that is not known. */
	struct method_place (*method)(void *context, uint64_t id, int32_t bytecode);
	/* POOL_THREAD; 0: none. */
	uint64_t (*thread)(void *context, uint64_t number);
};

/*
 * Makes an event of each raw sample in the bytes (whole events of a raw lane), behind
 * what is in the batch. Bytes that are none are passed over.
 */
void samples_translate(struct constants *constants, const struct namer *namer,
		       struct batch *batch, const char *bytes, size_t size);

#endif
