#include <criterion/criterion.h>
#include <stdio.h>

#include "base/buf.h"
#include "fault.h"
#include "jfc/jfcread.h"
#include "jfctext.h"

#define CONDITION(name) "<condition name='" name "'/>"
#define FLAG(name) "<flag name='" name "' label='L'>true</flag>"
#define CONTROL(inside) "<control>" inside "</control>"

Test(configuration, is_empty_at_first)
{
	struct configuration all;

	cr_assert(configuration_init(&all, NULL));
	cr_expect(str_is(node_get(all.root, STR("label")), STR("Custom")));
	cr_expect(str_is(node_get(all.root, STR("version")), STR("2.0")));
	cr_expect_null(configuration_input(&all));
	cr_expect_null(configuration_setting(&all));
	cr_expect_null(configuration_control(&all, STR("a"), 1));
	cr_expect_null(configuration_find_input(&all, STR("a")));
	cr_expect_null(configuration_find_event(&all, STR("a")));
	configuration_clear(&all);
	configuration_clear(&all);
}

Test(configuration, has_what_its_files_have)
{
	struct configuration all;
	const struct node *at;

	jfctext_read(
		&all,
		JFC_FILE(
			"<event name='a'><setting name='x'>1</setting></event>" CONTROL(
				FLAG("one"))));
	jfctext_add(&all, JFC_FILE(CONTROL("") CONTROL(FLAG("two") FLAG("three"))
				   "<event name='b'/><event name='a'>"
				   "<setting name='y'>2</setting></event>"));
	at = configuration_input(&all);
	cr_expect(str_is(node_get(at, STR("name")), STR("one")));
	at = configuration_next_input(at);
	cr_expect(str_is(node_get(at, STR("name")), STR("two")));
	at = configuration_next_input(at);
	cr_expect(str_is(node_get(at, STR("name")), STR("three")));
	cr_expect_null(configuration_next_input(at));
	at = configuration_setting(&all);
	cr_expect(str_is(at->content, STR("1")));
	at = configuration_next_setting(at);
	cr_expect(str_is(at->content, STR("2")));
	cr_expect_null(configuration_next_setting(at));
	at = configuration_find_event(&all, STR("a"));
	cr_expect_eq(at, all.root->first);
	cr_expect(str_is(node_get(all.root, STR("label")), STR("Custom")));
	configuration_clear(&all);
}

Test(configuration, finds_controls_by_name)
{
	struct configuration all;
	struct control *first;

	jfctext_read(&all, JFC_FILE(CONTROL(CONDITION("b") FLAG("a") FLAG("b")) CONTROL(
				   CONDITION("b") "<text name='cc' label='L'/>")));
	first = configuration_control(&all, STR("b"), 1);
	cr_assert_not_null(first);
	cr_expect_eq(configuration_namesakes(&all, first), 3);
	cr_expect_eq(first[0].node->kind, NODE_CONDITION);
	cr_expect_eq(first[1].node->kind, NODE_FLAG);
	cr_expect_eq(first[2].node->kind, NODE_CONDITION);
	cr_expect_eq(configuration_find_input(&all, STR("b")), first[1].node);
	cr_expect_null(configuration_control(&all, STR("b"), 2));
	cr_expect_null(configuration_control(&all, STR("c"), 1));
	cr_expect_eq(configuration_namesakes(&all,
					     configuration_control(&all, STR("cc"), 1)),
		     1);
	configuration_clear(&all);
}

Test(configuration, has_each_control_in_one_file)
{
	struct configuration all;
	struct err err = { 0 };

	jfctext_read(&all, JFC_FILE(CONTROL(FLAG("a") FLAG("b"))));
	cr_expect(!jfcread(&all, STR(JFC_FILE("\n" CONTROL(CONDITION("b")))), &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	cr_expect_str_eq(err.text,
			 "line 2: another file declares the control 'b' already");
	configuration_clear(&all);
}

static bool reads_controls(size_t count)
{
	struct buf text = { 0 };
	struct configuration all;
	struct err err = { 0 };
	bool is_good;

	buf_text(&text, "<configuration version='2.0' label='L'><control>");
	for (size_t i = 0; i < count; i++)
		buf_printf(&text, CONDITION("c%zu"), i);
	buf_text(&text, "</control></configuration>");
	cr_assert(configuration_init(&all, NULL));
	is_good = jfcread(&all, (struct str){ text.bytes, text.size }, &err);
	if (!is_good)
		cr_expect_str_eq(err.text, "line 1: there are more than 1000 controls");
	configuration_clear(&all);
	buf_clear(&text);
	return is_good;
}

Test(configuration, has_so_many_controls)
{
	cr_expect(reads_controls(1000));
	cr_expect(!reads_controls(1001));
}

static void add_name(void *context, const struct node *setting)
{
	char *names = context;

	strcat(names, jfctext_of(node_get(setting, STR("name"))));
}

/* Of the file itself, not of another. */
Test(configuration, tells_settings_without_a_control)
{
	struct configuration all;
	char names[100] = "";

	jfctext_read(&all, JFC_FILE("<event name='a'><setting name='x' control='a'/>"
				    "<setting name='y'/><setting name='z' control='b'/>"
				    "</event>" CONTROL(FLAG("a"))));
	jfctext_add(&all, JFC_FILE("<event name='a'><setting name='u' control='a'/>"
				   "<setting name='v' control='b'/></event>"
				   CONTROL(FLAG("b"))));
	configuration_missing(&all, 1, add_name, names);
	cr_expect_str_eq(names, "z");
	configuration_missing(&all, 2, add_name, names);
	cr_expect_str_eq(names, "zu");
	configuration_clear(&all);
}

Test(configuration, knows_what_is_chosen)
{
	struct configuration all;
	const char *const file =
		JFC_FILE(CONTROL("<selection name='s' label='S' default='%s'>"
				 "<option name='a' label='A'>1</option>"
				 "<option name='b' label='B'>2</option></selection>"));
	char text[1000];

	snprintf(text, sizeof(text), file, "b");
	jfctext_read(&all, text);
	cr_expect(str_is(configuration_chosen(configuration_input(&all))->content,
			 STR("2")));
	configuration_clear(&all);
	snprintf(text, sizeof(text), file, "c");
	jfctext_read(&all, text);
	cr_expect(str_is(configuration_chosen(configuration_input(&all))->content,
			 STR("1")));
	configuration_clear(&all);
}

Test(configuration, needs_memory)
{
	bool is_good = false;

	for (size_t n = 1; !is_good; n++) {
		struct configuration all;
		struct err err = { 0 };

		fault_at(n);
		is_good = configuration_init(&all, &err) &&
			  jfcread(&all, STR(JFC_FILE(CONTROL(FLAG("a")))), &err);
		cr_expect_eq(is_good, !fault_happened());
		fault_at(0);
		cr_expect(is_good || err.kind == ERR_MEMORY);
		configuration_clear(&all);
	}
}
