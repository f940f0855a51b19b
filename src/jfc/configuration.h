/*
 * configuration.h - what .jfc files say, several of them as one.
 *
 *	struct configuration all = { 0 };
 *	configuration_init(&all, &err)
 *	file = configuration_begin(&all)	... jfcread fills it ...
 *	configuration_join(&all, file, &err)
 *	configuration_clear(&all);
 *
 * Events and controls of all files are children of the root. A setting can refer to the
 * controls of its own file only, which is why two files cannot have controls of the
 * same name. Memory is limited, as files come from anywhere.
 */
#ifndef JFC_CONFIGURATION_H
#define JFC_CONFIGURATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "jfc/node.h"

/*
 * What choice.c has found out about a control, or about all of one name. A change of an
 * input is a round; what was found out in an earlier one counts no more.
 */
struct finding {
	unsigned asked, valued;		/* the rounds in which the rest was found out */
	bool is_touched;		/* the change reaches it */
	struct str value;		/* bytes NULL: none */
	bool is_busy;			/* the value is just being found out */
};

/* An element that settings and tests refer to by its name. */
struct control {
	struct node *node;
	struct str name;
	size_t order;			/* as in the files */
	struct finding own;
	struct finding all;		/* about all of that name; of the first */
};

struct configuration {
	struct arena arena;
	struct node *root;
	unsigned files;
	VEC(struct control) controls;	/* by name, those of one name in order */
	unsigned round;
};

/* Empty, with the label that the JDK gives to what it writes. False without memory. */
bool configuration_init(struct configuration *all, struct err *err);

/* The root of the next file; NULL without memory. */
struct node *configuration_begin(struct configuration *all);

/*
 * Takes over what is in the file. False with ERR_FORMAT if something is missing in it,
 * or a control is declared in another file already; or with ERR_MEMORY.
 */
bool configuration_join(struct configuration *all, struct node *file, struct err *err);

/* The first of the controls of that name in that file, or NULL. */
struct control *configuration_control(const struct configuration *all, struct str name,
				      unsigned file);

/* How many controls have the name of this one, which is the first of them. */
size_t configuration_namesakes(const struct configuration *all,
			       const struct control *first);

/* The first input and the next one, in the order of the files. */
struct node *configuration_input(const struct configuration *all);
struct node *configuration_next_input(const struct node *input);

/* The first input of that name, or NULL. */
struct node *configuration_find_input(const struct configuration *all, struct str name);

/* The first setting of an event, and the next one, of all events. */
struct node *configuration_setting(const struct configuration *all);
struct node *configuration_next_setting(const struct node *setting);

/* The first event of that name, or NULL. */
struct node *configuration_find_event(const struct configuration *all, struct str name);

/* Of a selection the chosen option: the one that is the default, or the first. */
const struct node *configuration_chosen(const struct node *selection);

/* Tells each setting of a file that refers to a control which is not there. */
void configuration_missing(const struct configuration *all, unsigned file,
			   void (*told)(void *context, const struct node *setting),
			   void *context);

void configuration_clear(struct configuration *all);

#endif
