#include <criterion/criterion.h>
#include <stdio.h>

#include "copy/keys.h"
#include "make.h"

#define LOADER "jdk.types.ClassLoader"
#define CLASS "java.lang.Class"
#define THREAD_TYPE "java.lang.Thread"
#define SYMBOL "jdk.types.Symbol"

/* A chunk of a run: classes 1.. with these names, a loader and a thread. */
static void write_chunk(struct made *made, const char *const *names, const char *thread)
{
	struct writer *writer = &made->writer;

	*made = (struct made){ .size = 0 };
	make_begin(made, make_jdk_types);
	POOL(writer, CLASS);
	for (uint64_t i = 0; names[i]; i++)
		CONSTANT(writer, i + 1, KEY(1), KEY(i + 1), KEY(0), INT(1), BOOLEAN(0));
	POOL(writer, LOADER);
	CONSTANT(writer, 1, KEY(0), KEY(99));
	POOL(writer, SYMBOL);
	CONSTANT(writer, 99, TEXT("app"));
	for (uint64_t i = 0; names[i]; i++)
		CONSTANT(writer, i + 1, MAKE(MAKE_TEXT, .text = str_of(names[i])));
	POOL(writer, THREAD_TYPE);
	CONSTANT(writer, 1, MAKE(MAKE_TEXT, .text = str_of(thread)), LONG(1), TEXT("main"),
		 LONG(1), KEY(0), BOOLEAN(false));
	cr_assert(make_open(made), "%s", made->err.text);
}

/* "C 1 2, L 1, T 1": what keys become, fresh ones as +0, +1 ...; or nothing changes. */
static const char *settled(struct keys *keys, const char *const *names, const char *thread,
			   uint32_t run)
{
	static const char *const types[] = { CLASS, LOADER, THREAD_TYPE };
	static char text[200];
	struct sense sense;
	struct made made;
	size_t size = 0;

	write_chunk(&made, names, thread);
	cr_assert(sense_open(&sense, &made.chunk));
	cr_assert(keys_settle(keys, &sense, run));
	text[0] = '\0';
	for (size_t i = 0; i < 3; i++) {
		const struct type *type = make_type(&made, types[i]);
		const struct pool *pool = chunk_pool(&made.chunk, type);

		if (!keys_has(keys, type))
			continue;
		size += (size_t)sprintf(text + size, "%c", "CLT"[i]);
		for (uint64_t key = 1; key <= pool->constants.count; key++) {
			uint64_t other = keys_get(keys, type, key);
			bool is_fresh = other >= 1 << 24;

			size += (size_t)sprintf(text + size, " %s%d", is_fresh ? "+" : "",
						(int)(is_fresh ? other - (1 << 24) : other));
		}
		size += (size_t)sprintf(text + size, "; ");
		cr_expect_eq(keys_get(keys, type, 0), 0);
		cr_expect_eq(keys_get(keys, type, 4711), 0);
	}
	cr_expect_not(keys_has(keys, make_type(&made, SYMBOL)));
	sense_close(&sense);
	keys_release(keys);
	make_clear(&made);
	return text;
}

#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

Test(keys, stay_in_the_first_run)
{
	struct keys keys = { .fresh = 0 };

	for (int i = 0; i < 2; i++)
		cr_expect_str_eq(settled(&keys, NAMES("a.A", "a.B"), "main", 0), "");
	cr_expect_str_eq(settled(&keys, NAMES("a.A", "a.B", "a.C"), "renamed", 0), "");
	keys_clear(&keys);
}

/* The class of another run is the same class, its thread is not the same thread. */
Test(keys, change_in_other_runs)
{
	struct keys keys = { .fresh = 0 };

	cr_expect_str_eq(settled(&keys, NAMES("a.A", "a.B"), "main", 0), "");
	cr_expect_str_eq(settled(&keys, NAMES("a.B", "a.X"), "main", 1), "C 2 +1; T +0; ");
	cr_expect_str_eq(settled(&keys, NAMES("a.X", "a.A"), "renamed", 1), "C +1 1; T +0; ");
	cr_expect_str_eq(settled(&keys, NAMES("a.X", "a.Y"), "main", 2), "C +1 +3; T +2; ");
	cr_expect_str_eq(settled(&keys, NAMES("a.A", "a.B", "a.Y"), "main", 0), "");
	keys_clear(&keys);
}

/* Producers that number classes anew in each chunk. */
Test(keys, change_where_they_mean_another_class)
{
	struct keys keys = { .fresh = 0 };

	cr_expect_str_eq(settled(&keys, NAMES("a.A", "a.B"), "main", 0), "");
	cr_expect_str_eq(settled(&keys, NAMES("a.B", "a.C", "a.D"), "main", 0),
			 "C 2 +0 3; ");
	keys_clear(&keys);
}
