/*
 * hotspot.h - what HotSpot tells of itself beside JVMTI, found once.
 *
 * Its tables, flags and counters, and which collector it has. Found in VMInit, or
 * later: before that there are no counters, and flags may change. Then it never
 * changes; what is read through it is as it is now. Of another JVM nothing is known.
 * Any thread.
 */
#ifndef HOTSPOT_HOTSPOT_H
#define HOTSPOT_HOTSPOT_H

#include "hotspot/collector.h"
#include "hotspot/osthread.h"
#include "hotspot/perfdata.h"
#include "hotspot/vmflags.h"
#include "hotspot/vmstructs.h"

struct hotspot {
	struct vmstructs structs;
	struct vmflags flags;
	struct perfdata perf;
	struct osthread osthread;
	const struct collector *collector;
	struct gcrange heap;
};

/* `symbol` as in vmstructs_find. */
void hotspot_find(struct hotspot *hotspot, vmstructs_symbol *symbol);

#endif
