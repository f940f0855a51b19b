/*
 * named.h - constants as a JVM has them, for those who write events without one.
 *
 * The buffer is the caller's, to be used again.
 */
#ifndef UNIT_NAMED_H
#define UNIT_NAMED_H

#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "engine/constants.h"

/* Puts a thread of the group "main" under that key. */
void named_thread(struct constants *constants, struct buf *buf, uint64_t key,
		  const char *name, pid_t tid, int64_t java_tid);

/* A new class; its key. */
uint64_t named_class(struct constants *constants, struct buf *buf, const char *name);

/* The value of a method "name()V" of the class, and its key, interned. */
void named_encode_method(struct constants *constants, struct buf *buf, uint64_t class,
			 const char *name);
uint64_t named_method(struct constants *constants, struct buf *buf, uint64_t class,
		      const char *name);

/*
 * A stack of so many frames in methods of the class, interned; which of their two methods
 * frames have, the bits of `variant` say.
 */
uint64_t named_stack(struct constants *constants, struct buf *buf, uint64_t class,
		     int frames, uint64_t variant);

#endif
