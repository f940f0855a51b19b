#include "cmd/jfctables.h"

#include "cmd/jfcwords.h"
#include "jfc/choice.h"

/* --- the table of options -------------------------------------------------------- */

enum show_cell {
	/* To people; what is the same as in the row above is not said again. */
	SHOW_OPTION,
	SHOW_VALUE,
	SHOW_ALLOWED,
	SHOW_PEOPLE,			/* so many */

	/* To programs. */
	SHOW_NAME = SHOW_PEOPLE,
	SHOW_LABEL,
	SHOW_TYPE,
	SHOW_CHOSEN,
	SHOW_LIST,

	/* To both. */
	SHOW_SETTING,
	SHOW_NOW,
	SHOW_CELLS,			/* so many */
};

static const struct grid_column show_columns[SHOW_CELLS] = {
	[SHOW_OPTION] = { NULL, "Option", GRID_STRING, false },
	[SHOW_VALUE] = { NULL, "Value", GRID_STRING, false },
	[SHOW_ALLOWED] = { NULL, "Allowed", GRID_STRING, false },
	[SHOW_NAME] = { "option", NULL, GRID_STRING, false },
	[SHOW_LABEL] = { "label", NULL, GRID_STRING, false },
	[SHOW_TYPE] = { "type", NULL, GRID_STRING, false },
	[SHOW_CHOSEN] = { "value", NULL, GRID_STRING, false },
	[SHOW_LIST] = { "allowed", NULL, GRID_READY, false },
	[SHOW_SETTING] = { "setting", "Setting", GRID_STRING, false },
	[SHOW_NOW] = { "settingValue", "Now", GRID_STRING, false },
};

static const struct str nothing = { NULL, 0 };

struct show {
	struct grid grid;
	union grid_cell cells[SHOW_CELLS];
	struct buf key;
	bool is_begun;		/* the option has a row already */
};

static void add_row(struct show *show, struct str setting, struct str value)
{
	show->cells[SHOW_SETTING].text = setting;
	show->cells[SHOW_NOW].text = value;
	grid_row(&show->grid, show->cells);
	for (size_t i = 0; i < SHOW_PEOPLE; i++)
		show->cells[i].text = nothing;
	show->is_begun = true;
}

static struct str text_of(const struct buf *buf)
{
	return (struct str){ buf->bytes, buf->size };
}

static void show_setting(void *context, const struct node *setting)
{
	struct show *show = context;

	buf_reset(&show->key);
	settings_key(&show->key, setting);
	add_row(show, text_of(&show->key), setting->content);
}

static bool show_input(struct show *show, struct configuration *all,
		       const struct node *input, struct err *err)
{
	struct buf allowed = { 0 }, list = { 0 };
	union grid_cell *cells = show->cells;
	bool is_text = input->kind == NODE_TEXT, is_good;

	jfcwords_allowed(&allowed, input, ", ");
	jfcwords_allowed_json(&list, input);
	cells[SHOW_OPTION].text = cells[SHOW_NAME].text = node_get(input, STR("name"));
	cells[SHOW_VALUE].text = cells[SHOW_CHOSEN].text = jfcwords_value(input);
	cells[SHOW_ALLOWED].text = text_of(&allowed);
	cells[SHOW_LABEL].text = node_get(input, STR("label"));
	cells[SHOW_TYPE].text = is_text ? choice_content_type(input) : input->name;
	cells[SHOW_LIST].text = is_text ? nothing : text_of(&list);
	show->is_begun = false;
	is_good = choice_reach(all, input, show_setting, show, err);
	if (is_good && !show->is_begun)
		add_row(show, nothing, nothing);
	is_good = is_good && ((!allowed.failed && !list.failed) || err_memory(err));
	buf_clear(&allowed);
	buf_clear(&list);
	return is_good;
}

bool jfctables_show(struct out *out, const struct grid_format *format,
		    struct configuration *all, struct err *err)
{
	struct show show = { .is_begun = false };
	bool is_good = true;

	grid_begin(&show.grid, format, show_columns, SHOW_CELLS, out);
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
	const union grid_cell cells[] = {
		{ .text = a ? a->key : b->key },
		{ .text = a ? a->value : nothing },
		{ .text = b ? b->value : nothing },
	};

	grid_row(context, cells);
}

void jfctables_compare(struct out *out, const struct grid_format *format,
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

bool jfctables_are_same(const struct settings *a, const struct settings *b)
{
	size_t differences = 0;

	each_difference(a, b, count, &differences);
	return differences == 0;
}
