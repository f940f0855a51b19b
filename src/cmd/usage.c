#include "cmd/usage.h"

#include <stdarg.h>
#include <string.h>

#include "base/str.h"

/* Help texts start in this column. */
#define HELP_COLUMN 28

void usage_introduction(FILE *to, const struct invocation *invocation)
{
	const char *name = invocation->program;

	fprintf(to,
		"%s reads Java Flight Recorder files (.jfr), without a JVM.\n"
		"\n"
		"What happened in a recording, by number of events:\n"
		"\n"
		" %s summary recording.jfr\n"
		"\n"
		"What it says, as tables:\n"
		"\n"
		" %s view hot-methods recording.jfr\n"
		"\n"
		"The events themselves:\n"
		"\n"
		" %s print --events jdk.GarbageCollection recording.jfr\n"
		"\n"
		"Which events there are, and what their fields mean:\n"
		"\n"
		" %s metadata --events jdk.GarbageCollection recording.jfr\n"
		"\n"
		"%s"
		"More about a command: %s help <command>. All commands: %s help.\n",
		name, name, name, name, name,
		invocation->is_jfr ? ""
				   : "And a recording of a program, to begin with:\n"
				     "\n"
				     " cjfr record -- java -jar app.jar\n"
				     "\n",
		name, name);
}

void usage_commands(FILE *to, const struct invocation *invocation)
{
	for (size_t i = 0; commands[i]; i++) {
		if (command_is_there(invocation, commands[i]) && !commands[i]->is_hidden)
			fprintf(to, " %s %-12s%s\n", invocation->program,
				commands[i]->name, commands[i]->summary);
	}
}

static bool file_is_optional(const struct invocation *invocation,
			     const struct command *command)
{
	return command->file == FILE_OPTIONAL ||
	       (command->file == FILE_OR_INPUT && !invocation->is_jfr);
}

static void write_aliases(FILE *to, const struct command *command)
{
	for (size_t i = 0; i < 3 && command->alias[i]; i++)
		fprintf(to, "%s%s", i ? ", " : " (or: ", command->alias[i]);
	fputs(command->alias[0] ? ")\n" : "\n", to);
}

/* What it begins with: its help has all of it. */
static void write_front(FILE *to, const struct invocation *invocation,
			const struct command *part)
{
	fprintf(to, " %s %s %s%s\n", invocation->program, part->name, part->syntax[0],
		part->syntax[1] ? " ..." : "");
}

static void write_syntax(FILE *to, const struct invocation *invocation,
			 const struct command *command)
{
	const char *const *line = invocation->is_jfr && command->jfr_syntax[0]
					  ? command->jfr_syntax : command->syntax;
	const char *file = file_is_optional(invocation, command) ? "[<file>]" : "<file>";
	const char *more = invocation->is_jfr ? "" : "...";
	int column = fprintf(to, " %s %s", invocation->program, command->name);

	for (; *line && **line; line++) {
		fprintf(to, " %s", *line);
		if (line[1] || command->file != FILE_NONE)
			fprintf(to, "\n%*s", column, "");
	}
	if (command->file != FILE_NONE)
		fprintf(to, " %s%s", file, more);
	write_aliases(to, command);
}

/* Its own, and where those begin of commands that its name is a part of. */
static void write_all_syntax(FILE *to, const struct invocation *invocation,
			     const struct command *command)
{
	write_syntax(to, invocation, command);
	for (size_t i = 0; command->parts && command->parts[i]; i++)
		write_front(to, invocation, command->parts[i]);
}

static void write_entry(FILE *to, const struct option_row *row, const char *dashes)
{
	const char *line = row->help;
	int column = fprintf(to, "  ");

	if (row->letter)
		column += fprintf(to, "-%c, ", row->letter);
	column += fprintf(to, "%s%s", dashes, row->name);
	if (row->value)
		column += fprintf(to, " %s", row->value);
	while (line) {
		const char *end = strchr(line, '\n');
		int size = end ? (int)(end - line) : (int)strlen(line);

		fprintf(to, "%*s%.*s\n", column < HELP_COLUMN ? HELP_COLUMN - column : 1, "",
			size, line);
		line = end ? end + 1 : NULL;
		column = 0;
	}
}

static void write_option(FILE *to, const struct option_row *row)
{
	write_entry(to, row, "--");
}

static void write_file(FILE *to, const struct invocation *invocation,
		       const struct command *command)
{
	static const char *const kinds = "A recording, also compressed, or the directory of a";
	bool is_input = command->file == FILE_OR_INPUT && !invocation->is_jfr;

	if (command->word) {
		fputc('\n', to);
		write_entry(to, command->word, "");
	}
	if (command->file == FILE_NONE)
		return;
	fprintf(to, "\n  %-*s%s\n%*s%s\n", HELP_COLUMN - 2, "<file>", kinds, HELP_COLUMN,
		"",
		is_input ? "repository; default: standard input"
			 : "repository; - is standard input");
	if (command->file == FILE_OPTIONAL)
		fprintf(to, "%*s(default: %s)\n", HELP_COLUMN, "", command->without_file);
}

/* Under another name the program is called by that. */
static void write_examples(FILE *to, const struct invocation *invocation,
			   const struct command *command)
{
	size_t count = sizeof(command->examples) / sizeof(command->examples[0]);
	bool has_begun = false;

	for (size_t i = 0; i < count && command->examples[i]; i++) {
		const char *example = command->examples[i];
		const char *name = strstr(example, "cjfr ");

		if (!name || !command_has_example(invocation, command, example))
			continue;
		if (!has_begun)
			fprintf(to, "\nExamples:\n");
		has_begun = true;
		fprintf(to, "\n %.*s%s%s\n", (int)(name - example), example,
			invocation->program, name + 4);
	}
}

void usage_command(FILE *to, const struct invocation *invocation,
		   const struct command *command)
{
	static const struct option_row help = { "help", 'h', OPTION_FLAG, 0, NULL,
						"Show this text" };

	fprintf(to, "%s\n\n", command->summary);
	write_all_syntax(to, invocation, command);
	if (command->options) {
		fputc('\n', to);
		for (const struct option_row *row = command->options; row->name; row++) {
			if (row->help && command_has_option(invocation, command, row))
				write_option(to, row);
		}
		write_option(to, &help);
	}
	write_file(to, invocation, command);
	if (command->tell_more)
		command->tell_more(to);
	write_examples(to, invocation, command);
}

static void complaint_list(struct buf *to, const struct invocation *invocation,
			   const char *format, va_list list)
{
	const struct command *command = invocation->command;
	char text[1024];

	str_print_line(text, sizeof(text), format, list);
	buf_printf(to, "%s%s%s: %s\n", invocation->program, command ? " " : "",
		   command ? command->name : "", text);
}

void complaint(struct buf *to, const struct invocation *invocation, const char *format,
	       ...)
{
	va_list list;

	va_start(list, format);
	complaint_list(to, invocation, format, list);
	va_end(list);
}

static void complain_list(const struct invocation *invocation, const char *format,
			  va_list list)
{
	struct buf line = { 0 };

	complaint_list(&line, invocation, format, list);
	fflush(stdout);
	fwrite(line.bytes ? line.bytes : "", 1, line.size, stderr);
	buf_clear(&line);
}

void complain(const struct invocation *invocation, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	complain_list(invocation, format, list);
	va_end(list);
}

enum status complain_usage(const struct invocation *invocation, const char *format, ...)
{
	const struct command *command = invocation->command;
	va_list list;

	va_start(list, format);
	complain_list(invocation, format, list);
	va_end(list);
	fprintf(stderr, "\nUsage:\n\n");
	write_all_syntax(stderr, invocation, command);
	fprintf(stderr, "\nSee '%s help %s'.\n", invocation->program, command->name);
	return STATUS_USAGE;
}

enum status complain_unknown_command(const struct invocation *invocation,
				     const char *word)
{
	struct str names[32];
	size_t count = 0;
	int nearest;

	for (size_t i = 0; commands[i] && count < 32; i++) {
		if (command_is_there(invocation, commands[i]) && !commands[i]->is_hidden)
			names[count++] = str_of(commands[i]->name);
	}
	nearest = str_nearest(str_of(word), names, count);
	if (nearest >= 0)
		complain(invocation, "unknown command '%s'; did you mean '%s'?", word,
			 names[nearest].bytes);
	else if (str_ends(str_of(word), STR(".jfr")))
		complain(invocation,
			 "unknown command '%s'; did you mean '%s summary "
			 "%s'?",
			 word, invocation->program, word);
	else
		complain(invocation, "unknown command '%s'", word);
	fprintf(stderr, "\nThe commands are:\n\n");
	usage_commands(stderr, invocation);
	return STATUS_USAGE;
}
