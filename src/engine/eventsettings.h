/*
 * eventsettings.h - what is set for each event type: from the orders, made ready to ask.
 */
#ifndef ENGINE_EVENTSETTINGS_H
#define ENGINE_EVENTSETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "control/orders.h"
#include "jfr/eventtypes.h"

/* Periods that are no time; all others are nanoseconds, 1 ms and up. */
#define PERIOD_NONE 0
#define PERIOD_BEGIN_CHUNK (-1)
#define PERIOD_END_CHUNK (-2)
#define PERIOD_EVERY_CHUNK (-3)		/* at both */

struct event_setting {
	bool is_enabled;
	bool with_stack;
	int64_t threshold;	/* nanoseconds */
	int64_t period;
};

struct event_settings {
	struct event_setting of[EVENT_COUNT];
};

/* What the orders say, over the defaults of eventtypes: all events off. ERR_USAGE. */
bool event_settings_read(struct event_settings *settings, const struct orders *orders,
			 struct err *err);

/* What is wrong with one setting's value ("20 parsecs"), as event_settings_read. */
bool event_settings_set(struct event_settings *settings, struct str key, struct str value,
			struct err *err);

static inline const struct event_setting *
event_setting_of(const struct event_settings *settings, enum event_id id)
{
	return &settings->of[id - EVENT_FIRST];
}

#endif
