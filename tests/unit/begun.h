/*
 * begun.h - a recorder with one recording, as the agent of a launched JVM has it.
 */
#ifndef UNIT_BEGUN_H
#define UNIT_BEGUN_H

#include <stdbool.h>

#include "engine/recorder.h"

/* A recording with a copy of these orders; if it cannot begin, all ends. */
bool begun_record(struct recorder *recorder, const struct orders *orders,
		  struct err *err);

#endif
