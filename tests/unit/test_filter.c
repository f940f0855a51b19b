#include <criterion/criterion.h>

#include "filter/filter.h"
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
		struct filter filter = { .events = str_of(cases[i].events),
					 .categories = str_of(cases[i].categories) };

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

/* A recording of ten minutes that starts at 22:06:54.3 UTC, in a zone of one hour. */
#define SECOND INT64_C(1000000000)
#define DAY (86400 * SECOND)
#define MIDNIGHT (INT64_C(1795910400) * SECOND)
#define START_AT (MIDNIGHT + 79614 * SECOND + 300000000)
#define END_AT (START_AT + 600 * SECOND)
#define ZONE 3600

static const struct {
	const char *from, *to;
	int64_t window_from, window_to;
} windows[] = {
	{ NULL, NULL, INT64_MIN, INT64_MAX },
	{ "2026-11-29T22:07:00Z", NULL, MIDNIGHT + 79620 * SECOND, INT64_MAX },
	{ NULL, "2026-11-29T22:07:00Z", INT64_MIN, MIDNIGHT + 79620 * SECOND },
	/* In the zone shown. */
	{ "2026-11-29T23:07", "2026-11-30", MIDNIGHT + 79620 * SECOND,
	  MIDNIGHT + 82800 * SECOND },
	{ "23:07:00.000 (2026-11-29)", NULL, MIDNIGHT + 79620 * SECOND, INT64_MAX },
	{ "23:07", "23:08", MIDNIGHT + 79620 * SECOND, MIDNIGHT + 79680 * SECOND },
	/* After midnight there, and the day after. */
	{ "00:10", "22:00", MIDNIGHT + 83400 * SECOND, MIDNIGHT + 75600 * SECOND + DAY },
	/* The minute, second or fraction in which it starts has not passed. */
	{ "23:06", NULL, MIDNIGHT + 79560 * SECOND, INT64_MAX },
	{ "23:06:54", NULL, MIDNIGHT + 79614 * SECOND, INT64_MAX },
	{ "23:06:54.3", NULL, START_AT, INT64_MAX },
	{ "23:06:54.2", NULL, START_AT - SECOND / 10 + DAY, INT64_MAX },
	{ "23:06:53", NULL, MIDNIGHT + 79613 * SECOND + DAY, INT64_MAX },
	{ "23:05", NULL, MIDNIGHT + 79500 * SECOND + DAY, INT64_MAX },
	{ "30s", "1m", START_AT + 30 * SECOND, START_AT + 60 * SECOND },
	{ "-30s", NULL, END_AT - 30 * SECOND, INT64_MAX },
	{ "-1m", "-30s", END_AT - 60 * SECOND, END_AT - 30 * SECOND },
	{ "0", "-0s", START_AT, END_AT },
	{ "PT30S", NULL, START_AT + 30 * SECOND, INT64_MAX },
	/* The end of a window lasts as long as its fraction of a second. */
	{ "2026-11-29T22:07:00.734Z", "2026-11-29T22:07:00.734Z",
	  MIDNIGHT + 79620 * SECOND + 734000000, MIDNIGHT + 79620 * SECOND + 734999999 },
	{ NULL, "23:07:00.5", INT64_MIN, MIDNIGHT + 79620 * SECOND + 599999999 },
	{ NULL, "23:07:00.123456789", INT64_MIN, MIDNIGHT + 79620 * SECOND + 123456789 },
	/* Empty, and out of all reach. */
	{ "1m", "30s", START_AT + 60 * SECOND, START_AT + 30 * SECOND },
	{ "292y", NULL, 0, 0 },
	{ "106751d", NULL, INT64_MAX, INT64_MAX },
	{ "-106751d", NULL, END_AT - 106751 * DAY, INT64_MAX },
};

Test(filter, resolves_its_window)
{
	for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
		struct filter filter = { .has_min_duration = false };
		const char *from = windows[i].from, *to = windows[i].to;

		if (from && !filter_set_from(&filter, str_of(from), NULL)) {
			cr_expect_str_eq(from, "292y");
			continue;
		}
		cr_assert(!to || filter_set_to(&filter, str_of(to), NULL), "%s", to);
		cr_expect(filter_check(&filter, NULL));
		cr_expect_eq(filter_has_window(&filter), from || to);
		filter_resolve(&filter, START_AT, END_AT, ZONE);
		cr_expect_eq(filter.window_from, windows[i].window_from, "%s: %lld",
			     from, (long long)(filter.window_from - windows[i].window_from));
		cr_expect_eq(filter.window_to, windows[i].window_to, "%s: %lld", to,
			     (long long)(filter.window_to - windows[i].window_to));
	}
}

Test(filter, resolves_days_before_1970)
{
	struct filter filter = { .has_min_duration = false };

	cr_assert(filter_set_from(&filter, STR("01:00"), NULL));
	filter_resolve(&filter, -DAY / 2, 0, 0);	/* 12:00 of the day before */
	cr_expect_eq(filter.window_from, 3600 * SECOND);
	filter_resolve(&filter, -DAY, 0, 0);
	cr_expect_eq(filter.window_from, -DAY + 3600 * SECOND);
	filter_resolve(&filter, INT64_MIN, 0, 0);
	filter_resolve(&filter, INT64_MAX, 0, 18 * 3600);
	cr_expect_geq(filter.window_from, INT64_MAX - DAY);
}

Test(filter, needs_start_or_end_of_the_recording)
{
	static const struct {
		const char *from, *to;
		bool start, end;
	} needs[] = {
		{ "2026-11-29T22:07Z", NULL, false, false }, { "22:07", NULL, true, false },
		{ "2026-11-29T22:07", NULL, true, false },   { "30s", NULL, true, false },
		{ NULL, "30s", true, false },		     { "-30s", NULL, false, true },
		{ NULL, "-30s", false, true },		     { "30s", "-30s", true, true },
		{ NULL, NULL, false, false },
	};

	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		struct filter filter = { .has_min_duration = false };

		cr_assert(!needs[i].from ||
			  filter_set_from(&filter, str_of(needs[i].from), NULL));
		cr_assert(!needs[i].to ||
			  filter_set_to(&filter, str_of(needs[i].to), NULL));
		cr_expect_eq(filter_needs_start(&filter), needs[i].start, "%zu", i);
		cr_expect_eq(filter_needs_end(&filter), needs[i].end, "%zu", i);
	}
}

Test(filter, last_is_from_the_end)
{
	struct filter filter = { .has_min_duration = false };

	cr_assert(filter_set_last(&filter, STR("5m"), NULL));
	cr_expect(filter_needs_end(&filter));
	filter_resolve(&filter, 0, END_AT, 0);
	cr_expect_eq(filter.window_from, END_AT - 300 * SECOND);
	cr_expect_eq(filter.window_to, INT64_MAX);
}

Test(filter, takes_all_or_not)
{
	struct filter filter = { .events = STR("a") };

	cr_expect_not(filter_takes_all(&filter));
	filter.events.bytes = NULL;
	filter.categories = STR("b");
	cr_expect_not(filter_takes_all(&filter));
	filter.categories.bytes = NULL;
	cr_expect(filter_takes_all(&filter));
	cr_expect_not(filter_needs_constants(&filter));
	filter.threads = STR("");
	cr_expect_not(filter_takes_all(&filter));
	cr_expect(filter_needs_constants(&filter));
	filter.threads.bytes = NULL;
	cr_assert(filter_set_min_duration(&filter, STR("0"), NULL));
	cr_expect_not(filter_takes_all(&filter));
	cr_expect_not(filter_needs_constants(&filter));
	cr_expect_eq(filter.min_duration, 0);
	filter.has_min_duration = false;
	cr_assert(filter_set_to(&filter, STR("1s"), NULL));
	cr_expect_not(filter_takes_all(&filter));
	filter.to.kind = BOUND_NONE;
	cr_assert(filter_add_condition(&filter, STR("a = 1"), NULL));
	cr_assert(filter_add_condition(&filter, STR("b = 2"), NULL));
	cr_expect_eq(filter.conditions.count, 2);
	cr_expect_not(filter_takes_all(&filter));
	cr_expect(filter_needs_constants(&filter));
	filter_clear(&filter);
	cr_expect(filter_takes_all(&filter));
	cr_expect_null(filter.events.bytes);
}

typedef bool set_filter(struct filter *filter, struct str text, struct err *err);

Test(filter, tells_what_is_wrong)
{
	static const struct {
		set_filter *set;
		const char *text, *why;
	} wrong[] = {
		{ filter_set_from, "", "a length of time is empty; write 20ms, 1.5s or 1h30m" },
		{ filter_set_from, "soon",
		  "'soon' is neither a point in time (2026-11-29T22:06:54Z, 22:06) nor a "
		  "length of time (30s, -30s)" },
		{ filter_set_from, "recording.jfr",
		  "'recording.jfr' is neither a point in time (2026-11-29T22:06:54Z, 22:06) "
		  "nor a length of time (30s, -30s)" },
		{ filter_set_to, "2026-02-30",
		  "'2026-02-30' has a day that its month does not have" },
		{ filter_set_to, "90", "90 has no unit; write 90ms or 90s" },
		{ filter_set_to, "2026",
		  "2026 has no unit; write 2026ms or 2026s" },
		{ filter_set_to, "--5s", "'--5s' is no length of time; write 20ms, 1.5s or "
					 "1h30m" },
		{ filter_set_last, "-5m", "'-5m' must not be negative" },
		{ filter_set_last, "22:06", "'22:06' is no length of time; write 20ms, "
					    "1.5s or 1h30m" },
		{ filter_set_min_duration, " -1ms ", "'-1ms' must not be negative" },
		{ filter_set_min_duration, "20", "20 has no unit; write 20ms or 20s" },
		{ filter_add_condition, "x", "'x' has no operator; there are = != < <= > >= ~ !~" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct filter filter = { .has_min_duration = false };
		struct err err = { 0 };

		cr_expect_not(wrong[i].set(&filter, str_of(wrong[i].text), &err), "%s",
			      wrong[i].text);
		cr_expect_eq(err.kind, ERR_USAGE);
		cr_expect_str_eq(err.text, wrong[i].why);
		cr_expect(filter_takes_all(&filter));
	}
}

Test(filter, that_ends_before_it_starts_is_wrong)
{
	static const struct {
		const char *from, *to;
		bool good;
	} pairs[] = {
		{ "2026-11-29", "2026-11-28", false },
		{ "2026-11-29T10:00Z", "2026-11-29T10:30+01:00", false },
		{ "2026-11-29", "2026-11-29", true },
		/* Which is the later one depends on the zone. */
		{ "2026-11-29T10:00Z", "2026-11-29T09:00", true },
		{ "10:00", "09:00", true },
		{ "30s", "10s", true },
		{ "-10s", "-30s", true },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct filter filter = { .has_min_duration = false };
		struct err err = { 0 };

		cr_assert(filter_set_from(&filter, str_of(pairs[i].from), NULL));
		cr_assert(filter_set_to(&filter, str_of(pairs[i].to), NULL));
		cr_expect_eq(filter_check(&filter, &err), pairs[i].good, "%zu", i);
		if (!pairs[i].good)
			cr_expect_str_eq(err.text,
					 "the end of the window is before its start");
	}
}
