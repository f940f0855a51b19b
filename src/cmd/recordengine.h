/*
 * recordengine.h - who records in a JVM: our agent, or the JVM's own recorder; and what
 * the commands ask of either. They are made for one JVM after the other.
 *
 * An engine prints nothing on standard output. What it wants to say besides goes to
 * task->invocation (complain), with the process in front; what it has done goes to
 * `told`, and why it could not to err.
 */
#ifndef CMD_RECORDENGINE_H
#define CMD_RECORDENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/vec.h"
#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/recordorders.h"
#include "control/facts.h"
#include "control/orders.h"
#include "control/request.h"
#include "jvms/vm.h"

/* What is asked, of all JVMs that were named. Members that a verb has not are 0. */
struct record_task {
	const struct invocation *invocation;
	const char *name;		/* --name; NULL: not given */
	int64_t last;			/* dump, stop: nanoseconds; 0: all */
	enum request_to to;		/* stop */
	/* start, set: the options and words as they were given, and what they come to. */
	const struct record_options *options;
	const struct words *words;
	struct orders *orders;		/* start: name and destination are those for the JVM */
	bool is_quiet;
	bool has_others;		/* more engines are asked: say whose it is */
};

/*
 * What a JVM handed over: a folder of chunk files, or a recording. It is read by its
 * path, "/proc/self/fd/9", as any other input.
 */
struct record_data {
	char path[64];			/* "": there is none */
	int fd;
	void *own;			/* of the engine */
};

/* A recording of it, for `check`. Texts live in the list's arena. */
struct record_told {
	struct recording_facts facts;
	struct str settings;		/* orders as text; size 0: not known */
};

struct record_state {
	bool with_settings;		/* set before: these are wanted, too */
	size_t size;			/* bytes that were told */
	bool has_engine;		/* `engine` is known */
	struct engine_facts engine;
	VEC(struct record_told) of;
	struct arena arena;
};

/*
 * In all: false with ERR_NONE if it is not in the JVM, or records nothing there. `told`
 * becomes the recording in words: "recording 1 (checkout)".
 */
struct record_engine {
	const char *name;		/* "cjfr", "hotspot" */
	bool (*start)(const struct record_task *task, const struct vm *vm,
		      struct buf *told, struct err *err);
	/* What a recording has so far. There may be nothing in it (record_data). */
	bool (*dump)(const struct record_task *task, const struct vm *vm,
		     struct record_data *data, struct buf *told, struct err *err);
	/* To the client as dump; else *written is the file that the JVM made, to be freed;
	   NULL: none. */
	bool (*stop)(const struct record_task *task, const struct vm *vm,
		     struct record_data *data, struct buf *told, char **written,
		     struct err *err);
	/* Data with a path was read. is_good: it is somewhere else now. Releases it. */
	bool (*taken)(struct record_data *data, bool is_good, struct err *err);
	bool (*check)(const struct record_task *task, const struct vm *vm,
		      struct record_state *state, struct err *err);
	bool (*set)(const struct record_task *task, const struct vm *vm,
		    struct buf *told, struct err *err);
};

extern const struct record_engine record_engine_cjfr, record_engine_hotspot;

void record_state_clear(struct record_state *state);

/*
 * Our agent leaves the JVM: all recordings end. *told: what it wrote, a path a line. False with
 * ERR_NONE if there is none.
 */
bool record_agent_detach(const struct record_task *task, const struct vm *vm,
			 struct buf *told, struct err *err);

/*
 * How many recordings run, with little patience; -1: there is no agent. False: there is one,
 * which does not say.
 */
bool record_agent_count(const struct vm *vm, int *count, struct err *err);

#endif
