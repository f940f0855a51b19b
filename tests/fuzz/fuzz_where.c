/*
 * fuzz_where.c - the options that choose events.
 *
 * The first line of the input is tried as each of them; what stands behind it is the
 * recording that it is asked of, or if nothing does, the shop. An input that begins as
 * a recording is one, and asked a few things.
 */
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/timespan.h"
#include "filter/outcome.h"
#include "jfr/checkpoint.h"
#include "jfr/input.h"
#include "shop.h"

/* People write no more, and patterns of many stars take their time. */
#define LINE_MAX 300

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good)
{
	if (!good)
		abort();
}

static void check_notes(const struct outcome *outcome, const struct filter *filter)
{
	struct err note = { 0 };
	size_t at = 0;

	while (outcome_note(outcome, filter, &at, &note))
		must(note.text[0] && strlen(note.text) < sizeof(note.text));
}

/* What one condition says of an event, with all else that the filter asks for. */
static bool is_accepted(struct selection *selection, const struct event *event,
			int64_t start, int64_t end, bool *is_known)
{
	bool accepts = selection_accepts(selection, event, start, end);
	bool again = selection_accepts(selection, event, start, end);

	must(accepts == again && !selection->failed && (!accepts || !selection->fault));
	must(!accepts || selection_has_type(selection, event->type));
	*is_known = !selection->fault;
	return accepts;
}

/* A condition and its opposite: one of them holds, where both can be asked. */
static void ask_events(const struct chunk *chunk, struct selection *selection,
		       struct selection *opposite)
{
	struct event_walk walk = event_walk(chunk, NULL);
	struct event event;
	int64_t start, end;

	while (event_next(&walk, &event)) {
		bool is_known, is_known_too, accepts, accepts_not;

		if (!event.type || !event_ticks(chunk, &event, &start, &end))
			continue;
		accepts = is_accepted(selection, &event, start, end, &is_known);
		accepts_not = is_accepted(opposite, &event, start, end, &is_known_too);
		must(!accepts || !accepts_not);
		must(is_known == is_known_too);
		if (selection_has_type(selection, event.type) && is_known)
			must(accepts || accepts_not);
	}
}

static void ask_chunk(const struct chunk *chunk, const struct filter *filter,
		      const struct filter *opposite)
{
	struct selection selection = { 0 }, other = { 0 };
	struct outcome outcome = { 0 };

	must(selection_open(&selection, chunk, filter, NULL));
	must(selection_open(&other, chunk, opposite, NULL));
	ask_events(chunk, &selection, &other);
	must(outcome_add(&outcome, &selection));
	check_notes(&outcome, filter);
	outcome_clear(&outcome);
	selection_close(&selection);
	selection_close(&other);
}

/* The same condition twice: as it is, and turned round. */
static void ask_condition(const struct chunk *chunk, struct str line)
{
	struct filter filter = { .events = { NULL, 0 } }, opposite = filter;

	if (filter_add_condition(&filter, line, NULL)) {
		must(filter_add_condition(&opposite, line, NULL));
		opposite.conditions.items[0]->is_negated ^= true;
		ask_chunk(chunk, &filter, &opposite);
	}
	filter_clear(&filter);
	filter_clear(&opposite);
}

/* Threads, windows and lengths, each alone. */
static void ask_others(const struct chunk *chunk, struct str line)
{
	static bool (*const options[])(struct filter *, struct str, struct err *) = {
		filter_set_from,
		filter_set_to,
		filter_set_last,
		filter_set_min_duration,
	};

	for (size_t i = 0; i <= sizeof(options) / sizeof(options[0]); i++) {
		struct event_walk walk = event_walk(chunk, NULL);
		struct selection selection = { 0 };
		struct filter filter = { .events = { NULL, 0 } };
		struct event event;
		int64_t start, end;
		bool is_known;

		if (i == sizeof(options) / sizeof(options[0]))
			filter.threads = line;
		else if (!options[i](&filter, line, NULL))
			continue;
		filter_resolve(&filter, chunk->header.start_nanos,
			       chunk->header.start_ticks, chunk->zone);
		must(selection_open(&selection, chunk, &filter, NULL));
		while (event_next(&walk, &event)) {
			if (event.type && event_ticks(chunk, &event, &start, &end))
				is_accepted(&selection, &event, start, end, &is_known);
		}
		selection_close(&selection);
	}
}

static void parse(struct str line)
{
	struct err err = { 0 };
	struct date date;
	int64_t nanos;

	must(timespan_parse(line, &nanos, NULL, &err) || err.kind == ERR_USAGE);
	must(date_parse(line, &date, &err) || err.kind == ERR_USAGE);
	if (date_parse(line, &date, &err) && date.kind == DATE_OF_DAY)
		must(date.nanos >= 0 && date.nanos < DATE_DAY);
}

static const struct chunk *shop(void)
{
	static struct made made;

	if (!made.bytes) {
		writer_describe(&made.writer, make_jdk_types);
		make_begin(&made, shop_types);
		shop_constants(&made.writer);
		shop_events(&made.writer, 0);
		must(make_open(&made));
		made.chunk.clock = clock_of(&made.chunk.header);
	}
	return &made.chunk;
}

static void ask_recording(const uint8_t *data, size_t size, struct str line)
{
	struct input input = { 0 };
	struct damage damage = { 0 };
	struct chunk chunk;
	struct err err;

	must(input_of_bytes(&input, data, size, "input"));
	while (input_open_next(&input, &chunk, &damage, &err)) {
		if (checkpoint_load(&chunk, &damage, &err)) {
			ask_condition(&chunk, line);
			ask_others(&chunk, line);
		}
		chunk_close(&chunk);
	}
	damage_clear(&damage);
	input_close(&input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct str questions[] = {
		STR("stackTrace ~ *a*"),
		STR("eventThread = main"),
		STR("duration > 1ms"),
		STR("eventThread.group.parent != null"),
		STR("1s"),
		STR("*a*,1"),
	};
	struct str rest = { (const char *)data, size }, line = { "", 0 };

	if (size >= 4 && memcmp(data, "FLR", 4) == 0) {
		for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++)
			ask_recording(data, size, questions[i]);
		return 0;
	}
	str_split(&rest, '\n', &line);
	if (line.size > LINE_MAX)
		return 0;
	parse(line);
	if (rest.size) {
		ask_recording((const uint8_t *)rest.bytes, rest.size, line);
	} else {
		ask_condition(shop(), line);
		ask_others(shop(), line);
	}
	return 0;
}
