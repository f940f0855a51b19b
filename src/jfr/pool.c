#include "jfr/pool.h"

bool pool_add(struct pool *pool, struct constant constant)
{
	size_t index = pool->constants.count;

	return index < MAP_NONE && vec_push(&pool->constants, constant) &&
	       map_put(&pool->keys, constant.key, (uint32_t)index);
}

void pool_clear(struct pool *pool)
{
	map_clear(&pool->keys);
	vec_clear(&pool->constants);
}
