#include "jfc/choice.h"

#include <strings.h>

#include "base/buf.h"
#include "jfc/span.h"

/* So many conditions may depend on each other. */
#define DEPTH_MAX 64

/* One change of an input, or the question what one would change. */
struct round {
	struct configuration *all;
	const struct node *changed;
	unsigned number;
	int depth;
	const struct node *problem;	/* of it the value cannot be told */
};

static struct round begin_round(struct configuration *all, const struct node *changed)
{
	return (struct round){ .all = all, .changed = changed, .number = ++all->round };
}

static bool go_deeper(struct round *round, const struct node *condition)
{
	if (round->depth == DEPTH_MAX) {
		round->problem = condition;
		return false;
	}
	round->depth++;
	return true;
}

/* What the name in an element of a file refers to. */
static struct control *referred(const struct round *round, const struct node *node,
				struct str attribute)
{
	struct str name = node_get(node, attribute);

	return name.bytes ? configuration_control(round->all, name, node->file) : NULL;
}

/* --- which settings a change can reach ------------------------------------------- */

static bool name_is_touched(struct round *round, struct control *first);

static bool expression_is_touched(struct round *round, const struct node *expression)
{
	bool is_touched = false;

	if (expression->kind == NODE_TEST)
		return name_is_touched(round, referred(round, expression, STR("name")));
	for (const struct node *at = node_child(expression, NODE_EXPRESSIONS);
	     at && !is_touched; at = node_next(at, NODE_EXPRESSIONS))
		is_touched = expression_is_touched(round, at);
	return is_touched;
}

static bool control_is_touched(struct round *round, struct control *control)
{
	if (control->node == round->changed)
		return true;
	if (control->node->kind != NODE_CONDITION)
		return false;
	return expression_is_touched(round, control->node);
}

static bool name_is_touched(struct round *round, struct control *first)
{
	struct finding *all = first ? &first->all : NULL;
	size_t count;

	if (!first)
		return false;
	if (all->asked == round->number)
		return all->is_touched;
	all->asked = round->number;
	all->is_touched = false; /* by itself, in a circle */
	if (!go_deeper(round, first->node))
		return false;
	count = configuration_namesakes(round->all, first);
	for (size_t i = 0; i < count && !all->is_touched; i++)
		all->is_touched = control_is_touched(round, first + i);
	round->depth--;
	return all->is_touched;
}

/* --- what follows from the values ------------------------------------------------ */

static const struct str none = { NULL, 0 };

/* Of the words true and false the case does not matter. */
static struct str plain(struct str value)
{
	if (value.size == 4 && strncasecmp(value.bytes, "true", 4) == 0)
		return STR("true");
	if (value.size == 5 && strncasecmp(value.bytes, "false", 5) == 0)
		return STR("false");
	return value;
}

/* What is empty is a value, too. */
static struct str full(struct str content)
{
	return content.bytes ? content : STR("");
}

static struct str truth(bool is_true)
{
	return is_true ? STR("true") : STR("false");
}

static bool is_true(struct str value)
{
	return str_is(value, STR("true"));
}

static struct str value_of_input(const struct node *input)
{
	if (input->kind == NODE_SELECTION)
		input = configuration_chosen(input);
	return full(input->content);
}

static struct str value_of_control(struct round *round, struct control *control);
static struct str value_of_expression(struct round *round,
				      const struct node *expression);

/* The first control of the name is asked. */
static struct str value_of_test(struct round *round, const struct node *test)
{
	struct control *first = referred(round, test, STR("name"));
	struct str value = first ? value_of_control(round, first) : none;

	if (!value.bytes)
		return none;
	return truth(str_is(value, node_get(test, STR("value"))));
}

/* `or` ends with the first that is true, `and` with the first that is false. */
static struct str value_of_several(struct round *round, const struct node *node)
{
	struct str result = none;

	for (const struct node *at = node_child(node, NODE_EXPRESSIONS); at;
	     at = node_next(at, NODE_EXPRESSIONS)) {
		struct str value = value_of_expression(round, at);

		if (value.bytes)
			result = value;
		if (value.bytes && is_true(value) == (node->kind == NODE_OR))
			break;
	}
	return result;
}

static struct str value_of_expression(struct round *round,
				      const struct node *expression)
{
	struct str value;

	if (expression->kind == NODE_TEST)
		return value_of_test(round, expression);
	value = value_of_several(round, expression);
	if (expression->kind == NODE_NOT && value.bytes)
		return truth(!is_true(value));
	return value;
}

static struct str value_of_condition(struct round *round, const struct node *condition)
{
	struct str value = value_of_several(round, condition);

	return value.bytes ? plain(node_get(condition, value)) : none;
}

static struct str value_of_control(struct round *round, struct control *control)
{
	struct finding *own = &control->own;

	if (control->node->kind != NODE_CONDITION)
		return plain(value_of_input(control->node));
	if (own->valued == round->number && !own->is_busy)
		return own->value;
	if (own->valued == round->number || !go_deeper(round, control->node)) {
		round->problem = control->node;
		return none;
	}
	own->valued = round->number;
	own->is_busy = true;
	own->value = value_of_condition(round, control->node);
	own->is_busy = false;
	round->depth--;
	return own->value;
}

/* The first control of the name that has a value. */
static struct str value_of_name(struct round *round, struct control *first)
{
	struct finding *all = &first->all;
	size_t count;

	if (all->valued == round->number)
		return all->value;
	all->valued = round->number;
	all->value = none;
	count = configuration_namesakes(round->all, first);
	for (size_t i = 0; i < count && !all->value.bytes; i++)
		all->value = value_of_control(round, first + i);
	return all->value;
}

/* --- the settings ---------------------------------------------------------------- */

static bool end_round(const struct round *round, struct err *err)
{
	const struct node *problem = round->problem;
	struct str name = problem ? node_get(problem, STR("name")) : none;

	if (!problem)
		return true;
	return err_set(err, ERR_FORMAT,
		       "line %u: the condition '%.*s' depends on itself, or on too "
		       "many others",
		       problem->line, (int)name.size, name.bytes);
}

/* The next setting that the change can reach, from this one on. */
static struct node *reached_from(struct round *round, struct node *setting)
{
	while (setting &&
	       !name_is_touched(round, referred(round, setting, STR("control"))))
		setting = configuration_next_setting(setting);
	return setting;
}

bool choice_reach(struct configuration *all, const struct node *input,
		  void (*told)(void *context, const struct node *setting),
		  void *context, struct err *err)
{
	struct round round = begin_round(all, input);
	struct node *at = reached_from(&round, configuration_setting(all));

	while (at) {
		told(context, at);
		at = reached_from(&round, configuration_next_setting(at));
	}
	return end_round(&round, err);
}

static bool set_content(struct configuration *all, struct node *node, struct str value,
			struct err *err)
{
	struct str kept = { arena_copy(&all->arena, value.bytes, value.size),
			    value.size };

	if (!kept.bytes)
		return err_memory(err);
	node->content = kept;
	return true;
}

/* What was added and not read is not logged. */
static bool log_setting(struct settings *log, const struct node *setting,
			struct err *err)
{
	return !log || !setting->line || settings_add_node(log, setting) ||
	       err_memory(err);
}

static bool propagate(struct configuration *all, const struct node *input,
		      struct settings *log, struct err *err)
{
	struct round round = begin_round(all, input);
	struct node *at = reached_from(&round, configuration_setting(all));

	while (at) {
		struct control *first = referred(&round, at, STR("control"));
		struct str value = value_of_name(&round, first);

		if (value.bytes)
			at->content = value;
		if (value.bytes && !log_setting(log, at, err))
			return false;
		at = reached_from(&round, configuration_next_setting(at));
	}
	return end_round(&round, err);
}

/* --- inputs ---------------------------------------------------------------------- */

struct str choice_content_type(const struct node *text)
{
	struct str type = node_get(text, STR("contentType"));

	return type.bytes ? type : STR("text");
}

bool choice_is_timespan(struct str setting)
{
	return str_is(setting, STR("period")) || str_is(setting, STR("threshold"));
}

/* "'off', 'normal' and 'all'" */
static void list_options(struct buf *to, const struct node *selection)
{
	const unsigned options = NODE_BIT(NODE_OPTION);
	const struct node *first = node_child(selection, options);

	for (const struct node *at = first; at; at = node_next(at, options)) {
		if (at != first)
			buf_text(to, node_next(at, options) ? ", " : " and ");
		buf_byte(to, '\'');
		buf_str(to, node_get(at, STR("name")));
		buf_byte(to, '\'');
	}
}

static bool refuse(const struct node *input, struct str value, struct err *err)
{
	struct str name = node_get(input, STR("name"));
	struct buf valid = { 0 };

	if (input->kind == NODE_SELECTION)
		list_options(&valid, input);
	else
		buf_text(&valid, "'true' and 'false'");
	err_set(err, ERR_USAGE, "'%.*s' cannot be '%.*s'; its values are %.*s",
		(int)name.size, name.bytes, (int)value.size, value.bytes,
		(int)valid.size, valid.bytes ? valid.bytes : "");
	buf_clear(&valid);
	return false;
}

static bool set_selection(struct configuration *all, struct node *selection,
			  struct str value, struct err *err)
{
	for (const struct node *at = node_child(selection, NODE_BIT(NODE_OPTION)); at;
	     at = node_next(at, NODE_BIT(NODE_OPTION))) {
		if (str_is(node_get(at, STR("name")), value))
			return node_set(selection, STR("default"), value,
					&all->arena) ||
			       err_memory(err);
	}
	return refuse(selection, value, err);
}

static bool set_input(struct configuration *all, struct node *input, struct str value,
		      struct err *err)
{
	if (input->kind == NODE_SELECTION)
		return set_selection(all, input, value, err);
	if (input->kind == NODE_FLAG && !is_true(value) && !str_is(value, STR("false")))
		return refuse(input, value, err);
	if (input->kind == NODE_TEXT &&
	    str_is(choice_content_type(input), STR("timespan")) &&
	    !span_read(value, &all->arena, &value, err))
		return false;
	return set_content(all, input, value, err);
}

bool choice_set(struct configuration *all, struct node *input, struct str value,
		struct settings *log, struct err *err)
{
	return set_input(all, input, value, err) && propagate(all, input, log, err);
}

/* --- settings of events ---------------------------------------------------------- */

static struct node *add_named(struct configuration *all, struct node *parent,
			      enum node_kind kind, struct str name)
{
	struct node *node = node_add(parent, node_kind_name(kind), &all->arena);

	return node && node_set(node, STR("name"), name, &all->arena) ? node : NULL;
}

static struct node *find_setting(const struct node *event, struct str name)
{
	struct node *at = node_child(event, NODE_BIT(NODE_SETTING));

	while (at && !str_is(node_get(at, STR("name")), name))
		at = node_next(at, NODE_BIT(NODE_SETTING));
	return at;
}

static bool set_value(struct configuration *all, struct node *setting, struct str name,
		      struct str value, struct settings *log, struct err *err)
{
	struct err ignored = { .kind = ERR_NONE };

	/* What is no timespan may mean something to a later JDK. */
	if (choice_is_timespan(name) &&
	    !span_read(value, &all->arena, &value, &ignored) &&
	    ignored.kind == ERR_MEMORY)
		return err_memory(err);
	return set_content(all, setting, value, err) && log_setting(log, setting, err);
}

static bool no_event(struct str event, struct err *err)
{
	return err_set(err, ERR_USAGE, "there is no event '%.*s'; '+' in front adds it",
		       (int)event.size, event.bytes);
}

static bool no_setting(struct str event, struct str name, struct err *err)
{
	return err_set(err, ERR_USAGE,
		       "the event '%.*s' has no setting '%.*s'; '+' in front adds it",
		       (int)event.size, event.bytes, (int)name.size, name.bytes);
}

bool choice_set_setting(struct configuration *all, struct str key, struct str value,
			struct settings *log, struct err *err)
{
	bool is_added = str_starts(key, STR("+"));
	struct str name = { key.bytes + is_added, key.size - is_added }, event;
	struct node *node, *setting = NULL;
	const char *hash = name.size ? memchr(name.bytes, '#', name.size) : NULL;

	if (!hash || hash == name.bytes || hash == name.bytes + name.size - 1)
		return err_set(err, ERR_USAGE, "there is no option '%.*s'",
			       (int)name.size, name.bytes);
	event = (struct str){ name.bytes, (size_t)(hash - name.bytes) };
	name = (struct str){ hash + 1, name.size - event.size - 1 };
	node = configuration_find_event(all, event);
	if (!node && !is_added)
		return no_event(event, err);
	if (!node)
		node = add_named(all, all->root, NODE_EVENT, event);
	if (node)
		setting = find_setting(node, name);
	if (node && !setting && !is_added)
		return no_setting(event, name, err);
	if (node && !setting)
		setting = add_named(all, node, NODE_SETTING, name);
	return setting ? set_value(all, setting, name, value, log, err)
		       : err_memory(err);
}
