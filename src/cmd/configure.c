/*
 * configure.c - cjfr configure: a .jfc file, made of others and of what users want.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/vec.h"
#include "cmd/command.h"
#include "cmd/jfcfiles.h"
#include "cmd/jfctables.h"
#include "cmd/jfcwarn.h"
#include "cmd/jfcwords.h"
#include "cmd/options.h"
#include "cmd/target.h"
#include "cmd/usage.h"
#include "cmd/wizard.h"
#include "jfc/choice.h"
#include "jfc/jfcwrite.h"

struct options {
	bool interactive, verbose, show, diff, json;
	struct option_list inputs, outputs;
};

static const struct option_row rows[] = {
	{ "interactive", 0, OPTION_FLAG, offsetof(struct options, interactive), NULL,
	  "Ask for the value of each option" },
	{ "verbose", 0, OPTION_FLAG, offsetof(struct options, verbose), NULL,
	  "Tell which settings that sets" },
	{ "input", 0, OPTION_LIST, offsetof(struct options, inputs), "<files>",
	  "What to begin with: .jfc files, separated by commas, which\n"
	  "are put together. default and profile are those of the JDK\n"
	  "in $JAVA_HOME, or our own; none is empty\n"
	  "(default: default.jfc)" },
	{ "output", 0, OPTION_LIST, offsetof(struct options, outputs), "<file>",
	  "The file to write (default: custom.jfc)" },
	{ "show", 0, OPTION_FLAG, offsetof(struct options, show), NULL,
	  "Write no file, but list the options of these files, their\n"
	  "values and the settings that they decide" },
	{ "diff", 0, OPTION_FLAG, offsetof(struct options, diff), NULL,
	  "Write no file, but list the settings that differ between\n"
	  "two files" },
	{ "json", 0, OPTION_FLAG, offsetof(struct options, json), NULL,
	  "With --show and --diff: as JSON" },
	OPTION_ROW_LAST,
};

/* "gc=high": borrowed from the words. */
struct assignment {
	struct str key, value;
};

/* One call of the command. */
struct job {
	const struct invocation *invocation;
	struct options options;
	VEC(struct assignment) assignments;
	VEC(const char *) files;	/* to show or compare */
	char *path;			/* of the output; NULL: none was given */
	struct out out;
	struct configuration all;
	size_t loaded;			/* files */
	struct settings log;
	struct err err;
};

/* --- the words ------------------------------------------------------------------- */

static bool is_assignment(struct str word)
{
	const char *mark = word.size ? memchr(word.bytes, '=', word.size) : NULL;

	return mark && mark != word.bytes && mark != word.bytes + word.size - 1;
}

/* A key that is given again keeps its place. */
static bool add_assignment(struct job *job, struct assignment new)
{
	for (size_t i = 0; i < job->assignments.count; i++) {
		if (!str_is(job->assignments.items[i].key, new.key))
			continue;
		job->assignments.items[i] = new;
		return true;
	}
	return vec_push(&job->assignments, new) || err_memory(&job->err);
}

/* The value ends at another "=", as it does for the JDK; "a==" has none. */
static bool take_assignment(struct job *job, struct str word)
{
	struct assignment new;

	str_split(&word, '=', &new.key);
	if (*word.bytes == '=' && strspn(word.bytes, "=") == word.size)
		return err_set(&job->err, ERR_USAGE, "'%.*s' has no value",
			       (int)new.key.size, new.key.bytes);
	str_split(&word, '=', &new.value);
	return add_assignment(job, new);
}

static enum status take_words(struct job *job, const struct words *words)
{
	const struct options *options = &job->options;

	for (size_t i = 0; i < words->count; i++) {
		const char *word = words->items[i];
		bool is_good = true;

		if (is_assignment(str_of(word)))
			is_good = take_assignment(job, str_of(word));
		else if (options->show || options->diff)
			is_good = vec_push(&job->files, word) || err_memory(&job->err);
		else
			return complain_usage(job->invocation, "unknown option '%s'; "
					      "options are given as name=value", word);
		if (!is_good) {
			complain(job->invocation, "%s", job->err.text);
			return STATUS_FAILED;
		}
	}
	return STATUS_DONE;
}

/* What is wrong with the options together, or NULL. */
static const char *conflict(const struct job *job)
{
	const struct options *options = &job->options;
	bool is_table = options->show || options->diff;

	if (options->show && options->diff)
		return "only one of --show and --diff can be given";
	if (options->json && !is_table)
		return "--json needs --show or --diff";
	if (is_table && options->interactive)
		return "--interactive writes a file; --show and --diff do not";
	if (is_table && options->outputs.count)
		return "--output is for a file; --show and --diff write none";
	if (options->diff && options->inputs.count + job->files.count != 2)
		return "--diff needs two files";
	if (options->diff && job->assignments.count)
		return "--diff changes nothing: the files are compared as they are";
	if (!is_table && !options->interactive && !options->outputs.count &&
	    !job->assignments.count)
		return "missing argument: an option=value, --output or --interactive";
	return NULL;
}

static enum status check_output(struct job *job)
{
	const struct option_list *outputs = &job->options.outputs;

	if (outputs->count > 1)
		complain(job->invocation, "only one output file can be given");
	else if (outputs->count && !(job->path = path_absolute(outputs->items[0])))
		complain(job->invocation, "out of memory");
	else if (outputs->count && !str_ends(str_of(job->path), STR(".jfc")))
		complain(job->invocation,
			 "the name of the output must end in .jfc: '%s'",
			 outputs->items[0]);
	else
		return STATUS_DONE;
	return STATUS_FAILED;
}

/* --- the files ------------------------------------------------------------------- */

/* Warnings stand in front of a message, as the JDK has it, but not of a table. */
static bool load_file(struct job *job, struct configuration *all, const char *name,
		      struct err *err)
{
	struct buf warnings = { 0 };
	struct str rest, line;
	bool is_good;

	if (!job->options.show && !job->options.diff)
		return jfcfiles_add(all, name, &job->out.buf, err);
	is_good = jfcfiles_add(all, name, &warnings, err);
	rest = (struct str){ warnings.bytes, warnings.size };
	while (str_split(&rest, '\n', &line))
		complain(job->invocation, "%s: %.*s", name, (int)line.size, line.bytes);
	buf_clear(&warnings);
	return is_good;
}

static bool add_file(void *context, const char *name, struct err *err)
{
	struct job *job = context;

	job->loaded++;
	return load_file(job, &job->all, name, err);
}

static bool load(struct job *job)
{
	const struct option_list *inputs = &job->options.inputs;
	struct err *err = &job->err;
	bool is_good = configuration_init(&job->all, err);

	for (size_t i = 0; is_good && i < inputs->count; i++)
		is_good = jfcfiles_each(inputs->items[i], add_file, job, err);
	for (size_t i = 0; is_good && i < job->files.count; i++)
		is_good = add_file(job, job->files.items[i], err);
	return is_good && (job->loaded || add_file(job, "default.jfc", err));
}

/* --- the changes ----------------------------------------------------------------- */

/* The option of the files that the user may have meant; bytes NULL: none. */
static struct str nearest_input(const struct job *job, struct str key)
{
	struct str names[64];
	size_t count = 0;
	int nearest;

	for (const struct node *at = configuration_input(&job->all); at && count < 64;
	     at = configuration_next_input(at))
		names[count++] = node_get(at, STR("name"));
	nearest = str_nearest(key, names, count);
	return nearest < 0 ? (struct str){ NULL, 0 } : names[nearest];
}

/* What is no option has a "#" in it, or is one with a slip of the finger. */
static bool set_setting(struct job *job, struct settings *log,
			const struct assignment *assignment)
{
	struct str key = assignment->key, nearest = { NULL, 0 };

	if (!memchr(key.bytes, '#', key.size))
		nearest = nearest_input(job, key);
	if (nearest.bytes)
		return err_set(&job->err, ERR_USAGE,
			       "there is no option '%.*s'; did you mean '%.*s'?",
			       (int)key.size, key.bytes, (int)nearest.size,
			       nearest.bytes);
	return choice_set_setting(&job->all, key, assignment->value, log, &job->err);
}

static bool apply(struct job *job, struct settings *log)
{
	for (size_t i = 0; i < job->assignments.count; i++) {
		const struct assignment *one = &job->assignments.items[i];
		struct node *input = configuration_find_input(&job->all, one->key);

		if (!input && !set_setting(job, log, one))
			return false;
		if (!input)
			continue;
		if (!choice_set(&job->all, input, one->value, log, &job->err))
			return false;
		if (log)
			jfcwords_log(&job->out.buf, log);
	}
	if (log)
		jfcwords_log(&job->out.buf, log);
	return true;
}

/* --- the output ------------------------------------------------------------------ */

static bool save(struct job *job)
{
	struct target target;
	char *absolute = path_absolute(job->path);
	bool is_good;

	if (!absolute)
		return err_memory(&job->err);
	is_good = target_open(&target, absolute, &job->err);
	if (is_good) {
		jfcwrite(&target.out.buf, &job->all);
		is_good = target_close(&target, true, &job->err);
	}
	if (is_good)
		buf_printf(&job->out.buf,
			   "Configuration written successfully to:\n%s\n", absolute);
	free(absolute);
	return is_good;
}

static bool write_file(struct job *job)
{
	struct settings *log = job->options.verbose ? &job->log : NULL;
	struct wizard wizard = { &job->all, &job->out, log, &job->path };
	enum wizard_end end = WIZARD_DONE;

	if (!load(job))
		return false;
	if (log && !settings_add_all(log, &job->all))
		return err_memory(&job->err);
	if (!apply(job, log))
		return false;
	if (!job->path && !(job->path = strdup("custom.jfc")))
		return err_memory(&job->err);
	if (job->options.interactive)
		end = wizard_run(&wizard, &job->err);
	if (end == WIZARD_ABORTED)
		buf_text(&job->out.buf, "Abort.\n");
	if (end != WIZARD_DONE)
		return end == WIZARD_ABORTED;
	jfcwarn(job->invocation, &job->all);
	return save(job);
}

/* --- the tables ------------------------------------------------------------------ */

static const struct grid_format *format_of(const struct job *job)
{
	return job->options.json ? &grid_json : &grid_text;
}

static void end_table(struct job *job)
{
	if (job->options.json)
		buf_byte(&job->out.buf, '\n');
}

static bool show(struct job *job)
{
	if (!load(job) || !apply(job, NULL))
		return false;
	if (!configuration_input(&job->all) && !job->options.json) {
		buf_text(&job->out.buf, "There are no options.\n");
		return true;
	}
	if (!jfctables_show(&job->out, format_of(job), &job->all, &job->err))
		return false;
	end_table(job);
	return true;
}

static bool load_settings(struct job *job, const char *name, struct configuration *all,
			  struct settings *settings)
{
	if (!configuration_init(all, &job->err) ||
	    !load_file(job, all, name, &job->err))
		return false;
	if (!settings_add_all(settings, all))
		return err_memory(&job->err);
	settings_settle(settings);
	return true;
}

static void tell_difference(struct job *job, const struct settings *settings,
			    const char *const names[2])
{
	if (!job->options.json && jfctables_are_same(&settings[0], &settings[1])) {
		buf_printf(&job->out.buf, "%s and %s have the same settings.\n",
			   names[0], names[1]);
		return;
	}
	jfctables_compare(&job->out, format_of(job), &settings[0], &settings[1], names);
	end_table(job);
}

/* The files may stand behind --input, too. */
static bool diff(struct job *job)
{
	const struct option_list *inputs = &job->options.inputs;
	struct configuration all[2] = { 0 };
	struct settings settings[2] = { 0 };
	const char *names[2];
	bool is_good = true;

	for (size_t i = 0; i < 2; i++)
		names[i] = i < inputs->count ? inputs->items[i]
					     : job->files.items[i - inputs->count];
	for (size_t i = 0; i < 2 && is_good; i++)
		is_good = load_settings(job, names[i], &all[i], &settings[i]);
	if (is_good)
		tell_difference(job, settings, names);
	for (size_t i = 0; i < 2; i++) {
		settings_clear(&settings[i]);
		configuration_clear(&all[i]);
	}
	return is_good;
}

/* --- all together ---------------------------------------------------------------- */

static enum status carry_out(struct job *job)
{
	bool is_good;

	job->out = (struct out){ .fd = STDOUT_FILENO,
				 .is_terminal = isatty(STDOUT_FILENO) };
	if (job->options.show)
		is_good = show(job);
	else if (job->options.diff)
		is_good = diff(job);
	else
		is_good = write_file(job);
	is_good &= out_close(&job->out, is_good ? &job->err : NULL);
	if (!is_good)
		complain(job->invocation, "%s", job->err.text);
	return is_good ? STATUS_DONE : STATUS_FAILED;
}

static enum status check_and_carry_out(struct job *job, const struct words *words)
{
	const struct invocation *invocation = job->invocation;
	enum status status;

	status = check_output(job);
	if (status == STATUS_DONE)
		status = take_words(job, words);
	if (status == STATUS_DONE && conflict(job))
		status = complain_usage(invocation, "%s", conflict(job));
	return status == STATUS_DONE ? carry_out(job) : status;
}

static enum status run(const struct invocation *invocation)
{
	struct job job = { .invocation = invocation };
	enum status status;
	struct words words;

	if (options_read(invocation, &job.options, &words, &status))
		status = check_and_carry_out(&job, &words);
	settings_clear(&job.log);
	configuration_clear(&job.all);
	vec_clear(&job.assignments);
	vec_clear(&job.files);
	free(job.path);
	return status;
}

/* "Options for default.jfc (its path):", and each. */
static void list_options(struct buf *text)
{
	struct configuration all = { 0 };
	struct err err = { .kind = ERR_NONE };
	char *path = jfcfiles_find("default.jfc");

	buf_printf(text, "Options for default.jfc (%s):\n\n",
		   path ? path : "our own: there is none in $JAVA_HOME");
	if (configuration_init(&all, &err) &&
	    jfcfiles_add(&all, "default.jfc", text, &err))
		jfcwords_options(text, &all);
	else
		buf_printf(text, "  %s\n\n", err.text);
	configuration_clear(&all);
	free(path);
}

static void tell_options(FILE *to)
{
	struct buf text = { 0 };

	list_options(&text);
	fprintf(to,
		"\n"
		"  <option>=<value>          "
		"Gives an option of the files (see below) a value\n"
		"  <event>#<setting>=<value> "
		"Sets a setting of an event; + in front adds what\n"
		"                            is not there\n"
		"\n"
		"A timespan is a number and a unit, with or without a blank: 20ms, "
		"\"20 ms\".\n"
		"\n"
		"%.*s"
		"To be asked for them: configure --interactive\n",
		(int)text.size, text.bytes ? text.bytes : "");
	buf_clear(&text);
}

const struct command cmd_configure = {
	.name = "configure",
	.syntax = { "[--interactive] [--verbose]",
		    "[--input <files>] [--output <file>]",
		    "[--show [<file>...] | --diff <file> <file>] [--json]",
		    "[<option>=<value>]... [<event>#<setting>=<value>]..." },
	.jfr_syntax = { "[--interactive] [--verbose]",
			"[--input <files>] [--output <file>]",
			"[<option>=<value>]... [<event>#<setting>=<value>]..." },
	.summary = "Make a .jfc file, which says what a JVM records",
	.examples = {
		"cjfr configure gc=high method-profiling=high --output high.jfc",
		"cjfr configure jdk.JavaMonitorEnter#threshold=1ms --output locks.jfc",
		"cjfr configure +HelloWorld#enabled=true +HelloWorld#stackTrace=true",
		"cjfr configure --input default.jfc,third-party.jfc "
		"--output unified.jfc",
		"cjfr configure --input none +Hello#enabled=true --output minimal.jfc",
		"cjfr configure --show profile",
		"cjfr configure --diff default profile",
	},
	.options = rows,
	.tell_more = tell_options,
	.run = run,
};
