/*
 * Methods that are timed or traced: the instrumenter is started and stopped, and what
 * came of it is told: counts of calls (jdk.MethodTiming), of what filters selected
 * (cjfr.MethodFilter), and what probes did to methods (cjfr.MethodProbe).
 */
#include "agent/allobservers.h"
#include "agent/instrumenter.h"
#include "agent/methodchoice.h"
#include "agent/methodkeys.h"
#include "agent/methodtrace.h"
#include "agent/parent.h"
#include "agent/retransformer.h"

#include <stdio.h>

#define MISSING INT64_MIN

/* Sizes of bytecode, in bytes, beyond which HotSpot does something no more. */
enum limit { LIMIT_INLINED, LIMIT_INLINED_OFTEN, LIMIT_COMPILED, LIMITS };

static const struct {
	const char *flag;
	uint32_t usual;			/* where the JVM does not tell */
} limits[LIMITS] = {
	[LIMIT_INLINED] = { "MaxInlineSize", 35 },
	[LIMIT_INLINED_OFTEN] = { "FreqInlineSize", 325 },
	[LIMIT_COMPILED] = { "HugeMethodLimit", 8000 },
};

/* What is told of, and with what. */
struct telling {
	struct agent *agent;
	struct batch *batch;
	uint32_t most[LIMITS];		/* bytes of bytecode */
};

/* --- jdk.MethodTiming ------------------------------------------------------------- */

struct times {
	int64_t minimum, average, maximum;
};

/*
 * As the JDK has it: the average is rounded, and stands for what is missing. A clock may
 * be too coarse for any time to be above 0.
 */
static struct times times_of(const struct counter *sum)
{
	int64_t count = (int64_t)sum->count;
	struct times times = { MISSING, MISSING, MISSING };

	if (count == 0 || sum->total == 0)
		return times;
	times.average = (sum->total + count / 2) / count;
	times.minimum = sum->min_plus_one ? sum->min_plus_one - 1 : times.average;
	times.maximum = sum->max > 0 ? sum->max : times.average;
	if (times.minimum > times.average)
		times.minimum = times.average;
	if (times.maximum < times.average)
		times.maximum = times.average;
	return times;
}

static void add_timing(const struct telling *telling, const struct probed_copy *method)
{
	struct times times = times_of(&method->sum);
	struct batch *batch = telling->batch;

	if (!(method->kinds & PROBE_TIMING) || !(method->was_done || method->sum.count))
		return;
	batch_begin(batch, EVENT_METHOD_TIMING);
	encode_long(&batch->buf, batch->now);
	encode_long(&batch->buf, (int64_t)methodkeys_key(telling->agent, method));
	encode_long(&batch->buf, (int64_t)method->sum.count);
	encode_long(&batch->buf, times.minimum);
	encode_long(&batch->buf, times.average);
	encode_long(&batch->buf, times.maximum);
	batch_end(batch);
}

/* --- cjfr.MethodProbe ------------------------------------------------------------- */

static uint32_t most_of(const struct vmflags *flags, enum limit limit)
{
	uint64_t value = limits[limit].usual;
	bool is_left = true;

	vmflags_number(flags, limits[limit].flag, &value);
	vmflags_boolean(flags, "DontCompileHugeMethods", &is_left);
	if (value > UINT32_MAX || (limit == LIMIT_COMPILED && !is_left))
		return UINT32_MAX;
	return (uint32_t)value;
}

static void add_probe(const struct telling *telling, const struct probed_copy *method)
{
	const char *skipped = outcome_reason(method->newest.result);
	bool crossed[LIMITS], is_notable = skipped != NULL;
	struct batch *batch = telling->batch;

	for (int i = 0; i < LIMITS; i++) {
		crossed[i] = method->newest.size_before <= telling->most[i] &&
			     method->newest.size_after > telling->most[i];
		is_notable |= crossed[i];
	}
	if (!is_notable || !method->kinds)
		return;
	batch_begin(batch, EVENT_METHOD_PROBE);
	encode_long(&batch->buf, batch->now);
	encode_long(&batch->buf, (int64_t)methodkeys_key(telling->agent, method));
	encode_int(&batch->buf, (int32_t)method->newest.size_before);
	encode_int(&batch->buf, (int32_t)method->newest.size_after);
	for (int i = 0; i < LIMITS; i++)
		encode_boolean(&batch->buf, crossed[i]);
	encode_string(&batch->buf, str_of(skipped));
	batch_end(batch);
}

/* --- telling ---------------------------------------------------------------------- */

/* Under the recorder's lock: methods are timed or traced, or were until the last stop. */
static struct {
	bool is_on;
} the_timing;

/* Or did: what is told last is told after the stop. */
static bool is_timing(const struct agent *agent)
{
	return the_timing.is_on && agent->instrumenter.probed;
}

typedef void add_method(const struct telling *telling, const struct probed_copy *method);

static void tell_methods(struct recorder *recorder, struct batch *batch,
			 add_method *add)
{
	struct agent *agent = agent_of(recorder);
	struct telling telling = { .agent = agent, .batch = batch };
	struct probed_snapshot snapshot = { 0 };

	if (!is_timing(agent))
		return;
	for (int i = 0; i < LIMITS; i++)
		telling.most[i] = most_of(&agent->jvm.hotspot.flags, (enum limit)i);
	retransformer_look(agent, jvm_jni(&agent->jvm));
	if (probed_snapshot(agent->instrumenter.probed, &snapshot)) {
		for (size_t i = 0; i < snapshot.of.count; i++)
			add(&telling, &snapshot.of.items[i]);
	}
	probed_snapshot_clear(&snapshot);
}

static void tell_timing(struct recorder *recorder, struct batch *batch)
{
	tell_methods(recorder, batch, add_timing);
}

static void tell_probes(struct recorder *recorder, struct batch *batch)
{
	tell_methods(recorder, batch, add_probe);
}

static const char *event_of(unsigned kind)
{
	return eventtype_of(kind == PROBE_TIMING ? EVENT_METHOD_TIMING
						 : EVENT_METHOD_TRACE)->name;
}

static void add_filter(struct batch *batch, const struct filters_of_kind *of, size_t at)
{
	const struct methodfilter_item *item = &of->filter.items.items[at];

	batch_begin(batch, EVENT_METHOD_FILTER);
	encode_long(&batch->buf, batch->now);
	encode_string(&batch->buf, str_of(event_of(of->kind)));
	encode_string(&batch->buf, item->text);
	encode_long(&batch->buf, (int64_t)atomic_load(&of->hits[at]));
	batch_end(batch);
}

static void tell_filters(struct recorder *recorder, struct batch *batch)
{
	struct agent *agent = agent_of(recorder);
	const struct filters *filters;

	if (!is_timing(agent))
		return;
	filters = &methodchoice_now(agent)->filters;
	for (size_t i = 0; i < filters->count; i++) {
		for (size_t k = 0; k < filters->of[i].filter.items.count; k++)
			add_filter(batch, &filters->of[i], k);
	}
}

/* --- life ------------------------------------------------------------------------- */

static void tell_why(struct agent *agent, const struct err *err)
{
	char text[sizeof(err->text) + 64];

	snprintf(text, sizeof(text), "no method is timed or traced: %s", err->text);
	parent_warn(agent, text);
}

/* Without a filter nothing is started. */
static bool start(struct recorder *recorder, struct err *err)
{
	struct agent *agent = agent_of(recorder);
	JNIEnv *jni = jvm_jni(&agent->jvm);

	the_timing.is_on = methodchoice_is_wanted(&recorder->settings);
	if (!the_timing.is_on)
		return true;
	if (jni ? instrumenter_start(agent, jni, err)
		: err_set(err, ERR_SYSTEM, "there is no JVM"))
		return true;
	the_timing.is_on = false;
	tell_why(agent, err);
	return false;
}

/* What cannot be leaves all as it was. */
static bool change(struct recorder *recorder, struct err *err)
{
	struct agent *agent = agent_of(recorder);
	JNIEnv *jni = jvm_jni(&agent->jvm);
	bool is_wanted = methodchoice_is_wanted(&recorder->settings);

	if (!is_wanted && !the_timing.is_on)
		return true;
	if (jni ? instrumenter_change(agent, jni, err)
		: err_set(err, ERR_SYSTEM, "there is no JVM")) {
		the_timing.is_on = is_wanted;
		return true;
	}
	tell_why(agent, err);
	return the_timing.is_on;
}

static void stop(struct recorder *recorder)
{
	struct agent *agent = agent_of(recorder);

	instrumenter_stop(agent, jvm_jni(&agent->jvm));
}

const struct observer methodtiming_observer = {
	.name = "timing of methods",
	.periodic = (const struct periodic[]){
		{ EVENT_METHOD_TIMING, tell_timing },
		{ EVENT_METHOD_FILTER, tell_filters },
		{ EVENT_METHOD_PROBE, tell_probes },
		{ 0 },
	},
	.tells_last = true,
	.start = start,
	.change = change,
	.stop = stop,
};
