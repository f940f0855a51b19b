/*
 * eventsettings.h - what the orders set for each event type, made ready to ask.
 */
#ifndef CONTROL_EVENTSETTINGS_H
#define CONTROL_EVENTSETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "control/orders.h"
#include "jfr/eventtypes.h"

/* Periods that are no time; all others are nanoseconds, from 1 ms to 73 years. */
#define PERIOD_NONE 0			/* the event does not come by itself */
#define PERIOD_BEGIN_CHUNK (-1)
#define PERIOD_END_CHUNK (-2)
#define PERIOD_EVERY_CHUNK (-3)		/* at both */

#define EVENT_SETTINGS_MAX 4		/* that a type can have */

struct event_setting {
	bool is_enabled;
	bool with_stack;
	int64_t threshold;	/* nanoseconds; INT64_MAX: nothing is so long */
	int64_t period;
	struct str filter;	/* of methods, as it was given: methodfilter.h */
	/* As they were given, in the order of eventtype_of(id)->settings; borrowed. */
	struct str texts[EVENT_SETTINGS_MAX];
};

struct event_settings {
	struct event_setting of[EVENT_COUNT];
};

/*
 * What the orders say, over the defaults of eventtypes: all events off. Of what is said
 * twice the last counts. Texts stay the orders'. ERR_USAGE with the key and the value
 * that cannot be.
 */
bool event_settings_read(struct event_settings *settings, const struct orders *orders,
			 struct err *err);

/*
 * Sets one: "jdk.CPULoad#period", "20 ms". Events that are not ours are passed over, as
 * are settings that the event does not have (eventtype_setting tells): files of settings
 * are written for more than one JVM. Lengths of time are those of base/timespan, or
 * "infinity"; of a period, 0 and "infinity" mean never, as in the JDK, and below 1 ms is
 * 1 ms. ERR_USAGE ("jdk.CPULoad#period: '20 parsecs' ..."), and nothing is set.
 */
bool event_settings_set(struct event_settings *settings, struct str key,
			struct str value, struct err *err);

/*
 * True if events of the type are wanted: it is on, and if it has filters, they select
 * something. (Files of settings have such events on, and leave the filters to others.)
 */
bool event_settings_want(const struct event_settings *settings, enum event_id id);

/*
 * Several recordings at once: `to` becomes what satisfies both, for each type. With a stack
 * if either wants that; the lower threshold; the shorter period, where a time is shorter
 * than one that comes with chunks, and beginning and end together are every chunk; both
 * filters (filtertext.h). What is not wanted in one counts for nothing. New texts live in
 * the arena. False without memory.
 */
bool event_settings_unite(struct event_settings *to, const struct event_settings *other,
			  struct arena *arena);

/* True if a type is recorded differently by them. */
bool event_settings_differ(const struct event_settings *one,
			   const struct event_settings *other, enum event_id id);

static inline const struct event_setting *
event_setting_of(const struct event_settings *settings, enum event_id id)
{
	return &settings->of[id - EVENT_FIRST];
}

#endif
