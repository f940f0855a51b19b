#include "cmd/completejfc.h"

#include <string.h>

#include "cmd/jfcfiles.h"
#include "jfc/configuration.h"
#include "jfr/eventtypes.h"

void completejfc_names(struct completion *completion)
{
	for (size_t i = 0; jfcfiles_name(i); i++)
		completion_offer(completion, str_of(jfcfiles_name(i)));
}

/* "a#b=", "a=" */
static void offer_joined(struct completion *completion, struct str a, const char *sign,
			 struct str b, const char *end)
{
	struct buf text = { 0 };

	buf_str(&text, a);
	buf_text(&text, sign);
	buf_str(&text, b);
	buf_text(&text, end);
	if (!text.failed)
		completion_offer(completion, (struct str){ text.bytes, text.size });
	buf_clear(&text);
}

/* Of the input with that name, its values; without a name, "gc=". */
static void offer_input(struct completion *completion, const struct node *input,
			struct str key)
{
	struct str name = node_get(input, STR("name"));

	if (!key.bytes)
		offer_joined(completion, name, "=", STR(""), "");
	if (!key.bytes || !str_is(name, key))
		return;
	if (input->kind == NODE_FLAG)
		completion_offer_each(completion, STR("true|false"));
	for (const struct node *node = input->first; node; node = node->next) {
		if (node->kind == NODE_OPTION)
			completion_offer(completion, node_get(node, STR("name")));
	}
}

/* Without a key "jdk.CPULoad#" or, if that is there, "jdk.CPULoad#period=". */
static void offer_setting(struct completion *completion, struct str event,
			  struct str name, struct str key)
{
	static const struct {
		struct str name, values;
	} known[] = {
		{ STR("enabled"), STR("true|false") },
		{ STR("stackTrace"), STR("true|false") },
		{ STR("period"), STR("beginChunk|endChunk|everyChunk") },
	};
	struct str word = completion->word;

	if (!key.bytes && word.size && !memchr(word.bytes, '#', word.size))
		offer_joined(completion, event, "#", STR(""), "");
	else if (!key.bytes && word.size)
		offer_joined(completion, event, "#", name, "=");
	if (!key.bytes || key.size != event.size + 1 + name.size ||
	    !str_starts(key, event) || !str_ends(key, name))
		return;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (str_is(known[i].name, name))
			completion_offer_each(completion, known[i].values);
	}
}

static bool read_input(void *context, const char *name, struct err *err)
{
	struct buf said = { 0 };
	bool is_good = !completion_would_wait(name) &&
		       jfcfiles_add(context, name, &said, err);

	buf_clear(&said);
	return is_good;
}

static bool read_inputs(const struct option_list *inputs, struct configuration *all)
{
	struct err err;
	bool is_good = configuration_init(all, &err);

	if (is_good && !inputs->count)
		is_good = read_input(all, "default.jfc", &err);
	for (size_t i = 0; i < inputs->count && is_good; i++)
		is_good = jfcfiles_each(inputs->items[i], read_input, all, &err);
	return is_good;
}

/* "+gc=" and "gc=" stay; what stands in front of "=", or bytes NULL: nothing. */
static struct str take_key(struct completion *completion)
{
	struct str key;
	const char *equal;

	if (str_starts(completion->word, STR("+")))
		completion_skip(completion, 1);
	key = completion->word;
	equal = key.size ? memchr(key.bytes, '=', key.size) : NULL;
	if (!equal)
		return (struct str){ NULL, 0 };
	key.size = (size_t)(equal - key.bytes);
	completion_skip(completion, key.size + 1);
	return key;
}

static void offer_inputs(struct completion *completion, const struct configuration *all,
			 struct str key)
{
	for (struct node *input = configuration_input(all); input;
	     input = configuration_next_input(input))
		offer_input(completion, input, key);
}

void completejfc(struct completion *completion, const struct option_list *inputs)
{
	struct configuration all = { 0 };
	bool is_good = read_inputs(inputs, &all);
	struct str key = take_key(completion);

	if (is_good)
		offer_inputs(completion, &all, key);
	for (struct node *setting = is_good ? configuration_setting(&all) : NULL;
	     setting; setting = configuration_next_setting(setting))
		offer_setting(completion, node_get(setting->parent, STR("name")),
			      node_get(setting, STR("name")), key);
	configuration_clear(&all);
}

struct of_record {
	struct completion *completion;
	struct str key;
};

/* Several files may have the same options; each is read on its own. */
static bool offer_file(void *context, const char *name, struct err *err)
{
	struct of_record *record = context;
	struct configuration all = { 0 };
	struct buf said = { 0 };

	if (!completion_would_wait(name) && configuration_init(&all, err) &&
	    jfcfiles_add_own(&all, name, &said, err))
		offer_inputs(record->completion, &all, record->key);
	configuration_clear(&all);
	buf_clear(&said);
	return true;
}

/* The "jdk." may be left out. */
static void offer_event(struct of_record *record, const struct schema_type *type)
{
	struct str name = str_of(type->name);
	struct str alone = str_after_last(name, '.');

	for (const struct schema_setting *at = type->settings; at->name; at++) {
		offer_setting(record->completion, name, str_of(at->name), record->key);
		offer_setting(record->completion, alone, str_of(at->name), record->key);
	}
}

void completejfc_record(struct completion *completion, const struct option_list *inputs)
{
	struct of_record record = { completion, take_key(completion) };
	struct err err;

	if (!inputs->count)
		offer_file(&record, "default", &err);
	for (size_t i = 0; i < inputs->count; i++)
		jfcfiles_each(inputs->items[i], offer_file, &record, &err);
	for (size_t i = 0; i < EVENT_COUNT; i++)
		offer_event(&record, &eventtypes[i]);
}
