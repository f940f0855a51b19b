/*
 * self.h - events about the recording itself: what it is, how it is set, what it lost.
 */
#ifndef ENGINE_SELF_H
#define ENGINE_SELF_H

#include "control/eventsettings.h"
#include "engine/batch.h"
#include "engine/recordings.h"
#include "engine/store.h"

/*
 * jdk.ActiveRecording of each recording that runs, and jdk.ActiveSetting of each setting,
 * which each chunk has.
 */
void self_tell(struct batch *batch, const struct recordings *recordings);

/* jdk.DataLoss for each lane that lost something since the last time. */
void self_tell_losses(struct batch *batch, struct store *store,
		      const struct event_settings *settings);

#endif
