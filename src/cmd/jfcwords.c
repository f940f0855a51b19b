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

/* The same, and of texts what is in them: "off, normal, all", "timespan". */
static void add_allowed(struct buf *to, const struct node *input, const char *between)
{
	const struct listing listing = { "", between, "", false };

	if (input->kind == NODE_TEXT)
		buf_str(to, choice_content_type(input));
	else
		add_values(to, input, &listing);
}

/* What a user would write for the value that it has. */
static struct str chosen(const struct node *input)
{
	if (input->kind == NODE_SELECTION)
		return node_get(configuration_chosen(input), STR("name"));
	return input->content.bytes ? input->content : STR("");
}

/* Of timespans without blanks. */
static void add_value(struct buf *to, const struct node *input)
{
	struct str value = chosen(input);
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
		add_allowed(to, at, "|");
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

/* --- the table of options -------------------------------------------------------- */

/* To people, what is the same as in the row above is not said again. */
static const struct grid_column show_columns[] = {
	{ NULL, "Option", GRID_STRING, false },
	{ NULL, "Value", GRID_STRING, false },
	{ NULL, "Allowed", GRID_STRING, false },
	{ "option", NULL, GRID_STRING, false },
	{ "label", NULL, GRID_STRING, false },
	{ "type", NULL, GRID_STRING, false },
	{ "value", NULL, GRID_STRING, false },
	{ "allowed", NULL, GRID_READY, false },
	{ "setting", "Setting", GRID_STRING, false },
	{ "settingValue", "Now", GRID_STRING, false },
};

#define SHOW_COLUMNS (sizeof(show_columns) / sizeof(show_columns[0]))
#define SHOW_SETTING 8

struct show {
	struct grid grid;
	union grid_cell cells[SHOW_COLUMNS];
	struct buf key;
	bool is_begun;		/* the option has a row already */
};

static void add_row(struct show *show, struct str setting, struct str value)
{
	show->cells[SHOW_SETTING].text = setting;
	show->cells[SHOW_SETTING + 1].text = value;
	grid_row(&show->grid, show->cells);
	for (size_t i = 0; i < 3; i++)
		show->cells[i].text = (struct str){ NULL, 0 };
	show->is_begun = true;
}

static void show_setting(void *context, const struct node *setting)
{
	struct show *show = context;

	buf_reset(&show->key);
	buf_str(&show->key, node_get(setting->parent, STR("name")));
	buf_byte(&show->key, '#');
	buf_str(&show->key, node_get(setting, STR("name")));
	add_row(show, (struct str){ show->key.bytes, show->key.size },
		setting->content);
}

static bool show_input(struct show *show, struct configuration *all,
		       const struct node *input, struct err *err)
{
	const struct str nothing = { NULL, 0 };
	const struct listing json = { "[", ",", "]", true };
	struct buf allowed = { 0 }, list = { 0 };
	bool is_text = input->kind == NODE_TEXT, is_good;

	add_allowed(&allowed, input, ", ");
	add_values(&list, input, &json);
	show->cells[0].text = show->cells[3].text = node_get(input, STR("name"));
	show->cells[1].text = show->cells[6].text = chosen(input);
	show->cells[2].text = (struct str){ allowed.bytes, allowed.size };
	show->cells[4].text = node_get(input, STR("label"));
	show->cells[5].text = is_text ? choice_content_type(input) : input->name;
	show->cells[7].text = is_text ? nothing : (struct str){ list.bytes, list.size };
	show->is_begun = false;
	is_good = choice_reach(all, input, show_setting, show, err);
	if (is_good && !show->is_begun)
		add_row(show, nothing, nothing);
	is_good = is_good && ((!allowed.failed && !list.failed) || err_memory(err));
	buf_clear(&allowed);
	buf_clear(&list);
	return is_good;
}

bool jfcwords_show(struct out *out, const struct grid_format *format,
		   struct configuration *all, struct err *err)
{
	struct show show = { .is_begun = false };
	bool is_good = true;

	grid_begin(&show.grid, format, show_columns, SHOW_COLUMNS, out);
	for (const struct node *at = configuration_input(all); at && is_good;
	     at = configuration_next_input(at))
		is_good = show_input(&show, all, at, err);
	grid_end(&show.grid);
	buf_clear(&show.key);
	return is_good;
}

/* --- the table of differences ---------------------------------------------------- */

/* The item at that place, or NULL behind the last. */
static const struct settings_item *item_at(const struct settings *settings, size_t i)
{
	return i < settings->items.count ? &settings->items.items[i] : NULL;
}

static int compare_items(const struct settings_item *a, const struct settings_item *b)
{
	if (!a || !b)
		return a ? -1 : 1;
	return str_compare(a->key, b->key);
}

/* Goes through both, which are sorted; tells each key that is not the same in both. */
static void each_difference(const struct settings *a, const struct settings *b,
			    void (*told)(void *context, const struct settings_item *a,
					 const struct settings_item *b),
			    void *context)
{
	size_t i = 0, j = 0;

	while (item_at(a, i) || item_at(b, j)) {
		const struct settings_item *one = item_at(a, i), *other = item_at(b, j);
		int order = compare_items(one, other);

		if (order != 0 || !str_is(one->value, other->value))
			told(context, order <= 0 ? one : NULL,
			     order >= 0 ? other : NULL);
		i += order <= 0;
		j += order >= 0;
	}
}

static void tell_grid(void *context, const struct settings_item *a,
		      const struct settings_item *b)
{
	const struct str nothing = { NULL, 0 };
	const union grid_cell cells[] = {
		{ .text = a ? a->key : b->key },
		{ .text = a ? a->value : nothing },
		{ .text = b ? b->value : nothing },
	};

	grid_row(context, cells);
}

void jfcwords_compare(struct out *out, const struct grid_format *format,
		      const struct settings *a, const struct settings *b,
		      const char *const names[2])
{
	const struct grid_column columns[] = {
		{ "setting", "Setting", GRID_STRING, false },
		{ "a", names[0], GRID_STRING, false },
		{ "b", names[1], GRID_STRING, false },
	};
	struct grid grid = { .width = 0 };

	grid_begin(&grid, format, columns, sizeof(columns) / sizeof(columns[0]), out);
	each_difference(a, b, tell_grid, &grid);
	grid_end(&grid);
}

static void count(void *context, const struct settings_item *a,
		  const struct settings_item *b)
{
	(void)a;
	(void)b;
	++*(size_t *)context;
}

bool jfcwords_are_same(const struct settings *a, const struct settings *b)
{
	size_t differences = 0;

	each_difference(a, b, count, &differences);
	return differences == 0;
}
