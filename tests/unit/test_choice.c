#include <criterion/criterion.h>
#include <stdio.h>

#include "base/buf.h"
#include "fault.h"
#include "jfc/choice.h"
#include "jfctext.h"

#define EVENT(settings) "<event name='e'>" settings "</event>"
#define SETTING(name, control) \
	"<setting name='" name "' control='" control "'>before</setting>"
#define CONTROL(inside) "<control>" inside "</control>"
#define FLAG(name, value) "<flag name='" name "' label='L'>" value "</flag>"
#define CONDITION(name, attributes, inside) \
	"<condition name='" name "' " attributes ">" inside "</condition>"
#define YES_NO "true='yes' false='no'"
#define TEST(name, value) "<test name='" name "' operator='equal' value='" value "'/>"
#define SELECTION(attributes)                                                         \
	"<selection name='s' label='S' " attributes ">"                               \
	"<option name='a' label='A'>1</option><option name='b' label='B'>2</option>"  \
	"<option name='c' label='C'/></selection>"

static void set(struct configuration *all, const char *name, const char *value)
{
	struct node *input = configuration_find_input(all, str_of(name));
	struct err err = { 0 };

	cr_assert_not_null(input);
	cr_expect(choice_set(all, input, str_of(value), NULL, &err), "%s", err.text);
}

static void refuse(struct configuration *all, const char *name, const char *value,
		   const char *why)
{
	struct node *input = configuration_find_input(all, str_of(name));
	struct err err = { 0 };

	cr_assert_not_null(input);
	cr_expect(!choice_set(all, input, str_of(value), NULL, &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect_str_eq(err.text, why);
}

/* What becomes of the setting x, of that control, when the flag f is set so. */
static void expect(const char *file, const char *flag, const char *wanted)
{
	struct configuration all;

	jfctext_read(&all, file);
	cr_expect_str_eq(jfctext_setting(&all, "e#x"), "before");
	set(&all, "f", flag);
	cr_expect_str_eq(jfctext_setting(&all, "e#x"), wanted);
	configuration_clear(&all);
}

#define FILE_OF(inside) \
	JFC_FILE(EVENT(SETTING("x", "x")) CONTROL(FLAG("f", "false") inside))

Test(choice, of_an_option_gives_its_content)
{
	struct configuration all;

	jfctext_read(&all, JFC_FILE(EVENT(SETTING("x", "s"))
				    CONTROL(SELECTION("default='b'"))));
	set(&all, "s", "a");
	cr_expect_str_eq(jfctext_setting(&all, "e#x"), "1");
	cr_expect_str_eq(
		jfctext_of(node_get(configuration_input(&all), STR("default"))), "a");
	set(&all, "s", "c");
	cr_expect_str_eq(jfctext_setting(&all, "e#x"), "");
	refuse(&all, "s", "d", "'s' cannot be 'd'; its values are 'a', 'b' and 'c'");
	refuse(&all, "s", "A", "'s' cannot be 'A'; its values are 'a', 'b' and 'c'");
	cr_expect_str_eq(jfctext_setting(&all, "e#x"), "");
	configuration_clear(&all);
}

Test(choice, of_a_flag_is_true_or_false)
{
	struct configuration all;

	jfctext_read(&all, JFC_FILE(EVENT(SETTING("x", "f")) CONTROL(FLAG("f", ""))));
	set(&all, "f", "true");
	cr_expect_str_eq(jfctext_setting(&all, "e#x"), "true");
	refuse(&all, "f", "TRUE",
	       "'f' cannot be 'TRUE'; its values are 'true' and 'false'");
	configuration_clear(&all);
}

Test(choice, of_a_text_is_any_or_a_timespan)
{
	struct configuration all;
	struct node *text;

	jfctext_read(&all,
		     JFC_FILE(EVENT(SETTING("x", "t") SETTING("y", "u")) CONTROL(
			     "<text name='t' label='T'>1</text>"
			     "<text name='u' label='U' contentType='timespan'/>")));
	text = configuration_find_input(&all, STR("u"));
	cr_expect_str_eq(jfctext_of(choice_content_type(text)), "timespan");
	set(&all, "t", " Any ");
	cr_expect_str_eq(jfctext_setting(&all, "e#x"), " Any ");
	cr_expect_str_eq(jfctext_setting(&all, "e#y"), "before");
	set(&all, "u", "5s");
	cr_expect_str_eq(jfctext_setting(&all, "e#y"), "5 s");
	refuse(&all, "u", "5",
	       "the timespan '5' lacks its unit; the units are ns, us, ms, s, m, h and d");
	set(&all, "t", "TRUE");
	cr_expect_str_eq(jfctext_setting(&all, "e#x"), "true");
	configuration_clear(&all);
}

Test(choice, makes_a_condition_true_or_false)
{
	expect(FILE_OF(CONDITION("x", YES_NO, TEST("f", "true"))), "true", "yes");
	expect(FILE_OF(CONDITION("x", YES_NO, TEST("f", "true"))), "false", "no");
	expect(FILE_OF(CONDITION("x", YES_NO, TEST("f", "TRUE"))), "true", "no");
	expect(FILE_OF(CONDITION("x", YES_NO, "<not>" TEST("f", "true") "</not>")),
	       "true", "no");
	expect(FILE_OF(CONDITION("x", "true='yes'", TEST("f", "true"))), "false",
	       "before");
	expect(FILE_OF(CONDITION("x", "false='no'", TEST("f", "true"))), "true",
	       "before");
	expect(FILE_OF(CONDITION("x", "true=''", TEST("f", "true"))), "true", "");
	expect(FILE_OF(CONDITION("x", "true='TRUE'", TEST("f", "true"))), "true",
	       "true");
	expect(FILE_OF(CONDITION("x", YES_NO, "<other/>")), "true", "before");
}

/* Of two: true, false, or neither where there is no control. */
#define T TEST("f", "true")
#define F TEST("f", "false")
#define N TEST("none", "true")
#define TWO(kind, a, b) \
	FILE_OF(CONDITION("x", YES_NO, "<" kind ">" a b "</" kind ">"))

Test(choice, knows_three_values)
{
	expect(TWO("or", T, T), "true", "yes");
	expect(TWO("or", T, F), "true", "yes");
	expect(TWO("or", F, T), "true", "yes");
	expect(TWO("or", F, F), "true", "no");
	expect(TWO("or", T, N), "true", "yes");
	expect(TWO("or", N, T), "true", "yes");
	expect(TWO("or", F, N), "true", "no");
	expect(TWO("or", N, F), "true", "no");
	expect(TWO("and", T, T), "true", "yes");
	expect(TWO("and", T, F), "true", "no");
	expect(TWO("and", F, T), "true", "no");
	expect(TWO("and", F, F), "true", "no");
	expect(TWO("and", T, N), "true", "yes");
	expect(TWO("and", N, T), "true", "yes");
	expect(TWO("and", F, N), "true", "no");
	expect(TWO("and", N, F), "true", "no");
	expect(TWO("and", "<not>" N "</not>", "<or>" N N "</or>" T), "true", "yes");
	expect(FILE_OF(CONDITION("x", YES_NO, "<or>" T "<not>" N "</not></or>")),
	       "false", "no");
}

Test(choice, goes_through_conditions_of_conditions)
{
	expect(FILE_OF(CONDITION("x", YES_NO, TEST("y", "yes"))
		       CONDITION("y", YES_NO, TEST("f", "true"))), "true", "yes");
	expect(FILE_OF(CONDITION("x", YES_NO, TEST("y", "true"))
			       CONDITION("y", "true='True'", TEST("f", "true"))),
	       "true", "yes");
	expect(FILE_OF(CONDITION("x", YES_NO, TEST("y", "true"))
			       CONDITION("y", "true='True'", TEST("f", "true"))),
	       "false", "before");
}

/* A setting takes the first that says something; a test asks the first alone. */
Test(choice, goes_through_controls_of_one_name)
{
	const char *const twice =
		FILE_OF(CONDITION("x", "true='1'", TEST("f", "true"))
			CONDITION("x", "true='2' false='3'", TEST("f", "true")));

	expect(twice, "true", "1");
	expect(twice, "false", "3");
	expect(FILE_OF(CONDITION("x", YES_NO, TEST("y", "3"))
		       CONDITION("y", "true='1'", TEST("f", "true"))
		       CONDITION("y", "true='2' false='3'", TEST("f", "true"))),
	       "false", "before");
}

Test(choice, leaves_alone_what_does_not_depend_on_it)
{
	struct configuration all;

	jfctext_read(&all, JFC_FILE(EVENT(SETTING("x", "f") SETTING("y", "g")
					  SETTING("z", "none") "<setting name='u'/>")
				    CONTROL(FLAG("f", "false") FLAG("g", "false"))));
	set(&all, "f", "true");
	cr_expect_str_eq(jfctext_setting(&all, "e#x"), "true");
	cr_expect_str_eq(jfctext_setting(&all, "e#y"), "before");
	cr_expect_str_eq(jfctext_setting(&all, "e#z"), "before");
	cr_expect_str_eq(jfctext_setting(&all, "e#u"), "-");
	configuration_clear(&all);
}

Test(choice, stays_within_its_file)
{
	struct configuration all;

	jfctext_read(&all,
		     JFC_FILE(EVENT(SETTING("x", "f")) CONTROL(FLAG("f", "false"))));
	jfctext_add(&all, JFC_FILE("<event name='d'>" SETTING("y", "f") "</event>"));
	set(&all, "f", "true");
	cr_expect_str_eq(jfctext_setting(&all, "e#x"), "true");
	cr_expect_str_eq(jfctext_setting(&all, "d#y"), "before");
	configuration_clear(&all);
}

static bool circle(const char *inside, const char *flag, const char *name)
{
	struct configuration all;
	struct err err = { 0 };
	char text[100];
	bool is_good;

	jfctext_read(&all, inside);
	is_good = choice_set(&all, configuration_find_input(&all, str_of(flag)),
			     STR("true"), NULL, &err);
	snprintf(text, sizeof(text),
		 "line 1: the condition '%s' depends on itself, or on too many others",
		 name);
	if (!is_good) {
		cr_expect_eq(err.kind, ERR_FORMAT);
		cr_expect_str_eq(err.text, text);
	}
	configuration_clear(&all);
	return is_good;
}

Test(choice, refuses_circles)
{
	const char *const self =
		FILE_OF(FLAG("g", "") CONDITION("x", YES_NO, "<or>" TEST("x", "yes")
						T "</or>"));
	const char *const two =
		FILE_OF(CONDITION("x", YES_NO, TEST("y", "yes"))
			CONDITION("y", YES_NO, "<and>" TEST("x", "yes") T "</and>"));

	cr_expect(!circle(self, "f", "x"));
	cr_expect(circle(self, "g", ""));
	cr_expect(!circle(two, "f", "x"));
}

/* c0 depends on the flag, c1 on c0, and so on; x on the last. */
static bool follows_chain(size_t length)
{
	struct buf text = { 0 };
	struct configuration all;
	struct err err = { 0 };
	bool is_good;

	buf_text(&text, "<configuration version='2.0' label='L'>" EVENT(
				SETTING("x", "x")) "<control>" FLAG("f", "false")
				CONDITION("c0", "true='true'", TEST("f", "true")));
	for (size_t i = 1; i < length; i++)
		buf_printf(&text,
			   CONDITION("c%zu", "true='true'", TEST("c%zu", "true")), i,
			   i - 1);
	buf_printf(&text, CONDITION("x", YES_NO, TEST("c%zu", "true")), length - 1);
	buf_text(&text, "</control></configuration>");
	buf_byte(&text, '\0');
	jfctext_read(&all, text.bytes);
	is_good = choice_set(&all, configuration_input(&all), STR("true"), NULL, &err);
	if (is_good)
		cr_expect_str_eq(jfctext_setting(&all, "e#x"), "yes");
	else
		cr_expect_eq(err.kind, ERR_FORMAT);
	configuration_clear(&all);
	buf_clear(&text);
	return is_good;
}

Test(choice, refuses_long_chains)
{
	cr_expect(follows_chain(1));
	cr_expect(follows_chain(50));
	cr_expect(!follows_chain(100));
	cr_expect(!follows_chain(900));
}

/* Each condition asks two that ask the same two: 2^60 ways, but each is gone once. */
Test(choice, finds_out_each_condition_once)
{
	struct buf text = { 0 };
	struct configuration all;

	buf_text(&text, "<configuration version='2.0' label='L'>"
			EVENT(SETTING("x", "a59")) "<control>" FLAG("a0", "false")
				FLAG("b0", "false"));
	for (size_t i = 1; i < 60; i++) {
		for (int j = 0; j < 2; j++)
			buf_printf(&text,
				   CONDITION("%c%zu", "true='true' false='false'",
					     "<and>" TEST("a%zu", "true")
						     TEST("b%zu", "true") "</and>"),
				   "ab"[j], i, i - 1, i - 1);
	}
	buf_text(&text, "</control></configuration>");
	buf_byte(&text, '\0');
	jfctext_read(&all, text.bytes);
	set(&all, "a0", "true");
	cr_expect_str_eq(jfctext_setting(&all, "e#x"), "false");
	set(&all, "b0", "true");
	cr_expect_str_eq(jfctext_setting(&all, "e#x"), "true");
	configuration_clear(&all);
	buf_clear(&text);
}

static void add_name(void *context, const struct node *setting)
{
	buf_str(context, node_get(setting, STR("name")));
}

Test(choice, tells_what_it_would_reach)
{
	struct buf names = { 0 };
	struct configuration all;

	jfctext_read(&all, JFC_FILE(EVENT(SETTING("a", "f") SETTING("b", "x")
					  SETTING("c", "s") SETTING("d", "y"))
				    CONTROL(FLAG("f", "") SELECTION("default='a'")
					    CONDITION("x", YES_NO, T)
					    CONDITION("y", YES_NO, TEST("x", "no")))));
	cr_expect(choice_reach(&all, configuration_find_input(&all, STR("f")), add_name,
			       &names, NULL));
	cr_expect(choice_reach(&all, configuration_find_input(&all, STR("s")), add_name,
			       &names, NULL));
	cr_expect(str_is((struct str){ names.bytes, names.size }, STR("abdc")));
	cr_expect_str_eq(jfctext_setting(&all, "e#a"), "before");
	buf_clear(&names);
	configuration_clear(&all);
}

/* --- settings ------------------------------------------------------------------------------- */

static void set_setting(struct configuration *all, const char *key, const char *value)
{
	struct err err = { 0 };

	cr_expect(choice_set_setting(all, str_of(key), str_of(value), NULL, &err), "%s",
		  err.text);
}

static void refuse_setting(struct configuration *all, const char *key, const char *why)
{
	struct err err = { 0 };

	cr_expect(!choice_set_setting(all, str_of(key), STR("v"), NULL, &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect_str_eq(err.text, why);
}

#define PLAIN                                                                          \
	JFC_FILE("<event name='e'><setting name='x'>1</setting>"                       \
		 "<setting name='period'/></event>")

Test(choice, sets_settings)
{
	struct configuration all;

	jfctext_read(&all, PLAIN);
	set_setting(&all, "e#x", " 20ms");
	cr_expect_str_eq(jfctext_setting(&all, "e#x"), " 20ms");
	set_setting(&all, "e#period", "20ms");
	cr_expect_str_eq(jfctext_setting(&all, "e#period"), "20 ms");
	set_setting(&all, "e#period", "everyChunk");
	cr_expect_str_eq(jfctext_setting(&all, "e#period"), "everyChunk");
	configuration_clear(&all);
}

Test(choice, adds_settings)
{
	struct configuration all;

	jfctext_read(&all, PLAIN);
	set_setting(&all, "+e#x", "2");
	cr_expect_str_eq(jfctext_setting(&all, "e#x"), "2");
	set_setting(&all, "+e#y", "3");
	set_setting(&all, "+n.N#threshold", "4s");
	set_setting(&all, "n.N#threshold", "5s");
	cr_expect_str_eq(jfctext_setting(&all, "e#y"), "3");
	cr_expect_str_eq(jfctext_setting(&all, "n.N#threshold"), "5 s");
	cr_expect_eq(all.root->first->first->next->next, all.root->first->last);
	configuration_clear(&all);
}

Test(choice, refuses_settings_that_are_not_there)
{
	struct configuration all;

	jfctext_read(&all, PLAIN);
	refuse_setting(&all, "x", "there is no option 'x'");
	refuse_setting(&all, "+x", "there is no option 'x'");
	refuse_setting(&all, "+", "there is no option ''");
	refuse_setting(&all, "", "there is no option ''");
	refuse_setting(&all, "#x", "there is no option '#x'");
	refuse_setting(&all, "e#", "there is no option 'e#'");
	refuse_setting(&all, "f#x", "there is no event 'f'; '+' in front adds it");
	refuse_setting(&all, "e#y",
		       "the event 'e' has no setting 'y'; '+' in front adds it");
	refuse_setting(&all, "f#x#y#", "there is no event 'f'; '+' in front adds it");
	configuration_clear(&all);
}

Test(choice, logs_what_it_changes)
{
	struct configuration all;
	struct settings log = { 0 };

	jfctext_read(&all, JFC_FILE(EVENT(SETTING("x", "f") SETTING("y", "x")) CONTROL(
				   FLAG("f", "") CONDITION("x", "true='1'", T))));
	cr_expect(
		choice_set(&all, configuration_input(&all), STR("false"), &log, NULL));
	cr_expect(choice_set_setting(&all, STR("e#y"), STR("2"), &log, NULL));
	cr_expect(choice_set_setting(&all, STR("+e#z"), STR("3"), &log, NULL));
	cr_expect(choice_set_setting(&all, STR("e#z"), STR("4"), &log, NULL));
	settings_settle(&log);
	cr_expect_eq(log.items.count, 2);
	cr_expect_str_eq(jfctext_of(log.items.items[0].key), "e#x");
	cr_expect_str_eq(jfctext_of(log.items.items[0].value), "false");
	cr_expect_str_eq(jfctext_of(log.items.items[1].key), "e#y");
	cr_expect_str_eq(jfctext_of(log.items.items[1].value), "2");
	settings_clear(&log);
	configuration_clear(&all);
}

static bool change_all(struct configuration *all, struct settings *log, struct err *err)
{
	return choice_set(all, configuration_find_input(all, STR("s")), STR("b"), log,
			  err) &&
	       choice_set(all, configuration_find_input(all, STR("t")), STR("5s"), log,
			  err) &&
	       choice_set_setting(all, STR("+new#threshold"), STR("5s"), log, err);
}

/* With an arena that is full at any place. */
Test(choice, needs_memory)
{
	const char *const file =
		JFC_FILE(EVENT(SETTING("x", "s") SETTING("y", "t"))
			 CONTROL(SELECTION("default='a'")
				 "<text name='t' label='T' contentType='timespan'/>"));
	bool is_good = false;

	for (size_t more = 0; !is_good; more += 16) {
		struct settings log = { 0 };
		struct configuration all;
		struct err err = { 0 };

		jfctext_read(&all, file);
		all.arena.limit = all.arena.taken + more;
		is_good = change_all(&all, &log, &err);
		cr_expect(is_good || err.kind == ERR_MEMORY, "%s", err.text);
		settings_clear(&log);
		configuration_clear(&all);
	}
	for (size_t n = 1; n < 3; n++) {
		struct settings log = { 0 };
		struct configuration all;
		struct err err = { 0 };

		jfctext_read(&all, file);
		fault_at(n);
		is_good = change_all(&all, &log, &err);
		cr_expect_eq(is_good, !fault_happened());
		fault_at(0);
		cr_expect(is_good || err.kind == ERR_MEMORY);
		settings_clear(&log);
		configuration_clear(&all);
	}
}
