/*
 * record.c - cjfr record: runs a command, and records the JVMs in it.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/recordmethods.h"
#include "cmd/recordorders.h"
#include "cmd/recordoutput.h"
#include "cmd/recordsettings.h"
#include "cmd/recordwatch.h"
#include "cmd/usage.h"
#include "cmd/writing.h"
#include "control/message.h"
#include "control/outname.h"
#include "session/folder.h"
#include "session/launcher.h"
#include "session/session.h"
#include "session/program.h"

struct job {
	const struct invocation *invocation;
	struct record_options options;
	char **command;
	struct orders orders;
	char *subject;		/* what the command runs, in a word */
	char *pattern;		/* of the outputs' names; NULL: standard output */
	char *agent;
	struct folder folder;
	struct launcher launcher;
	struct session session;
	struct record_looks looks;	/* commands for the recording */
	int ended;		/* how the command did, as waitpid has it */
	bool must_keep;		/* what is in the folder */
	bool has_failed;	/* a recording could not be written */
	struct err err;
};

static enum status fail(const struct job *job)
{
	complain(job->invocation, "%s", job->err.text);
	return job->err.kind == ERR_USAGE ? STATUS_USAGE : STATUS_FAILED;
}

static enum status fail_memory(struct job *job)
{
	err_memory(&job->err);
	return fail(job);
}

/* --- the words ----------------------------------------------------------------- */

/* The place of "--", or the number of words. */
static int find_mark(const struct invocation *invocation)
{
	int at = 1;

	while (at < invocation->argc && strcmp(invocation->argv[at], "--") != 0)
		at++;
	return at;
}

/* Without a mark: an option that a value is for may stand in front. */
static bool asks_for_help(const struct invocation *invocation)
{
	for (int i = 1; i < invocation->argc; i++) {
		if (strcmp(invocation->argv[i], "--help") == 0 ||
		    strcmp(invocation->argv[i], "-h") == 0)
			return true;
	}
	return false;
}

static enum status take_command(struct job *job, char **command)
{
	if (!*command)
		return complain_usage(job->invocation, "missing command behind --");
	if (!**command)
		return complain_usage(job->invocation,
				      "the name of the command is empty");
	job->command = command;
	return STATUS_DONE;
}

/* An option among these words that another command has; NULL: none. */
static const char *option_of_list(const struct invocation *ours)
{
	static const char *const options[] = { "--stale", "--clean" };

	for (int i = 1; i < ours->argc; i++) {
		for (size_t k = 0; k < sizeof(options) / sizeof(*options); k++) {
			if (strcmp(ours->argv[i], options[k]) == 0)
				return options[k];
		}
	}
	return NULL;
}

/*
 * What is behind the mark is the command's, so options are not looked for there.
 * Without a mark they might be anybody's. False as options_read.
 */
static bool read_words(struct job *job, enum status *status)
{
	const struct invocation *invocation = job->invocation;
	struct invocation ours = *invocation;
	const char *alien;
	struct words words;
	bool has_mark;

	ours.argc = find_mark(invocation);
	has_mark = ours.argc < invocation->argc;
	alien = option_of_list(&ours);
	if (alien) {
		*status = complain_usage(invocation, "%s belongs to cjfr record list",
					 alien);
		return false;
	}
	if ((has_mark || asks_for_help(invocation)) &&
	    !options_read(&ours, &job->options, &words, status))
		return false;
	*status = has_mark ? take_command(job, invocation->argv + ours.argc + 1)
			   : complain_usage(invocation, "missing -- in front of the "
					    "command, as in: cjfr record -- java -jar "
					    "app.jar; for a JVM that runs: cjfr record "
					    "start");
	if (*status == STATUS_DONE)
		*status = record_orders(invocation, &job->options, &job->orders);
	if (*status == STATUS_DONE)
		*status = record_methods_check(invocation, &job->options, &job->orders);
	if (*status == STATUS_DONE)
		*status = record_settings(invocation, &job->options, &words,
					  &job->orders, &job->looks);
	return *status == STATUS_DONE;
}

/* --- the output ---------------------------------------------------------------- */

static enum status choose_output(struct job *job)
{
	const char *output = job->options.output;
	enum status status;

	job->subject = program_name(job->command);
	if (!job->subject)
		return fail_memory(job);
	if (output && strcmp(output, "-") == 0)
		return writing_check(job->invocation, output);
	if (output) {
		status = record_output_check_words(job->invocation, output);
		if (status != STATUS_DONE)
			return status;
	}
	job->pattern = record_output_pattern(output, job->subject);
	return job->pattern ? record_output_check(job->invocation, job->pattern)
			    : fail_memory(job);
}

/* --- the agent ----------------------------------------------------------------- */

/* Of another command than java nobody knows which JVM it takes. */
static enum status choose_agent(struct job *job)
{
	char *program = NULL;
	bool is_good;

	job->agent = launcher_find_agent(&job->err);
	if (!job->agent)
		return fail(job);
	if (launcher_is_java(job->command[0]))
		program = launcher_find_command(job->command[0]);
	is_good = launcher_check(program, job->agent, &job->err);
	free(program);
	return is_good ? STATUS_DONE : fail(job);
}

/* --- the session --------------------------------------------------------------- */

static bool fill_texts(struct job *job)
{
	struct orders *orders = &job->orders;
	const char *name = job->options.name ? job->options.name : job->subject;
	char *absolute = job->pattern ? outname_absolute(job->pattern) : strdup("-");
	bool is_good;

	is_good = absolute && orders_text(orders, &orders->name, str_of(name)) &&
		  orders_text(orders, &orders->destination, str_of(absolute)) &&
		  orders_text(orders, &orders->repository, str_of(job->folder.path)) &&
		  orders_text(orders, &orders->socket, str_of(job->folder.socket));
	free(absolute);
	return is_good || err_memory(&job->err);
}

static bool write_orders(struct job *job)
{
	struct buf text = { 0 };
	bool is_good;

	orders_write(&job->orders, &text);
	is_good = !text.failed || err_memory(&job->err);
	if (is_good)
		is_good = folder_write_orders(&job->folder,
					      (struct str){ text.bytes, text.size },
					      &job->err);
	buf_clear(&text);
	return is_good;
}

static void watch(struct job *job)
{
	struct watch watch = {
		.invocation = job->invocation,
		.session = &job->session,
		.folder = &job->folder,
		.pattern = job->pattern,
		.is_java = job->launcher.is_java,
		.archiving = job->launcher.archiving,
		.delay = job->orders.delay,
		.duration = job->orders.duration,
		.in_memory = job->options.in_memory,
		.looks = job->looks,
		.is_quiet = job->options.quiet,
		.preserve = job->options.preserve,
	};

	job->must_keep = watch_run(&watch);
	job->has_failed = watch.has_failed;
}

/* The command was not started. */
static enum status fail_to_run(struct job *job)
{
	const char *home = getenv("JAVA_HOME");
	bool is_missing = job->session.child.is_missing;
	char *java = NULL, *found = NULL;

	if (is_missing && home && *home && strcmp(job->command[0], "java") == 0)
		java = path_within(home, "bin/java");
	if (java)
		found = launcher_find_command(java);
	if (found)
		complain(job->invocation, "%s; but there is '%s', by $JAVA_HOME",
			 job->err.text, found);
	else
		fail(job);
	free(java);
	free(found);
	return is_missing ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
}

/* The folder is there. */
static enum status start(struct job *job)
{
	enum status status;
	int listener = -1;

	if (!fill_texts(job) || !write_orders(job) ||
	    !launcher_init(&job->launcher, job->command, environ, job->agent,
			   job->folder.orders, &job->err) ||
	    !record_methods_make_dump(job->options.dump_classes, &job->err) ||
	    (listener = message_listen(job->folder.socket, &job->err)) < 0)
		return fail(job);
	fflush(stdout);
	if (!session_open(&job->session, job->launcher.arguments,
			  job->launcher.environment, !job->pattern, listener,
			  &job->err))
		return fail_to_run(job);
	watch(job);
	job->ended = session_close(&job->session);
	status = (enum status)child_exit_status(job->ended);
	return status == STATUS_DONE && job->has_failed ? STATUS_FAILED : status;
}

static enum status prepare_and_start(struct job *job)
{
	enum status status;

	if (!read_words(job, &status))
		return status;
	status = choose_output(job);
	if (status == STATUS_DONE)
		status = choose_agent(job);
	if (status != STATUS_DONE)
		return status;
	if (!folder_make(&job->folder, job->options.repository, &job->err))
		return fail(job);
	status = start(job);
	folder_close(&job->folder, job->must_keep);
	return status;
}

static enum status run(const struct invocation *invocation)
{
	struct job job = { .invocation = invocation, .options.stack_depth = -1 };
	enum status status;

	orders_init(&job.orders);
	status = prepare_and_start(&job);
	launcher_clear(&job.launcher);
	orders_clear(&job.orders);
	free(job.subject);
	free(job.pattern);
	free(job.agent);
	fflush(stdout);
	child_follow(job.ended);
	return status;
}

static void tell_words(FILE *to)
{
	fputs("\n"
	      "  <event>#<setting>=<value> A setting of one event: enabled, period, threshold,\n"
	      "                            stackTrace, filter\n"
	      "  <option>=<value>          An option of the .jfc files: see help configure\n"
	      "  <command>                 java, or what starts one or more JVMs\n"
	      "\n"
	      "For JVMs that run already: help record start, dump, stop, check, set, detach.\n"
	      "Which there are, and what recordings left behind: help record list\n",
	      to);
}

static const struct command *const parts[] = {
	&cmd_record_list, &cmd_record_start, &cmd_record_dump, &cmd_record_stop,
	&cmd_record_check, &cmd_record_set, &cmd_record_detach, NULL,
};

const struct command cmd_record = {
	.name = "record",
	.syntax = { "[-o <file>] [--settings <files>]",
		    "[--interval <time>] [--mode cpu|wall]",
		    "[--threads <names>] [--stack-depth <frames>]",
		    "[--method-timing <filter>] [--period <time>]",
		    "[--method-trace <filter>] [--threshold <time>]",
		    "[--dump-classes <folder>]",
		    "[--duration <time>] [--delay <time>]",
		    "[--maxage <time>] [--maxsize <size>]",
		    "[--disk | --memory] [--memory-size <size>]",
		    "[--spill memory|disk] [--buffer-size <size>]",
		    "[--flush-interval <time>] [--max-chunk-size <size>]",
		    "[--name <name>] [--no-redact] [--quiet]",
		    "[--repository <folder>] [--preserve-repository]",
		    "[<option>=<value>]... [<event>#<setting>=<value>]...",
		    "-- <command> [<argument>...]" },
	.is_ours = true,
	.summary = "Record the JVMs of a command, or those that run already",
	.examples = {
		"cjfr record -- java -jar app.jar",
		"cjfr record -o app.jfr --settings profile -- java -jar app.jar",
		"cjfr record --interval 5ms --threads \"worker-*\" -- java -jar app.jar",
		"cjfr record --method-timing 'com.acme.**;!::get*' -- java -jar app.jar",
		"cjfr record --method-trace @a.b.GET --threshold 50ms -- java -jar app.jar",
		"cjfr record --duration 1m jdk.CPULoad#period=100ms -- java -jar app.jar",
		"cjfr record --memory --memory-size 64M -- java -jar app.jar",
		"cjfr record -o build-%p.jfr -- mvn verify",
		"cjfr record -o - -- java -jar app.jar | cjfr summary",
	},
	.options = record_rows,
	.parts = parts,
	.tell_more = tell_words,
	.run = run,
};
