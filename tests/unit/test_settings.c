#include <criterion/criterion.h>

#include "fault.h"
#include "jfc/settings.h"
#include "jfctext.h"

/* Of the settings that are made here. */
static struct arena nodes;

static struct node *make(struct node *parent, const char *kind, const char *name)
{
	struct node *node = node_add(parent, str_of(kind), &nodes);

	cr_assert(node && node_set(node, STR("name"), str_of(name), &nodes));
	return node;
}

static struct node *make_setting(const char *event, const char *name, const char *value)
{
	struct node *root = node_new(NODE_CONFIGURATION, &nodes), *setting;

	cr_assert_not_null(root);
	setting = make(make(root, "event", event), "setting", name);
	setting->content = str_of(value);
	return setting;
}

static void add(struct settings *settings, const char *event, const char *name,
		const char *value)
{
	cr_assert(settings_add_node(settings, make_setting(event, name, value)));
}

static void forget(struct settings *settings)
{
	settings_clear(settings);
	arena_clear(&nodes);
}

static void expect(const struct settings *settings, size_t i, const char *key,
		   const char *value)
{
	cr_assert_lt(i, settings->items.count);
	cr_expect_str_eq(jfctext_of(settings->items.items[i].key), key);
	cr_expect_str_eq(jfctext_of(settings->items.items[i].value), value);
}

Test(settings, are_sorted)
{
	struct settings settings = { 0 };

	settings_settle(&settings);
	cr_expect_eq(settings.items.count, 0);
	add(&settings, "b", "x", "1");
	add(&settings, "a.b", "x", "2");
	add(&settings, "a", "y", "3");
	add(&settings, "a", "", "4");
	add(&settings, "", "", "5");
	settings_settle(&settings);
	cr_expect_eq(settings.items.count, 5);
	expect(&settings, 0, "#", "5");
	expect(&settings, 1, "a#", "4");
	expect(&settings, 2, "a#y", "3");
	expect(&settings, 3, "a.b#x", "2");
	expect(&settings, 4, "b#x", "1");
	forget(&settings);
}

/* As UTF-16 units are. */
Test(settings, are_sorted_as_in_java)
{
	struct settings settings = { 0 };

	add(&settings, "\xef\xbc\xa1", "x", "1"); /* U+FF21 */
	add(&settings, "\xf0\x9f\x98\x80", "x", "2"); /* U+1F600 */
	settings_settle(&settings);
	expect(&settings, 0, "\xf0\x9f\x98\x80#x", "2");
	forget(&settings);
}

Test(settings, count_when_they_are_the_last)
{
	struct settings settings = { 0 };

	add(&settings, "a", "b", "1");
	add(&settings, "a", "c", "2");
	add(&settings, "a", "b", "3");
	add(&settings, "a", "b", "4");
	settings_settle(&settings);
	cr_expect_eq(settings.items.count, 2);
	expect(&settings, 0, "a#b", "4");
	expect(&settings, 1, "a#c", "2");
	forget(&settings);
}

Test(settings, are_forgotten)
{
	struct settings settings = { 0 };

	add(&settings, "a", "b", "1");
	settings_reset(&settings);
	cr_expect_eq(settings.items.count, 0);
	add(&settings, "c", "d", "2");
	settings_settle(&settings);
	expect(&settings, 0, "c#d", "2");
	forget(&settings);
}

Test(settings, are_those_of_a_configuration)
{
	struct settings settings = { 0 };
	struct configuration all;

	jfctext_read(&all,
		     JFC_FILE("<event name='b'><setting name='x'>1</setting></event>"
			      "<event name='a'><setting name='y'/>"
			      "<setting name='z'>2</setting></event>"
			      "<other><setting name='no'>3</setting></other>"
			      "<event name='b'><setting name='x'>4</setting></event>"));
	cr_assert(settings_add_all(&settings, &all));
	settings_settle(&settings);
	cr_expect_eq(settings.items.count, 2);
	expect(&settings, 0, "a#z", "2");
	expect(&settings, 1, "b#x", "4");
	forget(&settings);
	configuration_clear(&all);
}

Test(settings, need_memory)
{
	const struct node *setting = make_setting("a", "b", "c");

	for (size_t n = 1; n <= 2; n++) {
		struct settings settings = { 0 };

		fault_at(n);
		cr_expect(!settings_add_node(&settings, setting));
		fault_at(0);
		settings_clear(&settings);
	}
	arena_clear(&nodes);
}
