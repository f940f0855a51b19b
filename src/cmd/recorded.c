#include "cmd/recorded.h"

#include "cmd/reading.h"
#include "cmd/writing.h"
#include "copy/merge.h"

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

/* What was read is written; closes it. */
static enum recorded_how close_written(struct reading *reading, const struct copy *copy,
				       bool is_good, struct recorded *recorded)
{
	*recorded = (struct recorded){
		.chunks = copy->chunks,
		.events = copy->events,
		.bytes = copy->bytes,
		.is_unfinished = take_notes(&reading->damage),
		.is_complete = damage_is_none(&reading->damage),
	};
	switch (reading_close(reading, is_good)) {
	case STATUS_DONE:
	case STATUS_PARTLY:
		return RECORDED_WRITTEN;
	default:
		return RECORDED_FAILED;
	}
}

enum recorded_how recorded_write(const struct invocation *invocation,
				 const char *repository, int spill, const char *path,
				 bool is_quiet, struct recorded *recorded)
{
	struct copy copy = { .sink = NULL };
	struct reading reading;
	enum recorded_how how;
	bool is_good, is_empty;

	if (reading_open_repository(&reading, invocation, repository, spill,
				    &is_empty) != STATUS_DONE)
		return is_empty ? RECORDED_NOTHING : RECORDED_FAILED;
	if (!is_quiet)
		reading_show_progress(&reading, false);
	is_good = writing_run(&reading, path, &copy, writing_all);
	how = close_written(&reading, &copy, is_good, recorded);
	recorded->is_complete &= spill >= 0;
	return how;
}

static bool write_merged(struct reading *reading, struct copy *copy)
{
	return merge_input(merge_of(copy), &reading->input, &reading->damage,
			   &reading->err);
}

enum recorded_how recorded_merge(const struct invocation *invocation,
				 const char *const *paths, size_t count,
				 const char *path, bool is_quiet,
				 struct recorded *recorded)
{
	struct merge merge = { .copy.sink = NULL };
	char **items = (char **)(uintptr_t)paths;
	const struct words words = { items, count };
	struct reading reading;
	enum recorded_how how;
	bool is_good;

	if (reading_open(&reading, invocation, &words) != STATUS_DONE)
		return RECORDED_FAILED;
	if (!is_quiet)
		reading_show_progress(&reading, false);
	is_good = writing_run(&reading, path, &merge.copy, write_merged);
	how = close_written(&reading, &merge.copy, is_good, recorded);
	merge_clear(&merge);
	return how;
}
