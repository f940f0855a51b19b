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
	size_t begun, last;	/* where `begin` is called, the chunk that ends it */
	bool has_begun[CHUNKS];
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

/* Each chunk comes once and in order, before its work. */
static bool begin(void *context, const struct chunk *chunk)
{
	struct seen *seen = context;

	cr_expect_eq(chunk->number, seen->begun++);
	cr_expect_gt(chunk->metadata.type_count, 0);
	seen->has_begun[chunk->number] = true;
	return chunk->number != seen->last;
}

static bool work_on_begun(void *context, struct chunk *chunk, struct damage *damage,
			  void *memory)
{
	const struct seen *seen = context;

	cr_expect(seen->has_begun[chunk->number]);
	return work(context, chunk, damage, memory);
}

static bool run_with(const struct sweep *sweep, struct seen *seen,
		     const struct made *made, int threads, struct err *err)
{
	struct damage damage = { 0 };
	struct input input = { 0 };
	bool is_good;

	cr_assert(input_of_bytes(&input, made->bytes, made->size, "r.jfr"));
	is_good = sweep_run(sweep, seen, &input, threads, &damage, err);
	seen->faults = damage.faults.count;
	damage_clear(&damage);
	input_close(&input);
	return is_good;
}

static bool run(struct seen *seen, const struct made *made, int threads, struct err *err)
{
	static const struct sweep sweep = { sizeof(struct own), NULL, work, take,
					    release };

	return run_with(&sweep, seen, made, threads, err);
}

static bool run_begun(struct seen *seen, const struct made *made, int threads,
		      struct err *err)
{
	static const struct sweep sweep = { sizeof(struct own), begin, work_on_begun,
					    take, release };

	return run_with(&sweep, seen, made, threads, err);
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

Test(sweep, begins_each_chunk_before_its_work)
{
	struct made made = { 0 };

	fill(&made);
	for (int threads = 1; threads <= 4; threads++) {
		struct seen seen = { .failing = CHUNKS, .last = CHUNKS };
		struct err err = { 0 };

		cr_expect(run_begun(&seen, &made, threads, &err), "%s", err.text);
		cr_expect_eq(seen.begun, CHUNKS);
		cr_expect_eq(seen.taken, CHUNKS);
	}
	make_clear(&made);
}

/* Those that were begun before are taken; that one and all behind are not. */
Test(sweep, ends_where_a_chunk_does_not_begin)
{
	static const size_t places[] = { 0, 9, CHUNKS - 1 };
	struct made made = { 0 };

	fill(&made);
	for (size_t i = 0; i < 3; i++) {
		for (int threads = 1; threads <= 4; threads++) {
			struct seen seen = { .failing = CHUNKS, .last = places[i] };
			struct err err = { 0 };

			cr_expect_not(run_begun(&seen, &made, threads, &err));
			cr_expect_eq(err.kind, ERR_MEMORY);
			cr_expect_eq(seen.begun, places[i] + 1);
			cr_expect_eq(seen.taken, places[i]);
		}
	}
	make_clear(&made);
}
