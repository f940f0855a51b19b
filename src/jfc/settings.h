/*
 * settings.h - what is set for which event: "jdk.ThreadPark#threshold" is "20 ms".
 *
 * They are added in any order; settings_settle sorts them, and of those that are the
 * same keeps the last, which counts. A zeroed struct is a valid one without settings.
 * Texts are borrowed, but for the keys.
 */
#ifndef JFC_SETTINGS_H
#define JFC_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"
#include "jfc/configuration.h"

struct settings_item {
	struct str key;		/* "jdk.ThreadPark#threshold" */
	struct str value;	/* "20 ms" */
	size_t order;		/* in which it was added */
};

struct settings {
	VEC(struct settings_item) items;
	struct arena arena;
	struct buf key;		/* on its way */
};

/* Appends "event#setting". */
void settings_key(struct buf *to, const struct node *setting);

/* Adds the setting of an event, as it is now. False without memory. */
bool settings_add_node(struct settings *settings, const struct node *setting);

/* Adds all settings of a configuration that are not empty; likewise. */
bool settings_add_all(struct settings *settings, const struct configuration *all);

/* Sorts them in the order of Java's strings, and leaves one of each key. */
void settings_settle(struct settings *settings);

/* Forgets them all. */
void settings_reset(struct settings *settings);

void settings_clear(struct settings *settings);

#endif
