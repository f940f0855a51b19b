/*
 * listener.h - which columns an event of a type fills; for planner.c alone.
 */
#ifndef QUERY_LISTENER_H
#define QUERY_LISTENER_H

#include "query/plan.h"

/* Fills plan->listeners, when columns and sources are complete. False without memory. */
bool listeners_make(struct plan *plan);

#endif
