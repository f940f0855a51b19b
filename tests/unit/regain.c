#include "regain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/entries.h"
#include "base/path.h"
#include "control/message.h"
#include "copy/copy.h"
#include "jfr/input.h"
#include "reread.h"
#include "salvage/leftfile.h"
#include "salvage/salvage.h"
#include "worker.h"

/* The newest of each worker. */
static struct found {
	uint64_t events[WORKERS], samples[WORKERS];
	uint64_t wrong;
	bool may_begin_late;
} found;

static int thread_by(uint64_t key)
{
	for (int i = 0; i < WORKERS; i++) {
		if (key && atomic_load(&worker_counts[i].thread) == key)
			return i;
	}
	return -1;
}

/* They come in their order, without gaps. */
static bool is_next(uint64_t number, uint64_t before)
{
	return number == before + 1 || (found.may_begin_late && before == 0);
}

static void find_event(void *context, uint64_t type, const uint64_t *fields)
{
	bool is_sample = type == EVENT_EXECUTION_SAMPLE;
	uint64_t *newest = is_sample ? found.samples : found.events;
	int thread;
	uint64_t number;

	(void)context;
	if (!is_sample && type != EVENT_VIRTUAL_THREAD_START)
		return;
	thread = thread_by(fields[1]);
	number = is_sample ? fields[0] - (uint64_t)worker_born : fields[3];
	if (thread < 0 || !fields[2] ||
	    !is_next(number, newest[thread])) {
		if (found.wrong++ < 5)
			printf("# thread %d (%llu): %s %llu, stack %llu\n", thread,
			       (unsigned long long)fields[1],
			       is_sample ? "sample" : "event",
			       (unsigned long long)number,
			       (unsigned long long)fields[2]);
		if (thread < 0)
			return;
	}
	newest[thread] = number;
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
		worker_die(path);
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

/* One who is killed between commit and count has one more. Nothing: it was too much. */
static bool is_count(int thread, const char *what, uint64_t there, uint64_t counted)
{
	if (there == counted || there == counted + 1 ||
	    (there == 0 && found.may_begin_late))
		return true;
	printf("# thread %d: %llu %s, but %llu counted\n", thread,
	       (unsigned long long)there, what, (unsigned long long)counted);
	return false;
}

static bool are_all_there(void)
{
	bool is_good = found.wrong == 0;

	for (int i = 0; i < WORKERS; i++) {
		is_good &= is_count(i, "events", found.events[i],
				    atomic_load(&worker_counts[i].events));
		is_good &= is_count(i, "samples", found.samples[i],
				    atomic_load(&worker_counts[i].samples));
	}
	return is_good;
}

uint64_t regain_sum(void)
{
	uint64_t all = 0;

	for (int i = 0; i < WORKERS; i++)
		all += found.events[i] + found.samples[i];
	return all;
}

/* `spill`: -1: there is none. */
static bool read_all(const char *repository, int spill, const char *folder)
{
	struct salvage salvage = { .events = 0 };
	struct err err;
	bool is_good = true;

	if (spill >= 0 && !salvage_run(&salvage, spill, repository, &err)) {
		printf("# %s\n", err.text);
		is_good = false;
	}
	if (salvage.damaged)
		printf("# %llu damaged\n", (unsigned long long)salvage.damaged);
	is_good = is_good && !salvage.damaged && read_again(repository, &salvage, folder);
	salvage_clear(&salvage);
	return is_good;
}

bool regain_check(const char *repository, int spill, const char *folder,
		  bool may_begin_late)
{
	struct err err;
	bool is_good = true;

	found = (struct found){ .may_begin_late = may_begin_late };
	if (repository) {
		int own = spill < 0 ? leftfile_find(repository, &err) : dup(spill);

		is_good = read_all(repository, own, folder);
		if (own >= 0)
			close(own);
	}
	return are_all_there() && is_good;
}

char *regain_folder(const char *name)
{
	const char *base = getenv("TMPDIR");
	struct buf path = { 0 };

	buf_printf(&path, "%s/%s.XXXXXX", base && *base ? base : "/tmp", name);
	buf_byte(&path, 0);
	if (path.failed || !mkdtemp(path.bytes))
		worker_die("a folder");
	return path.bytes;
}

struct first {
	const char *folder;
	char *path;
};

static bool take_first(int folder, const char *name, void *context)
{
	struct first *first = context;

	(void)folder;
	first->path = path_within(first->folder, name);
	return false;
}

char *regain_repository(const char *folder)
{
	struct first first = { folder, NULL };

	entries_each_of(folder, take_first, &first);
	return first.path;
}

static bool remove_entry(int folder, const char *name, void *context)
{
	char *inner = path_within(context, name);

	if (unlinkat(folder, name, 0) != 0)
		regain_remove(inner);
	free(inner);
	return true;
}

void regain_remove(const char *path)
{
	entries_each_of(path, remove_entry, (char *)(uintptr_t)path);
	rmdir(path);
}

/* The descriptor that the child sent; -1: it did not. */
int regain_descriptor(int connection)
{
	struct message message;
	struct err err;

	return message_receive(connection, &message, &err) == 1 ? message.fd : -1;
}
