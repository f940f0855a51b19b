#include "engine/blocks.h"

#include <stdlib.h>

#define STEP 4				/* blocks that get space at a time */
#define STOCK_MIN STEP			/* so many shall be free, */
#define STOCK_MAX 16
#define STOCK_SHARE 8			/* and between them this part of all */

void blocks_init(struct blocks *blocks, struct spillfile *file)
{
	*blocks = (struct blocks){
		.file = file,
		.limit = file ? file->header->blocks_max : 0,
	};
	pthread_mutex_init(&blocks->lock, NULL);
	pthread_mutex_init(&blocks->growing, NULL);
}

void blocks_clear(struct blocks *blocks)
{
	pthread_mutex_destroy(&blocks->lock);
	pthread_mutex_destroy(&blocks->growing);
	*blocks = (struct blocks){ 0 };
}

bool blocks_is_seen(const struct blocks *blocks, const struct spill_block *block)
{
	const char *at = (const char *)block;

	return blocks->file && at >= blocks->file->blocks &&
	       at < (char *)blocks->file->header + blocks->file->mapped;
}

static void push(struct blocks *blocks, struct spill_block *block)
{
	size_t offset = (size_t)((char *)block - blocks->file->blocks);

	block->next = blocks->free;
	blocks->free = (uint32_t)(offset / BLOCK_SIZE) + 1;
	atomic_fetch_add_explicit(&blocks->free_count, 1, memory_order_relaxed);
}

static unsigned free_count(const struct blocks *blocks)
{
	return atomic_load_explicit(&blocks->free_count, memory_order_relaxed);
}

/* So many shall be free: what is taken soon, but not much where little is in use. */
static unsigned stock_of(const struct blocks *blocks)
{
	unsigned part = blocks->count / STOCK_SHARE;

	if (part < STOCK_MIN)
		return STOCK_MIN;
	return part < STOCK_MAX ? part : STOCK_MAX;
}

/* True if there shall be more in stock, and can be. */
static bool is_low(const struct blocks *blocks)
{
	return free_count(blocks) < stock_of(blocks) / 2 &&
	       blocks->count < blocks->limit && !atomic_load(&blocks->is_short);
}

static struct spill_block *pop(struct blocks *blocks)
{
	struct spill_block *block = NULL;
	bool shall_wake;

	pthread_mutex_lock(&blocks->lock);
	if (blocks->free) {
		block = spillfile_block(blocks->file, blocks->free - 1);
		blocks->free = block->next;
		atomic_fetch_sub_explicit(&blocks->free_count, 1,
					  memory_order_relaxed);
	}
	shall_wake = blocks->wake && is_low(blocks);
	pthread_mutex_unlock(&blocks->lock);
	if (shall_wake && !atomic_exchange(&blocks->is_awake, true))
		blocks->wake(blocks->context);
	return block;
}

/* By who is growing: the system is asked without the lock of the list. */
static bool grow(struct blocks *blocks)
{
	uint32_t first = blocks->count;
	uint32_t more = blocks->limit - first < STEP ? blocks->limit - first : STEP;

	if (!more || !spillfile_allocate(blocks->file,
					 spillfile_block(blocks->file, first),
					 more * BLOCK_SIZE))
		return false;
	pthread_mutex_lock(&blocks->lock);
	blocks->count += more;
	spill_set(&blocks->file->header->blocks, blocks->count);
	for (uint32_t i = first + more; i-- > first;)
		push(blocks, spillfile_block(blocks->file, i));
	pthread_mutex_unlock(&blocks->lock);
	return true;
}

static struct spill_block *pop_or_grow(struct blocks *blocks)
{
	struct spill_block *block;

	pthread_mutex_lock(&blocks->growing);
	block = pop(blocks);
	if (!block && grow(blocks))
		block = pop(blocks);
	pthread_mutex_unlock(&blocks->growing);
	return block;
}

struct spill_block *blocks_take(struct blocks *blocks)
{
	struct spill_block *block = pop(blocks);

	if (!block && blocks->file) {
		block = pop_or_grow(blocks);
		if (!block)
			atomic_store(&blocks->is_short, true);
	}
	if (!block) {
		block = malloc(BLOCK_SIZE);
		if (block)
			block->kind = SPILL_FREE;
	}
	if (block)
		block_set_used(block, 0);
	return block;
}

void blocks_publish(struct spill_block *block, enum spill_kind kind, uint64_t number)
{
	block->number = number;
	__atomic_store_n(&block->kind, (uint32_t)kind, __ATOMIC_RELEASE);
}

/* What is in it is nobody's before it can become something else. */
void blocks_give(struct blocks *blocks, struct spill_block *block)
{
	if (!blocks_is_seen(blocks, block)) {
		free(block);
		return;
	}
	__atomic_store_n(&block->kind, SPILL_FREE, __ATOMIC_RELAXED);
	atomic_signal_fence(memory_order_seq_cst);
	pthread_mutex_lock(&blocks->lock);
	push(blocks, block);
	pthread_mutex_unlock(&blocks->lock);
}

void blocks_leave(struct blocks *blocks, struct spill_block *block)
{
	if (!blocks_is_seen(blocks, block))
		free(block);
}

/* `count` changes only under `growing`. */
void blocks_stock(struct blocks *blocks)
{
	if (!blocks->file)
		return;
	atomic_store(&blocks->is_awake, false);
	pthread_mutex_lock(&blocks->growing);
	while (free_count(blocks) < stock_of(blocks)) {
		if (!grow(blocks))
			break;
	}
	pthread_mutex_unlock(&blocks->growing);
}

void blocks_wake_by(struct blocks *blocks, void (*wake)(void *context), void *context)
{
	pthread_mutex_lock(&blocks->lock);
	blocks->wake = wake;
	blocks->context = context;
	pthread_mutex_unlock(&blocks->lock);
}

void blocks_drop(struct blocks *blocks)
{
	pthread_mutex_lock(&blocks->growing);
	pthread_mutex_lock(&blocks->lock);
	blocks->free = blocks->count = blocks->limit = 0;
	atomic_store(&blocks->free_count, 0);
	if (blocks->file)
		spillfile_drop_blocks(blocks->file);
	pthread_mutex_unlock(&blocks->lock);
	pthread_mutex_unlock(&blocks->growing);
}
