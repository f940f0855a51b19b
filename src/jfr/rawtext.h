/*
 * rawtext.h - bytes from outside as text of an event.
 *
 * Names of processes, variables, libraries, what a user typed: they are bytes, which need not be UTF-8: what
 * makes no sense becomes U+FFFD.
 */
#ifndef JFR_RAWTEXT_H
#define JFR_RAWTEXT_H

#include "base/buf.h"
#include "base/str.h"

/* Appends it as a string of an event; without memory `to` has failed. */
void rawtext_encode(struct buf *to, struct str raw);

/* The same of a buffer that is filled, and is cleared by it. */
void rawtext_encode_buf(struct buf *to, struct buf *raw);

#endif
