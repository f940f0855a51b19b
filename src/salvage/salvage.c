#include "salvage/salvage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "engine/batch.h"
#include "engine/samples.h"
#include "jfr/spillread.h"
#include "salvage/chunkfiles.h"
#include "salvage/chunks.h"
#include "salvage/names.h"

/* Keys that are larger leave none for what comes with samples. */
#define KEY_MAX (UINT64_MAX >> 8)

/* New ones begin far above those that the JVM gave, also to what it forgot. */
#define KEYS_APART (UINT64_C(1) << 40)

struct rescue {
	struct spill spill;
	struct chunkfiles files;
	struct chunks chunks;
	struct names names;
	struct batch batch;		/* what samples become */
	uint64_t damaged;
	struct err err;
};

/* --- what is known ------------------------------------------------------------ */

/* Constants were there before whoever refers to them, but need not come in that order. */
static bool take_record(void *context, uint32_t type, uint64_t key, const char *bytes,
			size_t size)
{
	struct rescue *rescue = context;
	bool is_good = false;

	if (type == SPILL_METHOD)
		is_good = names_add(&rescue->names, key, bytes, size, &rescue->err);
	else if (type < POOL_END && key <= KEY_MAX)
		is_good = chunks_know(&rescue->chunks, (enum pool_id)type, key, bytes,
				      size, &rescue->err);
	rescue->damaged += !is_good;
	return rescue->err.kind != ERR_MEMORY;
}

static bool take_known(struct rescue *rescue)
{
	struct buf event = { 0 };
	bool is_good;

	is_good = spill_metadata(&rescue->spill, &event, &rescue->err) &&
		  chunks_open(&rescue->chunks, &rescue->spill.header, &rescue->files,
			      buf_as_str(&event), &rescue->err);
	buf_clear(&event);
	if (!is_good)
		return false;
	rescue->err.kind = ERR_NONE;
	rescue->names.constants = rescue->chunks.constants;
	is_good = spill_records(&rescue->spill, take_record, rescue, &rescue->err);
	constants_skip(rescue->chunks.constants, KEYS_APART);
	return is_good;
}

/* --- events ------------------------------------------------------------------- */

static bool take_samples(struct rescue *rescue, const char *bytes, size_t size)
{
	struct namer namer = names_namer(&rescue->names);
	struct batch *batch = &rescue->batch;

	batch_reset(batch);
	samples_translate(rescue->chunks.constants, &namer, batch, bytes, size);
	if (batch->buf.failed)
		return err_memory(&rescue->err);
	return chunks_add(&rescue->chunks, batch->buf.bytes, batch->buf.size,
			  &rescue->err);
}

static bool take_events(void *context, uint64_t lane, const char *bytes, size_t size)
{
	struct rescue *rescue = context;

	if (lane & LANE_RAW)
		return take_samples(rescue, bytes, size);
	return chunks_add(&rescue->chunks, bytes, size, &rescue->err);
}

static bool take_all(struct rescue *rescue, struct block *chunks)
{
	return take_known(rescue) &&
	       spill_events(&rescue->spill, take_events, rescue, &rescue->err) &&
	       chunks_end(&rescue->chunks, chunks, &rescue->err);
}

/* Also if there is nothing to make chunks of. */
static bool rescue_all(struct rescue *rescue, struct block *chunks)
{
	bool is_good;

	rescue->spill.is_done = rescue->files.is_done;
	is_good = !spill_has_events(&rescue->spill) || take_all(rescue, chunks);
	rescue->damaged += rescue->spill.damaged + rescue->chunks.damaged;
	return is_good;
}

bool salvage_run(struct salvage *salvage, int spill, const char *repository,
		 struct err *err)
{
	struct rescue rescue = { .damaged = 0 };
	bool is_good;

	*salvage = (struct salvage){ .events = 0 };
	if (!spill_open(&rescue.spill, spill, err))
		return false;
	is_good = chunkfiles_look(&rescue.files, repository, &rescue.spill.header,
				  &rescue.err) &&
		  rescue_all(&rescue, &salvage->chunks);
	salvage->cut = rescue.files.cut;
	salvage->cut_size = rescue.files.cut_size;
	salvage->events = rescue.chunks.events;
	salvage->damaged = rescue.damaged;
	salvage->missing = rescue.chunks.missing;
	salvage->is_short = rescue.spill.is_short;
	if (!is_good && err)
		*err = rescue.err;
	batch_clear(&rescue.batch);
	names_clear(&rescue.names);
	chunks_clear(&rescue.chunks);
	spill_close(&rescue.spill);
	return is_good;
}

void salvage_clear(struct salvage *salvage)
{
	block_free(&salvage->chunks);
	free(salvage->cut);
	*salvage = (struct salvage){ .events = 0 };
}

/* --- the file in a repository --------------------------------------------------- */

bool salvage_is_written(const char *repository)
{
	int folder = open(repository, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool is_held;

	if (folder < 0)
		return false;
	is_held = flock(folder, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
	close(folder);
	return is_held;
}

/* Who gave up writes it no more, though it may live on. */
static bool has_failed(int spill)
{
	struct spill_header header;

	return spill_look(spill, &header, NULL) && header.state == SPILL_FAILED;
}

/* Its process died before it was made: then there is nothing that it could hold. */
static bool is_unmade(int spill)
{
	const char none[sizeof(SPILL_MAGIC) - 1] = "";
	char magic[sizeof(none)];
	ssize_t size = pread(spill, magic, sizeof(magic), 0);

	return size == 0 || (size == (ssize_t)sizeof(magic) &&
			     memcmp(magic, none, sizeof(magic)) == 0);
}

/* Of a folder that cannot be opened that is told by who opens it. */
static bool is_worth_telling(const char *repository, int error)
{
	return error != ENOENT && error != ENOTDIR &&
	       (error != EACCES ||
		faccessat(AT_FDCWD, repository, R_OK, AT_EACCESS) == 0);
}

int salvage_find(const char *repository, struct err *err)
{
	char *path = path_within(repository, SPILL_NAME);
	int fd = -1;

	err->kind = ERR_NONE;
	if (!path) {
		err_memory(err);
		return -1;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0 && is_worth_telling(repository, errno))
		err_system(err, "cannot open '%s'", path);
	free(path);
	if (fd >= 0 && (is_unmade(fd) ||
			(salvage_is_written(repository) && !has_failed(fd)))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

bool salvage_is_in_use(const char *repository)
{
	char *path = path_within(repository, SPILL_NAME);
	bool is_there = path && access(path, F_OK) == 0;

	free(path);
	return is_there && salvage_is_written(repository);
}

bool salvage_has_events(const char *repository)
{
	struct err err;
	int fd = salvage_find(repository, &err);
	struct spill spill;
	bool has_events = false;

	if (fd < 0)
		return false;
	if (spill_open(&spill, fd, NULL)) {
		has_events = spill_has_events(&spill);
		spill_close(&spill);
	}
	close(fd);
	return has_events;
}

/* So many bytes from there on; false with errno. */
static bool copy_range(int from, int to, off_t at, off_t end)
{
	char bytes[16384];

	while (at < end) {
		size_t most = (size_t)(end - at) < sizeof(bytes) ? (size_t)(end - at)
								 : sizeof(bytes);
		ssize_t got = pread(from, bytes, most, at), put = 0;

		if (got <= 0)
			return got == 0;
		while (put < got) {
			ssize_t count = pwrite(to, bytes + put, (size_t)(got - put),
					       at + put);

			if (count < 0 && errno != EINTR)
				return false;
			put += count > 0 ? count : 0;
		}
		at += got;
	}
	return true;
}

/* What has no space stays so. */
static bool copy_file(int from, int to)
{
	struct stat status;
	off_t at = 0, end = 0;

	if (fstat(from, &status) != 0 || ftruncate(to, status.st_size) != 0)
		return false;
	while ((at = lseek(from, end, SEEK_DATA)) >= 0) {
		end = lseek(from, at, SEEK_HOLE);
		if (end < 0 || !copy_range(from, to, at, end))
			return false;
	}
	return errno == ENXIO;
}

/* Under another name first: what has the right one is whole. */
static bool keep(int spill, const char *part, const char *path)
{
	int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	bool is_good = fd >= 0 && copy_file(spill, fd);
	int reason = errno;

	if (fd >= 0 && close(fd) != 0 && is_good) {
		is_good = false;
		reason = errno;
	}
	if (is_good && rename(part, path) == 0)
		return true;
	if (fd >= 0)
		unlink(part);
	errno = is_good ? errno : reason;
	return false;
}

bool salvage_keep(int spill, const char *repository, struct err *err)
{
	char *path = path_within(repository, SPILL_NAME);
	char *part = path_within(repository, SPILL_NAME ".part");
	struct stat status;
	bool is_good = path && part;

	if (!is_good) {
		err_memory(err);
	} else if (fstat(spill, &status) != 0 || status.st_nlink == 0) {
		mkdir(repository, 0700);
		is_good = keep(spill, part, path) ||
			  err_system(err, "cannot write '%s'", path);
	}
	free(part);
	free(path);
	return is_good;
}
