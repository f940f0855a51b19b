#include <criterion/criterion.h>

#include "classfile/classfile.h"
#include "fault.h"
#include "probe/hint.h"

static const struct str classes[] = {
	STR("com.acme.Ctl"), STR("com.acme.Pool"), STR("com.acme.Pool$Entry"),
	STR("com.acme.GET"), STR("com.acme.web.Server"), STR("org.other.deep.Thing"),
	STR("java.lang.String"), STR("java.lang.Thread"), STR("App"),
	STR("jdk.internal.misc.Unsafe"), STR("java.util.List"),
};

static const struct str annotations[] = { STR("com.acme.GET"), STR("com.acme.POST") };

#define PUBLIC 1

static const struct {
	size_t class_;
	struct hint_method method;
} methods[] = {
	{ 0, { STR("fast"), STR(""), PUBLIC } },
	{ 0, { STR("slow"), STR("int"), PUBLIC } },
	{ 0, { STR("getName"), STR(""), PUBLIC } },
	{ 1, { STR("take"), STR("int"), PUBLIC } },
	{ 1, { STR("take"), STR("int,long"), PUBLIC } },
	{ 1, { STR("take"), STR("java.lang.String[]"), PUBLIC } },
	{ 1, { STR("take"), STR(""), PUBLIC } },
	{ 1, { STR("close0"), STR(""), ACCESS_NATIVE } },
	{ 6, { STR("length"), STR(""), PUBLIC } },
	{ 7, { STR("run"), STR(""), PUBLIC } },
	{ 8, { STR("main"), STR("java.lang.String[]"), PUBLIC } },
	{ 10, { STR("add"), STR("java.lang.Object"), ACCESS_ABSTRACT } },
};

static void add_methods(void *context, size_t class_, struct hint_methods *to)
{
	(void)context;
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		if (methods[i].class_ == class_)
			vec_push(&to->of, methods[i].method);
	}
}

static const struct hint_known known = {
	classes, sizeof(classes) / sizeof(classes[0]),
	annotations, sizeof(annotations) / sizeof(annotations[0]),
	.add_methods = add_methods,
};

#define MEANT(text) "; did you mean " text "?"

static const struct {
	const char *filter, *hint;
} cases[] = {
	/* A dot in place of ::. */
	{ "com.acme.Ctl.fast", MEANT("com.acme.Ctl::fast") },
	{ "com.acme.Ctl.fsat", MEANT("com.acme.Ctl::fast") },
	{ "com.acme.Ctl.get*", MEANT("com.acme.Ctl::get*") },
	{ "com.acme.C*.fast", MEANT("com.acme.C*::fast") },
	{ "Ctl.fast", MEANT("com.acme.Ctl::fast") },
	{ "App.main", MEANT("App::main") },
	{ "!com.acme.Ctl.fast", MEANT("!com.acme.Ctl::fast") },
	{ "+com.acme.Ctl.fast", MEANT("+com.acme.Ctl::fast") },
	/* Methods. */
	{ "com.acme.Ctl::fsat", MEANT("com.acme.Ctl::fast") },
	{ "!+com.acme.Ctl::slwo( int )", MEANT("!+com.acme.Ctl::slow( int )") },
	{ "::fsat", MEANT("::fast") },
	{ "!::gett*", MEANT("!::get*") },
	{ "com.acme.**::fsat", MEANT("com.acme.**::fast") },
	{ "com.acme.Ctl::nothingLikeIt", ": that class has no such method" },
	{ "com.acme.**::nothingLikeIt", ": no class that it means has such a method" },
	{ "::nothingLikeIt", ": no class that it means has such a method" },
	{ "!com.acme.Ctl::fast", ": the others do not select it" },
	{ "com.acme.Pool::close0", ": it is native, and has no code" },
	{ "java.util.List::add",
	  ": it is abstract, and has no code" MEANT("+java.util.List::add") },
	{ "!com.acme.Ctl::Ctl(int)", MEANT("!com.acme.Ctl::<init>(int)") },
	/* Their parameters. */
	{ "com.acme.Ctl::slow(long)", ": there is slow(int)" },
	{ "com.acme.Ctl::slow()", ": there is slow(int)" },
	{ "com.acme.Pool::take(byte)",
	  ": there is take(int), take(int,long), take(java.lang.String[]) and 1 more" },
	/* Packages. */
	{ "com.acme", MEANT("com.acme.*") },
	{ "com", MEANT("com.**") },
	{ "+com.acme::fast", MEANT("+com.acme.*::fast") },
	{ "com.amce.**", MEANT("com.acme.**") },
	{ "org.other.*", MEANT("org.other.**") },
	{ "org.othr.*::run", MEANT("org.other.**::run") },
	{ "com.acme.Ctl.*", MEANT("com.acme.Ctl") },
	/* Classes. */
	{ "Ctl", MEANT("com.acme.Ctl") },
	{ "!Ctl::fast", MEANT("!com.acme.Ctl::fast") },
	{ "com.amce.Ctl::slow(int)", MEANT("com.acme.Ctl::slow(int)") },
	{ "com.acme.Pool.Entry", MEANT("com.acme.Pool$Entry") },
	{ "Entry", MEANT("com.acme.Pool$Entry") },
	{ "com.acme.Clt", MEANT("com.acme.Ctl") },
	{ "+com.acme.Ctx", MEANT("+com.acme.Ctl") },
	{ "java.lang.Sting::length", MEANT("java.lang.String::length") },
	{ "Thread*::run", MEANT("**.Thread*::run") },
	{ "com.acme.Rest", ": no such class was loaded" },
	{ "com.acme.Pool$Thing", ": no such class was loaded" },
	{ "com.acme.Pool$Enrty", MEANT("com.acme.Pool$Entry") },
	{ "com.acme.NothingLikeIt", ": no such class was loaded" },
	{ "none.of.these.**", ": no such class was loaded" },
	{ "java.util.List", ": it has no methods with code" },
	{ "+java.util.List", ": neither it nor what is below it has methods with code" },
	{ "!com.acme.Ctl", ": the others select nothing of it" },
	{ "jdk.internal.misc.Unsafe", 
	  ": it can have no probe (man cjfr-record, What has no probe)" },
	/* Annotations. */
	{ "@com.acme.Get", MEANT("@com.acme.GET") },
	{ "@GET", MEANT("@com.acme.GET") },
	{ "!@com.acme.Pots", MEANT("!@com.acme.POST") },
	{ "com.acme.GET", MEANT("@com.acme.GET") },
	{ "@com.acme.Ctl", ": no such annotation was seen that is kept at run time" },
	{ "@com.acme.GET", ": no method or class that was loaded has it, or it is not kept "
			   "at run time" },
	/* Stars. */
	{ "*::fast", ": no class that it means has such a method" },
	{ "App*", ": no class that it means has methods with code" },
};

static void expect(const char *text, const struct hint_known *of, const char *hint)
{
	struct methodfilter filter;
	struct methodfilter_fault fault;
	struct buf told = { 0 };

	cr_assert(methodfilter_read(&filter, str_of(text), METHODFILTER_OURS, &fault),
		  "%s: %s", text, fault.reason);
	hint_add(&told, &filter.items.items[0], of);
	buf_byte(&told, '\0');
	cr_expect_str_eq(told.bytes, hint, "%s: %s", text, told.bytes);
	buf_clear(&told);
	methodfilter_clear(&filter);
}

Test(hint, says_what_may_have_been_meant)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(cases[i].filter, &known, cases[i].hint);
}

/* Without classes that have no package. */
Test(hint, knows_that_a_star_has_no_dots)
{
	struct hint_known few = known;

	few.class_count = 8;
	expect("*", &few, ": * stands for a name without dots, ** for all" MEANT("**"));
	expect("*::fast", &few,
	       ": * stands for a name without dots, ** for all" MEANT("**::fast"));
}

Test(hint, looks_for_what_is_taken_out_where_others_select)
{
	struct hint_known of = known;
	struct methodfilter others;
	struct methodfilter_fault fault;

	cr_assert(methodfilter_read(&others, STR("com.acme.Ctl;!::take*"),
				    METHODFILTER_OURS, &fault));
	expect("!::slow", &of, ": the others do not select it");
	expect("!::runs", &of, MEANT("!::run"));
	of.others = &others;
	expect("!::runs", &of, ": no class that it means has such a method");
	expect("!::fsat", &of, MEANT("!::fast"));
	expect("::runs", &of, MEANT("::run"));
	methodfilter_clear(&others);
}

Test(hint, has_nothing_to_compare_with)
{
	const struct hint_known nothing = { .add_methods = add_methods };

	expect("com.acme.Ctl", &nothing, ": no such class was loaded");
	expect("com.acme.**::fast", &nothing, ": no such class was loaded");
	expect("::fast", &nothing, ": no class that it means has such a method");
	expect("@GET", &nothing, ": no such annotation was seen that is kept at run time");
}

Test(hint, needs_no_memory_to_end_well)
{
	struct methodfilter filter;
	struct methodfilter_fault fault;

	cr_assert(methodfilter_read(&filter, STR("com.amce.**;Ctl.fsat;@Gte;com.acme"),
				    METHODFILTER_OURS, &fault));
	for (size_t n = 1; n < 60; n++) {
		struct buf told = { 0 };

		fault_at(n);
		for (size_t i = 0; i < filter.items.count; i++)
			hint_add(&told, &filter.items.items[i], &known);
		fault_at(0);
		buf_clear(&told);
	}
	methodfilter_clear(&filter);
}
