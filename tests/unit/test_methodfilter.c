#include <criterion/criterion.h>
#include <stdio.h>

#include "fault.h"
#include "jfc/methodfilter.h"
#include "jfctext.h"

/* "!+@class method parameters", - for what is not there; or the place and reason. */
static const char *told(const char *text, enum methodfilter_mode mode)
{
	static char to[400];
	struct methodfilter filter;
	struct methodfilter_fault fault;
	size_t size = 0;

	to[0] = '\0';
	if (methodfilter_read(&filter, str_of(text), mode, &fault)) {
		cr_expect_null(fault.reason);
	} else {
		filter.items.count = 0;
		snprintf(to, sizeof(to), "%zu: %s", fault.at, fault.reason);
		cr_expect(fault.item.bytes >= text &&
			  fault.item.bytes + fault.item.size <= text + strlen(text));
		cr_expect(text + fault.at >= fault.item.bytes &&
			  text + fault.at <= fault.item.bytes + fault.item.size);
	}
	for (size_t i = 0; i < filter.items.count; i++) {
		const struct methodfilter_item *item = &filter.items.items[i];

		size += (size_t)snprintf(
			to + size, sizeof(to) - size, "%s%s%s%s%s %s %s",
			size ? "; " : "", item->is_excluded ? "!" : "",
			item->has_subtypes ? "+" : "",
			item->is_annotation ? "@" : "", jfctext_of(item->class_name),
			jfctext_of(item->method), jfctext_of(item->parameters));
	}
	methodfilter_clear(&filter);
	return to;
}

struct reading {
	const char *text;
	const char *told;
};

static void read_all(const struct reading *cases, size_t count,
		     enum methodfilter_mode mode)
{
	for (size_t i = 0; i < count; i++) {
		const char *is = told(cases[i].text, mode);

		cr_expect_str_eq(is, cases[i].told, "'%s' is '%s'", cases[i].text, is);
	}
}

#define READ_ALL(cases, mode) read_all(cases, sizeof(cases) / sizeof(cases[0]), mode)

/* What both modes make the same of. */
static const struct reading jdk[] = {
	{ "", "" },
	{ " \n\t", "" },
	{ ";; ;", "" },
	{ "a.b.C", "a.b.C - -" },
	{ "C", "C - -" },
	{ "a.b.C$1", "a.b.C$1 - -" },
	{ "a.b.C::m", "a.b.C m -" },
	{ "a.b.C::<init>", "a.b.C <init> -" },
	{ "::<clinit>", "- <clinit> -" },
	{ "::m", "- m -" },
	{ "@a.Ann", "@a.Ann - -" },
	{ "a.B;c.D::e", "a.B - -; c.D e -" },
	{ "\n  a.B ;\r\n\t::c;\n ", "a.B - -; - c -" },
	{ "\xe2\x80\x83" "a.B\xe3\x80\x80;::\xc3\xa9", "a.B - -; - \xc3\xa9 -" },
	{ "::record", "- record -" },
};

Test(methodfilter, reads_those_of_the_jdk)
{
	READ_ALL(jdk, METHODFILTER_OURS);
	READ_ALL(jdk, METHODFILTER_JDK);
}

static const struct reading ours[] = {
	{ "a.b.*", "a.b.* - -" },
	{ "a.b.**", "a.b.** - -" },
	{ "a.b.C*::get*", "a.b.C* get* -" },
	{ "a.B::*", "a.B * -" },
	{ "a.B::m()", "a.B m " },
	{ "::m( )", "- m " },
	{ "a.B::m(int)", "a.B m int" },
	{ "a.B::<init>( java.lang.String , int [][]... )",
	  "a.B <init> java.lang.String,int[][][]" },
	{ "a.B::m(*,**.C)", "a.B m *,**.C" },
	{ "+a.Base", "+a.Base - -" },
	{ "+a.Base::m(int)", "+a.Base m int" },
	{ "!a.B", "!a.B - -" },
	{ "!+a.B::m", "!+a.B m -" },
	{ "!@a.Ann", "!@a.Ann - -" },
	{ "!::m", "!- m -" },
	{ "@a.*", "@a.* - -" },
	{ "okio.-Util::read-impl", "okio.-Util read-impl -" },
	{ "a.int::do", "a.int do -" },
	{ "a.1::2", "a.1 2 -" },
	{ "a.package-info", "a.package-info - -" },
	{ "a.*;!a.B;\n::c()", "a.* - -; !a.B - -; - c " },
};

Test(methodfilter, reads_more_than_the_jdk)
{
	READ_ALL(ours, METHODFILTER_OURS);
}

static const struct reading wrong[] = {
	{ "a.B,c.D", "3: filters are separated by ; and not by commas" },
	{ "a.B::m , c.D", "6: filters are separated by ; and have no blanks" },
	{ "a.B::m,c.D::n", "6: filters are separated by ; and not by commas" },
	{ "@a.B,@c.D", "4: filters are separated by ; and not by commas" },
	{ "foo bar", "3: filters are separated by ; and have no blanks" },
	{ "a.B\nc.D", "3: filters are separated by ; and have no blanks" },
	{ "a.C; b.C::", "10: the name of a method is missing" },
	{ "::", "2: the name of a method is missing" },
	{ "a.B#m", "3: a method stands behind ::" },
	{ "a.B:m", "3: a method stands behind ::" },
	{ "a.B::m::n", "6: a method stands behind ::" },
	{ "a/B", "1: names have dots, not slashes" },
	{ ".a", "0: a name is missing at the dot" },
	{ "a.", "2: a name is missing behind a dot" },
	{ "a..B", "2: a name is missing behind a dot" },
	{ "a.::m", "2: a name is missing behind a dot" },
	{ "a...", "1: a name is missing at the dot" },
	{ "a.B::c.d", "6: methods have no dots" },
	{ "a.B::<clinit", "5: only <init> and <clinit> have angle brackets" },
	{ "a.B::<init>x", "11: names have no such character" },
	{ "a.B<T>", "3: only <init> and <clinit> have angle brackets" },
	{ "a.B.m()", "5: parameters follow the name of a method" },
	{ "::()", "2: parameters follow the name of a method" },
	{ "a.B!", "3: ! stands in front" },
	{ "!!a.B", "1: ! stands in front" },
	{ "+!a.B", "1: ! stands in front" },
	{ "++a.B", "1: + stands in front, behind ! if there is one" },
	{ "+", "1: the name of a class is missing" },
	{ "a.B+", "3: + stands in front, behind ! if there is one" },
	{ "a.B::@c", "5: @ stands in front, behind ! if there is one" },
	{ "-a.B", "0: what is taken out begins with !" },
	{ "!", "1: the name of a class is missing" },
	{ "+", "1: the name of a class is missing" },
	{ "+::m", "1: the name of a class is missing" },
	{ "@", "1: the name of an annotation is missing" },
	{ "@::m", "1: the name of an annotation is missing" },
	{ "@a.B::m", "4: an annotation stands alone" },
	{ "@a.B(x=1)", "4: an annotation stands alone" },
	{ "+@a.B", "1: annotations have no subtypes" },
	{ "::m(int", "7: parameters are types with commas between, and end in )" },
	{ "::m(int;a)", "7: parameters are types with commas between, and end in )" },
	{ "::m(int [ ])", "8: parameters are types with commas between, and end in )" },
	{ "::m(int i)", "8: parameters are types with commas between, and end in )" },
	{ "::m(a,)", "6: the type of a parameter is missing" },
	{ "::m(,a)", "4: the type of a parameter is missing" },
	{ "::m(a..., b)", "8: only the last parameter can have ..." },
	{ "::m(java.util.List<T>)", "18: types are written without <...>" },
	{ "::m(int)V", "8: nothing follows the parameters" },
	{ "a.B::get?", "8: * stands for any characters, ? does not" },
	{ "a.B::a|b", "6: filters are separated by ; and not by |" },
	{ "a.{B,C}", "2: names have no braces; filters are separated by ;" },
	{ "a\\.B", "1: filters are no regular expressions" },
	{ "a.[AB]", "2: filters are no regular expressions" },
	{ "\"a.B\"", "0: names have no quotes" },
	{ "a.B.<init>", "4: a method stands behind ::" },
	{ "a.,b", "2: a name is missing behind a dot" },
	{ "a.B\xc2\xa0", "3: names have no such character" },
	{ "a.\xf0\x9f\x98\x80", "2: names have no such character" },
};

Test(methodfilter, says_what_is_wrong_and_where)
{
	READ_ALL(wrong, METHODFILTER_OURS);
	READ_ALL(wrong, METHODFILTER_JDK);
}

static const struct reading unknown[] = {
	{ "a.B; a.b.*", "9: JEP 520 does not know *" },
	{ "a.B::get*", "8: JEP 520 does not know *" },
	{ "@*.B", "1: JEP 520 does not know *" },
	{ "a.B::m()", "6: JEP 520 does not know parameters" },
	{ "+a.B", "0: JEP 520 does not know subtypes" },
	{ "!a.*", "0: JEP 520 cannot take methods out" },
	{ "a.int", "0: JEP 520 only knows names that Java allows" },
	{ "a.B::_", "0: JEP 520 only knows names that Java allows" },
	{ "::m-n", "0: JEP 520 only knows names that Java allows" },
	{ "@a.1", "0: JEP 520 only knows names that Java allows" },
};

Test(methodfilter, says_what_the_jdk_does_not_know)
{
	READ_ALL(unknown, METHODFILTER_JDK);
}

struct faults {
	size_t count;
	struct methodfilter_fault all[4];
};

static void add_fault(void *context, const struct methodfilter_fault *fault)
{
	struct faults *faults = context;

	faults->all[faults->count++] = *fault;
}

Test(methodfilter, tells_all_that_is_wrong)
{
	static const char text[] = "a.B; c d ;e.*; \nf,g";
	struct faults faults = { 0 }, less = { 0 };

	cr_expect_eq(methodfilter_check(str_of(text), METHODFILTER_JDK, add_fault,
					&faults), 3);
	cr_assert_eq(faults.count, 3);
	cr_expect(str_is(faults.all[0].item, STR("c d")) && faults.all[0].at == 6);
	cr_expect(str_is(faults.all[1].item, STR("e.*")) && faults.all[1].at == 12);
	cr_expect(str_is(faults.all[2].item, STR("f,g")) && faults.all[2].at == 17);
	cr_expect_eq(faults.all[2].item.bytes, text + 16);
	cr_expect_eq(methodfilter_check(str_of(text), METHODFILTER_OURS, add_fault,
					&less), 2);
	cr_expect_eq(methodfilter_check((struct str){ NULL, 0 }, METHODFILTER_OURS,
					add_fault, &less), 0);
}

Test(methodfilter, knows_those_of_the_jdk)
{
	struct methodfilter filter;
	struct methodfilter_fault fault;

	cr_assert(methodfilter_read(&filter, STR("a.B ; a.*;@c;!d;::e;::f();g-h"),
				    METHODFILTER_OURS, &fault));
	cr_assert_eq(filter.items.count, 7);
	for (size_t i = 0; i < 7; i++)
		cr_expect_eq(filter.items.items[i].is_jdk, i % 2 == 0 && i < 6);
	cr_expect_eq(filter.items.items[1].at, 6);
	cr_expect(str_is(filter.items.items[0].text, STR("a.B")));
	methodfilter_clear(&filter);
}

/* All that is below a.Base, and has the annotation a.Ann. */
static bool is_kind(void *context, const struct methodfilter_item *item,
		    const struct methodfilter_method *method)
{
	const struct str *name = context;

	return str_is(method->class_name, STR("a.Sub")) &&
	       str_is(item->class_name, *name);
}

static const struct {
	const char *filter;
	const char *class_name, *method, *parameters;
	bool accepts;
} asked[] = {
	{ "a.B", "a.B", "m", NULL, true },
	{ "a.B", "a.B", "<clinit>", "", true },
	{ "a.B", "a.B$C", "m", NULL, false },
	{ "a.B", "a.b", "m", NULL, false },
	{ "B", "a.B", "m", NULL, false },
	{ "a.B::m", "a.B", "m", NULL, true },
	{ "a.B::m", "a.B", "mm", NULL, false },
	{ "a.B::m", "a.C", "m", NULL, false },
	{ "::m", "any.Thing", "m", NULL, true },
	{ "::<init>", "any.Thing", "<init>", NULL, true },
	{ "::<init>", "any.Thing", "init", NULL, false },
	{ "c.D;a.B", "a.B", "m", NULL, true },
	{ "", "a.B", "m", NULL, false },
	{ "a.*", "a.B", "m", NULL, true },
	{ "a.*", "a.B$C", "m", NULL, true },
	{ "a.*", "a.b.C", "m", NULL, false },
	{ "a.*", "ab.C", "m", NULL, false },
	{ "a.**", "a.B", "m", NULL, true },
	{ "a.**", "a.b.c.D", "m", NULL, true },
	{ "a.**", "a", "m", NULL, false },
	{ "*.B", "a.B", "m", NULL, true },
	{ "*.B", "a.b.B", "m", NULL, false },
	{ "**.B", "a.b.B", "m", NULL, true },
	{ "**.b.*Impl", "a.b.c.b.XImpl", "m", NULL, true },
	{ "**.b.*Impl", "a.b.c.b.c.XImpl", "m", NULL, false },
	{ "**a*b.c", "aX.cab.c", "m", NULL, true },
	{ "a*.*c*e", "ab.cde", "m", NULL, true },
	{ "a*.*c*e", "ab.cd", "m", NULL, false },
	{ "*a*b*c", "aXbYbZc", "m", NULL, true },
	{ "*", "A", "m", NULL, true },
	{ "*", "a.A", "m", NULL, false },
	{ "***", "a.A", "m", NULL, true },
	{ "a.B::get*", "a.B", "getX", NULL, true },
	{ "a.B::get*", "a.B", "forget", NULL, false },
	{ "a.B::*", "a.B", "<init>", NULL, true },
	{ "::m()", "a.B", "m", "", true },
	{ "::m()", "a.B", "m", "int", false },
	{ "::m()", "a.B", "m", NULL, false },
	{ "::m(int)", "a.B", "m", "int", true },
	{ "::m(int)", "a.B", "m", "int,int", false },
	{ "::m(int,int)", "a.B", "m", "int", false },
	{ "::m(int)", "a.B", "m", "", false },
	{ "::m(int)", "a.B", "m", "int[]", false },
	{ "::m( java.lang.X , int [] )", "a.B", "m", "java.lang.X,int[]", true },
	{ "::m(String, int...)", "a.B", "m", "java.lang.String,int[]", true },
	{ "::m(String)", "a.B", "m", "String", true },
	{ "::m(lang.String)", "a.B", "m", "java.lang.String", false },
	{ "::m(*)", "a.B", "m", "java.lang.String", true },
	{ "::m(*)", "a.B", "m", "java.lang.String,int", false },
	{ "::m(java.**,*)", "a.B", "m", "java.lang.String,int", true },
	{ "::m(Map$Entry)", "a.B", "m", "java.util.Map$Entry", true },
	{ "+a.Base", "a.Base", "m", NULL, true },
	{ "+a.Base", "a.Sub", "m", NULL, true },
	{ "+a.Base", "a.Other", "m", NULL, false },
	{ "+a.Base::m", "a.Sub", "n", NULL, false },
	{ "+a.Base::m()", "a.Sub", "m", "", true },
	{ "a.Base", "a.Sub", "m", NULL, false },
	{ "@a.Base", "a.Sub", "m", NULL, true },
	{ "@a.Base", "a.Base", "m", NULL, false },
	{ "!a.B", "a.C", "m", NULL, false },
	{ "a.*;!a.B", "a.C", "m", NULL, true },
	{ "a.*;!a.B", "a.B", "m", NULL, false },
	{ "!a.B;a.*", "a.B", "m", NULL, false },
	{ "a.*;!::<init>;c.D", "a.B", "<init>", NULL, false },
	{ "a.*;!+a.Base", "a.Sub", "m", NULL, false },
	{ "a.*;!@a.Base", "a.Sub", "m", NULL, false },
};

Test(methodfilter, accepts_the_methods_that_are_meant)
{
	struct str base = STR("a.Base");

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		struct methodfilter_method method = {
			.class_name = str_of(asked[i].class_name),
			.method = str_of(asked[i].method),
			.parameters = str_of(asked[i].parameters),
		};
		struct methodfilter filter;
		struct methodfilter_fault fault;

		cr_assert(methodfilter_read(&filter, str_of(asked[i].filter),
					    METHODFILTER_OURS, &fault), "%s: %s",
			  asked[i].filter, fault.reason);
		cr_expect_eq(methodfilter_accepts(&filter, &method, is_kind, &base),
			     asked[i].accepts, "%s of %s::%s", asked[i].filter,
			     asked[i].class_name, asked[i].method);
		methodfilter_clear(&filter);
	}
}

Test(methodfilter, has_no_kinds_without_one_who_knows_them)
{
	struct methodfilter_method method = { .class_name = STR("a.Sub"),
					      .method = STR("m"),
					      .parameters = STR("") };
	struct methodfilter filter;
	struct methodfilter_fault fault;

	cr_assert(methodfilter_read(&filter, STR("+a.Base;@a.Base"), METHODFILTER_OURS,
				    &fault));
	cr_expect_not(methodfilter_accepts(&filter, &method, NULL, NULL));
	method.class_name = STR("a.Base");
	cr_expect(methodfilter_accepts(&filter, &method, NULL, NULL));
	methodfilter_clear(&filter);
}

Test(methodfilter, says_when_memory_runs_out)
{
	bool is_read;
	size_t n = 0;

	do {
		struct methodfilter filter;
		struct methodfilter_fault fault;

		fault_at(++n);
		is_read = methodfilter_read(&filter, STR("a.B;::m(int , long...);@c"),
					    METHODFILTER_OURS, &fault);
		cr_expect_eq(is_read, !fault_happened());
		cr_expect_null(fault.reason);
		methodfilter_clear(&filter);
	} while (fault_happened());
	fault_at(0);
	cr_expect(is_read && n > 2);
}
