/*
 * command.h - what a subcommand is: one table of its name, words and function.
 *
 * To add one: write cmd/<name>.c with `const struct command cmd_<name>`, name it
 * below and in the table of commands.c, and add its sources, man page and tests
 * (HACKING).
 */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Exit status, the same for all commands. */
enum status {
	STATUS_DONE = 0,
	STATUS_FAILED = 1,	/* nothing useful was done */
	STATUS_USAGE = 2,
	STATUS_PARTLY = 3,	/* right but incomplete: the input is damaged */
	STATUS_HELD = 4,	/* a condition of --fail-if held */
	/* record: there was nothing to run, as shells have it; else that of its command. */
	STATUS_CANNOT_RUN = 126,
	STATUS_NOT_FOUND = 127,
};

enum option_kind {
	OPTION_FLAG,		/* bool */
	OPTION_CHOICE,		/* bool, one of several; an error when given twice */
	OPTION_FILTER,		/* const char *, patterns for types; not twice either */
	OPTION_COUNT,		/* int, 0 and up */
	OPTION_TEXT,		/* const char *; of several the last counts */
	OPTION_LIST,		/* struct option_list (options.h): all of them */
	OPTION_STEP,		/* struct option_steps, with others: patterns, in order */
};

/* An option; the table of a command ends with a row without a name. */
struct option_row {
	const char *name;	/* without dashes */
	char letter;		/* also as -letter; 0: none */
	enum option_kind kind;
	size_t offset;		/* of its value in the command's struct */
	const char *value;	/* what it is called in help, "<filter>"; or all that it
				   can be, "beginning|end" */
	const char *help;	/* may have several lines; NULL: not shown */
};

struct invocation;

/* Whether a command reads a recording. */
enum file_use {
	FILE_NONE,		/* or it says in its syntax what it wants */
	FILE_OR_INPUT,		/* without one, standard input; not as jfr */
	FILE_OPTIONAL,		/* without one, something of our own */
};

struct command {
	const char *name;
	const char *alias[3];	/* other words for it */
	const char *syntax[18];	/* lines after the name, without the file; then NULL */
	const char *jfr_syntax[8];	/* the same as jfr, where other options are unknown;
					   without any: as above */
	bool is_ours;		/* the JDK's jfr has no such command */
	bool is_hidden;		/* for programs: no list has it */
	enum file_use file;
	const char *without_file;	/* FILE_OPTIONAL: what stands for it, for help */
	const struct option_row *word;	/* what stands in front of the file; NULL: none */
	const char *summary;	/* one line */
	const char *examples[10];	/* commands, as cjfr */
	const struct option_row *options;
	const struct command *const *parts;	/* commands of two words, this one's name
						   first; ends with NULL; NULL: none */
	void (*tell_more)(FILE *to);	/* behind the options, in help; NULL: nothing */
	enum status (*run)(const struct invocation *invocation);
};

/* How the program was called. */
struct invocation {
	const char *program;	/* "cjfr", or "jfr": then only what jfr does */
	bool is_jfr;
	const struct command *command;	/* NULL: none was found */
	int argc;		/* the words from the command's name on */
	char **argv;
};

extern const struct command cmd_print;
extern const struct command cmd_configure;
extern const struct command cmd_summary;
extern const struct command cmd_metadata;
extern const struct command cmd_view;
extern const struct command cmd_verify;
extern const struct command cmd_repair;
extern const struct command cmd_scrub;
extern const struct command cmd_assemble;
extern const struct command cmd_disassemble;
extern const struct command cmd_merge;
extern const struct command cmd_record;
extern const struct command cmd_record_list;
extern const struct command cmd_record_start;
extern const struct command cmd_record_dump;
extern const struct command cmd_record_stop;
extern const struct command cmd_record_check;
extern const struct command cmd_record_set;
extern const struct command cmd_record_detach;
extern const struct command cmd_version;
extern const struct command cmd_help;
extern const struct command cmd_complete;

/* All commands, in the order of help; ends with NULL. */
extern const struct command *const commands[];

/* False for what is ours where the program is called as jfr. */
bool command_is_there(const struct invocation *invocation,
		      const struct command *command);
bool command_has_option(const struct invocation *invocation,
			const struct command *command, const struct option_row *row);
bool command_has_example(const struct invocation *invocation,
			 const struct command *command, const char *example);

/* The command of that name or alias, or NULL. */
const struct command *command_find(const struct invocation *invocation,
				   const char *word);

/* That of two words, of which this is the second; NULL: there is none. */
const struct command *command_part(const struct command *command, const char *word);

#endif
