/*
 * recordjvms.h - the JVMs of this host, as a table.
 */
#ifndef CMD_RECORDJVMS_H
#define CMD_RECORDJVMS_H

#include "cmd/command.h"
#include "render/grid.h"

/* Writes it to standard output; that of JSON is an array. */
enum status record_jvms(const struct invocation *invocation,
			const struct grid_format *format);

#endif
