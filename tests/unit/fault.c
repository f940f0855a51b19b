#include "fault.h"

#include <errno.h>
#include <stdlib.h>

static size_t count;
static size_t refused;

void fault_at(size_t n)
{
	count = 0;
	refused = n;
}

size_t fault_count(void)
{
	return count;
}

bool fault_happened(void)
{
	return refused && count >= refused;
}

/* The linker sends our calls to __wrap_x, and our __real_x to the library. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t items, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **memory, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t items, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
	return ++count == refused ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t items, size_t size)
{
	return ++count == refused ? NULL : __real_calloc(items, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	return ++count == refused ? NULL : __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	return ++count == refused ? NULL : __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t size)
{
	return ++count == refused ? ENOMEM
				  : __real_posix_memalign(memory, alignment, size);
}
