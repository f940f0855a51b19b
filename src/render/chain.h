/*
 * chain.h - what keeps an old object alive: the chain of references to it.
 *
 *	object =  [
 *	  int[400]
 *	  [0] : int[3][]
 *	  leaks : java.lang.Class Class Name: Leak
 *	]
 */
#ifndef RENDER_CHAIN_H
#define RENDER_CHAIN_H

#include "render/pen.h"

/*
 * Writes from " [" to "]" for a jdk.types.OldObject of pen->event. Where a field that
 * is needed does not exist, the chain ends there, as for the JDK.
 */
void chain_write(struct pen *pen, const struct object *object);

#endif
