/*
 * What a recording has is handed over as a folder of chunk files of its own, which the
 * recorder does not touch any more.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fully.h"
#include "base/path.h"
#include "control/places.h"
#include "engine/flush.h"
#include "engine/recorder.h"
#include "engine/shift.h"
#include "engine/ways.h"

/* In the order of the chunks, as others sort them. */
#define NAME_FORMAT "%012llu" PLACES_CHUNK_END
#define SIEVED_NAME "sieved" PLACES_CHUNK_END
#define NAME_ROOM 40

/* A file that is to be copied, or to go through a sieve, when the lock is free again. */
struct piece {
	uint64_t number;
	bool is_missing;		/* links do not work there */
	bool is_sieved;
	struct sieve sieve;
};

struct handover {
	struct recorder *recorder;
	const struct tape *tape;	/* NULL: all there is; under the lock alone */
	int64_t oldest;			/* end of a chunk, at least: since 1970 */
	struct repository folder;
	size_t files;
	VEC(struct piece) pieces;
	struct err *err;
};

static char *path_of(const struct handover *handover, uint64_t number)
{
	char name[NAME_ROOM];

	snprintf(name, sizeof(name), NAME_FORMAT, (unsigned long long)number);
	return path_within(handover->folder.path, name);
}

/* --- under the lock ----------------------------------------------------------------- */

static bool note_piece(struct handover *handover, uint64_t number, bool is_missing)
{
	const struct sieve *sieve =
		handover->tape ? tape_sieve(handover->tape, number) : NULL;
	struct piece piece = { .number = number, .is_missing = is_missing };

	if (!sieve && !is_missing)
		return true;
	piece.is_sieved = sieve != NULL;
	if (sieve)
		piece.sieve = *sieve;
	return vec_push(&handover->pieces, piece) || err_memory(handover->err);
}

/* Others may remove files of the repository: that is no reason to fail. */
static bool link_file(struct handover *handover, const struct chunkfile *file)
{
	char *path = path_of(handover, file->number);
	bool is_linked, is_gone;

	if (!path)
		return err_memory(handover->err);
	is_linked = link(file->path, path) == 0;
	is_gone = !is_linked && errno == ENOENT;
	free(path);
	handover->files += is_linked;
	return is_gone || note_piece(handover, file->number, !is_linked);
}

static bool is_wanted(const struct handover *handover, const struct chunkfile *file)
{
	return file->end_nanos > 0 && file->end_nanos >= handover->oldest &&
	       (!handover->tape || tape_has(handover->tape, file->number));
}

static bool link_files(struct handover *handover)
{
	const struct repository *repository = &handover->recorder->repository;

	for (size_t i = 0; i < repository->files.count; i++) {
		const struct chunkfile *file = &repository->files.items[i];

		if (is_wanted(handover, file) && !link_file(handover, file))
			return false;
	}
	return true;
}

/* It is named as the chunk that it would be next. */
static bool write_kept(struct handover *handover)
{
	struct recorder *recorder = handover->recorder;
	uint64_t number = recorder->repository.number + 1;
	char *path = path_of(handover, number);
	bool is_good = path || err_memory(handover->err);

	is_good = is_good && ways_copy_kept(recorder, &handover->folder, handover->err);
	if (is_good && rename(repository_last(&handover->folder), path) != 0)
		is_good = err_system(handover->err, "cannot make %s", path);
	handover->files += is_good;
	free(path);
	return is_good && note_piece(handover, number, false);
}

/* Those of the repository stand in one folder. */
static bool make_folder(struct handover *handover)
{
	char *base = strdup(handover->recorder->repository.path);
	char *slash = base ? strrchr(base, '/') : NULL;
	bool is_made;

	if (!base)
		return err_memory(handover->err);
	if (slash)
		slash[slash == base] = '\0';
	is_made = repository_open(&handover->folder, slash ? base : ".", handover->err);
	free(base);
	return is_made;
}

/* What it has so far is complete. False: then all has ended. */
static bool complete(struct recorder *recorder, struct err *err)
{
	struct err why = { ERR_NONE, "" };
	int64_t now = now_ticks();

	observers_collect(&recorder->observers, now);
	if (recorder->limits.to_disk ? shift_chunk(recorder, &shift_none, &why)
				     : flush_all(recorder, now, &why))
		return true;
	recorder_break(recorder, &why);
	if (err)
		*err = why;
	return false;
}

static bool take(struct handover *handover)
{
	struct recorder *recorder = handover->recorder;
	bool is_open = recorder->phase == RECORDER_RUNNING &&
		       (!handover->tape || handover->tape->state == FACTS_RUNNING);

	return (!is_open || complete(recorder, handover->err)) &&
	       make_folder(handover) && link_files(handover) &&
	       (!is_open || recorder->limits.to_disk || write_kept(handover));
}

static bool take_locked(struct handover *handover, uint64_t id)
{
	struct recorder *recorder = handover->recorder;
	bool is_good;

	if (pthread_mutex_lock(&recorder->lock) != 0)
		return err_set(handover->err, ERR_USAGE,
			       "an observer cannot ask for that");
	handover->tape = id ? recordings_find(&recorder->recordings, id) : NULL;
	is_good = id && !handover->tape
			  ? err_set(handover->err, ERR_USAGE, "there is no recording "
				    "%llu", (unsigned long long)id)
			  : take(handover);
	handover->tape = NULL;
	pthread_mutex_unlock(&recorder->lock);
	return is_good;
}

/* --- without it --------------------------------------------------------------------- */

static int open_locked(struct recorder *recorder, uint64_t number)
{
	int fd = -1;

	if (pthread_mutex_lock(&recorder->lock) != 0)
		return -1;
	errno = ENOENT;
	for (size_t i = 0; i < recorder->repository.files.count; i++) {
		const struct chunkfile *file = &recorder->repository.files.items[i];

		if (file->number == number)
			fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	}
	pthread_mutex_unlock(&recorder->lock);
	return fd;
}

static bool copy_to(int from, const char *path, struct err *err)
{
	int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	ssize_t size = to < 0 ? -1 : 1;

	while (size > 0)
		size = fully_pass(from, to, SIZE_MAX);
	if (size < 0)
		err_system(err, "cannot write %s", path);
	if (to >= 0)
		close(to);
	return size == 0;
}

/* One after the other: the process has other uses for descriptors. */
static bool copy_piece(struct handover *handover, const struct piece *piece)
{
	int from = open_locked(handover->recorder, piece->number);
	char *path = path_of(handover, piece->number);
	bool is_gone = from < 0 && errno == ENOENT, is_good = false;

	if (!path)
		err_memory(handover->err);
	else if (from < 0 && !is_gone)
		err_system(handover->err, "a chunk file cannot be read");
	else
		is_good = is_gone || copy_to(from, path, handover->err);
	handover->files += is_good && !is_gone;
	if (from >= 0)
		close(from);
	free(path);
	return is_good;
}

static bool sieve_to(const struct piece *piece, int from, const char *path,
		     struct err *err)
{
	int to = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	uint64_t size;
	bool is_good;

	if (to < 0)
		return err_system(err, "cannot make %s", path);
	is_good = sieve_chunk(&piece->sieve, from, to, &size, err) ||
		  err_within(err, "%s", path);
	close(to);
	return is_good;
}

static bool sieve_piece(struct handover *handover, const struct piece *piece)
{
	char *path = path_of(handover, piece->number);
	char *sieved = path_within(handover->folder.path, SIEVED_NAME);
	int from = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
	bool is_good = false;

	if (!path || !sieved)
		err_memory(handover->err);
	else if (from < 0 && errno != ENOENT)
		err_system(handover->err, "cannot read %s", path);
	else if (from < 0 || sieve_to(piece, from, sieved, handover->err))
		is_good = from < 0 || rename(sieved, path) == 0 ||
			  err_system(handover->err, "cannot make %s", path);
	if (from >= 0)
		close(from);
	free(path);
	free(sieved);
	return is_good;
}

static bool make_pieces(struct handover *handover)
{
	bool is_good = true;

	for (size_t i = 0; i < handover->pieces.count && is_good; i++) {
		const struct piece *piece = &handover->pieces.items[i];

		is_good = (!piece->is_missing || copy_piece(handover, piece)) &&
			  (!piece->is_sieved || sieve_piece(handover, piece));
	}
	return is_good;
}

bool recorder_hand_over(struct recorder *recorder, uint64_t id, int64_t last,
			char **folder, struct err *err)
{
	struct handover handover = {
		.recorder = recorder,
		.oldest = last ? now_nanos() - last : 0,
		.folder = { .lock = -1 },
		.err = err,
	};
	bool is_good = take_locked(&handover, id) && make_pieces(&handover);

	*folder = NULL;
	if (is_good && handover.files > 0) {
		*folder = strdup(handover.folder.path);
		is_good = *folder || err_memory(err);
	}
	if (handover.folder.path && !*folder)
		places_discard(handover.folder.path);
	repository_close(&handover.folder);
	vec_clear(&handover.pieces);
	return is_good;
}
