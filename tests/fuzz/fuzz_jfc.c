/*
 * fuzz_jfc.c - .jfc files, as configure reads and writes them.
 *
 * The input is read as a file. If it is one, some settings and each option are set, and
 * it is written. What was written is read and written again the same, unless an element
 * has both characters and elements in it, which change places then, as in the JDK.
 */
#include <stdlib.h>
#include <string.h>

#include "jfc/choice.h"
#include "jfc/jfcread.h"
#include "jfc/jfcwrite.h"
#include "jfc/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good)
{
	if (!good)
		abort();
}

/* True if it was read; then `all` is to be cleared. */
static bool read(struct configuration *all, struct str text)
{
	struct err err = { 0 };

	must(configuration_init(all, &err));
	if (jfcread(all, text, &err))
		return true;
	must(err.kind == ERR_FORMAT && err.text[0]);
	configuration_clear(all);
	return false;
}

static bool is_space(char byte)
{
	return (unsigned char)byte <= ' ';
}

/* What is written can be read as it was: no blanks get lost, no characters go astray. */
static bool is_plain(const struct node *node)
{
	for (const struct node_attribute *at = node->attributes; at; at = at->next) {
		for (size_t i = 0; i < at->value.size; i++) {
			if (is_space(at->value.bytes[i]) && at->value.bytes[i] != ' ')
				return false;
		}
	}
	if (node->content.size && (node->first || !str_trim(node->content).size))
		return false;
	if (node->content.size && memchr(node->content.bytes, '\r', node->content.size))
		return false;
	for (const struct node *at = node->first; at; at = at->next) {
		if (!is_plain(at))
			return false;
	}
	return true;
}

static void count(void *context, const struct node *setting)
{
	must(setting->kind == NODE_SETTING);
	++*(size_t *)context;
}

/* To what it is, or could be. */
static void set_input(struct configuration *all, struct node *input,
		      struct settings *log)
{
	struct str name = node_get(input, STR("name"));
	struct err err = { 0 };
	struct str value = input->kind == NODE_TEXT ? STR("20ms") : STR("true");
	size_t reached = 0;
	const struct node *option = node_child(input, NODE_BIT(NODE_OPTION));

	while (option && node_next(option, NODE_BIT(NODE_OPTION)))
		option = node_next(option, NODE_BIT(NODE_OPTION));
	if (input->kind == NODE_SELECTION)
		value = node_get(option, STR("name"));
	must(configuration_find_input(all, name) != NULL);
	if (!choice_reach(all, input, count, &reached, &err))
		must(err.kind == ERR_FORMAT);
	if (!choice_set(all, input, value, log, &err))
		must(err.kind == ERR_FORMAT || err.kind == ERR_MEMORY);
	must(log->items.count <= reached || err.kind == ERR_FORMAT);
	settings_settle(log);
	settings_reset(log);
}

static void set_settings(struct configuration *all, struct settings *log)
{
	struct err err = { 0 };
	const struct node *first = configuration_setting(all);

	must(choice_set_setting(all, STR("+added.Event#threshold"), STR("5s"), log,
				&err));
	must(choice_set_setting(all, STR("added.Event#threshold"), STR("x"), log,
				&err));
	must(!choice_set_setting(all, STR("no.Event#here"), STR("x"), log, &err) ||
	     first != NULL);
	must(settings_add_all(log, all));
	settings_settle(log);
	must(log->items.count > 0);
}

static void change(struct configuration *all)
{
	struct settings log = { 0 };
	size_t inputs = 0;

	for (struct node *at = configuration_input(all); at && inputs < 20;
	     at = configuration_next_input(at), inputs++)
		set_input(all, at, &log);
	set_settings(all, &log);
	settings_clear(&log);
}

static struct str written(const struct buf *buf)
{
	must(!buf->failed);
	return (struct str){ buf->bytes, buf->size };
}

static void write_again(const struct buf *once)
{
	struct configuration all;
	struct buf twice = { 0 };

	must(read(&all, written(once)));
	jfcwrite(&twice, &all);
	must(str_is(written(once), written(&twice)));
	configuration_clear(&all);
	buf_clear(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct configuration all;
	struct buf once = { 0 };
	size_t missing = 0;

	if (size > 64 << 10 || !read(&all, (struct str){ (const char *)data, size }))
		return 0;
	configuration_missing(&all, 1, count, &missing);
	change(&all);
	jfcwrite(&once, &all);
	if (is_plain(all.root))
		write_again(&once);
	configuration_clear(&all);
	buf_clear(&once);
	return 0;
}
