#include "worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "begun.h"
#include "control/message.h"
#include "engine/emit.h"
#include "engine/samples.h"
#include "jfr/methodnote.h"
#include "jfr/rawsample.h"
#include "unit/named.h"

/* Of each so many classes one has such a name: larger than a block. */
#define LARGE 100000
#define LARGE_STEP 256

#define METHODS 8		/* of each worker's samples */
#define FRAMES 4

struct worker_count *worker_counts;
int64_t worker_born;
struct recorder worker_recorder;

static struct orders orders;

/* --- samples ------------------------------------------------------------------- */

/* Methods of samples have these numbers; their constants stay. */
static uint64_t methods[WORKERS][METHODS];

static uint64_t method_number(int thread, int method)
{
	return (uint64_t)(thread + 1) << 20 | (uint64_t)method << 4;
}

static void note_method(struct buf *buf, int thread, int number)
{
	struct methodnote note = { .method = methods[thread][number] };
	char lines[] = { 0, 2 * 42 };

	note.lines = (struct str){ lines, sizeof(lines) };
	buf_reset(buf);
	methodnote_write(buf, &note);
	if (!records_put(worker_recorder.records, SPILL_METHOD, method_number(thread, number),
			 buf->bytes, buf->size))
		abort();
}

static void put_methods(struct buf *buf, int thread, uint64_t class)
{
	struct constants *constants = worker_recorder.constants;

	for (int i = 0; i < METHODS; i++) {
		char name[40];

		snprintf(name, sizeof(name), "method%d", 1000 + i);
		methods[thread][i] = constants_key(constants, POOL_METHOD);
		named_encode_method(constants, buf, class, name);
		constants_put_buf(constants, POOL_METHOD, methods[thread][i], buf);
		note_method(buf, thread, i);
	}
}

static struct method_place place_of(void *context, uint64_t id, int32_t bytecode)
{
	(void)context;
	(void)bytecode;
	return (struct method_place){
		.method = methods[(id >> 20) - 1][id >> 4 & (METHODS - 1)],
		.line = 42,
	};
}

static uint64_t thread_of(void *context, uint64_t number)
{
	(void)context;
	return number;
}

static void translate(struct recorder *of, struct batch *batch, const char *bytes,
		      size_t size)
{
	static const struct namer namer = { NULL, place_of, thread_of };

	samples_translate(of->constants, &namer, batch, bytes, size);
}

static void tell_load(struct recorder *of, struct batch *batch)
{
	(void)of;
	batch_begin(batch, EVENT_CPU_LOAD);
	encode_long(&batch->buf, batch->now);
	for (int i = 0; i < 3; i++)
		encode_float(&batch->buf, 0.5F);
	batch_end(batch);
}

static const struct observer fake = {
	.name = "fake",
	.periodic = (const struct periodic[]){ { EVENT_CPU_LOAD, tell_load }, { 0, NULL } },
	.translate = translate,
};
static const struct observer *const observers[] = { &fake, NULL };

/* --- workers ------------------------------------------------------------------- */

static bool commit_event(struct worker *worker, uint64_t number)
{
	uint64_t key = atomic_load(&worker->count->thread);
	struct emit event;

	if (!emit_begin(&event, worker->lane, EVENT_VIRTUAL_THREAD_START, EMIT_ROOM(4)))
		return false;
	emit_long(&event, now_ticks());
	emit_long(&event, (int64_t)key);
	emit_long(&event, (int64_t)named_stack(worker_recorder.constants, &worker->buf,
						 worker->class, FRAMES, number % 16));
	emit_long(&event, (int64_t)number);
	return emit_commit(&event);
}

static bool commit_sample(struct worker *worker, uint64_t number)
{
	struct rawframe frames[FRAMES];
	struct rawsample sample = {
		.ticks = worker_born + (int64_t)number,
		.thread = atomic_load(&worker->count->thread),
		.count = FRAMES,
	};
	struct emit event;

	for (int i = 0; i < FRAMES; i++)
		frames[i] = (struct rawframe){
			.method = method_number(worker->number,
						(int)(number >> i) % METHODS),
			.bytecode = i,
			.type = RAWFRAME_COMPILED,
		};
	if (!emit_begin(&event, worker->raw, EVENT_RAW_SAMPLE, rawsample_room(FRAMES)))
		return false;
	event.at = rawsample_put(event.at, &sample, frames);
	return emit_commit(&event);
}

bool worker_event(struct worker *worker)
{
	_Atomic(uint64_t) *count = &worker->count->events;
	bool is_there = commit_event(worker, atomic_load(count) + 1);

	if (is_there)
		atomic_fetch_add(count, 1);
	return is_there;
}

bool worker_sample(struct worker *worker)
{
	_Atomic(uint64_t) *count = &worker->count->samples;
	bool is_there = commit_sample(worker, atomic_load(count) + 1);

	if (is_there)
		atomic_fetch_add(count, 1);
	return is_there;
}

void worker_class(struct worker *worker, uint64_t number)
{
	char name[LARGE];
	int size;

	if (worker->class)
		constants_unpin(worker_recorder.constants, POOL_CLASS, worker->class);
	size = snprintf(name, sizeof(name), "test/Class%d_%llu", worker->number,
			(unsigned long long)number);
	if (number > 0 && number % LARGE_STEP == 0) {
		memset(name + size, 'x', sizeof(name) - (size_t)size - 1);
		name[sizeof(name) - 1] = 0;
	}
	worker->class = named_class(worker_recorder.constants, &worker->buf, name);
}

void worker_begin(struct worker *worker, int number)
{
	struct constants *constants = worker_recorder.constants;
	uint64_t key = constants_key(constants, POOL_THREAD);
	char name[40];

	*worker = (struct worker){ .number = number, .count = &worker_counts[number] };
	worker->lane = store_lane(&worker_recorder.store);
	worker->raw = store_raw_lane(&worker_recorder.store);
	worker_class(worker, 0);
	put_methods(&worker->buf, number, worker->class);
	worker->class = 0;	/* that one stays */
	worker_class(worker, 1);
	snprintf(name, sizeof(name), "worker %d", number);
	named_thread(constants, &worker->buf, key, name, number, number);
	atomic_store(&worker->count->thread, key);
}

/* --- the recording ------------------------------------------------------------- */

static void set_orders(const struct worker_plan *plan, const char *folder)
{
	struct buf text = { 0 };
	struct err err;

	orders_init(&orders);
	buf_printf(&text, "repository=%s\nflush-interval=%lld\ndisk=%s\n"
		   "max-chunk-size=%lld\nmax-size=%lld\nmemory-size=%lld\n"
		   "buffer-size=8192\nsetting=jdk.CPULoad#enabled=true\n"
		   "setting=jdk.CPULoad#period=10 ms\n"
		   "setting=jdk.ExecutionSample#enabled=true\n"
		   "setting=jdk.VirtualThreadStart#enabled=true\n",
		   folder, (long long)plan->flush_interval,
		   plan->to_disk ? "true" : "false", (long long)plan->chunk_size,
		   (long long)plan->max_size, (long long)plan->memory_size);
	if (!plan->in_file)
		buf_printf(&text, "socket=/nowhere\n");
	if (text.failed ||
	    !orders_read(&orders, (struct str){ text.bytes, text.size }, &err))
		worker_die("orders");
	buf_clear(&text);
}

void worker_record(const struct worker_plan *plan, const char *folder, int connection)
{
	struct err err;

	set_orders(plan, folder);
	if (!recorder_open(&worker_recorder, &orders, observers, NULL, &err) ||
	    !message_send(connection, MESSAGE_HELLO, worker_recorder.repository.path,
			  store_fd(&worker_recorder.store), &err) ||
	    !begun_record(&worker_recorder, &orders, &err))
		worker_die(err.text);
}

void worker_die(const char *what)
{
	perror(what);
	abort();
}
