/*
 * symbols.h - names that the JVM gives, as constants.
 *
 * Any thread. Keys are those of POOL_SYMBOL; 0: there is no name, or no memory.
 */
#ifndef AGENT_SYMBOLS_H
#define AGENT_SYMBOLS_H

#include <stdint.h>

#include "base/buf.h"
#include "engine/constants.h"

/* Of text of JNI or JVMTI; NULL is allowed. */
uint64_t symbols_text(struct constants *constants, const char *text);

/* Of UTF-8; 0 also if the buffer failed. */
uint64_t symbols_buf(struct constants *constants, const struct buf *text);

#endif
