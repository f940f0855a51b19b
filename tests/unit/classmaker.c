#include "classmaker.h"

#include "classfile/classfile.h"

static void u2(struct buf *to, uint32_t number)
{
	buf_byte(to, (char)(number >> 8));
	buf_byte(to, (char)number);
}

static void u4(struct buf *to, uint32_t number)
{
	u2(to, number >> 16);
	u2(to, number & 0xffff);
}

/* Constants are numbered as they come; texts that are there twice do no harm. */
struct pool {
	struct buf bytes;
	uint32_t count;
};

static uint32_t text(struct pool *pool, const char *utf8)
{
	buf_byte(&pool->bytes, 1);
	u2(&pool->bytes, (uint32_t)strlen(utf8));
	buf_text(&pool->bytes, utf8);
	return ++pool->count;
}

static uint32_t class_constant(struct pool *pool, const char *name)
{
	uint32_t utf8 = text(pool, name);

	buf_byte(&pool->bytes, 7);
	u2(&pool->bytes, utf8);
	return ++pool->count;
}

static void add_annotation(struct buf *to, struct pool *pool, const char *descriptor)
{
	u2(to, text(pool, "RuntimeVisibleAnnotations"));
	u4(to, 6);
	u2(to, 1);
	u2(to, text(pool, descriptor));
	u2(to, 0);
}

static void add_code(struct buf *to, struct pool *pool)
{
	u2(to, text(pool, "Code"));
	u4(to, 13);
	u2(to, 2);
	u2(to, 10);
	u4(to, 1);
	buf_byte(to, (char)0xb1);	/* return */
	u2(to, 0);
	u2(to, 0);
}

static void add_method(struct buf *to, struct pool *pool,
		       const struct made_method *method)
{
	bool has_code = !(method->access & (ACCESS_ABSTRACT | ACCESS_NATIVE));

	u2(to, method->access);
	u2(to, text(pool, method->name));
	u2(to, text(pool, method->descriptor));
	u2(to, (uint32_t)has_code + (method->annotation != NULL));
	if (has_code)
		add_code(to, pool);
	if (method->annotation)
		add_annotation(to, pool, method->annotation);
}

void classmaker_make(struct buf *to, const struct made_class *made)
{
	struct pool pool = { .count = 0 };
	struct buf rest = { 0 };
	uint32_t count = 0;

	while (made->methods && made->methods[count].name)
		count++;
	u2(&rest, 0x21);
	u2(&rest, class_constant(&pool, made->name));
	u2(&rest, class_constant(&pool, "java/lang/Object"));
	u4(&rest, 0);
	if (made->constant)
		class_constant(&pool, made->constant);
	u2(&rest, count);
	for (uint32_t i = 0; i < count; i++)
		add_method(&rest, &pool, &made->methods[i]);
	u2(&rest, made->annotation != NULL);
	if (made->annotation)
		add_annotation(&rest, &pool, made->annotation);
	u4(to, 0xcafebabe);
	u4(to, 49);
	u2(to, pool.count + 1);
	buf_str(to, buf_as_str(&pool.bytes));
	buf_str(to, buf_as_str(&rest));
	buf_clear(&pool.bytes);
	buf_clear(&rest);
}
