/*
 * complete.c - cjfr --complete: what may stand at a place of the command line.
 *
 * Shells ask this (completions/): `cjfr --complete 2 view hot- recording.jfr` writes
 * what the second word may be, a line each; where a file may stand, nothing.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/jfcfiles.h"
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
	VEC(const char *) words;	/* the others, without values of options */
	size_t position;		/* how many of these stand in front */
	struct option_list views;	/* files with views */
	struct option_list inputs;	/* .jfc files, names with commas between */
	bool is_shown;			/* of configure: words are .jfc files */
	VEC(struct str) found;
	struct arena arena;
};

/* --- what may stand there -------------------------------------------------------- */

/* So many bytes of the word stay as they are. */
static void take_front(struct completion *completion, size_t size)
{
	if (!completion->front.bytes)
		completion->front.bytes = completion->word.bytes;
	completion->front.size += size;
	completion->word.bytes += size;
	completion->word.size -= size;
}

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
		if (row->help &&
		    command_has_option(completion->invocation, command, row))
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
		offer(completion,
		      str_starts(name, completion->word) ? name : type->name);
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

/* For what comes from there. */
static bool would_wait(const char *path)
{
	struct stat status;

	return strcmp(path, "-") == 0 ||
	       (stat(path, &status) == 0 && !S_ISREG(status.st_mode) &&
		!S_ISDIR(status.st_mode));
}

/* From the recordings among the words. */
static void offer_from_files(struct completion *completion, offer_of *offer_of_type)
{
	for (size_t i = 0; i < completion->words.count; i++) {
		const char *path = completion->words.items[i];

		if (!would_wait(path))
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

/* Of .jfc files. */
static void offer_names(struct completion *completion)
{
	for (size_t i = 0; jfcfiles_name(i); i++)
		offer(completion, str_of(jfcfiles_name(i)));
}

/* --- of configure ---------------------------------------------------------------- */

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
		offer(completion, (struct str){ text.bytes, text.size });
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
		offer_choices(completion, STR("true|false"));
	for (const struct node *node = input->first; node; node = node->next) {
		if (node->kind == NODE_OPTION)
			offer(completion, node_get(node, STR("name")));
	}
}

/* Without a key "jdk.CPULoad#" or, if that is there, "jdk.CPULoad#period=". */
static void offer_setting(struct completion *completion, const struct node *setting,
			  struct str key)
{
	static const struct {
		struct str name, values;
	} known[] = {
		{ STR("enabled"), STR("true|false") },
		{ STR("stackTrace"), STR("true|false") },
		{ STR("period"), STR("beginChunk|endChunk|everyChunk") },
	};
	struct str event = node_get(setting->parent, STR("name"));
	struct str name = node_get(setting, STR("name")), word = completion->word;

	if (!key.bytes && word.size && !memchr(word.bytes, '#', word.size))
		offer_joined(completion, event, "#", STR(""), "");
	else if (!key.bytes && word.size)
		offer_joined(completion, event, "#", name, "=");
	if (!key.bytes || key.size != event.size + 1 + name.size ||
	    !str_starts(key, event) || !str_ends(key, name))
		return;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (str_is(known[i].name, name))
			offer_choices(completion, known[i].values);
	}
}

static bool read_input(void *context, const char *name, struct err *err)
{
	struct buf said = { 0 };
	bool is_good = !would_wait(name) && jfcfiles_add(context, name, &said, err);

	buf_clear(&said);
	return is_good;
}

static bool read_inputs(struct completion *completion, struct configuration *all)
{
	struct option_list *inputs = &completion->inputs;
	struct err err;
	bool is_good = configuration_init(all, &err);

	if (!inputs->count)
		inputs->items[inputs->count++] = "default.jfc";
	for (size_t i = 0; i < inputs->count && is_good; i++)
		is_good = jfcfiles_each(inputs->items[i], read_input, all, &err);
	return is_good;
}

static void offer_configuration(struct completion *completion)
{
	struct configuration all = { 0 };
	bool is_good = read_inputs(completion, &all);
	struct str key = completion->word;
	const char *equal;

	if (str_starts(key, STR("+")))
		take_front(completion, 1);
	key = completion->word;
	equal = key.size ? memchr(key.bytes, '=', key.size) : NULL;
	key = (struct str){ NULL, 0 };
	if (equal) {
		key = (struct str){ completion->word.bytes,
				    (size_t)(equal - completion->word.bytes) };
		take_front(completion, key.size + 1);
	}
	for (struct node *input = is_good ? configuration_input(&all) : NULL; input;
	     input = configuration_next_input(input))
		offer_input(completion, input, key);
	for (struct node *setting = is_good ? configuration_setting(&all) : NULL;
	     setting; setting = configuration_next_setting(setting))
		offer_setting(completion, setting, key);
	configuration_clear(&all);
}

/* --- values ---------------------------------------------------------------------- */

/* Of "a,b,c" only the last is completed. */
static void keep_list(struct completion *completion)
{
	struct str last = str_after_last(completion->word, ',');

	take_front(completion, completion->word.size - last.size);
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
	} else if (completion->command == &cmd_configure &&
		   str_is(name, STR("input"))) {
		keep_list(completion);
		offer_names(completion);
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
	} else if (command == &cmd_configure && completion->is_shown) {
		offer_names(completion);
	} else if (command == &cmd_configure) {
		offer_configuration(completion);
	}
}

/* --- what stands in front and behind --------------------------------------------- */

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
	bool is_view = strcmp(row->name, "views") == 0;
	struct option_list *list = is_view ? &completion->views : &completion->inputs;

	if ((is_view || strcmp(row->name, "input") == 0) && !would_wait(value) &&
	    list->count < OPTION_LIST_MAX)
		list->items[list->count++] = value;
}

/* The option if its value is the next word, or NULL. */
static const struct option_row *add_option(struct completion *completion,
					   const char *word)
{
	const struct option_row *row = find_option(completion, word);
	const char *equal = strchr(word, '=');

	if (!row)
		return NULL;
	if (strcmp(row->name, "show") == 0 || strcmp(row->name, "diff") == 0)
		completion->is_shown = true;
	if (!has_value(row) || !equal)
		return has_value(row) ? row : NULL;
	add_value(completion, row, equal + 1);
	return NULL;
}

/* The words behind the command, of which that at `at` is completed. */
static void look_around(struct completion *completion, char *const *words, size_t count,
			size_t at)
{
	const struct option_row *pending = NULL;
	bool has_ended = false;

	for (size_t i = 0; i < count; i++) {
		const char *word = words[i];
		bool is_option = !pending && !has_ended && *word == '-';

		if (i == at && is_option)
			begin_option(completion, word);
		else if (i == at)
			completion->option = pending;
		else if (pending)
			add_value(completion, pending, word);
		else if ((!is_option || !word[1]) &&
			 !vec_push(&completion->words, word))
			completion->arena.failed = true;
		completion->position += i < at && !pending && (!is_option || !word[1]);
		has_ended |= is_option && strcmp(word, "--") == 0;
		pending = is_option && i != at ? add_option(completion, word) : NULL;
	}
}

/* --- all together ---------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	return str_compare(*(const struct str *)a, *(const struct str *)b);
}

static void write_found(struct completion *completion)
{
	struct out out = { .fd = STDOUT_FILENO, .is_terminal = isatty(STDOUT_FILENO) };
	struct str *found = completion->found.items;
	size_t count = completion->arena.failed ? 0 : completion->found.count;

	if (count)
		qsort(found, count, sizeof(*found), compare);
	for (size_t i = 0; i < count; i++) {
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
