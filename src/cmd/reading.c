#include "cmd/reading.h"

#include <unistd.h>

#include "base/source.h"
#include "cmd/usage.h"
#include "jfr/unpack.h"

static void init(struct reading *reading, const struct invocation *invocation)
{
	*reading = (struct reading){ .invocation = invocation,
				     .input.unpacker = &unpack_archive,
				     .out = { .fd = STDOUT_FILENO,
					      .is_terminal = isatty(STDOUT_FILENO) } };
}

static bool open_input(struct reading *reading, const char *const *paths, size_t count)
{
	reading->input.rests = reading->remains.rests.items;
	reading->input.rest_count = reading->remains.rests.count;
	return input_open(&reading->input, paths, count, &reading->damage,
			  &reading->err);
}

static bool open_words(struct reading *reading, const struct words *words)
{
	static const char *const standard_input[] = { "-" };
	struct remains *remains = &reading->remains;

	if (!words->count)
		return open_input(reading, standard_input, 1);
	return remains_find(remains, (const char *const *)words->items, words->count,
			    &reading->damage, &reading->err) &&
	       open_input(reading, remains->paths.items, remains->paths.count);
}

enum status reading_open(struct reading *reading, const struct invocation *invocation,
			 const struct words *words)
{
	init(reading, invocation);
	if (!words->count && invocation->is_jfr)
		return complain_usage(invocation, "missing file");
	if (!words->count && !source_waits())
		return complain_usage(invocation, "missing file (and standard input "
						  "is neither a pipe nor a file)");
	return open_words(reading, words) ? STATUS_DONE : reading_close(reading, false);
}

enum status reading_open_repository(struct reading *reading,
				    const struct invocation *invocation,
				    const char *repository, int spill, bool *is_empty)
{
	init(reading, invocation);
	*is_empty = false;
	if (spill >= 0 && !remains_take(&reading->remains, repository, spill,
					&reading->damage, &reading->err))
		return reading_close(reading, false);
	if (open_input(reading, &repository, 1))
		return STATUS_DONE;
	*is_empty = damage_is_none(&reading->damage) &&
		    reading->err.kind == ERR_FORMAT;
	if (*is_empty) {
		damage_clear(&reading->damage);		/* there are notes */
		reading->err.kind = ERR_NONE;
	}
	return reading_close(reading, false);
}

enum status reading_open_bytes(struct reading *reading,
			       const struct invocation *invocation, const char *name,
			       const void *bytes, size_t size)
{
	init(reading, invocation);
	if (input_of_bytes(&reading->input, bytes, size, name))
		return STATUS_DONE;
	err_memory(&reading->err);
	return reading_close(reading, false);
}

/* " (and 7 more times)" for a count of eight, nothing for one. */
static const char *more_of(uint64_t count, char *to, size_t size)
{
	*to = '\0';
	if (count > 1)
		snprintf(to, size, " (and %llu more time%s)",
			 (unsigned long long)count - 1, count > 2 ? "s" : "");
	return to;
}

/* "cjfr print: r.jfr: chunk 2 at byte 81234: shop.Sale: cause: detail (and once more)" */
static void tell_fault(const struct reading *reading, const struct fault *fault)
{
	char place[SITE_TEXT_MAX], more[48];

	complain(reading->invocation, "%s: %s%s%s%s%s%s%s%s", fault->first.file,
		 fault->is_note ? "note: " : "",
		 site_text(&fault->first, place), fault->type,
		 *fault->type ? ": " : "", fault->cause, *fault->detail ? ": " : "",
		 fault->detail, more_of(fault->count, more, sizeof(more)));
}

void reading_show_progress(struct reading *reading, bool is_printing)
{
	progress_begin(&reading->progress, &reading->input, is_printing);
}

bool reading_resolve(struct reading *reading, struct filter *filter)
{
	struct input *input = &reading->input;
	struct input_span span = { 0 };
	int zone;

	if (!filter_has_window(filter))
		return true;
	if ((filter_needs_start(filter) || filter_needs_end(filter)) &&
	    !input_survey(input, &span, &reading->damage, &reading->err))
		return false;
	zone = input->zone_kind == ZONE_UTC ? 0 : span.zone;
	if (input->zone_kind == ZONE_LOCAL)
		zone = CLOCK_ZONE_LOCAL;
	filter_resolve(filter, span.start, span.end, zone);
	return true;
}

bool reading_tell_outcome(struct reading *reading, const struct filter *filter,
			  struct outcome *outcome)
{
	struct err note;
	bool is_told = false;
	size_t at = 0;

	progress_end(&reading->progress);
	outcome->is_partial = !damage_is_none(&reading->damage);
	while (outcome_note(outcome, filter, &at, &note)) {
		complain(reading->invocation, "note: %s", note.text);
		is_told = true;
	}
	outcome_clear(outcome);
	return is_told;
}

static enum status tell_end(struct reading *reading, bool is_good)
{
	const struct damage *damage = &reading->damage;
	struct err err = { 0 };
	bool is_written = out_close(&reading->out, &err);

	progress_end(&reading->progress);
	for (size_t i = 0; i < damage->faults.count; i++)
		tell_fault(reading, &damage->faults.items[i]);
	if (!is_good && reading->err.kind != ERR_NONE)
		complain(reading->invocation, "%s", reading->err.text);
	else if (!is_written)
		complain(reading->invocation, "%s", err.text);
	if (!is_good && reading->err.kind == ERR_USAGE)
		return STATUS_USAGE;
	if (!is_good || !is_written)
		return STATUS_FAILED;
	return damage_is_none(damage) ? STATUS_DONE : STATUS_PARTLY;
}

enum status reading_close(struct reading *reading, bool is_good)
{
	enum status status = tell_end(reading, is_good);

	damage_clear(&reading->damage);
	input_close(&reading->input);
	remains_clear(&reading->remains);
	return status;
}
