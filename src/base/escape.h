/*
 * escape.h - text as it stands in XML, and in the command of a shell.
 *
 * In XML as the JDK writes it, in content and in attributes: what XML would take for its own
 * is an entity, and beyond ASCII each UTF-16 unit is a reference of its own.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include "base/buf.h"
#include "base/str.h"

void escape_xml(struct buf *to, struct str text);

/* One word of a command: a.jfr, 'a b.jfr'; in quotes if there is any need for them. */
void escape_shell(struct buf *to, struct str text);

#endif
