#include "cmd/wizard.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "base/number.h"
#include "base/utf.h"
#include "cmd/jfcwords.h"
#include "jfc/choice.h"
#include "jfc/methodfilter.h"

/* What came of an answer. */
enum answer {
	ANSWER_DONE,
	ANSWER_AGAIN,		/* it was no good, which has been said */
	ANSWER_NONE,		/* it is over */
	ANSWER_FAILED,
};

struct line {
	char *bytes;
	size_t capacity;
	struct str text;	/* without the end of the line */
};

static void say(struct wizard *wizard, struct str text)
{
	buf_str(&wizard->out->buf, text);
}

static void say_line(struct wizard *wizard, const char *before, struct str text,
		     const char *behind)
{
	say(wizard, str_of(before));
	say(wizard, text);
	say(wizard, str_of(behind));
	say(wizard, STR("\n"));
}

/* What was said is seen before it waits. False: no answer, or one that quits. */
static bool read_line(struct wizard *wizard, struct line *line)
{
	ssize_t size;

	out_write(wizard->out, "", 0);
	size = getline(&line->bytes, &line->capacity, stdin);
	if (size > 0 && line->bytes[size - 1] == '\n')
		size--;
	if (size > 0 && line->bytes[size - 1] == '\r')
		size--;
	line->text = (struct str){ line->bytes, size < 0 ? 0 : (size_t)size };
	if (size >= 0 && !(size == 1 && strncasecmp(line->bytes, "q", 1) == 0))
		return true;
	say(wizard, STR("\n"));
	return false;
}

static bool is_blank(struct str text)
{
	return utf_blanks(text) == text.size;
}

/* `shown` is what the value is called; bytes NULL: as it is once it is set. */
static enum answer use(struct wizard *wizard, struct node *input, struct str value,
		       struct str shown, struct err *err)
{
	if (!choice_set(wizard->all, input, value, wizard->log, err)) {
		if (err->kind != ERR_USAGE)
			return ANSWER_FAILED;
		say_line(wizard, "", str_of(err->text), ".");
		return ANSWER_AGAIN;
	}
	say_line(wizard, "Using: ", shown.bytes ? shown : input->content, "");
	if (wizard->log)
		jfcwords_log(&wizard->out->buf, wizard->log);
	return ANSWER_DONE;
}

/* --- selections ------------------------------------------------------------------ */

static void ask_selection(struct wizard *wizard, const struct node *selection)
{
	const unsigned options = NODE_BIT(NODE_OPTION);
	struct str label = node_get(configuration_chosen(selection), STR("label"));
	unsigned number = 0;

	say(wizard, node_get(selection, STR("label")));
	say_line(wizard, ": ", label, " (default)");
	for (const struct node *at = node_child(selection, options); at;
	     at = node_next(at, options)) {
		buf_printf(&wizard->out->buf, "%u. ", ++number);
		say_line(wizard, "", node_get(at, STR("label")), "");
	}
}

static enum answer take_selection(struct wizard *wizard, struct node *selection,
				  struct str text, struct err *err)
{
	const unsigned options = NODE_BIT(NODE_OPTION);
	const struct node *option = node_child(selection, options);
	struct str label = node_get(configuration_chosen(selection), STR("label"));
	int64_t number;

	if (is_blank(text)) {
		say_line(wizard, "Using default: ", label, "");
		return ANSWER_DONE;
	}
	if (!number_java(text, &number)) {
		say(wizard, STR("Must enter a number, or ENTER to select default.\n"));
		return ANSWER_AGAIN;
	}
	for (; option && number > 1; number--)
		option = node_next(option, options);
	if (!option || number < 1) {
		say(wizard, STR("Not in range.\n"));
		return ANSWER_AGAIN;
	}
	return use(wizard, selection, node_get(option, STR("name")),
		   node_get(option, STR("label")), err);
}

/* --- texts ----------------------------------------------------------------------- */

static void ask_text(struct wizard *wizard, const struct node *text)
{
	say(wizard, node_get(text, STR("label")));
	say_line(wizard, ": ", jfcwords_quote_empty(text->content), "  (default)");
}

static void refuse_filter(void *context, const struct methodfilter_fault *fault)
{
	struct wizard *wizard = context;

	buf_printf(&wizard->out->buf, "Not a valid method filter: '%.*s' (%s).\n",
		   (int)fault->item.size, fault->item.bytes, fault->reason);
}

static bool filter_is_good(struct wizard *wizard, struct str filter)
{
	if (methodfilter_check(filter, METHODFILTER_JDK, refuse_filter, wizard) == 0)
		return true;
	say(wizard, STR("Enter annotations (@a.b.Deprecated), classes (a.b.C), methods "
			"(a.b.C::name, ::name)\n"
			"or initializers (::<clinit>, a.b.C::<init>), separated by "
			"semicolons.\n"));
	return false;
}

static enum answer take_text(struct wizard *wizard, struct node *node, struct str text,
			     struct err *err)
{
	bool is_filter = str_is(choice_content_type(node), STR("method-filter"));

	if (is_blank(text)) {
		say_line(wizard, "Using default: ", jfcwords_quote_empty(node->content),
			 "");
		return ANSWER_DONE;
	}
	if (is_filter && !filter_is_good(wizard, text))
		return ANSWER_AGAIN;
	return use(wizard, node, text, (struct str){ NULL, 0 }, err);
}

/* --- flags ----------------------------------------------------------------------- */

static struct str yes_or_no(bool is_yes)
{
	return is_yes ? STR("Yes") : STR("No");
}

static bool is_word(struct str text, const char *word)
{
	return text.size == strlen(word) &&
	       strncasecmp(text.bytes, word, text.size) == 0;
}

static void ask_flag(struct wizard *wizard, const struct node *flag)
{
	say(wizard, node_get(flag, STR("label")));
	say_line(wizard, " [Y/N]: ", yes_or_no(is_word(flag->content, "true")),
		 " (default)");
}

static enum answer take_flag(struct wizard *wizard, struct node *flag, struct str text,
			     struct err *err)
{
	bool is_yes = is_word(text, "y");

	if (is_blank(text)) {
		say_line(wizard, "Using default: ",
			 yes_or_no(is_word(flag->content, "true")), "");
		return ANSWER_DONE;
	}
	if (!is_yes && !is_word(text, "n")) {
		say(wizard, STR("Not a valid choice.\n"));
		return ANSWER_AGAIN;
	}
	return use(wizard, flag, is_yes ? STR("true") : STR("false"), yes_or_no(is_yes),
		   err);
}

/* --- all of them ----------------------------------------------------------------- */

struct question {
	void (*ask)(struct wizard *wizard, const struct node *input);
	enum answer (*take)(struct wizard *wizard, struct node *input, struct str text,
			    struct err *err);
};

static const struct question questions[NODE_KINDS] = {
	[NODE_SELECTION] = { ask_selection, take_selection },
	[NODE_TEXT] = { ask_text, take_text },
	[NODE_FLAG] = { ask_flag, take_flag },
};

static enum answer ask_input(struct wizard *wizard, struct node *input,
			     struct line *line, struct err *err)
{
	const struct question *question = &questions[input->kind];
	enum answer answer = ANSWER_AGAIN;

	say(wizard, STR("\n"));
	question->ask(wizard, input);
	while (answer == ANSWER_AGAIN) {
		if (!read_line(wizard, line))
			return ANSWER_NONE;
		answer = question->take(wizard, input, line->text, err);
	}
	return answer;
}

/* A blank line keeps the path. */
static enum answer ask_path(struct wizard *wizard, struct line *line, struct err *err)
{
	say_line(wizard, "\nFilename: ", str_of(*wizard->path), " (default)");
	for (;;) {
		char *path;

		if (!read_line(wizard, line))
			return ANSWER_NONE;
		if (is_blank(line->text))
			return ANSWER_DONE;
		path = strndup(line->text.bytes, line->text.size);
		if (!path) {
			err_memory(err);
			return ANSWER_FAILED;
		}
		if (str_ends(str_of(path), STR(".jfc"))) {
			free(*wizard->path);
			*wizard->path = path;
			return ANSWER_DONE;
		}
		free(path);
		say(wizard, STR("Filename must end with .jfc.\n"));
	}
}

static void introduce(struct wizard *wizard)
{
	size_t count = 1;

	for (const struct node *at = configuration_input(wizard->all); at;
	     at = configuration_next_input(at))
		count++;
	buf_printf(&wizard->out->buf,
		   "============== .jfc Configuration Wizard ============\n"
		   "It asks %zu question%s, and makes a .jfc file of what you say.\n"
		   "An empty line takes the default value.\n"
		   "Q ends it, and nothing is written.\n",
		   count, count == 1 ? "" : "s");
}

enum wizard_end wizard_run(struct wizard *wizard, struct err *err)
{
	struct line line = { .bytes = NULL };
	enum answer answer = ANSWER_DONE;

	introduce(wizard);
	for (struct node *at = configuration_input(wizard->all);
	     at && answer == ANSWER_DONE; at = configuration_next_input(at))
		answer = ask_input(wizard, at, &line, err);
	if (answer == ANSWER_DONE)
		answer = ask_path(wizard, &line, err);
	free(line.bytes);
	if (answer == ANSWER_NONE && !ferror(stdin))
		return WIZARD_ABORTED;
	if (answer == ANSWER_NONE)
		err_set(err, ERR_SYSTEM, "cannot read standard input");
	return answer == ANSWER_DONE ? WIZARD_DONE : WIZARD_FAILED;
}
