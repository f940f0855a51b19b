/*
 * choice.h - what users choose, and the settings that follow from it.
 *
 * An input (a selection, a text or a flag) is given a value; settings that refer to it,
 * or to a condition that depends on it, take the value that follows. A condition is
 * true, false, or neither; then it says nothing. All else stays as the files had it:
 * reading a file changes no setting.
 *
 * What is changed is added to `log`, unless that is NULL.
 */
#ifndef JFC_CHOICE_H
#define JFC_CHOICE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"
#include "jfc/configuration.h"
#include "jfc/settings.h"

/*
 * Sets an input. False with ERR_USAGE if it cannot have that value; with ERR_FORMAT if
 * conditions depend on each other in a circle; with ERR_MEMORY.
 */
bool choice_set(struct configuration *all, struct node *input, struct str value,
		struct settings *log, struct err *err);

/*
 * Sets what "event#setting" names, or with a "+" in front, adds it if it is not there;
 * then it is not logged, as in the JDK. False with ERR_USAGE if there is none.
 */
bool choice_set_setting(struct configuration *all, struct str key, struct str value,
			struct settings *log, struct err *err);

/* Tells each setting that depends on the input. False, ERR_FORMAT, as above. */
bool choice_reach(struct configuration *all, const struct node *input,
		  void (*told)(void *context, const struct node *setting),
		  void *context, struct err *err);

/* What is in a text: "timespan", "method-filter"; "text" if it does not say. */
struct str choice_content_type(const struct node *text);

/* True of period and threshold: a timespan that they are set to is written as such. */
bool choice_is_timespan(struct str setting);

#endif
