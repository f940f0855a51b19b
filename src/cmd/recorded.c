#include "cmd/recorded.h"

#include "cmd/reading.h"
#include "cmd/writing.h"

/*
 * A chunk that is not finished is no fault; the caller knows more about it. Other notes
 * are of files that are no recordings: the agent's log.
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

bool recorded_write(const struct invocation *invocation, const char *repository,
		    const char *path, bool is_quiet, struct recorded *recorded)
{
	char *paths[] = { (char *)(uintptr_t)repository };
	const struct words words = { paths, 1 };
	struct copy copy = { .sink = NULL };
	struct reading reading;
	bool is_good;

	if (reading_open(&reading, invocation, &words) != STATUS_DONE)
		return false;
	if (!is_quiet)
		reading_show_progress(&reading, false);
	is_good = writing_run(&reading, path, &copy, writing_all);
	*recorded = (struct recorded){ copy.chunks, copy.events, copy.bytes,
				       is_good && take_notes(&reading.damage) };
	switch (reading_close(&reading, is_good)) {
	case STATUS_DONE:
	case STATUS_PARTLY:
		return true;
	default:
		return false;
	}
}
