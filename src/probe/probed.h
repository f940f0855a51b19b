/*
 * probed.h - the classes whose methods have probes, and what is known of these.
 *
 * A class is known by its loader and its name, from when its bytes are seen for the first
 * time: then there is no class of the JVM's yet. When that is ready it gets its key, by
 * which it is known when it is gone (classes.h). So a class that is defined twice at once,
 * retransformed, or redefined keeps its methods' numbers. Numbers of methods whose class
 * is gone are given to others.
 *
 * What methods of classes that are gone did is kept, and added up by names, so that
 * recordings tell of it to the end: up to PROBED_GONE_MAX of them; what is beyond is
 * counted.
 *
 * Any thread; a lock is held for short, nothing is called back under it.
 */
#ifndef PROBE_PROBED_H
#define PROBE_PROBED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "classfile/rewrite.h"
#include "probe/counters.h"

#define PROBED_GONE_MAX 20000

/* What a method's probe is for; a bit each. Kinds of probes to come are added here. */
enum probe_kind {
	PROBE_TIMING = 1,		/* jdk.MethodTiming */
	PROBE_TRACE = 2,		/* jdk.MethodTrace */
};

struct probed;

struct probed *probed_new(struct counters *counters);

/*
 * A class's bytes are being rewritten: a method of it is to have a probe of those kinds.
 * Gives its number; it has one already if it was told before. `added`: the kinds that it
 * did not have before. PROBED_NONE without memory.
 */
#define PROBED_NONE UINT32_MAX
uint32_t probed_add(struct probed *probed, uint64_t loader, struct str class_name,
		    const struct classfile_method *method, unsigned kinds,
		    unsigned *added);

/*
 * Filters take those kinds of probes from it. Gives those that were not told before: only
 * these count. Beyond PROBED_TAKEN_MAX methods nothing is news any more.
 */
#define PROBED_TAKEN_MAX (1 << 20)
unsigned probed_take(struct probed *probed, uint64_t loader, struct str class_name,
		     const struct classfile_method *method, unsigned kinds);

/* What came of it. */
void probed_note(struct probed *probed, uint32_t id, enum rewrite_result result,
		 uint32_t size_before, uint32_t size_after);

/* True if methods of it have probes, or had. */
bool probed_has(struct probed *probed, uint64_t loader, struct str class_name);

/* The JVM did not take the class with probes: it is to have none (probed_is_left). */
void probed_leave(struct probed *probed, uint64_t loader, struct str class_name);
bool probed_is_left(struct probed *probed, uint64_t loader, struct str class_name);

/* The class is ready. False: it has no probes. */
bool probed_bind(struct probed *probed, uint64_t loader, struct str class_name,
		 uint64_t key);

/* A class of that key (POOL_CLASS) is gone, or a loader, with all that was not ready. */
void probed_class_gone(struct probed *probed, uint64_t key);
void probed_loader_gone(struct probed *probed, uint64_t loader);

/* A copy of what is known of one; texts are valid as long as the class is there. */
struct probed_copy {
	uint64_t class_key;		/* POOL_CLASS; 0: it is gone, or not ready */
	struct str class_name, name, descriptor;	/* as in the class file */
	uint16_t access;
	unsigned kinds;			/* enum probe_kind: all that it ever had */
	bool is_gone;
	enum rewrite_result result;
	uint32_t size_before, size_after;	/* of its code, bytes */
	struct counter sum;
};

/* False: there is none of that number. `sum` is not filled in. */
bool probed_find(struct probed *probed, uint32_t id, struct probed_copy *copy);

/*
 * All methods of classes that are ready, and those others that ran, with their sums, as a
 * snapshot that is the caller's, texts included; what has no class key is_gone. False without memory. Not while a class
 * or a loader is told to be gone.
 */
struct probed_snapshot {
	VEC(struct probed_copy) of;
	uint64_t gone_lost;		/* methods that are gone and were too many */
	struct arena arena;
};
bool probed_snapshot(struct probed *probed, struct probed_snapshot *snapshot);
void probed_snapshot_clear(struct probed_snapshot *snapshot);

void probed_free(struct probed *probed);

#endif
