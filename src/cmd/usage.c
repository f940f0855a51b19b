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
		"The events themselves:\n"
		"\n"
		" %s print --events jdk.GarbageCollection recording.jfr\n"
		"\n"
		"What can be recorded, and what its fields mean:\n"
		"\n"
		" %s metadata --events jdk.GarbageCollection recording.jfr\n"
		"\n"
		"More about a command: %s help <command>. All commands: %s help.\n",
		name, name, name, name, name, name);
}

void usage_commands(FILE *to, const struct invocation *invocation)
{
	for (size_t i = 0; commands[i]; i++)
		fprintf(to, " %s %-12s%s\n", invocation->program, commands[i]->name,
			commands[i]->summary);
}

static void write_syntax(FILE *to, const struct invocation *invocation,
			 const struct command *command)
{
	size_t lines = sizeof(command->syntax) / sizeof(command->syntax[0]);
	int column = fprintf(to, " %s %s ", invocation->program, command->name);

	for (size_t i = 0; i < lines && command->syntax[i]; i++) {
		if (i > 0)
			fprintf(to, "\n%*s", column, "");
		fputs(command->syntax[i], to);
	}
	for (size_t i = 0; i < 3 && command->alias[i]; i++)
		fprintf(to, "%s%s", i ? ", " : " (or: ", command->alias[i]);
	fputs(command->alias[0] ? ")\n" : "\n", to);
}

static void write_option(FILE *to, const struct option_row *row)
{
	const char *line = row->help;
	int column = fprintf(to, "  ");

	if (row->letter)
		column += fprintf(to, "-%c, ", row->letter);
	column += fprintf(to, "--%s", row->name);
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

void usage_command(FILE *to, const struct invocation *invocation,
		   const struct command *command)
{
	fprintf(to, "%s\n\n", command->summary);
	write_syntax(to, invocation, command);
	fputc('\n', to);
	for (const struct option_row *row = command->options; row && row->name; row++) {
		if (row->help)
			write_option(to, row);
	}
	if (command->details)
		fprintf(to, "%s", command->details);
}

static void complain_list(const struct invocation *invocation,
			  const struct command *command, const char *format, va_list list)
{
	fflush(stdout);
	fprintf(stderr, "%s %s: ", invocation->program, command->name);
	vfprintf(stderr, format, list);
	fputc('\n', stderr);
}

void complain(const struct invocation *invocation, const struct command *command,
	      const char *format, ...)
{
	va_list list;

	va_start(list, format);
	complain_list(invocation, command, format, list);
	va_end(list);
}

enum status complain_usage(const struct invocation *invocation,
			   const struct command *command, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	complain_list(invocation, command, format, list);
	va_end(list);
	fprintf(stderr, "\nUsage:\n\n");
	write_syntax(stderr, invocation, command);
	fprintf(stderr, "\nSee '%s help %s'.\n", invocation->program, command->name);
	return STATUS_USAGE;
}

enum status complain_unknown_command(FILE *to, const struct invocation *invocation,
				     const char *word)
{
	struct str names[32];
	size_t count = 0;
	int nearest;

	while (commands[count] && count < 32) {
		names[count] = str_of(commands[count]->name);
		count++;
	}
	nearest = str_nearest(str_of(word), names, count);
	fprintf(to, "%s: unknown command '%s'", invocation->program, word);
	if (nearest >= 0)
		fprintf(to, ", did you mean '%s'?", commands[nearest]->name);
	fprintf(to, "\n\nThe commands are:\n\n");
	usage_commands(to, invocation);
	return STATUS_USAGE;
}
