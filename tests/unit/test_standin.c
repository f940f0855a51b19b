#include <criterion/criterion.h>

#include "copy/standin.h"
#include "jfr/object.h"
#include "jfr/rewrite.h"
#include "make.h"

#define SYMBOL "jdk.types.Symbol"
#define METHOD "jdk.types.Method"
#define CLASS "java.lang.Class"
#define LOADER "jdk.types.ClassLoader"
#define TRACE "jdk.types.StackTrace"

struct sample {
	struct made made;
	struct arena arena;
	struct accept accept;
	struct standin standin;
};

static void begin(struct sample *sample)
{
	*sample = (struct sample){ .made = { .size = 0 } };
	make_begin(&sample->made, make_jdk_types);
}

/* All that a frame with method 1 needs. */
static void add_all(struct writer *writer)
{
	POOL(writer, METHOD);
	CONSTANT(writer, 1, KEY(1), KEY(1), KEY(2), INT(0), BOOLEAN(0));
	POOL(writer, CLASS);
	CONSTANT(writer, 1, KEY(0), KEY(1), KEY(0), INT(0), BOOLEAN(0));
	POOL(writer, SYMBOL);
	CONSTANT(writer, 1, TEXT("name"));
	CONSTANT(writer, 2, TEXT("()V"));
}

static void open(struct sample *sample)
{
	struct made *made = &sample->made;

	cr_assert(make_open(made), "%s", made->err.text);
	cr_assert(accept_open(&sample->accept, &made->chunk.metadata, &sample->arena));
	standin_open(&sample->standin, &made->chunk, &sample->accept);
}

static void clear(struct sample *sample)
{
	arena_clear(&sample->arena);
	make_clear(&sample->made);
}

/* Which are needed: a letter each of Method, Class, Name, Descriptor. */
static const char *needed(const struct sample *sample)
{
	static char text[STANDIN_COUNT + 1];
	size_t size = 0;

	for (size_t i = 0; i < STANDIN_COUNT; i++) {
		if (sample->standin.is_needed[i])
			text[size++] = "MCND"[i];
	}
	text[size] = '\0';
	cr_expect_eq(standin_is_needed(&sample->standin), size > 0);
	return text;
}

static uint64_t replace(void *context, const struct type *type, uint64_t key)
{
	return standin_key(context, type, key);
}

/* Keys and numbers of a constant's value, as it is to be written. */
static void expect_value(struct sample *sample, const char *type_name, uint64_t key,
			 const uint64_t *numbers, size_t count)
{
	const struct type *type = make_type(&sample->made, type_name);
	const struct pool *pool = chunk_pool(&sample->made.chunk, type);
	struct rewrite rewrite = { .key = replace, .context = &sample->standin };
	uint32_t index = pool_find(pool, key);
	struct buf buf = { 0 };
	struct cursor cursor = pool_cursor(pool, index);

	cr_assert(rewrite_open(&rewrite, &sample->made.chunk));
	standin_begin(&sample->standin, type, &pool->constants.items[index]);
	cr_expect(rewrite_value(&rewrite, type, &cursor, &buf));
	rewrite_close(&rewrite);
	cursor = make_cursor(&buf);
	for (size_t i = 0; i < count; i++) {
		uint64_t number = cursor_varint(&cursor);

		cr_expect_eq(number, numbers[i], "%s %zu: %llu", type_name, i,
			     (unsigned long long)number);
	}
	cr_expect(!cursor.bad && cursor_left(&cursor) == 0);
	buf_clear(&buf);
}

#define VALUE_IS(sample, type, key, ...)                                        \
	expect_value(sample, type, key, (const uint64_t[]){ __VA_ARGS__ },      \
		     sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

Test(standin, is_not_needed_where_all_is_there)
{
	struct sample sample;

	begin(&sample);
	add_all(&sample.made.writer);
	POOL(&sample.made.writer, TRACE);
	CONSTANT(&sample.made.writer, 1, BOOLEAN(0), COUNT(1), KEY(1), INT(2), INT(3),
		 KEY(77));
	open(&sample);
	cr_expect_str_eq(needed(&sample), "");
	VALUE_IS(&sample, TRACE, 1, 0, 1, 1, 2, 3, 77);
	clear(&sample);
}

Test(standin, is_the_method_of_a_frame)
{
	struct sample sample;
	uint64_t method;

	begin(&sample);
	add_all(&sample.made.writer);
	POOL(&sample.made.writer, TRACE);
	CONSTANT(&sample.made.writer, 1, BOOLEAN(1), COUNT(3), KEY(0), INT(2), INT(3),
		 KEY(4), KEY(1), INT(5), INT(6), KEY(7), KEY(1 << 20), INT(8), INT(9),
		 KEY(10));
	open(&sample);
	cr_expect_str_eq(needed(&sample), "MCND");
	method = sample.standin.keys[STANDIN_METHOD];
	VALUE_IS(&sample, TRACE, 1, 1, 3, method, 2, 3, 4, 1, 5, 6, 7, method, 8, 9, 10);
	clear(&sample);
}

Test(standin, is_what_a_method_lacks)
{
	struct sample sample;
	uint64_t class, descriptor;

	begin(&sample);
	add_all(&sample.made.writer);
	POOL(&sample.made.writer, METHOD);
	CONSTANT(&sample.made.writer, 2, KEY(9), KEY(9), KEY(2), INT(1), BOOLEAN(1));
	CONSTANT(&sample.made.writer, 3, KEY(1), KEY(1), KEY(0), INT(1), BOOLEAN(1));
	open(&sample);
	cr_expect_str_eq(needed(&sample), "CND");
	class = sample.standin.keys[STANDIN_CLASS];
	descriptor = sample.standin.keys[STANDIN_DESCRIPTOR];
	VALUE_IS(&sample, METHOD, 1, 1, 1, 2, 0, 0);
	VALUE_IS(&sample, METHOD, 2, class, 9, 2, 1, 1);
	VALUE_IS(&sample, METHOD, 3, 1, 1, descriptor, 1, 1);
	clear(&sample);
}

/* A class loader needs a name only if it has no class that has one. */
Test(standin, is_the_name_of_classes_and_loaders)
{
	struct sample sample;
	uint64_t name;

	begin(&sample);
	add_all(&sample.made.writer);
	POOL(&sample.made.writer, CLASS);
	CONSTANT(&sample.made.writer, 2, KEY(5), KEY(6), KEY(7), INT(8), BOOLEAN(0));
	POOL(&sample.made.writer, LOADER);
	CONSTANT(&sample.made.writer, 1, KEY(1), KEY(0));
	CONSTANT(&sample.made.writer, 2, KEY(0), KEY(1));
	CONSTANT(&sample.made.writer, 3, KEY(0), KEY(0));
	open(&sample);
	cr_expect_str_eq(needed(&sample), "N");
	name = sample.standin.keys[STANDIN_NAME];
	VALUE_IS(&sample, CLASS, 2, 5, name, 7, 8, 0);
	VALUE_IS(&sample, LOADER, 1, 1, 0);
	VALUE_IS(&sample, LOADER, 2, 0, 1);
	VALUE_IS(&sample, LOADER, 3, 0, name);
	clear(&sample);
}

Test(standin, has_keys_that_nothing_else_has)
{
	struct sample sample;
	uint64_t key;

	begin(&sample);
	open(&sample);
	key = sample.standin.keys[STANDIN_NAME];
	clear(&sample);
	begin(&sample);
	POOL(&sample.made.writer, SYMBOL);
	CONSTANT(&sample.made.writer, key, TEXT("taken"));
	POOL(&sample.made.writer, CLASS);
	CONSTANT(&sample.made.writer, 2, KEY(5), KEY(6), KEY(7), INT(8), BOOLEAN(0));
	open(&sample);
	cr_expect_str_eq(needed(&sample), "N");
	cr_expect_neq(sample.standin.keys[STANDIN_NAME], key);
	clear(&sample);
}

Test(standin, has_a_value)
{
	struct sample sample;
	const struct standin *standin = &sample.standin;
	struct buf values[STANDIN_COUNT] = { { .size = 0 } }, wanted = { 0 };

	begin(&sample);
	open(&sample);
	for (int i = 0; i < STANDIN_COUNT; i++)
		standin_add(standin, (enum standin_kind)i, &values[i]);
	make_values(&wanted, VALUES(KEY((int64_t)standin->keys[STANDIN_CLASS]),
				    KEY((int64_t)standin->keys[STANDIN_NAME]),
				    KEY((int64_t)standin->keys[STANDIN_DESCRIPTOR]),
				    INT(0), BOOLEAN(0)));
	cr_expect_eq(values[STANDIN_METHOD].size, wanted.size);
	cr_expect_arr_eq(values[STANDIN_METHOD].bytes, wanted.bytes, wanted.size);
	cr_expect_arr_eq(values[STANDIN_NAME].bytes, "\3\t<unknown>", 11);
	cr_expect_arr_eq(values[STANDIN_DESCRIPTOR].bytes, "\3\3()V", 5);
	cr_expect_eq(values[STANDIN_CLASS].size, 4 + 8);
	for (int i = 0; i < STANDIN_COUNT; i++)
		buf_clear(&values[i]);
	buf_clear(&wanted);
	clear(&sample);
}

static const struct schema_type other_types[] = {
	TYPE(CLASS, NULL, FIELDS(FIELD("name", "java.lang.String"))),
	TYPE(METHOD, NULL,
	     FIELDS(FIELD("d", "double"), FIELD("all", "int", ARRAY),
		    FIELD("type", CLASS, POOLED), FIELD("name", CLASS, POOLED))),
	TYPE(TRACE, NULL, FIELDS(FIELD("method", METHOD, POOLED))),
	TYPES_END,
};

/* Where a class has no name at all there is nothing to stand in for. */
Test(standin, is_not_for_other_layouts)
{
	struct sample sample = { .made = { .size = 0 } };
	struct buf value = { 0 };

	make_begin(&sample.made, other_types);
	POOL(&sample.made.writer, TRACE);
	CONSTANT(&sample.made.writer, 1, KEY(5));
	open(&sample);
	cr_expect_str_eq(needed(&sample), "MC");
	standin_add(&sample.standin, STANDIN_METHOD, &value);
	cr_expect_eq(value.size, 8 + 1 + 8 + 1);
	buf_reset(&value);
	standin_add(&sample.standin, STANDIN_CLASS, &value);
	cr_expect_eq(value.size, 1);
	buf_clear(&value);
	clear(&sample);
}
