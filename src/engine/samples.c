#include "engine/samples.h"

#include "jfr/frame.h"
#include "jfr/rawsample.h"

/* What is the same for all samples of a call. */
struct making {
	struct constants *constants;
	const struct namer *namer;
	struct batch *batch;
	uint64_t types[RAWFRAME_NATIVE + 1];	/* POOL_FRAME_TYPE */
	struct buf stack;
};

/* In the words of the JVM's own recorder. */
static const char *const types[] = {
	[RAWFRAME_INTERPRETED] = "Interpreted",
	[RAWFRAME_COMPILED] = "JIT compiled",
	[RAWFRAME_NATIVE] = "Native",
};

#define RUNS STR("STATE_RUNNABLE")
#define ENTERS STR("STATE_BLOCKED_ON_MONITOR_ENTER")
#define WAITS STR("STATE_SLEEPING")		/* for what, nobody knows */

static void find_types(struct making *making)
{
	for (size_t i = RAWFRAME_INTERPRETED; i <= RAWFRAME_NATIVE; i++)
		making->types[i] = constants_string(making->constants, POOL_FRAME_TYPE,
						    str_of(types[i]));
}

static uint64_t type_of(const struct making *making, const struct rawframe *frame)
{
	return frame->type <= RAWFRAME_NATIVE ? making->types[frame->type] : 0;
}

/* False: the frames are not whole. */
static bool make_stack(struct making *making, struct rawsample *sample,
		       struct method_place *innermost)
{
	const struct namer *namer = making->namer;
	struct method_place place;
	struct rawframe frame;

	stack_begin(&making->stack, sample->flags & RAWSAMPLE_TRUNCATED, sample->count);
	for (uint32_t i = 0; i < sample->count; i++) {
		if (!rawsample_next(sample, &frame))
			return false;
		place = namer->method(namer->context, frame.method, frame.bytecode);
		stack_frame(&making->stack, making->constants, &place, frame.bytecode,
			    type_of(making, &frame));
		if (i == 0)
			*innermost = place;
	}
	return true;
}

/* A thread that waits in a method that is there for waiting says so. */
static struct str state_of(const struct rawsample *sample,
			   const struct method_place *innermost)
{
	if (!(sample->flags & RAWSAMPLE_BLOCKED))
		return RUNS;
	if (sample->flags & RAWSAMPLE_ENTERING)
		return ENTERS;
	return innermost->waiting.bytes ? innermost->waiting : WAITS;
}

static void make_event(struct making *making, struct rawsample *sample)
{
	struct constants *constants = making->constants;
	const struct namer *namer = making->namer;
	struct buf *to = &making->batch->buf;
	struct method_place innermost = { 0 };

	if (!make_stack(making, sample, &innermost))
		return;
	batch_begin(making->batch, rawsample_is_native(sample->flags)
					   ? EVENT_NATIVE_METHOD_SAMPLE
					   : EVENT_EXECUTION_SAMPLE);
	encode_long(to, sample->ticks);
	encode_long(to, (int64_t)namer->thread(namer->context, sample->thread));
	encode_long(to, (int64_t)stack_end(&making->stack, constants));
	encode_long(to, (int64_t)constants_string(constants, POOL_THREAD_STATE,
						  state_of(sample, &innermost)));
	batch_end(making->batch);
}

void samples_translate(struct constants *constants, const struct namer *namer,
		       struct batch *batch, const char *bytes, size_t size)
{
	struct making making = {
		.constants = constants,
		.namer = namer,
		.batch = batch,
	};
	struct rawsample sample;
	struct frame frame;

	find_types(&making);
	for (size_t at = 0; at < size; at += frame.size) {
		if (frame_read((const unsigned char *)bytes, size, at, &frame))
			break;
		if (rawsample_read(&sample, bytes + at, frame.size))
			make_event(&making, &sample);
	}
	buf_clear(&making.stack);
}
