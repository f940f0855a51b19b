/*
 * fuzz_verify.c - what is found in a recording lies in it, and is found again.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "jfr/event.h"
#include "render/report.h"

/* Findings told of each cause. */
#define LIMIT 50

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What one run found. */
struct result {
	struct report *report;
	size_t size;		/* of the input */
	uint64_t told;
	uint64_t hash;
	struct verdict verdict;
	bool is_good;
};

static int nowhere(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		abort();
	return fd;
}

static void mix(struct result *result, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;

	while (size-- > 0)
		result->hash = (result->hash ^ *at++) * UINT64_C(0x100000001b3);
}

static bool tell(void *context, const struct finding *finding)
{
	struct result *result = context;

	if (finding->site.at > result->size)
		abort();
	result->told++;
	mix(result, finding->cause.text, strlen(finding->cause.text));
	mix(result, &finding->site.at, sizeof(finding->site.at));
	mix(result, finding->type.bytes, finding->type.size);
	mix(result, finding->detail.bytes, finding->detail.size);
	return report_finding(result->report, "input", finding);
}

static struct input input_of(const uint8_t *data, size_t size)
{
	struct input input = { 0 };

	if (!input_of_bytes(&input, data, size, "input"))
		abort();
	return input;
}

static struct result verify(const uint8_t *data, size_t size, int threads, bool is_json)
{
	struct input input = input_of(data, size);
	struct out out = { .fd = nowhere() };
	struct report report = { .out = &out, .is_json = is_json };
	struct result result = { .report = &report, .size = size };
	struct verify_request request = { &input, threads, LIMIT, tell, &result };
	struct damage damage = { 0 };
	struct err err = { 0 };

	result.is_good = verify_input(&result.verdict, &request, &damage, &err);
	if (!result.is_good && err.kind != ERR_FORMAT)
		abort();
	if (result.is_good)
		report_verdict(&report, "input", &result.verdict);
	else
		report_failure(&report, "input", err.text);
	report_end(&report);
	if (!out_close(&out, NULL))
		abort();
	input_close(&input);
	return result;
}

/* How many events do not fit their fields, for those who skip over values. */
static uint64_t count_misfits(const uint8_t *data, size_t size)
{
	struct input input = input_of(data, size);
	struct damage damage = { 0 };
	struct chunk chunk;
	struct err err;
	uint64_t count = 0;

	while (input_open_next(&input, &chunk, &damage, &err)) {
		struct event_walk walk = event_walk(&chunk, NULL);
		struct event event;

		while (event_next(&walk, &event)) {
			struct cursor cursor = event_cursor(&chunk, &event);

			if (event.type && !event.type->program.is_broken &&
			    !value_skip(&event.type->program, &cursor))
				count++;
		}
		chunk_close(&chunk);
	}
	damage_clear(&damage);
	input_close(&input);
	return count;
}

static uint64_t count_of(const struct verdict *verdict, const char *text)
{
	for (size_t i = 0; i < verdict->kinds.list.count; i++) {
		const struct kind *kind = &verdict->kinds.list.items[i];

		if (strcmp(kind->cause.text, text) == 0)
			return kind->count;
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct result one, other;

	if (size == 0) /* recording_open lets none through */
		return 0;
	one = verify(data, size, 1, false);
	other = verify(data, size, 3, true);
	if (one.is_good != other.is_good || one.hash != other.hash ||
	    one.told != other.told || one.verdict.faults != other.verdict.faults ||
	    one.verdict.remarks != other.verdict.remarks ||
	    one.told > one.verdict.faults + one.verdict.remarks)
		abort();
	if (one.is_good && count_misfits(data, size) !=
				   count_of(&one.verdict,
					    "an event does not fit its fields"))
		abort();
	verdict_clear(&one.verdict);
	verdict_clear(&other.verdict);
	return 0;
}
