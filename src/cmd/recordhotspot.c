/*
 * recordhotspot.c - the JVM's own recorder, as record_engine_hotspot.
 */
#include "cmd/recordengine.h"

static bool fail(struct err *err)
{
	return err_set(err, ERR_USAGE, "the JVM's own recorder cannot be asked yet");
}

static bool start(const struct record_task *task, const struct vm *vm, struct buf *told,
		  struct err *err)
{
	(void)task, (void)vm, (void)told;
	return fail(err);
}

static bool dump(const struct record_task *task, const struct vm *vm,
		 struct record_data *data, struct buf *told, struct err *err)
{
	(void)task, (void)vm, (void)told, (void)data;
	return fail(err);
}

static bool stop(const struct record_task *task, const struct vm *vm,
		 struct record_data *data, struct buf *told, char **written,
		 struct err *err)
{
	(void)task, (void)vm, (void)told, (void)data, (void)written;
	return fail(err);
}

static bool taken(struct record_data *data, bool is_good, struct err *err)
{
	(void)data, (void)is_good;
	return fail(err);
}

static bool check(const struct record_task *task, const struct vm *vm,
		  struct record_state *state, struct err *err)
{
	(void)task, (void)vm, (void)state;
	return fail(err);
}

const struct record_engine record_engine_hotspot = {
	.name = "hotspot",
	.start = start,
	.dump = dump,
	.stop = stop,
	.taken = taken,
	.check = check,
	.set = start,
};
