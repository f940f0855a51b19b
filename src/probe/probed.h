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
 * Filters hold for a run: from probed_begin until others hold. What is known of a class is
 * for the run in which its bytes were seen; numbers of methods are for ever, as a call
 * that began with a probe may end at any time later, and counts under its number.
 *
 * Any thread; a lock is held for short, nothing is called back under it. What it holds
 * has none of its own: owners.h, gone.h.
 */
#ifndef PROBE_PROBED_H
#define PROBE_PROBED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "classfile/classfile.h"
#include "probe/counters.h"
#include "probe/outcome.h"
#include "probe/probedcopy.h"
#include "probe/snapshot.h"

#define PROBED_GONE_MAX 20000

/* What a method's probe is for; a bit each. Kinds of probes to come are added here. */
enum probe_kind {
	PROBE_TIMING = 1,		/* jdk.MethodTiming */
	PROBE_TRACE = 2,		/* jdk.MethodTrace */
};

struct probed;

struct probed *probed_new(struct counters *counters);

/*
 * The next run; before that it is the run 0. Nothing is selected in it yet. Methods that
 * are timed go on to count if they are selected again; all others begin at 0 then. is_anew:
 * all do, and what is gone is forgotten. Gives the number of the run. Without memory
 * false, and all is as before.
 */
bool probed_begin(struct probed *probed, bool is_anew, unsigned *run);

/* A class whose bytes are seen: where it is new, or there and to be changed. */
struct probed_class {
	uint64_t loader;		/* POOL_CLASS_LOADER; 0: the boot loader */
	struct str name;		/* "a/b/C" */
	bool is_redefined;
	unsigned run;			/* of the filters by which it is looked at */
};

/*
 * It is known from now on that its bytes were seen in that run. Without memory it is not.
 */
void probed_see(struct probed *probed, const struct probed_class *class_);

/*
 * Its bytes are being rewritten: a method of it is to have a probe of those kinds. Gives
 * its number; it has one already if it was told before. `added`: the kinds that it did not
 * have before in this run; in one that is over nothing is added. PROBED_NONE without
 * memory.
 */
#define PROBED_NONE UINT32_MAX
uint32_t probed_add(struct probed *probed, const struct probed_class *class_,
		    const struct classfile_method *method, unsigned kinds,
		    unsigned *added);

/*
 * What came of it. Of a class that is redefined this holds from when it is known that the
 * JVM took it: probed_taken, or what probed_check finds.
 */
void probed_note(struct probed *probed, uint32_t id, bool is_redefined,
		 const struct outcome *outcome);

/* True if its bytes were seen, and the class is not ready, or has or had methods with probes. */
bool probed_has(struct probed *probed, uint64_t loader, struct str class_name);

/* True if they were in this run. */
bool probed_is_seen(struct probed *probed, uint64_t loader, struct str class_name);

/* True if the class may have probes in it; is_stale: those of runs that are over. */
bool probed_has_probes(struct probed *probed, uint64_t loader, struct str class_name,
		       bool is_stale);

/* How many classes may; *methods of theirs have one. */
size_t probed_count(struct probed *probed, size_t *methods);

/*
 * The JVM took what was made last of the class: by the filters of this run, or if nothing
 * was selected any more (is_plain), as it is without us.
 */
void probed_taken(struct probed *probed, uint64_t loader, struct str class_name,
		  bool is_plain);

/* It did not: the class is to have no probes from now on (probed_is_left). */
void probed_leave(struct probed *probed, uint64_t loader, struct str class_name);
bool probed_is_left(struct probed *probed, uint64_t loader, struct str class_name);

/*
 * Whether the JVM took what others had it change is found by looking at the class. True:
 * somebody is to do that, who was not told so before: probed_check for each method that is
 * there, with the size of its code, then probed_checked. True: it is still open, and to be
 * looked at again.
 */
bool probed_is_open(struct probed *probed, uint64_t loader, struct str class_name);
void probed_check(struct probed *probed, uint64_t loader, struct str class_name,
		  struct str name, struct str descriptor, uint32_t size);
bool probed_checked(struct probed *probed, uint64_t loader, struct str class_name);

/* The class is ready. False: no method of it is known, and it is not any more. */
bool probed_ready(struct probed *probed, uint64_t loader, struct str class_name);

/* By this key it is known from now on. False: as above. */
bool probed_bind(struct probed *probed, uint64_t loader, struct str class_name,
		 uint64_t key);

/* The loader under which the class of that key was bound; false: it is not known. */
bool probed_loader(struct probed *probed, uint64_t key, uint64_t *loader);

/* The JVM has taken it: it will become ready, or go with its loader. */
void probed_loaded(struct probed *probed, uint64_t loader, struct str class_name);

/*
 * A round of the recorder's: if there are many new classes that the JVM has not taken for
 * long, or very many, the oldest are forgotten, as it did not say that it will not. If it
 * does after all, it is as if their bytes had never been seen. What is redefined is not
 * among them.
 */
#define PROBED_WAITING_MAX 1000
#define PROBED_WAITING_MOST 5000
#define PROBED_ROUNDS 10
void probed_round(struct probed *probed);

/* A class of that key (POOL_CLASS) is gone, or a loader, with all that was not ready. */
void probed_class_gone(struct probed *probed, uint64_t key);
void probed_loader_gone(struct probed *probed, uint64_t loader);

/*
 * Keys become others': each class that is there gets a token instead of its loader and
 * key (0: it is not known), until it is given new ones (probed_adopt; key 0: it is not
 * ready), or is gone (probed_lose). probed_orphan_rest: all others are not there, and so
 * are gone, but for those that the JVM may still be making: their numbers stay nobody's.
 */
uint64_t probed_orphan(struct probed *probed, uint64_t loader, struct str class_name);
void probed_orphan_rest(struct probed *probed);
void probed_adopt(struct probed *probed, uint64_t token, uint64_t loader, uint64_t key);
void probed_lose(struct probed *probed, uint64_t token);

/*
 * A copy of what is known of one; texts are valid as long as the class is there. False:
 * there is none of that number. `sum` is not filled in.
 */
bool probed_find(struct probed *probed, uint32_t id, struct probed_copy *copy);

/*
 * All methods of classes that are ready, and those others that ran, with their sums, as a
 * snapshot that is the caller's, texts included. What has no class key is_gone, and there
 * once by its names. False without memory.
 */
bool probed_snapshot(struct probed *probed, struct probed_snapshot *snapshot);
void probed_snapshot_clear(struct probed_snapshot *snapshot);

void probed_free(struct probed *probed);

#endif
