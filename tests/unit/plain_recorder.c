/*
 * plain_recorder.c - recordings made without a JVM, by threads that write as fast as they
 * can, and read again. Without Criterion, which does not run under ThreadSanitizer.
 *
 *	plain_recorder				all trials, a line each
 *	plain_recorder FOLDER WORD=VALUE...	one recording, whose chunks stay in FOLDER
 *
 * Words are keys of orders (control/orders.h) or of struct work below. Prints what was
 * committed and lost. The events are jdk.VirtualThreadStart, whose javaThreadId counts
 * the events of its thread; stacks, methods, classes and threads come and go.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/map.h"
#include "begun.h"
#include "control/places.h"
#include "engine/emit.h"
#include "engine/recorder.h"
#include "jfr/frame.h"
#include "jfr/spillread.h"
#include "reread.h"
#include "unit/named.h"

#define THREADS_MAX 16
#define FRAMES 8

struct work {
	int64_t seconds;	/* 0: `events` says when it ends */
	int64_t threads;	/* at a time */
	int64_t events;		/* of each life of a thread */
	int64_t lives;		/* of each thread, one after the other; with seconds: any */
	int64_t rest;		/* nanoseconds between events, */
	int64_t burst;		/* or between so many of them */
	int64_t bare;		/* 1: events have no stacks, so that nothing takes a lock */
	int64_t churn;		/* so many events share a class of their own; 0: all do */
	int64_t raw;		/* 1: they are translated; two threads share a lane */
	int64_t others;		/* 1: other recordings come and go, and are handed over */
	int64_t file_limit;	/* bytes: a file that grows beyond cannot be written */
};

/* What one life of a thread did. */
struct life {
	uint64_t thread;	/* key */
	uint64_t sent, committed;
	uint64_t unwanted;		/* of these: when recording had failed */
	uint64_t found, first, last;	/* in the recording */
};

/* A lane that one thread after the other writes into, as signal handlers do. */
struct turn {
	atomic_bool is_taken;
	struct lane *lane;
};

static struct pit {
	struct recorder recorder;
	struct orders orders;
	struct work work;
	atomic_bool is_ending;
	struct turn turns[THREADS_MAX];	/* of raw lanes */
	pthread_mutex_t lock;	/* for what follows */
	VEC(struct life) lives;
	struct map by_thread;	/* key -> index in lives */
	uint64_t wrong;
	uint64_t oldest, newest;	/* start of an event in the recording, ticks */
	size_t names, memory;		/* of constants, before it ended */
	int running;
} pit;

static void pause_for(int64_t nanos)
{
	struct timespec time = { nanos / 1000000000, nanos % 1000000000 };

	if (nanos)
		nanosleep(&time, NULL);
}

/* --- what is recorded --------------------------------------------------------- */

/* The writer of a thread, with the class that it is at. */
struct writing {
	struct lane *lane;	/* NULL: takes turns */
	struct turn *turn;
	struct buf buf;
	struct life life;
	uint64_t class;
};

static void write_to(struct writing *writing, struct lane *lane, enum event_id type)
{
	struct life *life = &writing->life;
	struct emit event;
	uint64_t trace = 0;

	life->sent++;
	life->unwanted += !recorder_wants(&pit.recorder, EVENT_VIRTUAL_THREAD_START);
	if (!emit_begin(&event, lane, type, EMIT_ROOM(4)))
		return;
	emit_long(&event, now_ticks());
	emit_long(&event, (int64_t)life->thread);
	if (!pit.work.bare)
		trace = named_stack(pit.recorder.constants, &writing->buf,
				    writing->class, FRAMES, life->sent % 16);
	emit_long(&event, (int64_t)trace);
	emit_long(&event, (int64_t)life->sent);
	life->committed += emit_commit(&event);
}

static void write_event(struct writing *writing)
{
	struct turn *turn = writing->turn;

	if (writing->lane) {
		write_to(writing, writing->lane, EVENT_VIRTUAL_THREAD_START);
		return;
	}
	while (atomic_exchange_explicit(&turn->is_taken, true, memory_order_acquire))
		sched_yield();
	write_to(writing, turn->lane, EVENT_RAW_SAMPLE);
	atomic_store_explicit(&turn->is_taken, false, memory_order_release);
}

static void next_class(struct writing *writing)
{
	char name[60];

	if (writing->class)
		constants_unpin(pit.recorder.constants, POOL_CLASS, writing->class);
	snprintf(name, sizeof(name), "test/Class%llu_%llu",
		 (unsigned long long)writing->life.thread,
		 (unsigned long long)(pit.work.churn ? writing->life.sent : 0));
	writing->class = named_class(pit.recorder.constants, &writing->buf, name);
}

static void add_life(const struct life *life)
{
	pthread_mutex_lock(&pit.lock);
	if (!map_put(&pit.by_thread, life->thread, (uint32_t)pit.lives.count) ||
	    !vec_push(&pit.lives, *life))
		abort();
	pthread_mutex_unlock(&pit.lock);
}

static void live(int number)
{
	struct constants *constants = pit.recorder.constants;
	struct writing writing = { .turn = &pit.turns[number % THREADS_MAX / 2] };
	char name[40];

	if (!pit.work.raw)
		writing.lane = store_lane(&pit.recorder.store);
	writing.life.thread = constants_key(constants, POOL_THREAD);
	snprintf(name, sizeof(name), "worker %d", number);
	named_thread(constants, &writing.buf, writing.life.thread, name, number, number);
	next_class(&writing);
	for (int64_t i = 0; i < pit.work.events && !atomic_load(&pit.is_ending); i++) {
		if (pit.work.churn && i % pit.work.churn == 0)
			next_class(&writing);
		write_event(&writing);
		if (pit.work.burst == 0 || i % pit.work.burst == 0)
			pause_for(pit.work.rest);
	}
	constants_unpin(constants, POOL_CLASS, writing.class);
	constants_unpin(constants, POOL_THREAD, writing.life.thread);
	lane_release(writing.lane);
	buf_clear(&writing.buf);
	add_life(&writing.life);
}

static void *run_thread(void *context)
{
	int number = (int)(intptr_t)context;

	for (int64_t i = 0; i < pit.work.lives && !atomic_load(&pit.is_ending); i++)
		live(number + (int)i * THREADS_MAX);
	pthread_mutex_lock(&pit.lock);
	pit.running--;
	pthread_mutex_unlock(&pit.lock);
	return NULL;
}

static void tell_load(struct recorder *recorder, struct batch *batch)
{
	(void)recorder;
	batch_begin(batch, EVENT_CPU_LOAD);
	encode_long(&batch->buf, batch->now);
	for (int i = 0; i < 3; i++)
		encode_float(&batch->buf, 0.5F);
	batch_end(batch);
}

static void tell_dump(struct recorder *recorder, struct batch *batch)
{
	static char text[100000];

	(void)recorder;
	memset(text, 'x', sizeof(text));
	batch_begin(batch, EVENT_THREAD_DUMP);
	encode_long(&batch->buf, batch->now);
	encode_string(&batch->buf, (struct str){ text, sizeof(text) });
	batch_end(batch);
}

static void tell_system(struct recorder *recorder, struct batch *batch)
{
	(void)recorder;
	batch_begin(batch, EVENT_OS_INFORMATION);
	encode_long(&batch->buf, batch->now);
	encode_string(&batch->buf, STR("a system of its own"));
	batch_end(batch);
}

/* Raw events are those that they become, but for their type. */
static void translate(struct recorder *recorder, struct batch *batch, const char *bytes,
		      size_t size)
{
	const unsigned char *from = (const unsigned char *)bytes;
	struct frame frame;

	(void)recorder;
	for (size_t at = 0; at < size; at += frame.size) {
		if (frame_read(from, size, at, &frame) ||
		    frame.type_id != EVENT_RAW_SAMPLE)
			abort();
		batch_begin(batch, EVENT_VIRTUAL_THREAD_START);
		buf_add(&batch->buf, frame.body,
			(size_t)(from + at + frame.size - frame.body));
		batch_end(batch);
	}
}

static const struct observer fake = {
	.name = "fake",
	.periodic = (const struct periodic[]){ { EVENT_CPU_LOAD, tell_load },
					       { EVENT_THREAD_DUMP, tell_dump },
					       { EVENT_OS_INFORMATION, tell_system },
					       { 0, NULL } },
	.translate = translate,
};
static const struct observer *const observers[] = { &fake, NULL };

/* --- recording ---------------------------------------------------------------- */

static bool is_done(void)
{
	bool none;

	pthread_mutex_lock(&pit.lock);
	none = pit.running == 0;
	pthread_mutex_unlock(&pit.lock);
	return none;
}

/* The flusher, until all threads are done or it is time. */
static void flush_until_done(void)
{
	int64_t end = now_ticks() + pit.work.seconds * 1000000000;

	while (!is_done()) {
		int64_t now = now_ticks();
		int64_t due = recorder_round(&pit.recorder);

		if (pit.work.seconds && now >= end)
			atomic_store(&pit.is_ending, true);
		pause_for(due - now > 1000000 ? 1000000 : due > now ? due - now : 0);
	}
}

/* What is in a folder that is handed over is a recording; it has been read. */
static void discard(char *folder)
{
	if (folder && !places_discard(folder))
		abort();
	free(folder);
}

/* One of other settings comes, is changed, handed over, and goes. */
static void have_other(const char *lines)
{
	struct err err = { ERR_NONE, "" };
	struct orders orders, more;
	char *folder;
	uint64_t id;

	orders_init(&orders);
	orders_init(&more);
	if (!orders_read(&orders, str_of(lines), &err) ||
	    !orders_read(&more, STR("setting=jdk.CPULoad#period=5 ms\n"), &err) ||
	    !recorder_begin(&pit.recorder, &orders, &id, NULL, &err))
		abort();
	pause_for(5000000);
	if (!recorder_change(&pit.recorder, id, &more, &err) ||
	    !recorder_hand_over(&pit.recorder, id, 0, &folder, &err))
		abort();
	discard(folder);
	pause_for(5000000);
	if (!recorder_end(&pit.recorder, id, &err) ||
	    !recorder_hand_over(&pit.recorder, id, 0, &folder, &err) || !folder)
		abort();
	discard(folder);
	recorder_drop(&pit.recorder, id);
	orders_clear(&more);
}

static void *run_others(void *context)
{
	(void)context;
	while (!is_done()) {
		have_other("setting=jdk.CPULoad#enabled=true\n");
		have_other("disk=false\nsetting=jdk.VirtualThreadStart#enabled=true\n");
	}
	return NULL;
}

static void record(void)
{
	pthread_t threads[THREADS_MAX], others;

	for (int i = 0; pit.work.raw && i < THREADS_MAX / 2; i++)
		pit.turns[i].lane = store_raw_lane(&pit.recorder.store);
	pit.running = (int)pit.work.threads;
	for (intptr_t i = 0; i < pit.work.threads; i++) {
		if (pthread_create(&threads[i], NULL, run_thread, (void *)i) != 0)
			abort();
	}
	if (pit.work.others && pthread_create(&others, NULL, run_others, NULL) != 0)
		abort();
	flush_until_done();
	for (int i = 0; i < pit.work.threads; i++)
		pthread_join(threads[i], NULL);
	if (pit.work.others)
		pthread_join(others, NULL);
	pit.names = constants_count(pit.recorder.constants);
	pit.memory = constants_memory(pit.recorder.constants);
	recorder_stop(&pit.recorder, INT64_MAX);
}

static void limit_files(rlim_t size)
{
	struct rlimit limit = { size, RLIM_INFINITY };

	setrlimit(RLIMIT_FSIZE, &limit);
}

static bool make_recording(struct err *err)
{
	pit.by_thread = (struct map){ 0 };
	vec_clear(&pit.lives);
	pit.wrong = 0;
	pit.oldest = UINT64_MAX;
	pit.newest = 0;
	atomic_store(&pit.is_ending, false);
	if (!recorder_open(&pit.recorder, &pit.orders, observers, NULL, err))
		return false;
	if (pit.work.file_limit)
		limit_files((rlim_t)pit.work.file_limit);
	if (begun_record(&pit.recorder, &pit.orders, err))
		record();
	limit_files(RLIM_INFINITY);
	return true;
}

/* --- reading it again --------------------------------------------------------- */

static const char *path_of(size_t index)
{
	return pit.recorder.repository.files.items[index].path;
}

/* Each event of a thread once, in its order; a gap is what was lost, or given up. */
static void find_event(void *context, uint64_t type, const uint64_t *fields)
{
	uint64_t thread = fields[1], number = fields[3];
	struct life *life;
	uint32_t index;

	(void)context;
	if (type != EVENT_VIRTUAL_THREAD_START)
		return;
	index = map_find(&pit.by_thread, thread);
	if (index == MAP_NONE) {
		pit.wrong++;
		return;
	}
	life = &pit.lives.items[index];
	pit.wrong += number <= life->last;
	if (fields[0] < pit.oldest)
		pit.oldest = fields[0];
	if (fields[0] > pit.newest)
		pit.newest = fields[0];
	if (!life->found++)
		life->first = number;
	life->last = number;
}

/* False if something is wrong with the files, or with the events in them. */
static bool read_recording(void)
{
	size_t count = pit.recorder.repository.files.count;
	const char **paths = calloc(count + 1, sizeof(*paths));
	uint64_t faults;

	if (!paths)
		abort();
	for (size_t i = 0; i < count; i++)
		paths[i] = path_of(i);
	faults = reread_verify(paths, count);
	pit.wrong += reread_events(paths, count, find_event, NULL);
	free(paths);
	return !faults && !pit.wrong;
}

struct sums {
	uint64_t sent, committed, found, gaps;
	uint64_t left;		/* in the spill file, and in no chunk */
};

static bool count_left(void *context, uint64_t lane, const char *bytes, size_t size)
{
	uint64_t *count = context;
	struct frame frame;

	for (size_t at = 0; at < size; at += frame.size) {
		if (frame_read((const unsigned char *)bytes, size, at, &frame))
			return false;
		*count += frame.type_id == EVENT_VIRTUAL_THREAD_START;
	}
	return !(lane & LANE_RAW);
}

/* The flush that failed was cut back: it was not done. */
static uint64_t left_events(void)
{
	struct err err = { ERR_NONE, "" };
	struct spill spill;
	uint64_t count = 0;

	if (!spill_open(&spill, store_fd(&pit.recorder.store), &err)) {
		printf("# %s\n", err.text);
		return 0;
	}
	if (!spill_events(&spill, count_left, &count, &err) || spill.damaged)
		pit.wrong++;
	spill_close(&spill);
	return count;
}

/* Behind what was given up, nothing is missing: `gaps` are events that are. */
static struct sums sums_of(void)
{
	struct sums sums = { .left = left_events() };

	for (size_t i = 0; i < pit.lives.count; i++) {
		const struct life *life = &pit.lives.items[i];

		sums.sent += life->sent;
		sums.committed += life->committed;
		sums.found += life->found;
		if (life->found)
			sums.gaps += life->last - life->first + 1 - life->found;
	}
	return sums;
}

static void remove_files(void)
{
	for (size_t i = 0; i < pit.recorder.repository.files.count; i++)
		unlink(path_of(i));
	unlink(pit.recorder.spill_path);	/* stays when recording failed */
	rmdir(pit.recorder.repository.path);
}

static void close_recording(bool files_stay)
{
	if (pit.recorder.repository.path && !files_stay)
		remove_files();
	recorder_close(&pit.recorder);
	orders_clear(&pit.orders);
	map_clear(&pit.by_thread);
	vec_clear(&pit.lives);
}

/* --- trials ------------------------------------------------------------------- */

enum expectation {
	ALL = 1,	/* each committed event is there */
	LAST = 2,	/* those given up came before all that is there */
	ROTATED = 4,	/* there were many chunks */
	DROPPED = 8,	/* some events were lost */
	FULL = 16,	/* it could not be written to its end */
	FORGOTTEN = 32,	/* constants are gone whose chunks are */
};

struct trial {
	const char *name;
	const char *orders;	/* lines, with blanks for newlines */
	struct work work;
	int expected;
};

static const struct trial trials[] = {
	{ "one chunk", "", { .threads = 8, .events = 2000, .lives = 2 }, ALL },
	{ "chunks that end all the time",
	  "max-chunk-size=20000 flush-interval=1000000",
	  { .threads = 8, .events = 5000, .lives = 3, .churn = 50, .rest = 1 },
	  ALL | ROTATED },
	{ "threads at full speed",
	  "max-chunk-size=100000 flush-interval=1000000",
	  { .threads = 8,
	    .events = 50000,
	    .lives = 2,
	    .rest = 1000000,
	    .burst = 100,
	    .bare = 1 },
	  ALL | ROTATED },
	{ "raw events",
	  "max-chunk-size=20000 flush-interval=1000000",
	  { .threads = 8,
	    .events = 5000,
	    .lives = 3,
	    .churn = 50,
	    .rest = 1,
	    .raw = 1 },
	  ALL | ROTATED },
	{ "raw events in memory, and few buffers",
	  "disk=false buffer-size=4096 memory-size=8000000",
	  { .threads = 8, .events = 20000, .lives = 1, .bare = 1, .raw = 1 },
	  ALL },
	{ "buffers that run out",
	  "buffer-size=4096 memory-size=65536 flush-interval=100000000",
	  { .threads = 8, .events = 20000, .lives = 1 },
	  ALL | DROPPED },
	{ "a size that is kept",
	  "max-size=600000 flush-interval=2000000",
	  { .threads = 4, .events = 5000, .lives = 4, .churn = 100 },
	  LAST | ROTATED },
	{ "names that are forgotten",
	  "max-size=600000 flush-interval=50000000",
	  { .seconds = 4,
	    .threads = 2,
	    .events = 500,
	    .lives = 1000000,
	    .churn = 20,
	    .rest = 1 },
	  LAST | ROTATED | FORGOTTEN },
	{ "in memory", "disk=false", { .threads = 4, .events = 3000, .lives = 2 }, ALL },
	{ "little memory",
	  "disk=false memory-size=600000",
	  { .threads = 4, .events = 8000, .lives = 2, .churn = 100, .rest = 1000 },
	  LAST },
	{ "recordings that come and go beside it",
	  "flush-interval=5000000",
	  { .threads = 4,
	    .events = 20000,
	    .lives = 2,
	    .churn = 500,
	    .rest = 1000000,
	    .burst = 50,
	    .others = 1 },
	  ALL | ROTATED },
	{ "recordings that come and go beside one in memory",
	  "disk=false memory-size=400000000",
	  { .threads = 4,
	    .events = 20000,
	    .lives = 2,
	    .rest = 1000000,
	    .burst = 50,
	    .others = 1 },
	  ALL | ROTATED },
	{ "a disk that is full",
	  "max-chunk-size=400000",
	  { .threads = 4,
	    .events = 8000,
	    .lives = 1,
	    .rest = 100000,
	    .file_limit = 300000 },
	  FULL },
	{ "a disk that has not room for all that was kept",
	  "disk=false memory-size=8000000 flush-interval=10000000000",
	  { .threads = 4,
	    .events = 20000,
	    .lives = 1,
	    .rest = 100000,
	    .burst = 100,
	    .file_limit = 300000 },
	  FULL },
	{ "a disk that has not room for what came at once",
	  "flush-interval=10000000000",
	  { .threads = 4,
	    .events = 20000,
	    .lives = 1,
	    .rest = 100000,
	    .burst = 100,
	    .file_limit = 600000 },
	  FULL },
};

/* All our events, with a load that is told each 10 ms. */
static const char settings[] = "flush-interval=20000000\n"
			       "setting=jdk.ActiveRecording#enabled=true\n"
			       "setting=jdk.ActiveSetting#enabled=true\n"
			       "setting=jdk.CPULoad#enabled=true\n"
			       "setting=jdk.CPULoad#period=10 ms\n"
			       "setting=jdk.DataLoss#enabled=true\n"
			       "setting=jdk.OSInformation#enabled=true\n"
			       "setting=jdk.OSInformation#period=beginChunk\n"
			       "setting=jdk.ThreadDump#enabled=true\n"
			       "setting=jdk.VirtualThreadStart#enabled=true\n";

static bool set_orders(const char *folder, const char *more, struct err *err)
{
	struct buf text = { 0 };
	bool is_set;

	buf_printf(&text, "repository=%s\n%s", folder, settings);
	for (; *more; more++)
		buf_byte(&text, *more == ' ' ? '\n' : *more);
	if (text.bytes && text.bytes[text.size - 1] != '\n')
		buf_byte(&text, '\n');
	orders_init(&pit.orders);
	is_set = orders_read(&pit.orders, (struct str){ text.bytes, text.size }, err);
	buf_clear(&text);
	return is_set;
}

static bool is_as_expected(int expected, const struct sums *sums)
{
	const struct spill_header *header = store_header(&pit.recorder.store);
	uint64_t lost = sums->sent - sums->committed;
	bool has_failed = spill_get(&header->state) == SPILL_FAILED;

	return sums->found > 0 && !pit.wrong &&
	       (has_failed ? spill_get(&header->lost_events) <= lost
			   : spill_get(&header->lost_events) == lost) &&
	       has_failed == !!(expected & FULL) &&
	       (has_failed ? sums->found + sums->left == sums->committed
			   : sums->left == 0) &&
	       spill_get(&header->state) != SPILL_RECORDING &&
	       (!(expected & ALL) || sums->found == sums->committed) &&
	       (!(expected & LAST) ||
		(sums->found < sums->committed && (lost || sums->gaps == 0))) &&
	       (!(expected & ROTATED) || spill_get(&header->chunks) > 5) &&
	       (!(expected & DROPPED) || lost > 0) &&
	       (!(expected & FORGOTTEN) ||
		pit.names < sums->sent / 2) &&
	       constants_count(pit.recorder.constants) == 0;
}

/* Nothing is kept beyond the size, and nobody else can read it. */
static bool is_small(void)
{
	const struct repository *repository = &pit.recorder.repository;
	struct stat status;

	if (pit.orders.max_size &&
	    repository->size > (uint64_t)pit.orders.max_size * 3 / 2)
		return false;
	return stat(repository->path, &status) == 0 && (status.st_mode & 0777) == 0700;
}

static void print_sums(const struct sums *sums)
{
	const struct spill_header *header = store_header(&pit.recorder.store);

	printf("sent %llu committed %llu found %llu left %llu gaps %llu wrong %llu "
	       "span %lld "
	       "chunks %llu constants %zu memory %zu %s\n",
	       (unsigned long long)sums->sent, (unsigned long long)sums->committed,
	       (unsigned long long)sums->found, (unsigned long long)sums->left,
	       (unsigned long long)sums->gaps,
	       (unsigned long long)pit.wrong, (long long)(pit.newest - pit.oldest),
	       (unsigned long long)header->chunks,
	       pit.names,
	       pit.memory, header->message);
}

static bool run_trial(const struct trial *trial, const char *folder)
{
	struct err err = { ERR_NONE, "" };
	struct sums sums;
	bool is_good;

	pit.work = trial->work;
	if (!set_orders(folder, trial->orders, &err) || !make_recording(&err)) {
		printf("# %s\n", err.text);
		return false;
	}
	is_good = read_recording();
	sums = sums_of();
	is_good = is_good && is_as_expected(trial->expected, &sums) && is_small();
	printf("# ");
	print_sums(&sums);
	close_recording(false);
	return is_good;
}

static int run_trials(void)
{
	char folder[] = "/tmp/plain_recorder.XXXXXX";
	size_t count = sizeof(trials) / sizeof(trials[0]);
	int failures = 0;

	if (!mkdtemp(folder))
		return 1;
	for (size_t i = 0; i < count; i++) {
		bool is_good = run_trial(&trials[i], folder);

		failures += !is_good;
		printf("%sok %zu - %s\n", is_good ? "" : "not ", i + 1, trials[i].name);
		fflush(stdout);
	}
	rmdir(folder);
	printf("1..%zu\n", count);
	return failures != 0;
}

/* --- one recording ------------------------------------------------------------ */

static const struct {
	const char *word;
	int64_t *value;
} words[] = {
	{ "seconds", &pit.work.seconds }, { "threads", &pit.work.threads },
	{ "events", &pit.work.events },	  { "lives", &pit.work.lives },
	{ "rest", &pit.work.rest },	  { "bare", &pit.work.bare },
	{ "burst", &pit.work.burst },	  { "churn", &pit.work.churn },
	{ "others", &pit.work.others },
	{ "file-limit", &pit.work.file_limit }, { "raw", &pit.work.raw },
};

static bool set_word(const char *argument)
{
	const char *sign = strchr(argument, '=');

	for (size_t i = 0; sign && i < sizeof(words) / sizeof(words[0]); i++) {
		if (str_is((struct str){ argument, (size_t)(sign - argument) },
			   str_of(words[i].word))) {
			*words[i].value = strtoll(sign + 1, NULL, 10);
			return true;
		}
	}
	return false;
}

static bool set_words(int argc, char **argv, struct err *err)
{
	struct buf more = { 0 };
	bool is_set;

	pit.work = (struct work){ .threads = 4, .events = INT64_MAX, .lives = 1 };
	for (int i = 2; i < argc; i++) {
		if (!set_word(argv[i]))
			buf_printf(&more, "%s ", argv[i]);
	}
	buf_byte(&more, '\0');
	is_set = set_orders(argv[1], more.bytes, err);
	buf_clear(&more);
	return is_set;
}

static int run_one(int argc, char **argv)
{
	struct err err = { ERR_NONE, "" };
	struct sums sums;
	bool is_good;

	if (!set_words(argc, argv, &err) || !make_recording(&err)) {
		printf("%s\n", err.text);
		return 1;
	}
	is_good = read_recording();
	sums = sums_of();
	print_sums(&sums);
	close_recording(true);
	return !is_good;
}

int main(int argc, char **argv)
{
	pthread_mutex_init(&pit.lock, NULL);
	signal(SIGXFSZ, SIG_IGN);
	return argc > 1 ? run_one(argc, argv) : run_trials();
}
