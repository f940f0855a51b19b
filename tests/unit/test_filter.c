#include <criterion/criterion.h>

#include "jfr/filter.h"
#include "make.h"

/* Patterns for events, for categories, and whether jdk.GCPhasePause passes. */
static const struct {
	const char *events;
	const char *categories;
	bool accepts;
} cases[] = {
	{ NULL, NULL, true },
	{ "jdk.GCPhasePause", NULL, true },
	{ "GCPhasePause", NULL, true },
	{ "GCPhasePaus", NULL, false },
	{ "gcphasepause", NULL, false },
	{ "jdk.*", NULL, true },
	{ "*Pause", NULL, true },
	{ "GC*", NULL, true },
	{ "GC??ase*", NULL, true },
	{ "jdk.?", NULL, false },
	{ "dk.GCPhasePause", NULL, false },
	{ "CPULoad,GCPhasePause", NULL, true },
	{ " CPULoad , GCPhasePause ", NULL, true },
	{ ",,GCPhasePause,", NULL, true },
	{ "", NULL, false },
	{ ",", NULL, false },
	{ "*", NULL, true },
	{ NULL, "GC", true },
	{ NULL, "Phases", true },
	{ NULL, "Java Virtual Machine", true },
	{ NULL, "JVM", true },
	{ NULL, "J?M", false },
	{ NULL, "JV", false },
	{ NULL, "JVMX", false },
	{ NULL, "Java*", true },
	{ NULL, "java*", false },
	{ NULL, "P", false },
	{ NULL, "Uncategorized", false },
	{ NULL, "", false },
	{ "GC*", "JVM", true },
	{ "GC*", "Other", false },
	{ "CPU*", "JVM", false },
};

static const struct schema_type types[] = {
	TYPE("a.Umlaut", "jdk.jfr.Event", FIELDS(START),
	     NOTES(NOTE_OF("jdk.jfr.Category",
			   MEMBER("value-0", "\xc3\x84rger Im Haus"),
			   MEMBER("value-1", "A\tB \xd0\x9e" "D C\xc2\xa0" "E")))),
	TYPE("jdk.GCPhasePause", "jdk.jfr.Event", FIELDS(START),
	     NOTES(NOTE_OF("jdk.jfr.Category", MEMBER("value-0", "Java Virtual Machine"),
			   MEMBER("value-1", "GC"), MEMBER("value-2", "Phases")))),
	TYPE("Plain", "jdk.jfr.Event", FIELDS(START)),
	TYPES_END,
};

Test(filter, accepts_what_its_patterns_say)
{
	struct made made = { 0 };

	make_begin(&made, types);
	cr_assert(make_open(&made));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct filter filter = { str_of(cases[i].events),
					 str_of(cases[i].categories) };

		cr_expect_eq(filter_accepts(&filter, make_type(&made, "jdk.GCPhasePause")),
			     cases[i].accepts, "case %zu", i);
	}
	make_clear(&made);
}

Test(filter, knows_events_without_category_or_package)
{
	struct filter uncategorized = { .categories = STR("Uncat*") };
	struct filter other = { .categories = STR("JVM") };
	struct filter named = { .events = STR("Plain") };
	struct made made = { 0 };

	make_begin(&made, types);
	cr_assert(make_open(&made));
	cr_expect(filter_accepts(&uncategorized, make_type(&made, "Plain")));
	cr_expect_not(filter_accepts(&other, make_type(&made, "Plain")));
	cr_expect(filter_accepts(&named, make_type(&made, "Plain")));
	make_clear(&made);
}

/* An acronym is of the letters A to Z; all else begins or ends no word of it. */
Test(filter, makes_acronyms_of_ascii_capitals)
{
	static const struct {
		const char *categories;
		bool accepts;
	} acronyms[] = {
		{ "IH", true }, { "\xc3\x84IH", false }, { "H", false }, { "I", false },
		{ "ABC", true }, { "ABDC", false }, { "ABCE", false }, { "AB", false },
	};
	struct made made = { 0 };

	make_begin(&made, types);
	cr_assert(make_open(&made));
	for (size_t i = 0; i < sizeof(acronyms) / sizeof(acronyms[0]); i++) {
		struct filter filter = { .categories = str_of(acronyms[i].categories) };

		cr_expect_eq(filter_accepts(&filter, make_type(&made, "a.Umlaut")),
			     acronyms[i].accepts, "acronym %zu", i);
	}
	make_clear(&made);
}
