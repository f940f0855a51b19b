/*
 * recordstate.h - what engines say of themselves and of their recordings, for people, and
 * as CSV and JSON for programs: cjfr record check.
 *
 *	record_states_begin(&states, invocation, json, csv, with_settings)
 *	record_states_add(&states, vm, "cjfr", &state)		any number of times
 *	record_states_end(&states)
 */
#ifndef CMD_RECORDSTATE_H
#define CMD_RECORDSTATE_H

#include "cmd/command.h"
#include "cmd/recordengine.h"
#include "render/grid.h"
#include "render/out.h"

enum record_states_format {
	RECORD_STATES_TEXT,
	RECORD_STATES_CSV,
	RECORD_STATES_JSON,
};

struct record_states {
	struct out out;		/* standard output */
	enum record_states_format format;
	bool with_settings;
	/* private */
	struct grid grid;	/* CSV */
	size_t count;		/* of what was added */
};

void record_states_begin(struct record_states *states, enum record_states_format format,
			 bool with_settings);
void record_states_add(struct record_states *states, const struct vm *vm,
		       const char *engine, const struct record_state *state);

/* ERR_SYSTEM, ERR_MEMORY. */
bool record_states_end(struct record_states *states, struct err *err);

#endif
