#include <criterion/criterion.h>

#include "filter/threads.h"
#include "make.h"
#include "shop.h"

static const struct {
	const char *patterns;
	uint64_t thread;
	bool matches;
} cases[] = {
	{ "main", MAIN_THREAD, true },
	{ "Main", MAIN_THREAD, false },
	{ "mai", MAIN_THREAD, false },
	{ "m*", MAIN_THREAD, true },
	{ "m??n", MAIN_THREAD, true },
	{ "*", MAIN_THREAD, true },
	{ "clerk,main", MAIN_THREAD, true },
	{ " clerk , main ", MAIN_THREAD, true },
	{ ",,main", MAIN_THREAD, true },
	{ ",", MAIN_THREAD, false },
	{ "", MAIN_THREAD, false },
	{ "1", MAIN_THREAD, true },
	{ "4001", MAIN_THREAD, true },
	{ "01", MAIN_THREAD, true },
	{ "400", MAIN_THREAD, false },
	{ "+1", MAIN_THREAD, false },
	{ "99999999999999999999999", MAIN_THREAD, false },
	{ "clerk", CLERK_THREAD, true },
	{ "clerk \"*", CLERK_THREAD, true },
	{ "errand", VIRTUAL_THREAD, true },
	{ "40", VIRTUAL_THREAD, true },
	{ "0", VIRTUAL_THREAD, false },
	{ "VM*", VM_THREAD, true },
	{ "4009", VM_THREAD, true },
	{ "0", VM_THREAD, false },
	{ "*", UNNAMED_THREAD, true },
};

Test(threads, match_by_name_or_number)
{
	struct made shop = { 0 };

	make_begin(&shop, make_jdk_types);
	shop_constants(&shop.writer);
	cr_assert(make_open(&shop), "%s", shop.err.text);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct threads threads = { str_of(cases[i].patterns), false };
		struct object thread;

		cr_assert(object_constant(&thread, &shop.chunk,
					  make_type(&shop, "java.lang.Thread"),
					  cases[i].thread, &shop.arena));
		cr_expect_eq(
			threads_match(&threads, &thread, &shop.arena),
			cases[i].matches, "'%s' and %d", cases[i].patterns,
			(int)cases[i].thread);
	}
	make_clear(&shop);
}

static const struct schema_type types[] = {
	TYPE("a.Both", "jdk.jfr.Event",
	     FIELDS(START, FIELD("sampledThread", "java.lang.Thread", POOLED), THREAD)),
	TYPE("a.Sampled", "jdk.jfr.Event",
	     FIELDS(START, FIELD("parent", "java.lang.Thread", POOLED),
		    FIELD("sampledThread", "java.lang.Thread", POOLED))),
	TYPE("a.One", "jdk.jfr.Event",
	     FIELDS(START, FIELD("x", "int"), FIELD("driver", "java.lang.Thread"))),
	TYPE("a.Two", "jdk.jfr.Event",
	     FIELDS(START, FIELD("from", "java.lang.Thread", POOLED),
		    FIELD("to", "java.lang.Thread", POOLED))),
	TYPE("a.Many", "jdk.jfr.Event",
	     FIELDS(START, FIELD("all", "java.lang.Thread", POOLED, ARRAY))),
	TYPE("a.Odd", "jdk.jfr.Event",
	     FIELDS(START, FIELD("eventThread", "long"),
		    FIELD("thread", "java.lang.Thread", POOLED))),
	TYPE("a.None", "jdk.jfr.Event", FIELDS(START)),
	TYPES_END,
};

/* What the JDK's scrub asks for. */
Test(threads, match_by_java_name_alone)
{
	static const char *const patterns[] = { "*", "main", "m?in,x", "1", "4001", "" };
	static const bool matches[] = { true, true, true, false, false, false };
	struct made shop = { 0 };
	struct object thread;

	make_begin(&shop, make_jdk_types);
	shop_constants(&shop.writer);
	cr_assert(make_open(&shop), "%s", shop.err.text);
	for (size_t i = 0; i < sizeof(matches) / sizeof(matches[0]); i++) {
		const struct threads threads = { str_of(patterns[i]), true };

		cr_assert(object_constant(&thread, &shop.chunk,
					  make_type(&shop, "java.lang.Thread"), MAIN_THREAD,
					  &shop.arena));
		cr_expect_eq(threads_match(&threads, &thread, &shop.arena), matches[i],
			     "'%s'", patterns[i]);
	}
	make_clear(&shop);
}

Test(threads, of_events_have_a_field)
{
	static const struct {
		const char *type, *field;
	} fields[] = {
		{ "a.Both", "eventThread" }, { "a.Sampled", "sampledThread" },
		{ "a.One", "driver" },	     { "a.Two", NULL },
		{ "a.Many", NULL },	     { "a.Odd", "thread" },
		{ "a.None", NULL },
	};
	static const struct threads any = { .is_java = false };
	static const struct threads java = { .is_java = true };
	struct made made = { 0 };

	writer_describe(&made.writer, make_jdk_types);
	make_begin(&made, types);
	cr_assert(make_open(&made), "%s", made.err.text);
	cr_expect(threads_field(&java, make_type(&made, "a.Both")));
	cr_expect_null(threads_field(&java, make_type(&made, "a.Sampled")));
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const struct field *field =
			threads_field(&any, make_type(&made, fields[i].type));

		if (fields[i].field)
			cr_expect(field && str_is(field->name, str_of(fields[i].field)),
				  "%s", fields[i].type);
		else
			cr_expect_null(field, "%s", fields[i].type);
	}
	make_clear(&made);
}
