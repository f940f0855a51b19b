/*
 * scrub.c - cjfr scrub: a recording without some of its events, or its secrets.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/utf.h"
#include "cmd/command.h"
#include "cmd/filtering.h"
#include "cmd/options.h"
#include "cmd/reading.h"
#include "cmd/usage.h"
#include "cmd/writing.h"
#include "copy/redaction.h"
#include "copy/split.h"

struct options {
	struct option_steps rules;
	struct filtering filtering;
	bool is_redacted;
	const char *fields, *key;
};

#define RULE_ROW(name_, help_)                                                  \
	{ name_, 0, OPTION_STEP, offsetof(struct options, rules), "<filter>", help_ }

#define RULE_SYNTAX                                                             \
	"[--include-events <filter>] [--exclude-events <filter>]",              \
	"[--include-categories <filter>] [--exclude-categories <filter>]",      \
	"[--include-threads <filter>] [--exclude-threads <filter>]"

/* The rules first, in the order of the table below. */
static const struct option_row rows[] = {
	RULE_ROW("include-events", "Keep only events of these types: names, with or\n"
				   "without their package, or patterns, separated by\n"
				   "commas (Socket*)"),
	RULE_ROW("exclude-events", "Leave out events of these types"),
	RULE_ROW("include-categories", "Keep only events of these categories: names\n"
				       "or patterns (JVM, \"Java*\")"),
	RULE_ROW("exclude-categories", "Leave out events of these categories"),
	RULE_ROW("include-threads", "Keep only events of these threads, by their\n"
				    "names in Java"),
	RULE_ROW("exclude-threads", "Leave out events of these threads"),
	FILTERING_ROWS(struct options, filtering),
	{ "redact", 0, OPTION_FLAG, offsetof(struct options, is_redacted), NULL,
	  "Replace the values of environment variables, system\n"
	  "properties and command lines, wherever one occurs whole" },
	{ "redact-fields", 0, OPTION_TEXT, offsetof(struct options, fields), "<filter>",
	  "Likewise, and the texts of more fields: names or\n"
	  "patterns (host, *.path, jdk.SocketRead.*)" },
	{ "redact-key", 0, OPTION_TEXT, offsetof(struct options, key), "<text>",
	  "Give the same value the same replacement in all\n"
	  "recordings with this key (default: a random one)" },
	OPTION_ROW_LAST,
};

/* What the rows of the same place say. */
static const struct rule rules[] = {
	{ .kind = RULE_EVENTS },
	{ .kind = RULE_EVENTS, .is_excluding = true },
	{ .kind = RULE_CATEGORIES },
	{ .kind = RULE_CATEGORIES, .is_excluding = true },
	{ .kind = RULE_THREADS },
	{ .kind = RULE_THREADS, .is_excluding = true },
};

static bool add_rules(struct filter *filter, const struct option_steps *steps)
{
	for (size_t i = 0; i < steps->count; i++) {
		const struct option_step *step = &steps->items[i];
		struct rule rule = rules[step->row - rows];

		rule.patterns = str_of(step->value);
		if (!filter_add_rule(filter, &rule))
			return false;
	}
	return true;
}

/* What the options ask for. Where it is not STATUS_DONE there is nothing to clear. */
static enum status make_filter(const struct invocation *invocation,
			       const struct options *options, struct filter *filter,
			       struct redact *redact)
{
	enum status status = filtering_read(invocation, &options->filtering, filter);

	if (status != STATUS_DONE)
		return status;
	redact_set_key(redact, str_of(options->key));
	if (add_rules(filter, &options->rules) &&
	    redact_set_fields(redact, str_of(options->fields)))
		return STATUS_DONE;
	redact_clear(redact);
	filter_clear(filter);
	complain(invocation, "out of memory");
	return STATUS_FAILED;
}

static bool has_suffix(const char *name)
{
	return str_ends(str_of(name), STR(".jfr"));
}

/* The name of the output where none is given; for the caller to free. */
static char *default_output(const char *input)
{
	struct str name = path_last(input), base = split_base(input);
	char *output;
	int folder;

	if (strcmp(input, "-") == 0)
		return strdup("-");
	if (has_suffix(input))
		base = (struct str){ name.bytes, name.size - strlen(".jfr") };
	folder = base.bytes == name.bytes ? (int)(name.bytes - input) : 0;
	if (asprintf(&output, "%.*s%.*s-scrubbed.jfr", folder, input, (int)base.size,
		     base.bytes) < 0)
		return NULL;
	return output;
}

/*
 * All names end in .jfr. Where only the last one does, that is the input for the JDK's
 * tool, and what stands in front of it a wrong option.
 */
static enum status check_as_jfr(const struct invocation *invocation,
				const struct words *words)
{
	size_t last = words->count - 1;

	for (size_t i = words->count; i-- > 0;) {
		if (has_suffix(words->items[i]))
			continue;
		complain(invocation, "the name '%s' must end in .jfr", words->items[i]);
		return i < last && access(words->items[last], F_OK) == 0 ? STATUS_USAGE
									 : STATUS_FAILED;
	}
	return STATUS_DONE;
}

/* Sets *output, for the caller to free. */
static enum status find_output(const struct invocation *invocation,
			       const struct words *words, char **output)
{
	enum status status = STATUS_DONE;

	if (words->count == 0)
		return complain_usage(invocation, "missing file");
	if (words->count > 2)
		return complain_usage(invocation,
				      "too many files: an input and an output, but "
				      "also '%s'",
				      words->items[2]);
	if (invocation->is_jfr)
		status = check_as_jfr(invocation, words);
	if (status != STATUS_DONE)
		return status;
	*output = words->count == 2 ? strdup(words->items[1])
				    : default_output(words->items[0]);
	if (*output)
		return writing_check(invocation, *output);
	complain(invocation, "out of memory");
	return STATUS_FAILED;
}

/* What the JDK says where events are chosen by their types, but not of threads. */
static void tell_rule(struct reading *reading, const struct rule *rule, bool is_piped)
{
	const char *kind = rule->kind == RULE_CATEGORIES ? "category " : "";
	int size = (int)rule->patterns.size;

	if (rule->kind != RULE_THREADS && !is_piped)
		buf_printf(&reading->out.buf,
			   "Warning, no event type matched %sfilter: %.*s\n", kind, size,
			   rule->patterns.bytes);
	else if (!reading->invocation->is_jfr)
		complain(reading->invocation, "note: no %s matched the %sfilter '%.*s'",
			 rule->kind == RULE_THREADS ? "thread" : "event type", kind, size,
			 rule->patterns.bytes);
}

/* Rules that matched nothing; on standard error if the recording is standard output. */
static void tell_rules(struct reading *reading, const struct copy *copy, bool is_piped)
{
	const struct filter *filter = copy->filter;

	for (size_t i = 0; i < filter->rules.count; i++) {
		if (outcome_is_idle(&copy->outcome, i))
			tell_rule(reading, &filter->rules.items[i], is_piped);
	}
}

static void add_share(struct buf *to, const struct removed_row *row)
{
	buf_unsigned(to, row->count.removed);
	buf_byte(to, '/');
	buf_unsigned(to, row->count.total);
}

static void tell_removed(struct buf *to, const struct removed *removed)
{
	size_t names = 0, shares = 0;
	struct buf share = { 0 };

	buf_text(to, removed->rows.count ? "Removed events:\n" : "No events removed.\n");
	for (size_t pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < removed->rows.count; i++) {
			const struct removed_row *row = &removed->rows.items[i];
			size_t name = utf_units(row->name);

			buf_reset(&share);
			add_share(&share, row);
			names = name > names ? name : names;
			shares = share.size > shares ? share.size : shares;
			if (pass == 0)
				continue;
			utf_add_output(to, row->name);
			buf_fill(to, ' ', names - name + 1 + shares - share.size);
			buf_add(to, share.bytes, share.size);
			buf_byte(to, '\n');
		}
	}
	to->failed |= share.failed;
	buf_clear(&share);
}

static void tell(struct reading *reading, struct copy *copy, const char *path)
{
	struct buf *to = &reading->out.buf;
	bool is_piped = strcmp(path, "-") == 0;
	char *real = is_piped ? NULL : realpath(path, NULL);

	tell_rules(reading, copy, is_piped);
	reading_tell_outcome(reading, copy->filter, &copy->outcome);
	if (is_piped)
		return;
	if (!removed_order(&copy->removed))
		to->failed = true;
	buf_text(to, "Scrubbed recording file written to:\n");
	utf_add_output(to, str_of(real ? real : path));
	buf_byte(to, '\n');
	tell_removed(to, &copy->removed);
	free(real);
}

static void tell_unused(struct reading *reading, const struct redact *redact)
{
	progress_end(&reading->progress);
	for (size_t i = 0; i < redact->fields.count; i++) {
		const struct redact_field *field = &redact->fields.items[i];

		if (!field->is_used)
			complain(reading->invocation,
				 "note: no field with text matches '%.*s'",
				 (int)field->pattern.size, field->pattern.bytes);
	}
}

/* Reads all once to find what is to be redacted. */
static bool collect(struct reading *reading, struct redact *redact)
{
	if (!input_keep(&reading->input, &reading->damage, &reading->err) ||
	    !redaction_collect(redact, &reading->input, &reading->err))
		return false;
	tell_unused(reading, redact);
	return true;
}

/* `redact` is NULL if nothing is. */
static bool scrub(struct reading *reading, struct filter *filter, struct redact *redact,
		  const char *path)
{
	struct copy made = { .filter = filter, .is_pruned = true, .redact = redact };
	bool is_good;

	reading_show_progress(reading, false);
	is_good = reading_resolve(reading, filter) &&
		  (!redact || collect(reading, redact)) &&
		  writing_run(reading, path, &made, writing_all);
	if (is_good)
		tell(reading, &made, path);
	outcome_clear(&made.outcome);
	removed_clear(&made.removed);
	return is_good;
}

static enum status run_with(const struct invocation *invocation,
			    const struct options *options, struct words *words,
			    const char *output)
{
	struct redact redact = { .is_collecting = false };
	bool is_redacted = options->is_redacted || options->fields;
	struct reading reading;
	struct filter filter;
	enum status status = make_filter(invocation, options, &filter, &redact);

	if (status != STATUS_DONE)
		return status;
	words->count = 1;
	status = reading_open(&reading, invocation, words);
	if (status == STATUS_DONE)
		status = reading_close(&reading, scrub(&reading, &filter,
						       is_redacted ? &redact : NULL,
						       output));
	redact_clear(&redact);
	filter_clear(&filter);
	return status;
}

static enum status run(const struct invocation *invocation)
{
	struct options options = { .rules.count = 0 };
	char *output = NULL;
	enum status status;
	struct words words;

	if (!options_read(invocation, &options, &words, &status))
		return status;
	if (options.key && !*options.key)
		return complain_usage(invocation, "--redact-key must not be empty: anybody "
						  "could tell what was replaced");
	if (options.key && !options.is_redacted && !options.fields)
		return complain_usage(invocation, "--redact-key needs --redact or "
						  "--redact-fields");
	status = find_output(invocation, &words, &output);
	if (status == STATUS_DONE)
		status = run_with(invocation, &options, &words, output);
	free(output);
	return status;
}

static void tell_output(FILE *to)
{
	fputs("\n"
	      "  <output>                  Is replaced if it is there already (default: the\n"
	      "                            name of the file, with -scrubbed in it)\n",
	      to);
}

const struct command cmd_scrub = {
	.name = "scrub",
	.syntax = { RULE_SYNTAX,
		    "[--events <filter>] [--categories <filter>] [--thread <filter>]",
		    "[--from <time>] [--to <time>] [--last <duration>]",
		    "[--min-duration <duration>] [--where <condition>]",
		    "[--redact] [--redact-fields <filter>] [--redact-key <text>]",
		    "<file> [<output>]" },
	.jfr_syntax = { RULE_SYNTAX, "<file> [<output>]" },
	.summary = "Write a recording without some of its events, or its secrets",
	.examples = {
		"cjfr scrub --include-events \"jdk.Socket*\" recording.jfr sockets.jfr",
		"cjfr scrub --exclude-categories JVM,OS recording.jfr",
		"cjfr scrub --include-threads main recording.jfr",
		"cjfr scrub --redact --redact-fields \"host,path\" recording.jfr safe.jfr",
	},
	.options = rows,
	.tell_more = tell_output,
	.run = run,
};
