/*
 * checkpoint.h - the constants of a chunk, from its checkpoint events.
 */
#ifndef JFR_CHECKPOINT_H
#define JFR_CHECKPOINT_H

#include <stdbool.h>

#include "base/err.h"
#include "jfr/chunk.h"
#include "jfr/damage.h"

/*
 * Indexes the constants of all checkpoints. They are found along the chain that the
 * header leads to; where it does not, or the chunk is not finished, among the events.
 * What is damaged is stepped over and added to `damage`. False when memory runs out.
 */
bool checkpoint_load(struct chunk *chunk, struct damage *damage, struct err *err);

/*
 * The same of the types that are wanted, by their index, and of no others; faults in those
 * may stay unseen.
 */
bool checkpoint_load_some(struct chunk *chunk, const bool *wanted,
			  struct damage *damage, struct err *err);

#endif
