/*
 * eventtypes.h - the event types that our engine records, and the types of the
 * constants they refer to.
 *
 * One table, in the JDK's names, fields, labels and categories, so that views made for
 * its recordings work on ours. The agent writes it as metadata, `cjfr metadata` shows
 * it. Each type has a number of its own, the same in all recordings of this engine.
 * What can be set for an event type is in .settings of its row, with the default:
 * "enabled", "period", "threshold", "stackTrace", "filter".
 */
#ifndef JFR_EVENTTYPES_H
#define JFR_EVENTTYPES_H

#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "jfr/metadata.h"
#include "jfr/schema.h"

/* Types whose values are constants. Numbers below 30 are those of primitives. */
enum pool_id {
	POOL_FIRST = 30,
	POOL_THREAD = POOL_FIRST, /* java.lang.Thread */
	POOL_THREAD_GROUP,	/* jdk.types.ThreadGroup */
	POOL_CLASS,		/* java.lang.Class */
	POOL_CLASS_LOADER,	/* jdk.types.ClassLoader */
	POOL_METHOD,		/* jdk.types.Method */
	POOL_PACKAGE,		/* jdk.types.Package */
	POOL_MODULE,		/* jdk.types.Module */
	POOL_SYMBOL,		/* jdk.types.Symbol */
	POOL_STACK_TRACE,	/* jdk.types.StackTrace */
	POOL_FRAME_TYPE,	/* jdk.types.FrameType, and so on: single strings */
	POOL_THREAD_STATE,
	POOL_GC_NAME,
	POOL_GC_CAUSE,
	POOL_GC_WHEN,
	POOL_NARROW_OOP_MODE,
	POOL_CHUNK_HEADER,	/* jdk.types.ChunkHeader: an array of bytes */
	POOL_END,
};

#define POOL_COUNT ((size_t)(POOL_END - POOL_FIRST))

/* Of each event type: its part of the enum's name. Order: as in a new recording. */
#define EVENT_TYPES(X)                                                         \
	X(ACTIVE_RECORDING)                                                    \
	X(ACTIVE_SETTING)                                                      \
	X(DATA_LOSS)                                                           \
	X(SHUTDOWN)                                                            \
	X(JVM_INFORMATION)                                                     \
	X(OS_INFORMATION)                                                      \
	X(CPU_INFORMATION)                                                     \
	X(CPU_LOAD)                                                            \
	X(THREAD_CPU_LOAD)                                                     \
	X(PHYSICAL_MEMORY)                                                     \
	X(SYSTEM_PROCESS)                                                      \
	X(NATIVE_LIBRARY)                                                      \
	X(INITIAL_SYSTEM_PROPERTY)                                             \
	X(INITIAL_ENVIRONMENT_VARIABLE)                                        \
	X(THREAD_START)                                                        \
	X(THREAD_END)                                                          \
	X(VIRTUAL_THREAD_START)                                                \
	X(VIRTUAL_THREAD_END)                                                  \
	X(JAVA_THREAD_STATISTICS)                                              \
	X(THREAD_DUMP)                                                         \
	X(CLASS_LOADING_STATISTICS)                                            \
	X(GARBAGE_COLLECTION)                                                  \
	X(YOUNG_GARBAGE_COLLECTION)                                            \
	X(OLD_GARBAGE_COLLECTION)                                              \
	X(GC_PHASE_PAUSE)                                                      \
	X(GC_HEAP_SUMMARY)                                                     \
	X(GC_CONFIGURATION)                                                    \
	X(GC_HEAP_CONFIGURATION)                                               \
	X(EXECUTION_SAMPLE)                                                    \
	X(NATIVE_METHOD_SAMPLE)                                                \
	X(SAMPLER_STATISTICS)                                                  \
	X(METHOD_TIMING)                                                       \
	X(METHOD_TRACE)                                                        \
	X(METHOD_FILTER)                                                       \
	X(METHOD_PROBE)

enum event_id {
	EVENT_BEFORE_FIRST = 99,	/* the first one has the next number */
#define X(name) EVENT_##name,
	EVENT_TYPES(X)
#undef X
	EVENT_END,
	EVENT_FIRST = EVENT_BEFORE_FIRST + 1,
};

/* How many numbers SAMPLER_STATISTICS has, behind the mode and the interval. */
#define SAMPLER_STATISTICS_NUMBERS 27

/* Not in the table, and in no chunk: what is in raw lanes (rawsample.h). */
#define EVENT_RAW_SAMPLE ((enum event_id)98)

/* In place of a time that is not known. */
#define EVENT_NO_TIME INT64_MIN

#define EVENT_COUNT ((size_t)(EVENT_END - EVENT_FIRST))

/* All of them, event types and types of constants: for schema_add. */
extern const struct schema_type eventtypes[];

/* The row of an event type, at once; by name ("jdk.CPULoad") NULL if there is none. */
const struct schema_type *eventtype_of(enum event_id id);
const struct schema_type *eventtype_find(struct str name);

/* A setting of an event type, and its default; NULL: there is no such setting. */
const struct schema_setting *eventtype_setting(const struct schema_type *type,
					       struct str name);
const char *eventtype_default(const struct schema_type *type, const char *setting);

/* A recording of these types and no events, behind what is in the buffer. */
bool eventtypes_recording(struct buf *to, struct err *err);

/*
 * The table as metadata that was read and compiled; all memory is the arena's but what
 * metadata_clear frees, in any case. False without memory.
 */
bool eventtypes_metadata(struct metadata *metadata, struct arena *arena,
			 struct err *err);

#endif
