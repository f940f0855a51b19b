/*
 * verify.c - cjfr verify: what is wrong with recordings, and where.
 */
#include <string.h>
#include <unistd.h>

#include "base/crew.h"
#include "base/source.h"
#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/reading.h"
#include "cmd/usage.h"
#include "render/report.h"

struct options {
	int jobs;
	int limit;
	bool json, quiet;
};

static const struct option_row rows[] = {
	{ "json", 0, OPTION_FLAG, offsetof(struct options, json), NULL,
	  "As a JSON document" },
	{ "limit", 0, OPTION_COUNT, offsetof(struct options, limit), "<count>",
	  "Findings shown of each cause (default: 1000)" },
	{ "quiet", 'q', OPTION_FLAG, offsetof(struct options, quiet), NULL,
	  "Only what they add up to, a line for each file" },
	OPTION_ROW_OF_JOBS(struct options),
	OPTION_ROW_LAST,
};

/* One input after the other. */
struct job {
	const struct invocation *invocation;
	const struct options *options;
	struct report report;
	const char *name;	/* of the input */
	bool has_verified;	/* any of them */
	bool has_failed;	/* another one */
};

static bool tell(void *context, const struct finding *finding)
{
	struct job *job = context;

	return report_finding(&job->report, job->name, finding);
}

static bool verify(struct job *job, struct reading *reading)
{
	struct verify_request request = {
		.input = &reading->input,
		.threads = crew_size(job->options->jobs),
		.limit = (uint64_t)job->options->limit,
		.tell = tell,
		.context = job,
	};
	struct verdict verdict;
	bool is_good =
		verify_input(&verdict, &request, &reading->damage, &reading->err);

	if (is_good)
		report_verdict(&job->report, job->name, &verdict);
	verdict_clear(&verdict);
	return is_good;
}

/* False when it makes no sense to go on. */
static bool verify_next(struct job *job, const struct words *words, enum status *status)
{
	struct reading reading;

	job->name = source_name(words->count ? words->items[0] : "-");
	*status = reading_open(&reading, job->invocation, words);
	if (*status == STATUS_USAGE)
		return false;
	if (*status == STATUS_DONE) {
		reading_show_progress(&reading, !job->options->quiet);
		*status = reading_close(&reading, verify(job, &reading));
	}
	if (*status == STATUS_DONE)
		job->has_verified = true;
	else if (!job->report.out->error)
		report_failure(&job->report, job->name, reading.err.text);
	job->has_failed |= *status != STATUS_DONE;
	return !job->report.out->error;
}

static enum status finish(struct job *job)
{
	struct err err = { 0 };

	report_end(&job->report);
	if (!out_close(job->report.out, &err)) {
		complain(job->invocation, "%s", err.text);
		return STATUS_FAILED;
	}
	if (!job->has_verified)
		return STATUS_FAILED;
	return job->has_failed || job->report.faults ? STATUS_PARTLY : STATUS_DONE;
}

static enum status run(const struct invocation *invocation)
{
	struct options options = { .limit = 1000 };
	struct out out = { .fd = STDOUT_FILENO };
	struct job job = { .invocation = invocation, .options = &options };
	struct words words;
	enum status status;
	size_t i = 0;

	if (!options_read(invocation, &options, &words, &status))
		return status;
	job.report = (struct report){ .out = &out, .is_json = options.json,
				      .is_quiet = options.quiet };
	do {
		struct words one = { words.items + i, words.count ? 1 : 0 };

		if (!verify_next(&job, &one, &status))
			break;
	} while (++i < words.count);
	return status == STATUS_USAGE ? status : finish(&job);
}

const struct command cmd_verify = {
	.name = "verify",
	.is_ours = true,
	.syntax = { "[--json]", "[--limit <count>]", "[-q]", "[-j <threads>]" },
	.file = FILE_OR_INPUT,
	.summary = "Show what is wrong with a recording, and where",
	.examples = {
		"cjfr verify recording.jfr",
		"cjfr verify -q *.jfr",
		"cjfr verify --json recording.jfr | jq '.files[].findings[]'",
	},
	.options = rows,
	.run = run,
};
