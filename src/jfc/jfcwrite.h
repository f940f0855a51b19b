/*
 * jfcwrite.h - a configuration as a .jfc file, byte for byte as the JDK writes it.
 */
#ifndef JFC_JFCWRITE_H
#define JFC_JFCWRITE_H

#include "base/buf.h"
#include "jfc/configuration.h"

void jfcwrite(struct buf *to, const struct configuration *all);

#endif
