/*
 * jfcwarn.h - what Java's recorder will not understand of a configuration, told on
 * standard error: the JDK writes such a file without a word, and so do we.
 */
#ifndef CMD_JFCWARN_H
#define CMD_JFCWARN_H

#include "cmd/command.h"
#include "jfc/configuration.h"

/* Filters of methods that are none; timespans that are none, or have no unit. */
void jfcwarn(const struct invocation *invocation, const struct configuration *all);

#endif
