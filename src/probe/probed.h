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

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
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

struct probed_method {
	struct str name, descriptor;	/* as in the class file */
	uint16_t access;
	unsigned kinds;			/* enum probe_kind; 0: not any more */
	uint32_t id;			/* of its counters */
	enum rewrite_result result;
	uint32_t size_before, size_after;	/* of its code, bytes */
};

struct probed_class {
	uint64_t loader;		/* POOL_CLASS_LOADER; 0: the boot loader */
	uint64_t key;			/* POOL_CLASS; 0: it is not ready yet */
	struct str name;		/* "a/b/C" */
	VEC(struct probed_method) methods;
};

struct probed;

struct probed *probed_new(struct counters *counters);

/*
 * A class's bytes are being rewritten, or the outcome is known: a method of it is to have
 * a probe of those kinds. Gives its number; it has one already if it was told before.
 * UINT32_MAX without memory.
 */
uint32_t probed_add(struct probed *probed, uint64_t loader, struct str class_name,
		    const struct classfile_method *method, unsigned kinds);

/* What came of it. */
void probed_note(struct probed *probed, uint32_t id, enum rewrite_result result,
		 uint32_t size_before, uint32_t size_after);

/* The class is rewritten anew: what is not added after this has no probe any more. */
void probed_forget(struct probed *probed, uint64_t loader, struct str class_name);

/* True if methods of it have probes, or had. */
bool probed_has(struct probed *probed, uint64_t loader, struct str class_name);

/* The class is ready. */
void probed_bind(struct probed *probed, uint64_t loader, struct str class_name,
		 uint64_t key);

/* A class of that key (POOL_CLASS) is gone, or a loader, with all that was not ready. */
void probed_class_gone(struct probed *probed, uint64_t key);
void probed_loader_gone(struct probed *probed, uint64_t loader);

/* A copy of what is known of one; texts are valid as long as the class is there. */
struct probed_copy {
	uint64_t class_key;
	struct str class_name, name, descriptor;
	uint16_t access;
	unsigned kinds;
	bool is_gone;
	enum rewrite_result result;
	uint32_t size_before, size_after;
	struct counter sum;
};

/* False: there is none of that number. `sum` is not filled in. */
bool probed_find(struct probed *probed, uint32_t id, struct probed_copy *copy);

/*
 * All methods of classes that are ready, and of those that are gone, with their sums, as
 * a snapshot that is the caller's, texts included. False without memory.
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
