#include "base/memo.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)256 << 10)

struct memo_block {
	struct memo_block *next;
	size_t size;
	size_t used;
	_Alignas(16) char bytes[];
};

/*
 * `left` changes under the lock only, but is read without it: once the store is
 * full, threads that try in vain do not queue up.
 */
struct memo_store {
	pthread_mutex_t lock;
	_Atomic size_t left;
	struct memo_block *blocks; /* newest first */
	struct memo *memos;
};

struct memo_store *memo_store_new(size_t limit)
{
	struct memo_store *store = calloc(1, sizeof(*store));

	if (!store)
		return NULL;
	if (pthread_mutex_init(&store->lock, NULL) != 0) {
		free(store);
		return NULL;
	}
	atomic_init(&store->left, limit);
	return store;
}

void memo_store_free(struct memo_store *store)
{
	struct memo_block *block, *next_block;
	struct memo *memo, *next_memo;

	if (!store)
		return;
	for (block = store->blocks; block; block = next_block) {
		next_block = block->next;
		free(block);
	}
	for (memo = store->memos; memo; memo = next_memo) {
		next_memo = memo->next;
		for (size_t i = 0; i < memo->row_count; i++)
			free(atomic_load_explicit(&memo->rows[i],
						  memory_order_relaxed));
		free(memo);
	}
	pthread_mutex_destroy(&store->lock);
	free(store);
}

static bool store_fits(struct memo_store *store, size_t size)
{
	return size <= atomic_load_explicit(&store->left, memory_order_relaxed);
}

static void store_take(struct memo_store *store, size_t size)
{
	size_t left = atomic_load_explicit(&store->left, memory_order_relaxed);

	atomic_store_explicit(&store->left, left - size, memory_order_relaxed);
}

struct memo *memo_new(struct memo_store *store, size_t rows, size_t count)
{
	struct memo *memo;
	size_t size = sizeof(*memo) + rows * sizeof(memo->rows[0]);

	if (rows > SIZE_MAX / 4 / sizeof(memo->rows[0]) ||
	    count > SIZE_MAX / 2 / sizeof(memo_cell) || !store_fits(store, size))
		return NULL;
	memo = calloc(1, size);
	if (!memo)
		return NULL;
	memo->store = store;
	memo->row_count = rows;
	memo->count = count;

	pthread_mutex_lock(&store->lock);
	if (!store_fits(store, size)) {
		pthread_mutex_unlock(&store->lock);
		free(memo);
		return NULL;
	}
	store_take(store, size);
	memo->next = store->memos;
	store->memos = memo;
	pthread_mutex_unlock(&store->lock);
	return memo;
}

/* Under the lock: the row, made when its first text comes; NULL without room. */
static memo_cell *memo_row(struct memo *memo, size_t row)
{
	memo_cell *cells = atomic_load_explicit(&memo->rows[row], memory_order_relaxed);
	size_t size = memo->count * sizeof(*cells);

	if (cells || !store_fits(memo->store, size))
		return cells;
	cells = calloc(memo->count, sizeof(*cells));
	if (!cells)
		return NULL;
	store_take(memo->store, size);
	atomic_store_explicit(&memo->rows[row], cells, memory_order_release);
	return cells;
}

/* A long text has a block of its own, behind the newest, which still has room. */
static struct memo_block *block_add(struct memo_store *store, size_t wanted)
{
	size_t size = wanted > BLOCK_SIZE / 8 ? wanted : BLOCK_SIZE;
	struct memo_block *block = malloc(sizeof(*block) + size);

	if (!block)
		return NULL;
	block->size = size;
	block->used = 0;
	if (store->blocks && size == wanted) {
		block->next = store->blocks->next;
		store->blocks->next = block;
	} else {
		block->next = store->blocks;
		store->blocks = block;
	}
	return block;
}

/* Under the lock. `size` is a multiple of the alignment of struct memo_text. */
static struct memo_text *text_alloc(struct memo_store *store, size_t size)
{
	struct memo_block *block = store->blocks;
	char *at;

	if (!store_fits(store, size))
		return NULL;
	if (!block || size > block->size - block->used) {
		block = block_add(store, size);
		if (!block)
			return NULL;
	}
	at = block->bytes + block->used;
	block->used += size;
	store_take(store, size);
	return (struct memo_text *)at;
}

/* Under the lock: a cell that holds this text, if it was empty. */
static void cell_fill(struct memo *memo, size_t row, size_t cell, struct str text,
		      size_t size)
{
	memo_cell *cells = memo_row(memo, row);
	struct memo_text *copy;

	if (!cells || atomic_load_explicit(&cells[cell], memory_order_relaxed))
		return;
	copy = text_alloc(memo->store, size);
	if (!copy)
		return;
	copy->size = (uint32_t)text.size;
	memcpy(copy->bytes, text.bytes, text.size);
	atomic_store_explicit(&cells[cell], copy, memory_order_release);
}

void memo_put(struct memo *memo, size_t row, size_t cell, struct str text)
{
	size_t unit = _Alignof(struct memo_text);
	size_t size;

	if (!memo || row >= memo->row_count || cell >= memo->count || !text.bytes ||
	    text.size > UINT32_MAX / 2)
		return;
	size = (sizeof(struct memo_text) + text.size + unit - 1) / unit * unit;
	if (!store_fits(memo->store, size) || memo_find(memo, row, cell).bytes)
		return;

	/* Copied under the lock, too: only the first of two threads takes memory. */
	pthread_mutex_lock(&memo->store->lock);
	cell_fill(memo, row, cell, text, size);
	pthread_mutex_unlock(&memo->store->lock);
}
