#include <criterion/criterion.h>
#include <stdio.h>

#include "classmaker.h"
#include "fault.h"
#include "probe/filters.h"

#define ANN "La/Ann;"

static const struct made_method methods[] = {
	{ "<init>", "()V", 0, NULL },
	{ "get", "()I", 0, ANN },
	{ "get", "(Ljava/lang/String;[I)I", 0, NULL },
	{ "get", "()Ljava/lang/Object;", ACCESS_BRIDGE | ACCESS_SYNTHETIC, NULL },
	{ "lambda$get$0", "()V", ACCESS_SYNTHETIC | ACCESS_STATIC, NULL },
	{ "none", "()V", ACCESS_NATIVE, NULL },
	{ "\xc3\xa9\xed\xa0\x81\xed\xb0\x80", "([[Lx/Y;J)V", 0, NULL },
	{ NULL, NULL, 0, NULL },
};

static bool is_below(void *context, struct str type)
{
	return str_is(type, str_of(context));
}

/* The numbers of its methods that are selected, in the order above. */
static const char *selected(const char *class_name, const char *annotation,
			    const char *text)
{
	static char told[32];
	const struct made_class made = { class_name, annotation, NULL, methods };
	struct filters filters = { .count = 0 };
	struct classfile file;
	struct arena arena = { 0 };
	struct buf bytes = { 0 };
	char *to = told;
	struct err err;

	classmaker_make(&bytes, &made);
	cr_assert(classfile_read(&file, &arena, bytes.bytes, bytes.size, &err), "%s",
		  err.text);
	cr_assert(filters_add(&filters, PROBE_TIMING, str_of(text), &err), "%s",
		  err.text);
	for (uint16_t i = 0; i < file.method_count; i++) {
		struct filters_asked asked = { &file, &file.methods[i], is_below,
					       (void *)"p.Base" };
		struct filters_kinds kinds;

		cr_assert(filters_of(&filters, &asked, &kinds));
		cr_expect((kinds.selected | kinds.taken) == 0 ||
			  (kinds.selected ^ kinds.taken) == PROBE_TIMING);
		if (kinds.selected)
			*to++ = (char)('0' + i);
	}
	*to = '\0';
	filters_clear(&filters);
	arena_clear(&arena);
	buf_clear(&bytes);
	return told;
}

static const struct {
	const char *filter, *numbers;
} cases[] = {
	{ "a.b.C", "0126" },
	{ "a.b.D", "" },
	{ "a.b.C::get", "12" },
	{ "a.b.C::g*", "123" },
	{ "a.b.C::get()", "13" },
	{ "a.b.C::get(String,int[])", "2" },
	{ "a.b.C::get(java.lang.String,int[])", "2" },
	{ "a.b.C::get(lang.String,int[])", "" },
	{ "a.b.C::*(x.Y[][],long)", "6" },
	{ "a.b.C::\xc3\xa9\xf0\x90\x90\x80", "6" },
	{ "a.b.C::lambda*", "4" },
	{ "a.b.C::*", "012346" },
	{ "::lambda$get$0", "4" },
	{ "a.**", "0126" },
	{ "a.*", "" },
	{ "::<init>", "0" },
	{ "a.b.C::none", "" },
	{ "@a.Ann", "1" },
	{ "@a.A*", "1" },
	{ "@a.Other", "" },
	{ "@a.Whole", "0126" },
	{ "+p.Base", "0126" },
	{ "+p.Base::get", "12" },
	{ "+p.Other", "" },
	{ "a.b.C;!a.b.C::get", "06" },
	{ "a.b.C::*;!a.b.C", "" },
	{ "a.b.C;!+p.Base", "" },
	{ "a.b.C;!@a.Ann", "026" },
	{ "", "" },
};

Test(filters, select_what_they_name)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *is = selected("a/b/C", "La/Whole;", cases[i].filter);

		cr_expect_str_eq(is, cases[i].numbers, "'%s' selects %s",
				 cases[i].filter, is);
	}
}

Test(filters, leave_out_what_can_have_no_probe)
{
	cr_expect_str_eq(selected("java/lang/CjfrRuntime", NULL, "**::*"), "");
	cr_expect_str_eq(selected("jdk/internal/misc/Unsafe", NULL, "**::*"), "");
	cr_expect_str_eq(selected("a/b/C$$Lambda$14", NULL, "**::*"), "");
	cr_expect_str_eq(selected("java/lang/invoke/LambdaForm$MH", NULL, "**::*"), "");
	cr_expect_str_eq(selected("java/lang/invoke/LambdaForm", NULL, "**"), "0126");
	cr_expect_str_eq(selected("java/lang/String", NULL, "**"), "0126");
}

static unsigned in_vain(const char *class_name, uint16_t access, const char *text,
			int *why)
{
	struct classfile file = { .name = str_of(class_name) };
	struct classfile_method method = { .name = STR("m"), .descriptor = STR("()V"),
					   .access = access };
	struct filters_asked asked = { &file, &method, is_below, (void *)"p.Base" };
	struct filters filters = { .count = 0 };
	unsigned kinds;

	cr_assert(filters_add(&filters, PROBE_TRACE, str_of(text), NULL));
	*why = REWRITE_DONE;
	kinds = filters_in_vain(&filters, &asked, why);
	filters_clear(&filters);
	return kinds;
}

Test(filters, know_what_is_asked_for_in_vain)
{
	int why;

	cr_expect_eq(in_vain("a/B", ACCESS_NATIVE, "a.B::m", &why), PROBE_TRACE);
	cr_expect_eq(why, OUTCOME_NATIVE);
	cr_expect_eq(in_vain("a/B", ACCESS_ABSTRACT, "a.B", &why), PROBE_TRACE);
	cr_expect_eq(why, OUTCOME_ABSTRACT);
	cr_expect_eq(in_vain("sun/misc/Unsafe", ACCESS_NATIVE, "sun.misc.Unsafe::m",
			     &why), PROBE_TRACE);
	cr_expect_eq(why, OUTCOME_EXCLUDED);
	cr_expect_eq(in_vain("a/B", ACCESS_NATIVE, "a.*::m;::m;@a.B", &why), 0);
	cr_expect_eq(in_vain("a/B", ACCESS_NATIVE, "a.B;!a.B::m", &why), 0);
	cr_expect_eq(in_vain("p/Base", ACCESS_ABSTRACT, "+p.Base::m", &why), 0);
	cr_expect_eq(in_vain("p/Base", ACCESS_NATIVE, "+p.Base::m", &why), PROBE_TRACE);
	cr_expect_eq(in_vain("a/B", 0, "a.B", &why), 0);
}

Test(filters, know_classes_that_are_named_in_vain)
{
	struct filters filters = { .count = 0 };

	cr_assert(filters_add(&filters, PROBE_TRACE,
			      STR("sun.misc.Unsafe::getInt;java.lang.Virtual*;a.B"), NULL));
	cr_expect(filters_name_in_vain(&filters, STR("sun/misc/Unsafe")));
	cr_expect_not(filters_name_in_vain(&filters, STR("java/lang/VirtualThread")));
	cr_expect_not(filters_name_in_vain(&filters, STR("a/B")));
	filters_clear(&filters);
}

Test(filters, mean_the_making_of_all_objects_only_by_name)
{
	cr_expect_str_eq(selected("java/lang/Object", NULL, "java.lang.*"), "126");
	cr_expect_str_eq(selected("java/lang/Object", NULL, "::<init>"), "");
	cr_expect_str_eq(selected("java/lang/Object", NULL, "java.lang.Object"), "0126");
	cr_expect_str_eq(selected("java/lang/Object", NULL, "java.lang.Object::<init>"),
			 "0");
}

static bool may_have(const char *text, const char *class_name, const char *above,
		     const char *texts)
{
	struct filters filters = { .count = 0 };
	struct filters_class known = {
		.name = str_of(class_name),
		.is_below = above ? is_below : NULL,
		.context = (void *)above,
		.texts = texts,
		.size = texts ? strlen(texts) : 0,
	};
	bool may;

	cr_assert(filters_add(&filters, PROBE_TRACE, str_of(text), NULL));
	may = filters_may_have(&filters, &known);
	filters_clear(&filters);
	return may;
}

Test(filters, know_many_classes_by_their_name)
{
	cr_expect(may_have("a.B", "a/B", NULL, NULL));
	cr_expect_not(may_have("a.B", "a/C", NULL, NULL));
	cr_expect_not(may_have("a.B;!a.C", "a/C", NULL, NULL));
	cr_expect(may_have("a.*", "a/C", NULL, NULL));
	cr_expect_not(may_have("a.*", "a/c/D", NULL, NULL));
	cr_expect(may_have("::m", "a/C", NULL, NULL));
	cr_expect(may_have("@a.A", "a/C", NULL, NULL));
	cr_expect(may_have("+a.B", "a/B", NULL, NULL));
	cr_expect_not(may_have("+a.B", "a/C", NULL, NULL));
	cr_expect(may_have("+a.B", "a/C", "a.B", NULL));
	cr_expect_not(may_have("+a.B", "a/C", "a.D", NULL));
	cr_expect(may_have("a.\xc3\xa9", "a/\xc3\xa9", NULL, NULL));
	cr_expect_not(may_have("**", "sun/misc/Unsafe", NULL, NULL));
}

Test(filters, look_for_texts)
{
	cr_expect(may_have("::find", "a/C", NULL, "..find.."));
	cr_expect_not(may_have("::find", "a/C", NULL, "..fin"));
	cr_expect(may_have("::f*", "a/C", NULL, "x"));
	cr_expect(may_have("@p.q.Anno", "a/C", NULL, "Lp/q/Anno;"));
	cr_expect_not(may_have("@p.q.Anno", "a/C", NULL, "Lp/q/Ann;"));
	cr_expect(may_have("::\xf0\x90\x90\x80", "a/C", NULL, "x"));
	cr_expect_not(may_have("a.C::find", "a/C", NULL, "x"));
}

Test(filters, say_what_needs_to_be_known_above)
{
	struct filters filters = { .count = 0 };
	struct filters_class known = { .name = STR("a/C"), .is_below = is_below,
				       .context = (void *)"a.B" };

	cr_expect(filters_is_empty(&filters));
	cr_assert(filters_add(&filters, PROBE_TIMING, STR("a.C;!a.D"), NULL));
	cr_expect_not(filters_is_empty(&filters));
	cr_expect_not(filters_has_subtypes(&filters));
	cr_expect_not(filters_mean_above(&filters, &known));
	cr_assert(filters_add(&filters, PROBE_TRACE, STR("+a.B"), NULL));
	cr_expect(filters_has_subtypes(&filters));
	cr_expect(filters_mean_above(&filters, &known));
	known.name = STR("a/B");
	cr_expect_not(filters_mean_above(&filters, &known));
	cr_expect_not(filters_wait(&filters));
	cr_expect_not(filters_add(&filters, 4, STR("a"), NULL));
	filters_clear(&filters);
	cr_assert(filters_add(&filters, PROBE_TIMING, STR("a.C;!+a.B"), NULL));
	cr_expect(filters_wait(&filters));
	filters_clear(&filters);
	cr_assert(filters_add(&filters, PROBE_TIMING, STR("!a.C; "), NULL));
	cr_expect(filters_is_empty(&filters));
	filters_clear(&filters);
}

static void tell(void *context, const struct filters_unmatched *unmatched)
{
	char *told = context;

	snprintf(told + strlen(told), 40, "%u %.*s%s;", unmatched->kind,
		 (int)unmatched->item->text.size, unmatched->item->text.bytes,
		 unmatched->is_lost ? " lost" : "");
}

/* Each method of a class comes by once. */
static void hit_all(struct filters *filters)
{
	const struct made_class made = { "a/b/C", NULL, NULL, methods };
	struct filters_asked asked = { .is_below = NULL };
	struct arena arena = { 0 };
	struct buf bytes = { 0 };
	struct classfile file;
	struct filters_kinds kinds;

	classmaker_make(&bytes, &made);
	cr_assert(classfile_read(&file, &arena, bytes.bytes, bytes.size, NULL));
	asked.file = &file;
	for (uint16_t i = 0; i < file.method_count; i++) {
		asked.method = &file.methods[i];
		cr_assert(filters_of(filters, &asked, &kinds));
		filters_hit(filters, &asked, kinds);
	}
	arena_clear(&arena);
	buf_clear(&bytes);
}

static const struct {
	const char *timing, *trace;
	uint64_t hits[4];		/* of timing's */
	const char *unmatched;
} counted[] = {
	{ "a.b.C;z.Z", "::put", { 4, 0 }, "1 z.Z;2 ::put;" },
	{ "a.b.C;!a.b.C::get;!x.Y", "", { 2, 2, 0 }, "1 !x.Y;" },
	/* Not what nobody selects: a bridge, here. */
	{ "a.b.C::<init>;::get;!a.b.C::g*", "", { 1, 0, 2 }, "1 ::get lost;" },
	/* Nothing was there to take out of. */
	{ "z.Z;!x.Y", "a.b.C;!x.Y", { 0, 0 }, "1 z.Z;2 !x.Y;" },
	{ "a.b.C;!a.**;!::get", "", { 0, 4, 2 }, "1 a.b.C lost;" },
};

Test(filters, count_what_they_select_and_take_out)
{
	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++) {
		struct filters filters = { .count = 0 };
		char told[160] = "";

		cr_assert(filters_add(&filters, PROBE_TIMING, str_of(counted[i].timing),
				      NULL));
		cr_assert(filters_add(&filters, PROBE_TRACE, str_of(counted[i].trace),
				      NULL));
		hit_all(&filters);
		for (size_t k = 0; k < filters.of[0].filter.items.count; k++)
			cr_expect_eq(atomic_load(&filters.of[0].hits[k]),
				     counted[i].hits[k], "%s, %zu: %zu",
				     counted[i].timing, k,
				     (size_t)atomic_load(&filters.of[0].hits[k]));
		filters_unmatched(&filters, tell, told);
		cr_expect_str_eq(told, counted[i].unmatched);
		filters_clear(&filters);
	}
}

Test(filters, say_which_one_is_wrong)
{
	struct filters filters = { .count = 0 };
	struct err err;

	cr_expect_not(filters_add(&filters, PROBE_TIMING, STR("a.B;a b"), &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect(strstr(err.text, "'a b'"), "%s", err.text);
	cr_expect_eq(filters.count, 0);
}

Test(filters, say_when_memory_runs_out)
{
	struct filters filters = { .count = 0 };
	bool is_added;
	struct err err;
	size_t n = 0;

	do {
		fault_at(++n);
		is_added = filters_add(&filters, PROBE_TIMING, STR("a.B;c.D::m(int)"),
				       &err);
		cr_expect(is_added || err.kind == ERR_MEMORY);
	} while (!is_added);
	fault_at(0);
	cr_expect_gt(n, 3);
	filters_clear(&filters);
}
