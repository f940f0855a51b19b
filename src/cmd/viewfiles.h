/*
 * viewfiles.h - the views that `cjfr view` knows: its own, and those in files.
 */
#ifndef CMD_VIEWFILES_H
#define CMD_VIEWFILES_H

#include "cmd/command.h"
#include "cmd/options.h"
#include "query/views.h"

/*
 * Its own views, those in the user's folder ($XDG_CONFIG_HOME/cjfr/views, files that end
 * with .view, by name), then those in the files given. Otherwise a message was written,
 * and the status tells. In any case: views_clear.
 */
enum status viewfiles_load(const struct invocation *invocation,
			   const struct option_list *files, struct views *views);

#endif
