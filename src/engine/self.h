/*
 * self.h - events about the recording itself: what it is, how it is set, what it lost.
 */
#ifndef ENGINE_SELF_H
#define ENGINE_SELF_H

#include <stdint.h>

#include "control/orders.h"
#include "engine/batch.h"
#include "control/eventsettings.h"
#include "engine/store.h"

/*
 * jdk.ActiveRecording, and jdk.ActiveSetting of each setting, which each chunk has.
 * start_nanos: of the recording, since 1970.
 */
void self_tell(struct batch *batch, const struct orders *orders,
	       const struct event_settings *settings, int64_t start_nanos);

/* jdk.DataLoss for each lane that lost something since the last time. */
void self_tell_losses(struct batch *batch, struct store *store,
		      const struct event_settings *settings);

#endif
