#include "cmd/options.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/str.h"
#include "cmd/usage.h"

#define OPTIONS_MAX 32

/* What getopt_long gives for words that are no options, and for --help. */
enum { WORD = 1, LONG_FIRST = 256 };

struct parse {
	const struct invocation *invocation;
	const struct option_row *rows[OPTIONS_MAX];	/* that there are in this call */
	char *values;
	struct words *words;
	size_t row_count;
	struct option longs[OPTIONS_MAX + 2];
	char shorts[2 * OPTIONS_MAX + 4];
	bool given[OPTIONS_MAX];
};

static void prepare(struct parse *parse)
{
	char *letter = parse->shorts;
	const struct command *command = parse->invocation->command;
	size_t i = 0;

	*letter++ = '-';	/* words come in their place, as WORD */
	*letter++ = ':';	/* a missing value is told apart */
	*letter++ = 'h';
	for (const struct option_row *row = command->options;
	     row && row->name && i < OPTIONS_MAX; row++) {
		bool has_value = row->kind > OPTION_CHOICE;

		if (!command_has_option(parse->invocation, command, row))
			continue;
		parse->rows[i] = row;
		parse->longs[i] = (struct option){ row->name, has_value, NULL,
						   LONG_FIRST + (int)i };
		i++;
		if (row->letter) {
			*letter++ = row->letter;
			if (has_value)
				*letter++ = ':';
		}
	}
	parse->row_count = i;
	parse->longs[i] = (struct option){ "help", no_argument, NULL, 'h' };
}

/* The name that begins with all but the last letter of the word: --category. */
static int likely(struct str word, const struct str *names, size_t count)
{
	int found = -1;

	if (word.size < 5)
		return -1;
	word.size--;
	for (size_t i = 0; i < count; i++) {
		if (str_starts(names[i], word))
			found = (int)i;
	}
	return found;
}

static enum status unknown(const struct parse *parse, const char *word)
{
	struct str names[OPTIONS_MAX];
	struct str name = str_of(word);
	int nearest;

	while (name.size && *name.bytes == '-') {
		name.bytes++;
		name.size--;
	}
	for (size_t i = 0; i < parse->row_count; i++)
		names[i] = str_of(parse->rows[i]->name);
	nearest = str_nearest(name, names, parse->row_count);
	if (nearest < 0)
		nearest = likely(name, names, parse->row_count);
	if (*word == '-' && nearest >= 0)
		return complain_usage(parse->invocation,
				      "unknown option %s; did you mean --%s?", word,
				      parse->rows[nearest]->name);
	return complain_usage(parse->invocation, "unknown option %s", word);
}

/*
 * A shell that finds a file for an unquoted pattern has already replaced it; and
 * where the filter was forgotten, the recording stands in its place.
 */
static enum status check_filter(const struct parse *parse, const struct option_row *row,
				const char *value)
{
	const char *problem = NULL;

	bool is_last = optind == parse->invocation->argc && !parse->words->count;
	bool is_file = *value && access(value, F_OK) == 0;

	if (strncmp(value, "--", 2) == 0 || (is_file && is_last))
		return complain_usage(parse->invocation, "missing filter after --%s",
				      row->name);
	if (!*value)
		problem = "it is empty";
	else if (strchr(value, ':'))
		problem = "it contains a colon";
	else if (is_file)
		problem = "it is a file; put quotes around patterns, as in \"Foo*\"";
	if (!problem)
		return STATUS_DONE;
	complain(parse->invocation, "not a valid filter for --%s: '%s' (%s)", row->name, value,
		 problem);
	return STATUS_FAILED;
}

static enum status set_count(const struct parse *parse, const struct option_row *row,
			     const char *value, int *count)
{
	int64_t number;

	if (!number_java(str_of(value), &number) || number < INT_MIN ||
	    number > INT_MAX)
		return complain_usage(parse->invocation,
				      "not a valid value for --%s: '%s'", row->name,
				      value);
	if (number < 0)
		return complain_usage(parse->invocation,
				      "--%s must be zero or a positive integer",
				      row->name);
	*count = (int)number;
	return STATUS_DONE;
}

/* The word behind the option may be the next one, which no value looks like. */
static enum status check_text(const struct parse *parse, const struct option_row *row,
			      const char *value)
{
	if (strncmp(value, "--", 2) == 0)
		return complain_usage(parse->invocation,
				      "missing value for --%s (found %s)", row->name,
				      value);
	return STATUS_DONE;
}

static enum status add_value(const struct parse *parse, const struct option_row *row,
			     const char *value, struct option_list *list)
{
	if (list->count == OPTION_LIST_MAX)
		return complain_usage(parse->invocation,
				      "--%s is given more than %d times", row->name,
				      OPTION_LIST_MAX);
	list->items[list->count++] = value;
	return check_text(parse, row, value);
}

static enum status add_step(const struct parse *parse, const struct option_row *row,
			    const char *value, struct option_steps *steps)
{
	if (steps->count == OPTION_STEPS_MAX)
		return complain_usage(parse->invocation, "more than %d filters are given",
				      OPTION_STEPS_MAX);
	steps->items[steps->count++] = (struct option_step){ row, value };
	return check_filter(parse, row, value);
}

static enum status set_value(struct parse *parse, size_t index, const char *value)
{
	const struct option_row *row = parse->rows[index];
	void *to = parse->values + row->offset;
	enum status status = STATUS_DONE;

	if (parse->given[index] && row->kind == OPTION_FILTER)
		return complain_usage(parse->invocation,
				      "--%s is given twice; separate several names "
				      "by commas",
				      row->name);
	if (parse->given[index] && row->kind == OPTION_CHOICE)
		return complain_usage(parse->invocation, "--%s is given twice",
				      row->name);
	parse->given[index] = true;
	switch (row->kind) {
	case OPTION_FLAG:
	case OPTION_CHOICE:
		*(bool *)to = true;
		break;
	case OPTION_COUNT:
		return set_count(parse, row, value, to);
	case OPTION_FILTER:
		status = check_filter(parse, row, value);
		*(const char **)to = value;
		break;
	case OPTION_TEXT:
		status = check_text(parse, row, value);
		*(const char **)to = value;
		break;
	case OPTION_LIST:
		return add_value(parse, row, value, to);
	case OPTION_STEP:
		return add_step(parse, row, value, to);
	}
	return status;
}

/* getopt_long takes "--js" for "--json"; we do not. */
static bool is_whole(const char *word, const char *name)
{
	size_t size = strlen(name);

	return strncmp(word, "--", 2) == 0 && strncmp(word + 2, name, size) == 0 &&
	       (word[2 + size] == '\0' || word[2 + size] == '=');
}

/* Words are moved to the front of argv, where options and words were read before. */
static enum status take_word(struct parse *parse, char *word)
{
	const struct command *command = parse->invocation->command;
	struct words *words = parse->words;
	size_t most = command->word ? 2 : 1;

	if (words->count == most && parse->invocation->is_jfr &&
	    command->file != FILE_NONE)
		return complain_usage(parse->invocation,
				      "one file at a time: '%s' and '%s' are given",
				      words->items[most - 1], word);
	words->items[words->count++] = word;
	return STATUS_DONE;
}

/* "-json": a long option with a dash too few, not a letter and its value. */
static bool is_long_with_one_dash(const struct parse *parse, const char *word)
{
	for (size_t i = 0; i < parse->row_count; i++) {
		if (strcmp(word + 1, parse->longs[i].name) == 0 && word[2])
			return true;
	}
	return false;
}

static enum status take_letter(struct parse *parse, int letter, const char *word)
{
	if (is_long_with_one_dash(parse, word))
		return unknown(parse, word);
	for (size_t i = 0; i < parse->row_count; i++) {
		if (parse->rows[i]->letter == letter)
			return set_value(parse, i, optarg);
	}
	return STATUS_USAGE;
}

/* "--quiet=1", "--help=x"; the JDK's tool does not know that from any other word. */
static bool has_needless_value(const struct parse *parse, const char *word)
{
	if (parse->invocation->is_jfr || strncmp(word, "--", 2) != 0)
		return false;
	for (const struct option *at = parse->longs; at->name; at++) {
		if (!at->has_arg && is_whole(word, at->name))
			return true;
	}
	return false;
}

static enum status take(struct parse *parse, int found, const char *word)
{
	size_t index = (size_t)(found - LONG_FIRST);

	if (found == WORD)
		return take_word(parse, optarg);
	if (found == '?' && has_needless_value(parse, word))
		return complain_usage(parse->invocation, "%.*s takes no value",
				      (int)strcspn(word, "="), word);
	if (found == '?')
		return unknown(parse, word);
	if (found == ':' && (optopt < LONG_FIRST ||
			     is_whole(word, parse->longs[optopt - LONG_FIRST].name)))
		return complain_usage(parse->invocation, "missing value for %s", word);
	if (found == ':')
		return unknown(parse, word);
	if (found < LONG_FIRST)
		return take_letter(parse, found, word);
	if (!is_whole(word, parse->longs[index].name))
		return unknown(parse, word);
	return set_value(parse, index, optarg);
}

static bool is_help(int found, const char *word)
{
	return found == 'h' && (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0);
}

bool options_read(const struct invocation *invocation, void *values,
		  struct words *words, enum status *status)
{
	struct parse parse = { .invocation = invocation,
			       .values = values,
			       .words = words };
	int argc = invocation->argc;
	char **argv = invocation->argv;

	*words = (struct words){ argv + 1, 0 };
	*status = STATUS_DONE;
	prepare(&parse);
	opterr = 0;
	optind = 1;
	while (*status == STATUS_DONE && optind < argc) {
		const char *word = argv[optind];
		int found = getopt_long(argc, argv, parse.shorts, parse.longs, NULL);

		if (found == -1) /* after "--" all is words */
			break;
		if (is_help(found, word)) {
			usage_command(stdout, invocation, invocation->command);
			return false;
		}
		*status = take(&parse, found == 'h' ? '?' : found, word);
	}
	while (*status == STATUS_DONE && optind < argc)
		*status = take_word(&parse, argv[optind++]);
	return *status == STATUS_DONE;
}
