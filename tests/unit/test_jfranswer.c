#include <criterion/criterion.h>

#include "base/now.h"
#include "jvms/jfranswer.h"

static struct jfranswer_recordings read_all(const char *text)
{
	struct jfranswer_recordings all = { .of = { NULL } };
	struct err err = { ERR_NONE, "" };

	cr_assert(jfranswer_recordings(&all, str_of(text), &err), "%s", err.text);
	return all;
}

static void expect_name(const struct recording_facts *facts, const char *name)
{
	cr_expect(str_is(facts->name, str_of(name)), "'%.*s' is not '%s'",
		  (int)facts->name.size, facts->name.bytes, name);
}

Test(jfranswer, recordings_have_what_is_told)
{
	struct jfranswer_recordings all = read_all(
		"Recording 1: name=a b duration=1h maxsize=976.6kB maxage=90m (running)\n"
		"\nRecording 2: name=mem (delayed)\n"
		"Recording 30: name=big maxsize=93.1GB (stopped)\n");

	cr_assert_eq(all.of.count, 3);
	expect_name(&all.of.items[0], "a b");
	cr_expect_eq(all.of.items[0].id, 1);
	cr_expect_eq(all.of.items[0].state, FACTS_RUNNING);
	cr_expect_eq(all.of.items[0].duration, 3600 * SECOND);
	cr_expect_eq(all.of.items[0].max_age, 5400 * SECOND);
	cr_expect_eq(all.of.items[0].max_size, 1000038);
	expect_name(&all.of.items[1], "mem");
	cr_expect_eq(all.of.items[1].state, FACTS_DELAYED);
	cr_expect_eq(all.of.items[1].max_size, 0);
	cr_expect_eq(all.of.items[2].id, 30);
	cr_expect_eq(all.of.items[2].state, FACTS_STOPPED);
	jfranswer_clear(&all);
}

Test(jfranswer, names_may_look_like_other_words)
{
	struct jfranswer_recordings all = read_all(
		"Recording 1: name=maxage=7 (running) duration=x y maxsize=12 bytes "
		"(running)\n"
		"Recording 2: name=Recording 3: name=b (stopping)\n"
		"Recording 4: name= (new)\n");

	cr_assert_eq(all.of.count, 3);
	expect_name(&all.of.items[0], "maxage=7 (running) duration=x y");
	cr_expect_eq(all.of.items[0].max_size, 12);
	cr_expect_eq(all.of.items[0].duration, 0);
	expect_name(&all.of.items[1], "Recording 3: name=b");
	cr_expect_eq(all.of.items[1].state, FACTS_RUNNING);
	expect_name(&all.of.items[2], "");
	jfranswer_clear(&all);
}

Test(jfranswer, other_lines_are_passed_over)
{
	struct jfranswer_recordings all = read_all(
		"Recording : name=x (running)\nRecording 0: name=x (running)\n"
		"Recording 99999999999999999999: name=x (running)\nRecording 5: nam\n"
		"Recording 6: name=x (closed)\nRecording 7: name=x\n"
		" Flight Recording (jdk.ActiveRecording)\n   [enabled=true]");

	cr_expect_eq(all.of.count, 0);
	jfranswer_clear(&all);
}

Test(jfranswer, no_more_recordings_than_that)
{
	struct jfranswer_recordings all;
	struct buf text = { 0 };

	for (int i = 1; i <= JFRANSWER_RECORDINGS_MAX + 1; i++)
		buf_printf(&text, "Recording %d: name=x (running)\n", i);
	buf_byte(&text, '\0');
	all = read_all(text.bytes);
	cr_expect_eq(all.of.count, JFRANSWER_RECORDINGS_MAX);
	jfranswer_clear(&all);
	buf_clear(&text);
}

Test(jfranswer, tells_what_started)
{
	cr_expect_eq(jfranswer_started(STR("Started recording 2. No limit specified, "
					   "using maxsize=250MB as default.\n")), 2);
	cr_expect_eq(jfranswer_started(STR("Recording 3 scheduled to start in 5 s.")), 3);
	cr_expect_eq(jfranswer_started(STR("Warning! The .jfc option/setting 'b' doesn't "
					   "exist.\nStarted recording 7.")), 7);
	cr_expect_eq(jfranswer_started(STR("Could not start recording, duration must be "
					   "at least 1 second.")), 0);
	cr_expect_eq(jfranswer_started(STR("")), 0);
	cr_expect_eq(jfranswer_started(STR("Started recording ")), 0);
}

Test(jfranswer, tells_where_it_was_written)
{
	struct str path;

	cr_expect(jfranswer_dumped(STR("Dumped recording \"1\", 212.5 kB written to:\n\n"
				       "/tmp/hs/a b.jfr\n"), &path));
	cr_expect(str_is(path, STR("/tmp/hs/a b.jfr")));
	cr_expect(jfranswer_stopped(STR("Stopped recording \"a b\".\n"), &path));
	cr_expect_eq(path.size, 0);
	cr_expect(jfranswer_stopped(STR("Stopped recording \"x\", 1 kB written to:"), &path));
	cr_expect_eq(path.size, 0);
	cr_expect_not(jfranswer_dumped(STR("Could not find 7.\n"), &path));
	cr_expect_not(jfranswer_stopped(STR("Dumped recording"), &path));
}

static void expect_why(const char *answer, const char *why)
{
	struct err err = { ERR_NONE, "" };

	cr_expect_not(jfranswer_why(str_of(answer), &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect_str_eq(err.text, why);
}

Test(jfranswer, says_why_not)
{
	expect_why("Warning! x\n\nCould not stop recording \"nope\".\n",
		   "HotSpot's recorder says: Could not stop recording \"nope\"");
	expect_why("java.lang.IllegalArgumentException: Unknown diagnostic command\n",
		   "this JVM has no Flight Recorder: --engine cjfr needs none");
	expect_why("Module jdk.jfr not found.\nFlight Recorder can not be enabled.",
		   "this JVM has no Flight Recorder, as the module jdk.jfr is not in it: "
		   "--engine cjfr needs none");
	expect_why("No recordings to dump from. Use JFR.start to start a recording.",
		   "HotSpot's recorder has no recording");
	expect_why("\n \n", "HotSpot's recorder did not do it, and does not say why");
}
