#include <criterion/criterion.h>

#include <stdlib.h>

#include "jfr/sweep.h"
#include "make.h"

static const struct schema_type types[] = {
	TYPE("test.E", "jdk.jfr.Event", FIELDS(START)), TYPES_END,
};

#define CHUNKS 20

static void fill(struct made *made)
{
	writer_describe(&made->writer, types);
	for (int i = 0; i < CHUNKS; i++) {
		writer_open(&made->writer, NULL);
		EVENT(&made->writer, "test.E", LONG(i));
		cr_assert(writer_close(&made->writer, &made->err));
	}
	cr_assert(make_bytes(made), "%s", made->err.text);
}

/* What a sweep did; counted by one thread, as `take` is called. */
struct seen {
	size_t taken, failing;	/* the number of the chunk that fails in `work`, or less */
	size_t faults;
};

struct own {
	void *kept;	/* from chunk to chunk */
	size_t number;
};

static bool work(void *context, struct chunk *chunk, struct damage *damage, void *memory)
{
	const struct seen *seen = context;
	struct own *own = memory;

	own->number = chunk->number;
	if (!own->kept)
		own->kept = malloc(16);
	if (chunk->number == 7)
		damage_add(damage, "seven", STR(""), chunk_site(chunk, 0));
	return chunk->number != seen->failing;
}

static bool take(void *context, const struct chunk *chunk, const struct damage *damage,
		 void *memory)
{
	struct seen *seen = context;
	const struct own *own = memory;

	cr_expect_eq(chunk->number, seen->taken++);
	cr_expect_eq(own->number, chunk->number);
	cr_expect_eq(damage->faults.count, chunk->number == 7);
	return true;
}

static void release(void *memory)
{
	free(((struct own *)memory)->kept);
}

static bool run(struct seen *seen, const struct made *made, int threads, struct err *err)
{
	static const struct sweep sweep = { sizeof(struct own), NULL, work, take,
					    release };
	struct damage damage = { 0 };
	struct input input = { 0 };
	bool is_good;

	cr_assert(input_of_bytes(&input, made->bytes, made->size, "r.jfr"));
	is_good = sweep_run(&sweep, seen, &input, threads, &damage, err);
	seen->faults = damage.faults.count;
	damage_clear(&damage);
	input_close(&input);
	return is_good;
}

Test(sweep, takes_all_chunks_in_order)
{
	struct made made = { 0 };

	fill(&made);
	for (int threads = 1; threads <= 4; threads++) {
		struct seen seen = { .failing = CHUNKS };
		struct err err = { 0 };

		cr_expect(run(&seen, &made, threads, &err), "%s", err.text);
		cr_expect_eq(seen.taken, CHUNKS);
		cr_expect_eq(seen.faults, 1);
	}
	make_clear(&made);
}

Test(sweep, ends_when_memory_does)
{
	struct made made = { 0 };

	fill(&made);
	for (int threads = 1; threads <= 4; threads++) {
		struct seen seen = { .failing = 9 };
		struct err err = { 0 };

		cr_expect_not(run(&seen, &made, threads, &err));
		cr_expect_eq(err.kind, ERR_MEMORY);
		cr_expect_eq(seen.taken, 9);
		cr_expect_eq(seen.faults, 1);
	}
	make_clear(&made);
}

Test(sweep, tells_what_follows_the_last_chunk)
{
	struct seen seen = { .failing = CHUNKS };
	struct made made = { 0 };
	struct err err = { 0 };

	fill(&made);
	buf_text(&made.writer.buf, "and this is none");
	cr_assert(make_bytes(&made));
	cr_expect(run(&seen, &made, 2, &err), "%s", err.text);
	cr_expect_eq(seen.taken, CHUNKS);
	cr_expect_eq(seen.faults, 2);
	make_clear(&made);
}

Test(sweep, fails_where_there_is_no_chunk)
{
	struct seen seen = { .failing = CHUNKS };
	struct made made = { 0 };
	struct err err = { 0 };

	fill(&made);
	made.size = HEADER_SIZE - 1;
	cr_expect_not(run(&seen, &made, 2, &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	cr_expect_eq(seen.taken, 0);
	make_clear(&made);
}
