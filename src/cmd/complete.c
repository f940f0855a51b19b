/*
 * complete.c - cjfr --complete: what may stand at a place of the command line.
 *
 * Shells ask this (completions/): `cjfr --complete 2 view hot- recording.jfr` writes what
 * the second word may be, a line each. Where a file may stand, nothing is written.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/usage.h"
#include "cmd/viewfiles.h"
#include "count/catalog.h"
#include "filter/filter.h"
#include "jfr/unpack.h"
#include "render/out.h"

struct completion {
	const struct invocation *invocation;
	const struct command *command;	/* NULL: it is what is completed */
	struct str front;		/* stays as it is: "--events=", "CPULoad," */
	struct str word;		/* what was typed of the rest */
	const struct option_row *option;	/* whose value that is, or NULL */
	bool is_option;			/* it is the name of an option */
	VEC(const char *) words;	/* the others, without options and their values */
	size_t position;		/* how many of these stand in front */
	struct option_list views;	/* files with views */
	VEC(struct str) found;
	struct arena arena;
};

/* --- what may stand there ------------------------------------------------------------ */

static void offer(struct completion *completion, struct str candidate)
{
	struct str front = completion->front;
	char *copy;

	if (!str_starts(candidate, completion->word))
		return;
	copy = arena_alloc(&completion->arena, front.size + candidate.size + 1);
	if (!copy)
		return;
	if (front.size)
		memcpy(copy, front.bytes, front.size);
	memcpy(copy + front.size, candidate.bytes, candidate.size);
	candidate = (struct str){ copy, front.size + candidate.size };
	if (!vec_push(&completion->found, candidate))
		completion->arena.failed = true;
}

static void offer_commands(struct completion *completion)
{
	for (size_t i = 0; commands[i]; i++) {
		const struct command *command = commands[i];

		if (!command_is_there(completion->invocation, command) ||
		    command->is_hidden)
			continue;
		offer(completion, str_of(command->name));
		for (size_t k = 0; k < 3 && command->alias[k]; k++) {
			if (completion->word.size && completion->command == NULL)
				offer(completion, str_of(command->alias[k]));
		}
	}
}

static void offer_option(struct completion *completion, const char *name)
{
	char text[64];

	snprintf(text, sizeof(text), "--%s", name);
	offer(completion, str_of(text));
}

static void offer_options(struct completion *completion)
{
	const struct command *command = completion->command;
	const struct option_row *row = command->options;

	if (row)
		offer_option(completion, "help");
	for (; row && row->name; row++) {
		if (row->help && command_has_option(completion->invocation, command, row))
			offer_option(completion, row->name);
	}
}

static void offer_views(struct completion *completion)
{
	struct views views = { .arena = { 0 } };

	viewfiles_load(completion->invocation, &completion->views, &views);
	for (size_t i = 0; i < views.items.count; i++)
		offer(completion, views.items.items[i].name);
	views_clear(&views);
	offer(completion, STR("all-views"));
	offer(completion, STR("all-events"));
	offer(completion, STR("types"));
}

/* A name without its package is enough, unless the package is what was begun. */
static void offer_type(struct completion *completion, const struct type *type)
{
	struct str name = str_after_last(type->name, '.');

	if (type->is_event)
		offer(completion, str_starts(name, completion->word) ? name : type->name);
}

static void offer_categories_of(struct completion *completion, const struct type *type)
{
	const struct annotation *annotation = type_annotation(type, "jdk.jfr.Category");
	struct str *categories;
	size_t count;

	if (!type->is_event || !annotation)
		return;
	categories = annotation_elements(annotation, STR("value"), &count);
	for (size_t i = 0; i < count; i++)
		offer(completion, categories[i]);
	free(categories);
}

typedef void offer_of(struct completion *completion, const struct type *type);

static void offer_from_file(struct completion *completion, const char *path,
			    offer_of *offer_of_type)
{
	struct input input = { .unpacker = &unpack_archive };
	struct catalog catalog = { 0 };
	struct damage damage = { 0 };
	struct filter filter = { .events = { NULL, 0 } };
	struct err err = { 0 };

	if (input_open(&input, &path, 1, &damage, &err))
		catalog_take(&catalog, &input, &filter, &damage, &err);
	for (size_t i = 0; i < catalog.types.count; i++)
		offer_of_type(completion, catalog.types.items[i].type);
	catalog_clear(&catalog);
	damage_clear(&damage);
	input_close(&input);
}

/* From the recordings among the words; nothing that we would have to wait for. */
static void offer_from_files(struct completion *completion, offer_of *offer_of_type)
{
	for (size_t i = 0; i < completion->words.count; i++) {
		const char *path = completion->words.items[i];
		struct stat status;

		if (stat(path, &status) == 0 &&
		    (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)))
			offer_from_file(completion, path, offer_of_type);
	}
}

/* Of a value "a|b|c". */
static void offer_choices(struct completion *completion, struct str choices)
{
	struct str choice;

	while (str_split(&choices, '|', &choice))
		offer(completion, choice);
}

/* Of "a,b,c" only the last is completed. */
static void keep_list(struct completion *completion)
{
	struct str last = str_after_last(completion->word, ',');

	completion->front.size += completion->word.size - last.size;
	if (!completion->front.bytes)
		completion->front.bytes = completion->word.bytes;
	completion->word = last;
}

static void offer_values(struct completion *completion)
{
	struct str name = str_of(completion->option->name);
	struct str value = str_of(completion->option->value);

	if (!str_starts(value, STR("<"))) {
		offer_choices(completion, value);
	} else if (str_ends(name, STR("events"))) {
		keep_list(completion);
		offer_from_files(completion, offer_type);
	} else if (str_ends(name, STR("categories"))) {
		keep_list(completion);
		offer_from_files(completion, offer_categories_of);
	}
}

static void offer_all(struct completion *completion)
{
	const struct command *command = completion->command;

	if (completion->option) {
		offer_values(completion);
	} else if (completion->is_option) {
		offer_options(completion);
	} else if (!command || (command == &cmd_help && completion->position == 0)) {
		offer_commands(completion);
	} else if (command == &cmd_view && completion->position == 0) {
		offer_views(completion);
		offer_from_files(completion, offer_type);
	}
}

/* --- what stands in front and behind ------------------------------------------------- */

static bool has_value(const struct option_row *row)
{
	return row && row->kind > OPTION_CHOICE;
}

/* The option that a word is, as "--name", "--name=..." or "-n"; or NULL. */
static const struct option_row *find_option(const struct completion *completion,
					    const char *word)
{
	const struct command *command = completion->command;
	size_t size = strcspn(word, "=");

	for (const struct option_row *row = command->options; row && row->name; row++) {
		if (!command_has_option(completion->invocation, command, row))
			continue;
		if (strncmp(word, "--", 2) == 0 && strlen(row->name) == size - 2 &&
		    strncmp(word + 2, row->name, size - 2) == 0)
			return row;
		if (row->letter && word[1] == row->letter && word[2] == '\0')
			return row;
	}
	return NULL;
}

/* The word that is completed looks like an option. */
static void begin_option(struct completion *completion, const char *word)
{
	const char *equal = strchr(word, '=');
	const struct option_row *row = find_option(completion, word);

	if (equal && has_value(row)) {
		completion->option = row;
		completion->front = (struct str){ word, (size_t)(equal + 1 - word) };
		completion->word = str_of(equal + 1);
	} else {
		completion->is_option = true;
	}
}

static void add_value(struct completion *completion, const struct option_row *row,
		      const char *value)
{
	struct option_list *views = &completion->views;

	if (strcmp(row->name, "views") == 0 && views->count < OPTION_LIST_MAX)
		views->items[views->count++] = value;
}

/* The words behind the command, of which that at `at` is completed. */
static void look_around(struct completion *completion, char *const *words, size_t count,
			size_t at)
{
	const struct option_row *pending = NULL;
	bool has_ended = false;

	for (size_t i = 0; i < count; i++) {
		const char *word = words[i];
		bool is_option = word[0] == '-' && !has_ended && (word[1] || i == at);

		if (pending && i == at) {
			completion->option = pending;
		} else if (pending) {
			add_value(completion, pending, word);
		} else if (is_option && i == at) {
			begin_option(completion, word);
		} else if (i == at) {
			completion->position = completion->words.count;
		} else if (!is_option && !vec_push(&completion->words, word)) {
			completion->arena.failed = true;
		}
		has_ended |= !pending && strcmp(word, "--") == 0;
		pending = !pending && is_option && i != at && !strchr(word, '=')
				  ? find_option(completion, word) : NULL;
		if (!has_value(pending))
			pending = NULL;
	}
}

/* --- all together -------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	return str_compare(*(const struct str *)a, *(const struct str *)b);
}

static void write_found(struct completion *completion)
{
	struct out out = { .fd = STDOUT_FILENO, .is_terminal = isatty(STDOUT_FILENO) };
	struct str *found = completion->found.items;

	if (completion->found.count && !completion->arena.failed)
		qsort(found, completion->found.count, sizeof(*found), compare);
	for (size_t i = 0; i < completion->found.count && !completion->arena.failed; i++) {
		if (i > 0 && str_is(found[i], found[i - 1]))
			continue;
		buf_str(&out.buf, found[i]);
		buf_byte(&out.buf, '\n');
	}
	out_close(&out, NULL);
}

/* True if it is the place of a word, or the one behind the last. */
static bool read_place(const char *text, size_t count, size_t *place)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	*place = number;
	return end > text && !*end && number >= 1 && number <= count + 1;
}

static enum status run(const struct invocation *invocation)
{
	struct completion completion = { .invocation = invocation };
	size_t count = invocation->argc > 2 ? (size_t)invocation->argc - 2 : 0;
	char **words = invocation->argv + 2;
	static char nothing[] = "";
	size_t place;

	if (invocation->argc < 2 || !read_place(invocation->argv[1], count, &place))
		return complain_usage(invocation, "missing place of a word");
	if (place > count) {
		words[count] = nothing;		/* where the NULL behind argv was */
		count++;
	}
	completion.word = str_of(words[place - 1]);
	if (place > 1) {
		completion.command = command_find(invocation, words[0]);
		if (!completion.command)
			return STATUS_DONE;
		look_around(&completion, words + 1, count - 1, place - 2);
	}
	offer_all(&completion);
	write_found(&completion);
	vec_clear(&completion.words);
	vec_clear(&completion.found);
	arena_clear(&completion.arena);
	return STATUS_DONE;
}

const struct command cmd_complete = {
	.name = "--complete",
	.is_hidden = true,
	.syntax = { "<place> [<word>]..." },
	.summary = "Show what may stand at a place of the command line",
	.run = run,
};
