#include "cmd/jfcwarn.h"

#include "base/utf.h"
#include "cmd/usage.h"
#include "jfc/choice.h"
#include "jfc/methodfilter.h"
#include "jfc/settings.h"
#include "jfc/span.h"

/* Of a filter of methods. */
struct warning {
	const struct invocation *invocation;
	struct str input, filter;
};

/* From 1 on; a letter that Java writes as two is one. */
static size_t character_at(struct str text, size_t at)
{
	struct str before = { text.bytes, at };
	size_t count = 1;

	for (; before.size; count++)
		utf_next(&before);
	return count;
}

static void warn_of_filter(void *context, const struct methodfilter_fault *fault)
{
	const struct warning *warning = context;

	complain(warning->invocation,
		 "warning: %.*s: '%.*s' at character %zu is no filter, and Java's "
		 "recorder will leave it out (%s)",
		 (int)warning->input.size, warning->input.bytes, (int)fault->item.size,
		 fault->item.bytes, character_at(warning->filter, fault->at),
		 fault->reason ? fault->reason : "");
}

static void check_filter(const struct invocation *invocation, const struct node *text)
{
	struct warning warning = { invocation, node_get(text, STR("name")),
				   text->content };

	if (text->content.size &&
	    str_is(choice_content_type(text), STR("method-filter")))
		methodfilter_check(warning.filter, METHODFILTER_JDK, warn_of_filter,
				   &warning);
}

/* An option that the setting's text is from is looked at anyway. */
static bool is_of_input(const struct configuration *all, const struct node *setting)
{
	struct str control = node_get(setting, STR("control"));
	const struct node *input =
		control.bytes ? configuration_find_input(all, control) : NULL;

	return input && str_is(input->content, setting->content);
}

static void check_setting(const struct invocation *invocation,
			  const struct configuration *all, const struct node *setting)
{
	static const struct str events[] = { STR("jdk.MethodTiming"),
					     STR("jdk.MethodTrace") };
	struct str event = node_get(setting->parent, STR("name"));
	struct warning warning = { .invocation = invocation,
				   .filter = setting->content };
	struct buf key = { 0 };

	if (!setting->content.size || is_of_input(all, setting) ||
	    !str_is(node_get(setting, STR("name")), STR("filter")) ||
	    !(str_is(event, events[0]) || str_is(event, events[1])))
		return;
	settings_key(&key, setting);
	warning.input = buf_as_str(&key);
	methodfilter_check(warning.filter, METHODFILTER_JDK, warn_of_filter, &warning);
	buf_clear(&key);
}

static bool has_timespan(struct str name)
{
	return choice_is_timespan(name) || str_is(name, STR("cutoff"));
}

/* Words that stand in place of a timespan. */
static bool is_known(struct str name, struct str value)
{
	static const struct str chunks[] = { STR("beginChunk"), STR("endChunk"),
					     STR("everyChunk") };

	for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
		if (str_is(name, STR("period")) && str_is(value, chunks[i]))
			return true;
	}
	return str_is(value, STR("infinity"));
}

static void check_timespan(const struct invocation *invocation,
			   const struct node *setting)
{
	struct str event = node_get(setting->parent, STR("name"));
	struct str name = node_get(setting, STR("name")), span;
	struct arena arena = { 0 };
	struct err err = { .kind = ERR_NONE };

	if (!setting->content.size || !has_timespan(name) ||
	    is_known(name, setting->content))
		return;
	if (!span_read(setting->content, &arena, &span, &err) && err.kind == ERR_USAGE)
		complain(invocation, "warning: %.*s#%.*s: %s", (int)event.size,
			 event.bytes, (int)name.size, name.bytes, err.text);
	arena_clear(&arena);
}

void jfcwarn(const struct invocation *invocation, const struct configuration *all)
{
	for (const struct node *at = configuration_input(all); at;
	     at = configuration_next_input(at)) {
		if (at->kind == NODE_TEXT)
			check_filter(invocation, at);
	}
	for (const struct node *at = configuration_setting(all); at;
	     at = configuration_next_setting(at)) {
		check_timespan(invocation, at);
		check_setting(invocation, all, at);
	}
}
