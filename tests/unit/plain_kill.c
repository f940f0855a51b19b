/*
 * plain_kill.c - a process that records is killed, again and again: what it had committed
 * is in its recording, each event once. Without a JVM, and without Criterion.
 *
 *	plain_kill [SEED [KILLS]]	PLAIN_KILL_KEEP in the environment: files stay
 *
 * Threads commit events, and then count them in memory that the parent has, too. The
 * parent kills, reads chunk files and spill file (salvage.h), and compares. Each thread
 * commits two kinds: jdk.VirtualThreadStart in a lane of its own, whose javaThreadId
 * counts them, and raw samples, whose ticks do. They become jdk.ExecutionSample, also
 * when it is the parent who makes them.
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"
#include "control/message.h"
#include "copy/copy.h"
#include "engine/emit.h"
#include "engine/recorder.h"
#include "engine/samples.h"
#include "jfr/event.h"
#include "jfr/frame.h"
#include "jfr/input.h"
#include "jfr/methodnote.h"
#include "jfr/rawsample.h"
#include "reread.h"
#include "salvage/salvage.h"

#define THREADS 4
#define METHODS 8		/* of each thread's samples */
#define FRAMES 4
#define KILLS 60

/* What a thread has committed, for all to see. */
struct count {
	_Atomic(uint64_t) thread;	/* its key; 0: none yet */
	_Atomic(uint64_t) events, samples;
};

static struct count *counts;		/* shared with the child */
static int64_t born;			/* ticks, before that: samples count from there */

/* How a child records, and how long it lives. */
struct trial {
	bool to_disk, in_file;
	int64_t chunk_size, flush_interval;
	int64_t rest;			/* nanoseconds, after `burst` events */
	uint64_t burst;
	int64_t linger;			/* nanoseconds, before and after each write */
	int64_t life;			/* nanoseconds, until it is killed */
	int64_t stop;			/* until the recording is stopped; 0: never */
};

static void pause_for(int64_t nanos)
{
	struct timespec time = { nanos / SECOND, nanos % SECOND };

	if (nanos > 0)
		nanosleep(&time, NULL);
}

static void die(const char *what)
{
	perror(what);
	abort();
}

/* --- the child: writes ------------------------------------------------------------- */

static int64_t linger;

/*
 * All that is written to chunk files goes through here. Between two writes, and before it
 * is known that they were done, a process dies too seldom to wait for; least of all
 * behind that of a header, which is the one that counts.
 */
ssize_t __real_pwrite(int fd, const void *bytes, size_t size, off_t at);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t at);

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	ssize_t written;

	pause_for(linger);
	written = __real_pwrite(fd, bytes, size, at);
	pause_for(at == 0 ? 8 * linger : linger);
	return written;
}

/* --- the child: constants -------------------------------------------------------- */

static struct recorder recorder;
static struct orders orders;

static uint64_t put_class(struct buf *buf, const char *name)
{
	struct constants *constants = recorder.constants;
	uint64_t symbol = constants_symbol(constants, str_of(name));
	uint64_t key = constants_key(constants, POOL_CLASS);

	buf_reset(buf);
	encode_varint(buf, 0);
	encode_varint(buf, symbol);
	encode_varint(buf, 0);
	encode_int(buf, 1);
	encode_boolean(buf, false);
	constants_put(constants, POOL_CLASS, key, buf->bytes, buf->size);
	return key;
}

static void encode_method(struct buf *buf, uint64_t class, int number)
{
	struct constants *constants = recorder.constants;
	uint64_t name, descriptor;
	char text[40];

	snprintf(text, sizeof(text), "method%d", number);
	name = constants_symbol(constants, str_of(text));
	descriptor = constants_symbol(constants, STR("()V"));
	buf_reset(buf);
	encode_varint(buf, class);
	encode_varint(buf, name);
	encode_varint(buf, descriptor);
	encode_int(buf, 1);
	encode_boolean(buf, false);
}

static uint64_t put_thread(struct buf *buf, int number)
{
	struct constants *constants = recorder.constants;
	uint64_t group, key = constants_key(constants, POOL_THREAD);
	char name[40];

	buf_reset(buf);
	encode_varint(buf, 0);
	encode_string(buf, STR("main"));
	group = constants_intern_buf(constants, POOL_THREAD_GROUP, buf);
	snprintf(name, sizeof(name), "worker %d", number);
	buf_reset(buf);
	encode_string(buf, str_of(name));
	encode_long(buf, number);
	encode_string(buf, str_of(name));
	encode_long(buf, number);
	encode_varint(buf, group);
	encode_boolean(buf, false);
	constants_put_buf(constants, POOL_THREAD, key, buf);
	return key;
}

static uint64_t stack(struct buf *buf, uint64_t class, uint64_t variant)
{
	struct constants *constants = recorder.constants;
	uint64_t type = constants_string(constants, POOL_FRAME_TYPE,
					 STR("Interpreted"));
	uint64_t methods[FRAMES];

	for (int i = 0; i < FRAMES; i++) {
		encode_method(buf, class, (int)(variant >> i & 1) * 100 + i);
		methods[i] = constants_intern_buf(constants, POOL_METHOD, buf);
	}
	buf_reset(buf);
	encode_boolean(buf, false);
	encode_int(buf, FRAMES);
	for (int i = 0; i < FRAMES; i++) {
		encode_varint(buf, methods[i]);
		encode_int(buf, 10 + i);
		encode_int(buf, i);
		encode_varint(buf, type);
	}
	return constants_intern_buf(constants, POOL_STACK_TRACE, buf);
}

/* --- the child: samples ------------------------------------------------------------ */

/* Methods of samples have these numbers; their constants stay. */
static uint64_t methods[THREADS][METHODS];

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
	if (!records_put(recorder.records, SPILL_METHOD, method_number(thread, number),
			 buf->bytes, buf->size))
		abort();
}

static void put_methods(struct buf *buf, int thread, uint64_t class)
{
	struct constants *constants = recorder.constants;

	for (int i = 0; i < METHODS; i++) {
		methods[thread][i] = constants_key(constants, POOL_METHOD);
		encode_method(buf, class, 1000 + i);
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

/* --- the child: threads ----------------------------------------------------------- */

struct worker {
	const struct trial *trial;
	int number;
	struct count *count;
	struct lane *lane, *raw;
	uint64_t class;
	struct buf buf;
};

static bool commit_event(struct worker *worker, uint64_t number)
{
	uint64_t key = atomic_load(&worker->count->thread);
	struct emit event;

	if (!emit_begin(&event, worker->lane, EVENT_VIRTUAL_THREAD_START, EMIT_ROOM(4)))
		return false;
	emit_long(&event, now_ticks());
	emit_long(&event, (int64_t)key);
	emit_long(&event, (int64_t)stack(&worker->buf, worker->class, number % 16));
	emit_long(&event, (int64_t)number);
	return emit_commit(&event);
}

static bool commit_sample(struct worker *worker, uint64_t number)
{
	struct rawframe frames[FRAMES];
	struct rawsample sample = {
		.ticks = born + (int64_t)number,
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

/* Another class from time to time, so that there are constants that are new. */
static void next_class(struct worker *worker, uint64_t number)
{
	char name[60];

	if (worker->class)
		constants_unpin(recorder.constants, POOL_CLASS, worker->class);
	snprintf(name, sizeof(name), "test/Class%d_%llu", worker->number,
		 (unsigned long long)number);
	worker->class = put_class(&worker->buf, name);
}

static void begin_work(struct worker *worker)
{
	worker->lane = store_lane(&recorder.store);
	worker->raw = store_raw_lane(&recorder.store);
	next_class(worker, 0);
	put_methods(&worker->buf, worker->number, worker->class);
	worker->class = 0;	/* that one stays */
	next_class(worker, 1);
	atomic_store(&worker->count->thread, put_thread(&worker->buf, worker->number));
}

/* What does not get through is tried again: then it has the same number. */
static void *work(void *context)
{
	struct worker *worker = context;
	struct count *count = worker->count;
	const struct trial *trial = worker->trial;

	begin_work(worker);
	for (uint64_t i = 1;; i++) {
		if (i % 64 == 0)
			next_class(worker, i);
		if (commit_event(worker, atomic_load(&count->events) + 1))
			atomic_fetch_add(&count->events, 1);
		else
			pause_for(MILLISECOND / 10);
		if (commit_sample(worker, atomic_load(&count->samples) + 1))
			atomic_fetch_add(&count->samples, 1);
		if (i % trial->burst == 0)
			pause_for(trial->rest);
	}
	return NULL;
}

static void set_orders(const struct trial *trial, const char *folder)
{
	struct buf text = { 0 };
	struct err err;

	orders_init(&orders);
	buf_printf(&text, "repository=%s\nflush-interval=%lld\ndisk=%s\n"
		   "max-chunk-size=%lld\nmemory-size=64000000\nbuffer-size=8192\n"
		   "setting=jdk.CPULoad#enabled=true\nsetting=jdk.CPULoad#period=10 ms\n"
		   "setting=jdk.ExecutionSample#enabled=true\n"
		   "setting=jdk.VirtualThreadStart#enabled=true\n",
		   folder, (long long)trial->flush_interval,
		   trial->to_disk ? "true" : "false", (long long)trial->chunk_size);
	if (!trial->in_file)
		buf_printf(&text, "socket=/nowhere\n");
	if (text.failed ||
	    !orders_read(&orders, (struct str){ text.bytes, text.size }, &err))
		die("orders");
	buf_clear(&text);
}

static void start_threads(const struct trial *trial)
{
	static struct worker workers[THREADS];
	pthread_t thread;

	for (int i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){ trial, i, &counts[i], .lane = NULL };
		if (pthread_create(&thread, NULL, work, &workers[i]) != 0)
			die("pthread_create");
	}
}

/* Records until it is killed. */
static void record(const struct trial *trial, const char *folder, int connection)
{
	int64_t end = now_ticks() + trial->stop;
	struct err err;

	linger = trial->linger;
	set_orders(trial, folder);
	if (!recorder_open(&recorder, &orders, observers, NULL, &err))
		die(err.text);
	if (!message_send(connection, MESSAGE_HELLO, recorder.repository.path,
			  store_fd(&recorder.store), &err))
		die(err.text);
	if (!recorder_start(&recorder, &err))
		die(err.text);
	start_threads(trial);
	while (!trial->stop || now_ticks() < end) {
		int64_t due = recorder_round(&recorder), now = now_ticks();

		pause_for(due - now > MILLISECOND ? MILLISECOND : due - now);
	}
	recorder_stop(&recorder);
	for (;;)
		pause();
}

/* --- the parent: what was recorded ---------------------------------------------- */

static struct found {
	uint64_t events[THREADS], samples[THREADS];
	uint64_t wrong;
} found;

static int thread_by(uint64_t key)
{
	for (int i = 0; i < THREADS; i++) {
		if (key && atomic_load(&counts[i].thread) == key)
			return i;
	}
	return -1;
}

/* They come in their order, without gaps. */
static void find_event(void *context, uint64_t type, const uint64_t *fields)
{
	bool is_sample = type == EVENT_EXECUTION_SAMPLE;
	int thread;
	uint64_t number;

	(void)context;
	if (!is_sample && type != EVENT_VIRTUAL_THREAD_START)
		return;
	thread = thread_by(fields[1]);
	number = is_sample ? fields[0] - (uint64_t)born : fields[3];
	if (thread < 0 || !fields[2] ||
	    number != (is_sample ? found.samples : found.events)[thread] + 1) {
		if (found.wrong++ < 5)
			printf("# thread %d (%llu): %s %llu, stack %llu\n", thread,
			       (unsigned long long)fields[1],
			       is_sample ? "sample" : "event",
			       (unsigned long long)number,
			       (unsigned long long)fields[2]);
		if (thread < 0)
			return;
	}
	(is_sample ? found.samples : found.events)[thread] = number;
}

static bool write_to(void *context, const void *bytes, size_t size, struct err *err)
{
	FILE *file = context;

	return fwrite(bytes, 1, size, file) == size || err_system(err, "cannot write");
}

/* Makes one recording of all. False: there is none, or something is wrong with it. */
static bool assemble(const char *repository, const struct salvage *salvage,
		     const char *path, bool *is_empty)
{
	struct input_rest rest = {
		.directory = repository,
		.cut = salvage->cut,
		.cut_size = salvage->cut_size,
		.name = "rest",
		.bytes = salvage->chunks.bytes,
		.size = salvage->chunks.size,
	};
	struct input input = { .rests = &rest, .rest_count = 1 };
	struct copy copy = { .sink = write_to };
	struct damage damage = { 0 };
	struct err err = { ERR_NONE, "" };
	FILE *file = fopen(path, "w");
	bool is_good;

	if (!file)
		die(path);
	copy.context = file;
	is_good = input_open(&input, &repository, 1, &damage, &err);
	*is_empty = !is_good && damage_is_none(&damage);
	if (is_good)
		is_good = copy_input(&copy, &input, &damage, &err);
	for (size_t i = 0; i < damage.faults.count; i++)
		printf("# %s%s: %s %s\n", damage.faults.items[i].is_note ? "note: " : "",
		       damage.faults.items[i].first.file, damage.faults.items[i].cause,
		       damage.faults.items[i].detail);
	if (!is_good && !*is_empty)
		printf("# %s\n", err.text);
	is_good = is_good && damage_is_none(&damage);
	copy_clear(&copy);
	damage_clear(&damage);
	input_close(&input);
	return fclose(file) == 0 && is_good;
}

static bool read_again(const char *repository, const struct salvage *salvage,
		       const char *folder)
{
	char *path = path_within(folder, "recording.jfr");
	const char *paths[] = { path };
	bool is_empty, is_good;

	is_good = assemble(repository, salvage, path, &is_empty);
	if (is_good)
		is_good = reread_findings(paths, 1) == 0 &&
			  reread_events(paths, 1, find_event, NULL) == 0;
	if (getenv("PLAIN_KILL_KEEP"))
		printf("# %s\n", path);
	else
		unlink(path);
	free(path);
	return is_good || is_empty;
}

/* One who is killed between commit and count has one more. */
static bool is_count(int thread, const char *what, uint64_t there, uint64_t counted)
{
	if (there == counted || there == counted + 1)
		return true;
	printf("# thread %d: %llu %s, but %llu counted\n", thread,
	       (unsigned long long)there, what, (unsigned long long)counted);
	return false;
}

static bool are_all_there(void)
{
	bool is_good = found.wrong == 0;

	for (int i = 0; i < THREADS; i++) {
		is_good &= is_count(i, "events", found.events[i],
				    atomic_load(&counts[i].events));
		is_good &= is_count(i, "samples", found.samples[i],
				    atomic_load(&counts[i].samples));
	}
	return is_good;
}

static uint64_t sum(void)
{
	uint64_t all = 0;

	for (int i = 0; i < THREADS; i++)
		all += found.events[i] + found.samples[i];
	return all;
}

/* `spill`: -1 if nobody could have it, as the child was not that far. */
static bool check(const char *repository, int spill, const char *folder)
{
	struct salvage salvage = { .events = 0 };
	struct err err;
	bool is_good;

	if (repository && spill < 0)
		spill = salvage_find(repository, &err);
	else
		spill = dup(spill);
	if (spill < 0)
		return !repository || read_again(repository, &salvage, folder);
	is_good = salvage_run(&salvage, spill, repository, &err);
	if (!is_good)
		printf("# %s\n", err.text);
	if (salvage.damaged)
		printf("# %llu damaged\n", (unsigned long long)salvage.damaged);
	is_good = is_good && !salvage.damaged && read_again(repository, &salvage, folder);
	printf("# %llu events, %llu of them from the spill file\n",
	       (unsigned long long)sum(), (unsigned long long)salvage.events);
	salvage_clear(&salvage);
	close(spill);
	return is_good && are_all_there();
}

/* --- the parent: kills ----------------------------------------------------------- */

static uint64_t state;

static uint64_t below(uint64_t limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % limit;
}

/* Most lives are short: more happens at the start. */
static struct trial choose(void)
{
	static const int64_t chunk_sizes[] = { 20000, 200000, 12000000 };
	static const int64_t intervals[] = { MILLISECOND, 5 * MILLISECOND,
					     50 * MILLISECOND };
	struct trial trial = {
		.to_disk = below(4) > 0,
		.in_file = below(2),
		.chunk_size = chunk_sizes[below(3)],
		.flush_interval = intervals[below(3)],
		.burst = 1 + below(100),
		.rest = (int64_t)below(2) * MILLISECOND,
	};

	if (below(2))
		trial.linger = MILLISECOND / 5;
	trial.life = (int64_t)below((uint64_t)MILLISECOND << below(8));
	if (below(4) == 0)
		trial.stop = 1 + (int64_t)below((uint64_t)trial.life + 1);
	return trial;
}

/* The only folder in it; NULL: there is none yet. */
static char *repository_in(const char *folder)
{
	DIR *all = opendir(folder);
	struct dirent *entry;
	char *path = NULL;

	while (all && !path && (entry = readdir(all))) {
		if (*entry->d_name != '.')
			path = path_within(folder, entry->d_name);
	}
	if (all)
		closedir(all);
	return path;
}

static void remove_all(const char *path)
{
	DIR *all = opendir(path);
	struct dirent *entry;

	while (all && (entry = readdir(all))) {
		char *inner = path_within(path, entry->d_name);

		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0 && unlink(inner) != 0)
			remove_all(inner);
		free(inner);
	}
	if (all)
		closedir(all);
	rmdir(path);
}

static void print_trial(const struct trial *trial)
{
	printf("# %s, %s, chunks of %lld, flushed each %lld us, killed after %lld us, "
	       "stopped after %lld us, writes of %lld us\n",
	       trial->to_disk ? "disk" : "memory", trial->in_file ? "file" : "memfd",
	       (long long)trial->chunk_size, (long long)trial->flush_interval / 1000,
	       (long long)trial->life / 1000, (long long)trial->stop / 1000,
	       (long long)trial->linger / 500);
}

/* The descriptor that the child sent; -1: it did not. */
static int take_descriptor(int connection)
{
	struct message message;
	struct err err;

	return message_receive(connection, &message, &err) == 1 ? message.fd : -1;
}

static bool run(const struct trial *trial, const char *folder)
{
	int ends[2], spill, status;
	char *repository;
	bool is_good;
	pid_t child;

	memset(counts, 0, THREADS * sizeof(*counts));
	found = (struct found){ .wrong = 0 };
	born = now_ticks();
	fflush(stdout);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends))
		die("socketpair");
	child = fork();
	if (child == 0) {
		close(ends[0]);
		record(trial, folder, ends[1]);
	}
	close(ends[1]);
	pause_for(trial->life);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	spill = take_descriptor(ends[0]);
	repository = repository_in(folder);
	is_good = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL &&
		  check(repository, trial->in_file ? -1 : spill, folder);
	if (spill >= 0)
		close(spill);
	close(ends[0]);
	free(repository);
	return is_good;
}

static bool run_in(const struct trial *trial)
{
	char folder[] = "/tmp/plain_kill.XXXXXX";
	bool is_good;

	if (!mkdtemp(folder))
		die(folder);
	is_good = run(trial, folder);
	if (!getenv("PLAIN_KILL_KEEP"))
		remove_all(folder);
	return is_good;
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10)
				 : (uint64_t)now_nanos() / 1000;
	int kills = argc > 2 ? atoi(argv[2]) : KILLS, failures = 0;

	counts = mmap(NULL, THREADS * sizeof(*counts), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counts == MAP_FAILED)
		die("mmap");
	printf("# seed %llu\n", (unsigned long long)seed);
	state = seed | 1;
	for (int i = 1; i <= kills; i++) {
		struct trial trial = choose();
		bool is_good = run_in(&trial);

		if (!is_good)
			print_trial(&trial);
		failures += !is_good;
		printf("%sok %d - kill\n", is_good ? "" : "not ", i);
	}
	printf("1..%d\n", kills);
	return failures != 0;
}
