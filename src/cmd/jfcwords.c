#include "cmd/jfcwords.h"

#include "jfc/choice.h"
#include "render/quote.h"

struct str jfcwords_quote_empty(struct str text)
{
	return text.size ? text : STR("\"\"");
}

/* How allowed values are listed. */
struct listing {
	const char *begin, *between, *end;
	bool is_json;
};

static void add_word(struct buf *to, const struct listing *listing, struct str word)
{
	if (listing->is_json)
		quote_add(to, word, QUOTE_UTF8);
	else
		buf_str(to, word);
}

/* What a selection or a flag can be. */
static void add_values(struct buf *to, const struct node *input,
		       const struct listing *listing)
{
	const unsigned options = NODE_BIT(NODE_OPTION);
	const struct node *first = node_child(input, options);

	buf_text(to, listing->begin);
	if (input->kind == NODE_FLAG) {
		add_word(to, listing, STR("true"));
		buf_text(to, listing->between);
		add_word(to, listing, STR("false"));
	}
	for (const struct node *at = first; at; at = node_next(at, options)) {
		if (at != first)
			buf_text(to, listing->between);
		add_word(to, listing, node_get(at, STR("name")));
	}
	buf_text(to, listing->end);
}

void jfcwords_allowed(struct buf *to, const struct node *input, const char *between)
{
	const struct listing listing = { "", between, "", false };

	if (input->kind == NODE_TEXT)
		buf_str(to, choice_content_type(input));
	else
		add_values(to, input, &listing);
}

void jfcwords_allowed_json(struct buf *to, const struct node *input)
{
	const struct listing listing = { "[", ",", "]", true };

	add_values(to, input, &listing);
}

struct str jfcwords_value(const struct node *input)
{
	if (input->kind == NODE_SELECTION)
		return node_get(configuration_chosen(input), STR("name"));
	return input->content.bytes ? input->content : STR("");
}

/* Of timespans without blanks. */
static void add_value(struct buf *to, const struct node *input)
{
	struct str value = jfcwords_value(input);
	bool is_timespan = str_is(choice_content_type(input), STR("timespan"));

	if (input->kind == NODE_TEXT)
		value = jfcwords_quote_empty(value);
	for (size_t i = 0; i < value.size; i++) {
		if (!is_timespan || !strchr(" \t\n\v\f\r", value.bytes[i]))
			buf_byte(to, value.bytes[i]);
	}
}

void jfcwords_options(struct buf *to, const struct configuration *all)
{
	for (const struct node *at = configuration_input(all); at;
	     at = configuration_next_input(at)) {
		buf_text(to, "  ");
		buf_str(to, node_get(at, STR("name")));
		buf_text(to, "=<");
		jfcwords_allowed(to, at, "|");
		buf_text(to, ">  (");
		add_value(to, at);
		buf_text(to, ")\n\n");
	}
}

void jfcwords_log(struct buf *to, struct settings *log)
{
	settings_settle(log);
	if (log->items.count)
		buf_text(to, "\nSetting:\n");
	for (size_t i = 0; i < log->items.count; i++) {
		const struct settings_item *item = &log->items.items[i];

		buf_byte(to, '"');
		buf_str(to, item->key);
		buf_byte(to, '=');
		buf_str(to, item->value);
		buf_text(to, "\"\n");
	}
	settings_reset(log);
}
