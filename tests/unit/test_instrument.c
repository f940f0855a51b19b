#include <criterion/criterion.h>

#include "classmaker.h"
#include "fault.h"
#include "probe/instrument.h"

static const struct made_method methods[] = {
	{ "<init>", "()V", 0, NULL },
	{ "get", "()V", 0, NULL },
	{ "put", "()V", 0, NULL },
	{ NULL, NULL, 0, NULL },
};

struct bench {
	struct counters *counters;
	struct filters filters;
	struct instrument instrument;
	struct buf bytes, made;
	struct instrument_class asked;
	struct err err;
};

static void begin(struct bench *bench, const char *name, const char *timing,
		  const char *constant)
{
	const struct made_class made = { name, NULL, constant, methods };

	*bench = (struct bench){ .counters = counters_new() };
	cr_assert(filters_add(&bench->filters, PROBE_TIMING, str_of(timing), NULL));
	bench->instrument.filters = &bench->filters;
	bench->instrument.probed = probed_new(bench->counters);
	cr_assert(bench->instrument.probed);
	classmaker_make(&bench->bytes, &made);
	bench->asked = (struct instrument_class){
		.known = { .name = str_of(name) },
		.loader = 7,
		.bytes = bench->bytes.bytes,
		.size = bench->bytes.size,
	};
}

static bool run(struct bench *bench)
{
	buf_clear(&bench->made);
	return instrument_class(&bench->instrument, &bench->asked, &bench->made,
				&bench->err);
}

static void end(struct bench *bench)
{
	taken_clear(&bench->instrument.taken);
	annotations_clear(&bench->instrument.annotations);
	buf_clear(&bench->bytes);
	buf_clear(&bench->made);
	filters_clear(&bench->filters);
	probed_free(bench->instrument.probed);
	counters_free(bench->counters);
}

/* True if the class that was made calls the runtime. */
static bool calls(const struct buf *made, const char *method)
{
	return made->size && memmem(made->bytes, made->size, method, strlen(method));
}

Test(instrument, puts_probes_into_the_methods_that_are_meant)
{
	struct bench bench;
	struct probed_copy copy;

	begin(&bench, "a/B", "a.B::get;a.B::<init>", NULL);
	cr_assert(run(&bench), "%s", bench.err.text);
	cr_expect(calls(&bench.made, "java/lang/CjfrRuntime"));
	cr_assert(probed_find(bench.instrument.probed, 0, &copy));
	cr_expect(str_is(copy.name, STR("<init>")));
	cr_assert(probed_find(bench.instrument.probed, 1, &copy));
	cr_expect(str_is(copy.name, STR("get")));
	cr_expect_eq(copy.newest.result, REWRITE_DONE);
	cr_expect_eq(copy.newest.size_before, 1);
	cr_expect_gt(copy.newest.size_after, 1);
	cr_expect_not(probed_find(bench.instrument.probed, 2, &copy));
	end(&bench);
}

Test(instrument, calls_what_the_kinds_need)
{
	struct bench bench;

	begin(&bench, "a/B", "a.B::get", NULL);
	cr_assert(filters_add(&bench.filters, PROBE_TRACE, STR("a.B::get;a.B::put"),
			      NULL));
	cr_assert(run(&bench));
	cr_expect(calls(&bench.made, "timingAndTrace"));
	cr_expect(calls(&bench.made, "\1\0\5trace") == calls(&bench.made, "enter"));
	end(&bench);
}

Test(instrument, counts_a_method_once)
{
	struct bench bench;

	begin(&bench, "a/B", "a.B;c.D", NULL);
	cr_assert(run(&bench));
	cr_assert(run(&bench));
	cr_expect_eq(atomic_load(&bench.filters.of[0].hits[0]), 3);
	bench.asked.loader = 8;
	cr_assert(run(&bench));
	cr_expect_eq(atomic_load(&bench.filters.of[0].hits[0]), 6);
	cr_expect_eq(atomic_load(&bench.filters.of[0].hits[1]), 0);
	end(&bench);
}

Test(instrument, counts_once_what_is_taken_out)
{
	struct bench bench;

	begin(&bench, "a/B", "a.B;!::get", NULL);
	cr_assert(filters_add(&bench.filters, PROBE_TRACE, STR("a.B;!a.**"), NULL));
	cr_assert(run(&bench));
	cr_assert(run(&bench));
	cr_expect_eq(atomic_load(&bench.filters.of[0].hits[0]), 2);
	cr_expect_eq(atomic_load(&bench.filters.of[0].hits[1]), 1);
	cr_expect_eq(atomic_load(&bench.filters.of[1].hits[1]), 3);
	cr_expect_eq(atomic_load(&bench.filters.of[1].lost[0]), 3);
	bench.asked.loader = 8;
	cr_assert(run(&bench));
	cr_expect_eq(atomic_load(&bench.filters.of[0].hits[1]), 2);
	end(&bench);
}

Test(instrument, keeps_annotations_while_they_are_looked_for)
{
	static const struct made_method annotated[] = {
		{ "get", "()V", 0, "Lp/Get;" },
		{ "put", "()V", 0, "Lp/Get;" },
		{ NULL, NULL, 0, NULL },
	};
	const struct made_class made = { "a/C", "Lp/Whole;", NULL, annotated };
	struct annotations *seen;
	struct bench bench;
	struct buf bytes = { 0 };

	classmaker_make(&bytes, &made);
	begin(&bench, "a/B", "a.B;@p.None", NULL);
	seen = &bench.instrument.annotations;
	instrument_look(&bench.instrument, bytes.bytes, bytes.size);
	cr_assert_eq(seen->names.count, 2);
	cr_expect(str_is(seen->names.items[0], STR("p.Whole")));
	cr_expect(str_is(seen->names.items[1], STR("p.Get")));
	annotations_clear(seen);
	atomic_store(&bench.filters.of[0].hits[1], 1);
	instrument_look(&bench.instrument, bytes.bytes, bytes.size);
	cr_expect_eq(seen->names.count, 0);
	buf_clear(&bytes);
	end(&bench);
}

static void expect_none(const char *name, const char *filter)
{
	struct bench bench;

	begin(&bench, name, filter, NULL);
	cr_expect(run(&bench));
	cr_expect_eq(bench.made.size, 0);
	cr_expect_not(probed_has(bench.instrument.probed, 7, str_of(name)));
	end(&bench);
}

Test(instrument, notes_what_is_asked_for_in_vain)
{
	static const struct made_method native[] = {
		{ "none", "()V", ACCESS_NATIVE, NULL },
		{ NULL, NULL, 0, NULL },
	};
	const struct made_class made = { "a/B", NULL, NULL, native };
	struct probed_copy copy;
	struct bench bench;

	begin(&bench, "a/B", "a.B::none", NULL);
	buf_clear(&bench.bytes);
	classmaker_make(&bench.bytes, &made);
	bench.asked.bytes = bench.bytes.bytes;
	bench.asked.size = bench.bytes.size;
	cr_assert(run(&bench));
	cr_expect_eq(bench.made.size, 0);
	cr_assert(probed_find(bench.instrument.probed, 0, &copy));
	cr_expect_eq(copy.newest.result, OUTCOME_NATIVE);
	cr_expect_not(copy.was_done);
	cr_expect_eq(atomic_load(&bench.filters.of[0].hits[0]), 0, "none is selected");
	end(&bench);
}

Test(instrument, leaves_other_classes_as_they_are)
{
	expect_none("a/C", "a.B");
	expect_none("a/B", "a.B::none");
	expect_none("sun/misc/Unsafe", "**");
}

/* The JVM shows constants of ours also when the probes are gone again. */
Test(instrument, leaves_what_has_probes_as_it_is)
{
	struct bench bench;
	struct buf made;

	begin(&bench, "a/B", "a.B", "java/lang/CjfrRuntime");
	cr_assert(run(&bench));
	cr_expect_gt(bench.made.size, 0);
	made = bench.made;
	bench.made = (struct buf){ 0 };
	bench.asked.bytes = made.bytes;
	bench.asked.size = made.size;
	cr_assert(run(&bench));
	cr_expect_eq(bench.made.size, 0);
	buf_clear(&made);
	end(&bench);
}

Test(instrument, reads_the_name_where_nobody_tells_it)
{
	struct bench bench;

	begin(&bench, "a/B", "a.B", NULL);
	bench.asked.known.name = (struct str){ NULL, 0 };
	cr_assert(run(&bench));
	cr_expect_gt(bench.made.size, 0);
	cr_expect(probed_has(bench.instrument.probed, 7, STR("a/B")));
	bench.asked.known.name = STR("a/C");
	cr_assert(run(&bench));
	cr_expect_eq(bench.made.size, 0);
	end(&bench);
}

Test(instrument, stops)
{
	struct bench bench;

	begin(&bench, "a/B", "a.B", NULL);
	cr_assert(run(&bench));
	cr_expect_gt(bench.made.size, 0);
	probed_leave(bench.instrument.probed, 7, STR("a/B"));
	cr_assert(run(&bench));
	cr_expect_eq(bench.made.size, 0);
	bench.asked.loader = 8;
	atomic_store(&bench.instrument.is_off, true);
	cr_assert(run(&bench));
	cr_expect_eq(bench.made.size, 0);
	cr_expect(probed_has(bench.instrument.probed, 7, STR("a/B")));
	end(&bench);
}

Test(instrument, says_what_it_cannot_read)
{
	struct bench bench;

	begin(&bench, "a/B", "a.B", NULL);
	bench.asked.size -= 3;
	cr_expect_not(run(&bench));
	cr_expect_eq(bench.err.kind, ERR_FORMAT);
	cr_expect(strstr(bench.err.text, "class a/B: "), "%s", bench.err.text);
	bench.asked.size = 0;
	cr_expect(run(&bench) || bench.err.kind == ERR_FORMAT);
	cr_expect_eq(bench.made.size, 0);
	end(&bench);
}

Test(instrument, says_when_memory_runs_out)
{
	struct bench bench;
	bool is_made;
	size_t n = 0;

	begin(&bench, "a/B", "a.B", NULL);
	do {
		fault_at(++n);
		is_made = run(&bench);
		cr_expect(is_made || bench.err.kind == ERR_MEMORY, "%zu: %s", n,
			  bench.err.text);
	} while (fault_happened());
	fault_at(0);
	cr_expect(is_made);
	cr_expect_gt(n, 5);
	end(&bench);
}
