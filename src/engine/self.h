/*
 * self.h - events about the recording itself: what it is, how it is set, what it lost.
 */
#ifndef ENGINE_SELF_H
#define ENGINE_SELF_H

#include "engine/batch.h"

struct recorder;

/* jdk.ActiveRecording, and jdk.ActiveSetting of each setting: each chunk has them. */
void self_tell(struct recorder *recorder, struct batch *batch);

/* jdk.DataLoss for each lane that lost something since the last time. */
void self_tell_losses(struct recorder *recorder, struct batch *batch);

#endif
