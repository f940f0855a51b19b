/*
 * complete.c - cjfr --complete: what may stand at a place of the command line.
 *
 * Shells ask this (completions/): `cjfr --complete 2 view hot- recording.jfr` writes
 * what the second word may be, a line each; where a file may stand, nothing.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "cmd/command.h"
#include "cmd/completejfc.h"
#include "cmd/completion.h"
#include "cmd/options.h"
#include "cmd/usage.h"
#include "cmd/viewfiles.h"
#include "count/catalog.h"
#include "filter/filter.h"
#include "jfr/eventtypes.h"
#include "jfr/unpack.h"
#include "jvms/vm.h"
#include "render/out.h"

/* The call that is completed, and where in it. */
struct call {
	const struct invocation *invocation;
	const struct command *command;	/* NULL: it is what is completed */
	const struct option_row *option;	/* whose value that is, or NULL */
	bool is_option;			/* it is the name of an option */
	VEC(const char *) words;	/* the others, without values of options */
	size_t position;		/* how many of these stand in front */
	struct option_list views;	/* files with views */
	struct option_list inputs;	/* .jfc files, names with commas between */
	bool is_shown;			/* of configure: words are .jfc files */
	bool is_behind;			/* it stands behind "--" */
	struct completion completion;
};

static void offer(struct call *call, struct str candidate)
{
	completion_offer(&call->completion, candidate);
}

/* --- what may stand there -------------------------------------------------------- */

static void offer_commands(struct call *call)
{
	for (size_t i = 0; commands[i]; i++) {
		const struct command *command = commands[i];

		if (!command_is_there(call->invocation, command) ||
		    command->is_hidden)
			continue;
		offer(call, str_of(command->name));
		for (size_t k = 0; k < 3 && command->alias[k]; k++) {
			if (call->completion.word.size && call->command == NULL)
				offer(call, str_of(command->alias[k]));
		}
	}
}

/* The words that make another command of it. */
static void offer_parts(struct call *call, const struct command *command)
{
	for (size_t i = 0; command && command->parts && command->parts[i]; i++)
		offer(call, str_of(command->parts[i]->name + strlen(command->name) + 1));
}

static void offer_option(struct call *call, const char *name)
{
	char text[64];

	snprintf(text, sizeof(text), "--%s", name);
	offer(call, str_of(text));
}

static void offer_options(struct call *call)
{
	const struct command *command = call->command;
	const struct option_row *row = command->options;

	if (row)
		offer_option(call, "help");
	for (; row && row->name; row++) {
		if (row->help && command_has_option(call->invocation, command, row))
			offer_option(call, row->name);
	}
}

static void offer_views(struct call *call)
{
	struct views views = { .arena = { 0 } };

	viewfiles_load(call->invocation, &call->views, &views);
	for (size_t i = 0; i < views.items.count; i++)
		offer(call, views.items.items[i].name);
	views_clear(&views);
	offer(call, STR("all-views"));
	offer(call, STR("all-events"));
	offer(call, STR("types"));
}

/* A name without its package is enough, unless the package is what was begun. */
static void offer_type(struct call *call, const struct type *type)
{
	struct str name = type_simple_name(type);

	if (type->is_event)
		offer(call,
		      str_starts(name, call->completion.word) ? name : type->name);
}

static void offer_categories_of(struct call *call, const struct type *type)
{
	struct str *categories;
	size_t count;

	if (!type->is_event)
		return;
	categories = type_categories(type, &count);
	for (size_t i = 0; i < count; i++)
		offer(call, categories[i]);
	free(categories);
}

typedef void offer_of(struct call *call, const struct type *type);

static void offer_from_file(struct call *call, const char *path,
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
		offer_of_type(call, catalog.types.items[i].type);
	catalog_clear(&catalog);
	damage_clear(&damage);
	input_close(&input);
}

/* From the event types of our own. */
static void offer_ours(struct call *call, offer_of *offer_of_type)
{
	struct arena arena = { .limit = 0 };
	struct metadata metadata;

	if (eventtypes_metadata(&metadata, &arena, NULL)) {
		for (size_t i = 0; i < metadata.type_count; i++)
			offer_of_type(call, &metadata.types[i]);
	}
	metadata_clear(&metadata);
	arena_clear(&arena);
}

/* From the recordings among the words; or from what stands for them. */
static void offer_from_files(struct call *call, offer_of *offer_of_type)
{
	for (size_t i = 0; i < call->words.count; i++) {
		const char *path = call->words.items[i];

		if (!completion_would_wait(path))
			offer_from_file(call, path, offer_of_type);
	}
	if (!call->words.count && call->command->file == FILE_OPTIONAL)
		offer_ours(call, offer_of_type);
}

/* --- values ---------------------------------------------------------------------- */

/* Of "a,b,c" only the last is completed. */
static void keep_list(struct call *call)
{
	struct str last = str_after_last(call->completion.word, ',');

	completion_skip(&call->completion, call->completion.word.size - last.size);
}

/* Words of it are settings, and options of .jfc files. */
static bool takes_settings(const struct command *command)
{
	return command == &cmd_record || command == &cmd_record_start ||
	       command == &cmd_record_set;
}

/* It is about a JVM, which its first word names. */
static bool names_jvm(const struct command *command)
{
	return command_part(&cmd_record, str_after_last(str_of(command->name), ' ').bytes) ==
	       command && command != &cmd_record_list;
}

/* Processes, and what they run. */
static void offer_jvms(struct call *call)
{
	struct vms vms = { .hidden = 0 };
	char pid[24];

	if (vms_find(&vms, NULL)) {
		for (size_t i = 0; i < vms.all.count; i++) {
			const struct vm *vm = &vms.all.items[i];

			snprintf(pid, sizeof(pid), "%ld", (long)vm->pid);
			offer(call, str_of(pid));
			offer(call, path_last(vm->main));
		}
	}
	vms_clear(&vms);
}

static void offer_values(struct call *call)
{
	struct str name = str_of(call->option->name);
	struct str value = str_of(call->option->value);

	if (!str_starts(value, STR("<"))) {
		completion_offer_each(&call->completion, value);
	} else if (str_ends(name, STR("events"))) {
		keep_list(call);
		offer_from_files(call, offer_type);
	} else if (str_ends(name, STR("categories"))) {
		keep_list(call);
		offer_from_files(call, offer_categories_of);
	} else if ((call->command == &cmd_configure && str_is(name, STR("input"))) ||
		   (takes_settings(call->command) && str_is(name, STR("settings")))) {
		keep_list(call);
		completejfc_names(&call->completion);
	}
}

static void offer_all(struct call *call)
{
	const struct command *command = call->command;

	if (call->option) {
		offer_values(call);
	} else if (call->is_option) {
		offer_options(call);
	} else if (!command || (command == &cmd_help && call->position == 0)) {
		offer_commands(call);
	} else if (command == &cmd_help && call->position == 1) {
		offer_parts(call, command_find(call->invocation, call->words.items[0]));
	} else if (command == &cmd_view && call->position == 0) {
		offer_views(call);
		offer_from_files(call, offer_type);
	} else if (command == &cmd_configure && call->is_shown) {
		completejfc_names(&call->completion);
	} else if (command == &cmd_configure) {
		completejfc(&call->completion, &call->inputs);
	} else if (call->position == 0 && names_jvm(command)) {
		offer_jvms(call);
	} else if (takes_settings(command) && !call->is_behind) {
		if (call->position == 0)
			offer_parts(call, command);
		completejfc_record(&call->completion, &call->inputs);
	}
}

/* --- what stands in front and behind --------------------------------------------- */

static bool has_value(const struct option_row *row)
{
	return row && row->kind > OPTION_CHOICE;
}

/* The option that a word is, as "--name", "--name=..." or "-n"; or NULL. */
static const struct option_row *find_option(const struct call *call, const char *word)
{
	const struct command *command = call->command;
	size_t size = strcspn(word, "=");

	for (const struct option_row *row = command->options; row && row->name; row++) {
		if (!command_has_option(call->invocation, command, row))
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
static void begin_option(struct call *call, const char *word)
{
	const char *equal = strchr(word, '=');
	const struct option_row *row = find_option(call, word);

	if (equal && has_value(row)) {
		call->option = row;
		completion_skip(&call->completion, (size_t)(equal + 1 - word));
	} else {
		call->is_option = true;
	}
}

static void add_value(struct call *call, const struct option_row *row,
		      const char *value)
{
	bool is_view = strcmp(row->name, "views") == 0;
	bool is_input = strcmp(row->name, "input") == 0 ||
			strcmp(row->name, "settings") == 0;
	struct option_list *list = is_view ? &call->views : &call->inputs;

	if ((is_view || is_input) &&
	    !completion_would_wait(value) && list->count < OPTION_LIST_MAX)
		list->items[list->count++] = value;
}

/* The option if its value is the next word, or NULL. */
static const struct option_row *add_option(struct call *call, const char *word)
{
	const struct option_row *row = find_option(call, word);
	const char *equal = strchr(word, '=');

	if (!row)
		return NULL;
	if (strcmp(row->name, "show") == 0 || strcmp(row->name, "diff") == 0)
		call->is_shown = true;
	if (!has_value(row) || !equal)
		return has_value(row) ? row : NULL;
	add_value(call, row, equal + 1);
	return NULL;
}

/* The words behind the command, of which that at `at` is completed. */
static void look_around(struct call *call, char *const *words, size_t count, size_t at)
{
	const struct option_row *pending = NULL;
	bool has_ended = false;

	for (size_t i = 0; i < count; i++) {
		const char *word = words[i];
		bool is_option = !pending && !has_ended && *word == '-';

		call->is_behind |= i == at && has_ended;
		if (i == at && is_option)
			begin_option(call, word);
		else if (i == at)
			call->option = pending;
		else if (pending)
			add_value(call, pending, word);
		else if ((!is_option || !word[1]) && !vec_push(&call->words, word))
			call->completion.arena.failed = true;
		call->position += i < at && !pending && (!is_option || !word[1]);
		has_ended |= is_option && strcmp(word, "--") == 0;
		pending = is_option && i != at ? add_option(call, word) : NULL;
	}
}

/* --- all together ---------------------------------------------------------------- */

/* True if it is the place of a word, or the one behind the last. */
static bool read_place(const char *text, size_t count, size_t *place)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	*place = number;
	return end > text && !*end && number >= 1 && number <= count + 1;
}

/* Takes its first word away if it has two. */
static bool find_command(struct call *call, char ***words, size_t *count, size_t *place)
{
	const struct command *part;

	call->command = command_find(call->invocation, **words);
	if (!call->command || *place == 2)
		return call->command != NULL;
	part = command_part(call->command, (*words)[1]);
	if (part) {
		call->command = part;
		++*words;
		--*count;
		--*place;
	}
	return true;
}

static enum status run(const struct invocation *invocation)
{
	struct out out = { .fd = STDOUT_FILENO, .is_terminal = isatty(STDOUT_FILENO) };
	struct call call = { .invocation = invocation };
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
	call.completion.word = str_of(words[place - 1]);
	if (place > 1 && !find_command(&call, &words, &count, &place))
		return STATUS_DONE;
	if (place > 1)
		look_around(&call, words + 1, count - 1, place - 2);
	offer_all(&call);
	completion_write(&call.completion, &out);
	out_close(&out, NULL);
	completion_clear(&call.completion);
	vec_clear(&call.words);
	return STATUS_DONE;
}

const struct command cmd_complete = {
	.name = "--complete",
	.is_hidden = true,
	.syntax = { "<place> [<word>]..." },
	.summary = "Show what may stand at a place of the command line",
	.run = run,
};
