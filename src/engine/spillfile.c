#include "engine/spillfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/inplace.h"

#define FALLOCATE_TRIES 20		/* signals interrupt it */

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23		/* of Linux 5.14 */
#endif

/* Others have closed our descriptor: what is mapped stays, and gets space that way. */
static int populate(const void *from, size_t size)
{
	size_t before = (uintptr_t)from % (size_t)sysconf(_SC_PAGESIZE);
	char *page = (char *)(uintptr_t)from - before;

	return madvise(page, size + before, MADV_POPULATE_WRITE) == 0 ? 0 : EBADF;
}

static int allocate(const struct spillfile *file, const void *from, size_t size)
{
	off_t at = (const char *)from - (const char *)file->header;
	int error = EINTR;

	if (!fileid_is(&file->id, file->fd))
		return populate(from, size);
	for (int i = 0; i < FALLOCATE_TRIES && error == EINTR; i++)
		error = posix_fallocate(file->fd, at, (off_t)size);
	return error;
}

bool spillfile_allocate(struct spillfile *file, const void *from, size_t size)
{
	int error = file->fd < 0 ? 0 : allocate(file, from, size);

	if (error)
		atomic_store(&file->error, error);
	return error == 0;
}

/* Where there are no holes to be had, it stays. */
void spillfile_drop_blocks(const struct spillfile *file)
{
	size_t size = (size_t)file->header->blocks_max * BLOCK_SIZE;

	spill_set(&file->header->blocks, 0);
	if (size)
		madvise(file->blocks, size, MADV_REMOVE);
}

static size_t slots_end(const struct spillfile_shape *shape, size_t slots)
{
	return SPILL_HEADER_SIZE + slots * shape->slot_size;
}

/* A file beyond what ulimit -f allows would end the process (SIGXFSZ). */
size_t spillfile_most(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) != 0)
		return 0;
	return limit.rlim_cur < SIZE_MAX ? (size_t)limit.rlim_cur : SIZE_MAX;
}

/* So many of the blocks there may be. */
static size_t count_blocks(const struct spillfile_shape *shape, size_t most)
{
	size_t count = (most - slots_end(shape, shape->slots)) / BLOCK_SIZE;

	return count < shape->blocks ? count : shape->blocks;
}

static void fill_header(const struct spillfile *file,
			const struct spillfile_shape *shape, size_t blocks)
{
	struct spill_header *header = file->header;

	header->version = SPILL_VERSION;
	header->slot_size = (uint32_t)shape->slot_size;
	header->slots_max = (uint32_t)shape->slots;
	header->block_size = BLOCK_SIZE;
	header->blocks_max = (uint32_t)blocks;
	header->pid = (uint64_t)getpid();
	spill_set(&header->state, SPILL_STARTING);
	atomic_thread_fence(memory_order_release);
	memcpy(header->magic, SPILL_MAGIC, sizeof(header->magic));
}

/* The magic comes last: before it is there, this is no spill file. */
static bool map(struct spillfile *file, const struct spillfile_shape *shape,
		size_t blocks)
{
	int flags = file->fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
				 : MAP_SHARED;
	void *at;

	file->mapped = slots_end(shape, shape->slots) + blocks * BLOCK_SIZE;
	if (file->fd >= 0 && ftruncate(file->fd, (off_t)file->mapped) != 0)
		return false;
	at = mmap(NULL, file->mapped, PROT_READ | PROT_WRITE, flags, file->fd, 0);
	if (at == MAP_FAILED)
		return false;
	file->header = at;
	file->blocks = (char *)at + slots_end(shape, shape->slots);
	if (!spillfile_allocate(file, at, slots_end(shape, shape->slots_first))) {
		errno = atomic_load(&file->error);
		return false;
	}
	fill_header(file, shape, blocks);
	return true;
}

/* Nobody who has the descriptor can take away what is mapped. False with errno. */
static bool map_file(struct spillfile *file, const struct spillfile_shape *shape)
{
	size_t most = spillfile_most(), blocks;

	if (file->fd < 0 || (shape->path && !inplace_set(file->fd)))
		return false;
	if (most < slots_end(shape, shape->slots)) {
		errno = EFBIG;
		return false;
	}
	blocks = count_blocks(shape, most);
	if (!map(file, shape, blocks))
		return false;
	if (blocks < shape->blocks)
		atomic_store(&file->error, EFBIG);
	fcntl(file->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
	return true;
}

bool spillfile_open(struct spillfile *file, const struct spillfile_shape *shape,
		    struct err *err)
{
	const char *path = shape->path;
	int error;

	*file = (struct spillfile){ .fd = -1 };
	file->fd = path ? open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
			: memfd_create("cjfr", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (file->fd < 0 && path)
		return err_system(err, "%s", path);
	if (file->fd >= 0)
		file->id = fileid_of(file->fd);
	if (map_file(file, shape))
		return true;
	error = errno;
	spillfile_close(file);
	if (path)
		unlink(path);
	atomic_store(&file->error, error);
	if (map(file, shape, 0))
		return true;
	spillfile_close(file);
	return err_memory(err);
}

void spillfile_close(struct spillfile *file)
{
	if (file->header)
		munmap(file->header, file->mapped);
	fileid_close(&file->id, file->fd);
	*file = (struct spillfile){ .fd = -1 };
}
