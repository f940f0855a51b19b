/*
 * completejfc.h - what may stand in the command lines of configure and record.
 */
#ifndef CMD_COMPLETEJFC_H
#define CMD_COMPLETEJFC_H

#include "cmd/completion.h"
#include "cmd/options.h"

/* Names of .jfc files. */
void completejfc_names(struct completion *completion);

/* Options and settings of the inputs, lists of .jfc files; or their values. */
void completejfc(struct completion *completion, const struct option_list *inputs);

/* The same for record, with the settings of the events that we record. */
void completejfc_record(struct completion *completion, const struct option_list *inputs);

#endif
