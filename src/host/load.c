#include "host/load.h"

#include "host/hostobservers.h"

/* When it was told last. Only the flusher's thread is here. */
static struct load_sample last;
static bool has_last;

bool load_sample(struct load_sample *sample)
{
	return proc_process_times(&sample->process) && proc_machine(&sample->machine);
}

static double positive(double number)
{
	return number > 0 ? number : 0;
}

/*
 * The times of the process are exact, those of the machine whole ticks, which a kernel
 * may count late: so the sum of all can be behind that of its parts.
 */
struct load load_between(const struct load_sample *before,
			 const struct load_sample *after, int64_t tick)
{
	double user = positive((double)(after->process.user - before->process.user));
	double system =
		positive((double)(after->process.system - before->process.system));
	double busy = positive((double)(int64_t)(after->machine.busy -
						 before->machine.busy)) * (double)tick;
	double total = positive((double)(int64_t)(after->machine.total -
						  before->machine.total)) *
		       (double)tick;

	if (busy < user + system)
		busy = user + system;
	if (total < busy)
		total = busy;
	if (total == 0)
		return (struct load){ 0, 0, 0 };
	return (struct load){
		.user = (float)(user / total),
		.system = (float)(system / total),
		.machine = (float)(busy / total),
	};
}

static bool start(struct recorder *recorder, struct err *err)
{
	(void)recorder;
	(void)err;
	has_last = load_sample(&last);
	return true;
}

static void tell_load(struct recorder *recorder, struct batch *batch)
{
	struct load_sample now;
	struct load load;

	(void)recorder;
	if (!load_sample(&now))
		return;
	load = has_last ? load_between(&last, &now, proc_tick())
			: (struct load){ 0, 0, 0 };
	last = now;
	has_last = true;
	batch_begin(batch, EVENT_CPU_LOAD);
	encode_long(&batch->buf, batch->now);
	encode_float(&batch->buf, load.user);
	encode_float(&batch->buf, load.system);
	encode_float(&batch->buf, load.machine);
	batch_end(batch);
}

const struct observer load_observer = {
	.name = "load",
	.periodic = (const struct periodic[]){
		{ EVENT_CPU_LOAD, tell_load },
		{ 0 },
	},
	.start = start,
};
