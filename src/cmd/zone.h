/*
 * zone.h - the option --zone: in which zone times are shown.
 */
#ifndef CMD_ZONE_H
#define CMD_ZONE_H

#include <stdbool.h>

#include "cmd/command.h"
#include "jfr/input.h"

/* The zone of that word, or if it is NULL, the other. False: a message was written. */
bool zone_read(const struct invocation *invocation, const char *word,
	       enum input_zone otherwise, enum input_zone *zone);

#endif
