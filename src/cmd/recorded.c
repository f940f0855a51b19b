#include "cmd/recorded.h"

#include "cmd/reading.h"
#include "cmd/writing.h"

/*
 * A chunk that is not finished is no fault, nor that the JVM did not end its recording: the
 * caller knows more about it.
 */
static bool take_notes(struct damage *damage)
{
	size_t kept = 0, count = damage->faults.count;
	bool is_unfinished = false;

	for (size_t i = 0; i < count; i++) {
		const struct fault *fault = &damage->faults.items[i];

		if (!fault->is_note)
			damage->faults.items[kept++] = *fault;
		else
			is_unfinished |= fault->first.chunk != SITE_NO_CHUNK;
	}
	damage->faults.count = kept;
	return is_unfinished;
}

enum recorded_how recorded_write(const struct invocation *invocation,
				 const char *repository, int spill, const char *path,
				 bool is_quiet, struct recorded *recorded)
{
	struct copy copy = { .sink = NULL };
	struct reading reading;
	bool is_good, is_empty;

	if (reading_open_repository(&reading, invocation, repository, spill,
				    &is_empty) != STATUS_DONE)
		return is_empty ? RECORDED_NOTHING : RECORDED_FAILED;
	if (!is_quiet)
		reading_show_progress(&reading, false);
	is_good = writing_run(&reading, path, &copy, writing_all);
	*recorded = (struct recorded){
		.chunks = copy.chunks,
		.events = copy.events,
		.bytes = copy.bytes,
		.is_unfinished = take_notes(&reading.damage),
		.is_complete = spill >= 0 && damage_is_none(&reading.damage),
	};
	switch (reading_close(&reading, is_good)) {
	case STATUS_DONE:
	case STATUS_PARTLY:
		return RECORDED_WRITTEN;
	default:
		return RECORDED_FAILED;
	}
}
