#include "cmd/recordstate.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/now.h"
#include "cmd/progress.h"
#include "cmd/recordtarget.h"
#include "control/eventsettings.h"
#include "control/orders.h"
#include "jfr/clock.h"
#include "jfr/eventtypes.h"
#include "jfr/units.h"
#include "render/quote.h"
#include "render/tame.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define TEXT(text_) ((union grid_cell){ .text = (text_) })
#define NUMBER(number_) ((union grid_cell){ .number = (int64_t)(number_) })
#define FLAG(flag_) TEXT((flag_) ? STR("true") : STR("false"))

/* --- settings -------------------------------------------------------------------- */

/* Takes each setting of the events that are on; `context` as it was given. */
typedef void settings_see(void *context, const char *event, const char *name,
			  struct str value);

static void see_event(const struct event_settings *settings,
		      const struct schema_type *type, settings_see *see, void *context)
{
	const struct event_setting *of = event_setting_of(settings, type->id);
	size_t i = 0;

	for (const struct schema_setting *at = type->settings; at && at->name; at++, i++) {
		if (i < EVENT_SETTINGS_MAX && of->texts[i].size)
			see(context, type->name, at->name, of->texts[i]);
	}
}

static void settings_each(struct str text, settings_see *see, void *context)
{
	struct event_settings settings;
	struct orders orders;
	struct err err;

	orders_init(&orders);
	if (text.size && orders_read(&orders, text, &err) &&
	    event_settings_read(&settings, &orders, &err)) {
		for (size_t i = 0; i < EVENT_COUNT; i++) {
			const struct schema_type *type = &eventtypes[i];

			if (event_setting_of(&settings, type->id)->is_enabled)
				see_event(&settings, type, see, context);
		}
	}
	orders_clear(&orders);
}

/* --- for people ------------------------------------------------------------------ */

static void add_time(struct buf *to, int64_t nanos)
{
	time_t seconds = (time_t)(nanos / SECOND);
	struct tm parts;
	char text[32];

	if (localtime_r(&seconds, &parts) &&
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &parts))
		buf_text(to, text);
}

static void add_span(struct buf *to, int64_t nanos)
{
	units_timespan(to, time_of_nanos(nanos), false);
}

static void add_size(struct buf *to, uint64_t bytes)
{
	char text[PROGRESS_SIZE_MAX];

	progress_size(text, bytes);
	buf_text(to, text);
}

static void label(struct buf *to, int indent, const char *text)
{
	buf_printf(to, "\n%*s%-*s", indent, "", 16 - indent, text);
}

static void add_state(struct buf *to, const struct recording_facts *facts)
{
	static const char *const begun[] = {
		[FACTS_DELAYED] = ", begins ",
		[FACTS_RUNNING] = " since ",
		[FACTS_STOPPED] = ", ran from ",
		[FACTS_FAILED] = ", ran from ",
	};

	buf_text(to, facts_state_word(facts->state));
	if (facts->begun) {
		buf_text(to, begun[facts->state]);
		add_time(to, facts->begun);
	}
	if (facts->ended) {
		buf_text(to, " to ");
		add_time(to, facts->ended);
	}
	if (facts->why.size) {
		buf_text(to, ": ");
		tame_line(to, facts->why);
	}
}

static void add_limits(struct buf *to, const struct recording_facts *facts)
{
	const char *between = "";

	if (!facts->duration && !facts->max_age && !facts->max_size)
		return;
	label(to, 4, "Limits");
	if (facts->duration) {
		buf_text(to, "ends after ");
		add_span(to, facts->duration);
		between = ", ";
	}
	if (facts->max_age) {
		buf_printf(to, "%skeeps ", between);
		add_span(to, facts->max_age);
		between = ", ";
	}
	if (facts->max_size) {
		buf_printf(to, "%skeeps ", between);
		add_size(to, (uint64_t)facts->max_size);
	}
}

struct lines {
	struct buf *to;
	bool has_begun;
};

static void add_line(void *context, const char *event, const char *name,
		     struct str value)
{
	struct lines *lines = context;

	label(lines->to, 4, lines->has_begun ? "" : "Settings");
	lines->has_begun = true;
	buf_printf(lines->to, "%s#%s=", event, name);
	tame_line(lines->to, value);
}

static void add_recording(struct buf *to, const struct record_told *told,
			  bool with_settings)
{
	const struct recording_facts *facts = &told->facts;
	struct lines lines = { to, false };

	buf_printf(to, "\n\n  Recording %llu", (unsigned long long)facts->id);
	if (facts->name.size) {
		buf_text(to, " (");
		tame_line(to, facts->name);
		buf_byte(to, ')');
	}
	label(to, 4, "State");
	add_state(to, facts);
	add_limits(to, facts);
	label(to, 4, "Data");
	add_size(to, facts->bytes);
	buf_printf(to, " in %llu chunk%s, %s", (unsigned long long)facts->chunks,
		   facts->chunks == 1 ? "" : "s", facts->to_disk ? "on disk" : "in memory");
	if (facts->lost_events)
		buf_printf(to, "; %llu event%s lost",
			   (unsigned long long)facts->lost_events,
			   facts->lost_events == 1 ? "" : "s");
	if (facts->destination.size) {
		label(to, 4, "Destination");
		tame_line(to, facts->destination);
	}
	if (with_settings)
		settings_each(told->settings, add_line, &lines);
}

static void add_engine(struct buf *to, const struct engine_facts *facts)
{
	label(to, 2, "Agent");
	tame_line(to, facts->version);
	buf_text(to, facts->is_launched ? ", there since the JVM began, "
					: ", attached ");
	add_time(to, facts->attached);
	if (facts->repository.size) {
		label(to, 2, "Repository");
		tame_line(to, facts->repository);
	}
	label(to, 2, "Events");
	buf_printf(to, "%llu, %llu lost", (unsigned long long)facts->events,
		   (unsigned long long)facts->lost_events);
	if (facts->lost_bytes) {
		buf_text(to, " (");
		add_size(to, facts->lost_bytes);
		buf_byte(to, ')');
	}
	label(to, 2, "Memory");
	add_size(to, facts->memory_used);
	buf_text(to, " of ");
	add_size(to, facts->memory_size);
	label(to, 2, "CPU time");
	buf_text(to, "recorder ");
	add_span(to, (int64_t)facts->cpu_flusher);
	buf_text(to, ", samples ");
	add_span(to, (int64_t)facts->cpu_handler);
	label(to, 2, "Samples");
	if (facts->interval) {
		buf_text(to, "every ");
		add_span(to, (int64_t)facts->interval);
	} else {
		buf_text(to, "none");
	}
	label(to, 2, "Probes");
	buf_printf(to, "in %llu method%s of %llu class%s",
		   (unsigned long long)facts->probed_methods,
		   facts->probed_methods == 1 ? "" : "s",
		   (unsigned long long)facts->probed_classes,
		   facts->probed_classes == 1 ? "" : "es");
}

static void add_vm(struct buf *to, const struct vm *vm, const char *engine)
{
	buf_printf(to, "Process %ld", (long)vm->pid);
	if (*vm->main) {
		buf_text(to, " (");
		tame_line(to, str_of(vm->main));
		buf_byte(to, ')');
	}
	buf_text(to, ", user ");
	tame_line(to, str_of(vm->user));
	if (*vm->version) {
		buf_text(to, ", Java ");
		tame_line(to, str_of(vm->version));
	}
	buf_printf(to, ": %s", engine);
}

static void write_text(struct buf *to, const struct vm *vm, const char *engine,
		       const struct record_state *state, bool with_settings)
{
	add_vm(to, vm, engine);
	if (state->has_engine)
		add_engine(to, &state->engine);
	for (size_t i = 0; i < state->of.count; i++)
		add_recording(to, &state->of.items[i], with_settings);
	if (!state->of.count)
		buf_text(to, "\n\n  No recording");
	buf_byte(to, '\n');
}

/* --- for programs ---------------------------------------------------------------- */

static const struct grid_column columns[] = {
	/* Of the JVM, */
	{ "pid", "", GRID_INTEGER, false },
	{ "user", "", GRID_STRING, false },
	{ "version", "", GRID_STRING, false },
	{ "main", "", GRID_STRING, false },
	{ "engine", "", GRID_STRING, false },
	/* and of the recording. */
	{ "recording", "", GRID_INTEGER, false },
	{ "name", "", GRID_STRING, false },
	{ "state", "", GRID_STRING, false },
	{ "why", "", GRID_STRING, false },
	{ "begun", "", GRID_TIME, false },
	{ "ended", "", GRID_TIME, false },
	{ "durationNanos", "", GRID_SPAN, false },
	{ "maxAgeNanos", "", GRID_SPAN, false },
	{ "maxBytes", "", GRID_SPAN, false },
	{ "onDisk", "", GRID_READY, false },
	{ "chunks", "", GRID_INTEGER, false },
	{ "bytes", "", GRID_BYTES, false },
	{ "lostEvents", "", GRID_INTEGER, false },
	{ "destination", "", GRID_STRING, false },
};

#define COLUMNS_OF_VM 5

static const struct grid_column setting_columns[] = {
	{ "pid", "", GRID_INTEGER, false },
	{ "engine", "", GRID_STRING, false },
	{ "recording", "", GRID_INTEGER, false },
	{ "name", "", GRID_STRING, false },
	{ "event", "", GRID_STRING, false },
	{ "setting", "", GRID_STRING, false },
	{ "value", "", GRID_STRING, false },
};

static const struct grid_column engine_columns[] = {
	{ "agent", "", GRID_STRING, false },
	{ "launched", "", GRID_READY, false },
	{ "since", "", GRID_TIME, false },
	{ "innerPid", "", GRID_INTEGER, false },
	{ "repository", "", GRID_STRING, false },
	{ "events", "", GRID_INTEGER, false },
	{ "lostEvents", "", GRID_INTEGER, false },
	{ "lostBytes", "", GRID_BYTES, false },
	{ "memoryBytes", "", GRID_BYTES, false },
	{ "usedBytes", "", GRID_BYTES, false },
	{ "recorderCpuNanos", "", GRID_SPAN, false },
	{ "samplesCpuNanos", "", GRID_SPAN, false },
	{ "intervalNanos", "", GRID_SPAN, false },
	{ "probedClasses", "", GRID_INTEGER, false },
	{ "probedMethods", "", GRID_INTEGER, false },
};

static union grid_cell known(struct str text)
{
	return TEXT(text.size ? text : ((struct str){ NULL, 0 }));
}

static union grid_cell given(int64_t number)
{
	return NUMBER(number ? number : INT64_MIN);
}

static void fill_vm(union grid_cell *cells, const struct vm *vm, const char *engine)
{
	cells[0] = NUMBER(vm->pid);
	cells[1] = TEXT(str_of(vm->user));
	cells[2] = known(str_of(vm->version));
	cells[3] = known(str_of(vm->main));
	cells[4] = TEXT(str_of(engine));
}

/* Behind those of the JVM. */
static void fill_recording(union grid_cell *cells, const struct recording_facts *facts)
{
	const union grid_cell of[] = {
		NUMBER(facts->id),
		known(facts->name),
		TEXT(str_of(facts_state_word(facts->state))),
		known(facts->why),
		given(facts->begun),
		given(facts->ended),
		given(facts->duration),
		given(facts->max_age),
		given(facts->max_size),
		FLAG(facts->to_disk),
		NUMBER(facts->chunks),
		NUMBER(facts->bytes),
		NUMBER(facts->lost_events),
		known(facts->destination),
	};

	for (size_t i = 0; i < COUNT(of); i++)
		cells[i] = of[i];
}

static void add_engine_members(struct buf *to, const struct engine_facts *facts)
{
	const union grid_cell cells[] = {
		TEXT(facts->version),
		FLAG(facts->is_launched),
		given(facts->attached),
		NUMBER(facts->pid),
		known(facts->repository),
		NUMBER(facts->events),
		NUMBER(facts->lost_events),
		NUMBER(facts->lost_bytes),
		NUMBER(facts->memory_size),
		NUMBER(facts->memory_used),
		NUMBER(facts->cpu_flusher),
		NUMBER(facts->cpu_handler),
		given((int64_t)facts->interval),
		NUMBER(facts->probed_classes),
		NUMBER(facts->probed_methods),
	};

	buf_text(to, ",\n\"state\":{");
	grid_add_members(to, engine_columns, COUNT(engine_columns), cells);
	buf_byte(to, '}');
}

static void add_member(void *context, const char *event, const char *name,
		       struct str value)
{
	struct lines *lines = context;
	char key[256];

	snprintf(key, sizeof(key), "%s#%s", event, name);
	buf_text(lines->to, lines->has_begun ? "," : "");
	lines->has_begun = true;
	quote_add(lines->to, str_of(key), QUOTE_UTF8);
	buf_byte(lines->to, ':');
	quote_add(lines->to, value, QUOTE_UTF8);
}

static void add_object(struct buf *to, const struct record_told *told,
		       bool with_settings)
{
	union grid_cell cells[COUNT(columns)];
	struct lines lines = { to, false };

	fill_recording(cells + COLUMNS_OF_VM, &told->facts);
	buf_text(to, "\n{");
	grid_add_members(to, columns + COLUMNS_OF_VM, COUNT(columns) - COLUMNS_OF_VM,
			 cells + COLUMNS_OF_VM);
	if (with_settings) {
		buf_text(to, ",\n\"settings\":{");
		settings_each(told->settings, add_member, &lines);
		buf_byte(to, '}');
	}
	buf_byte(to, '}');
}

static void write_json(struct buf *to, const struct vm *vm, const char *engine,
		       const struct record_state *state, bool with_settings)
{
	union grid_cell cells[COLUMNS_OF_VM];

	fill_vm(cells, vm, engine);
	buf_byte(to, '{');
	grid_add_members(to, columns, COLUMNS_OF_VM, cells);
	if (state->has_engine)
		add_engine_members(to, &state->engine);
	buf_text(to, ",\n\"recordings\":[");
	for (size_t i = 0; i < state->of.count; i++) {
		buf_text(to, i ? "," : "");
		add_object(to, &state->of.items[i], with_settings);
	}
	buf_text(to, state->of.count ? "\n]}" : "]}");
}

struct settings_rows {
	struct grid *grid;
	const struct vm *vm;
	const char *engine;
	const struct recording_facts *facts;
};

static void add_settings_row(void *context, const char *event, const char *name,
			     struct str value)
{
	const struct settings_rows *rows = context;

	grid_row(rows->grid, (const union grid_cell[]){
		NUMBER(rows->vm->pid),
		TEXT(str_of(rows->engine)),
		NUMBER(rows->facts->id),
		known(rows->facts->name),
		TEXT(str_of(event)),
		TEXT(str_of(name)),
		TEXT(value),
	});
}

static void add_rows(struct record_states *states, const struct vm *vm,
		     const char *engine, const struct record_state *state)
{
	union grid_cell cells[COUNT(columns)];

	for (size_t i = 0; i < state->of.count; i++) {
		struct settings_rows rows = { &states->grid, vm, engine,
					      &state->of.items[i].facts };

		fill_vm(cells, vm, engine);
		fill_recording(cells + COLUMNS_OF_VM, rows.facts);
		if (states->with_settings)
			settings_each(state->of.items[i].settings, add_settings_row,
				      &rows);
		else
			grid_row(&states->grid, cells);
	}
}

/* --- all of them ----------------------------------------------------------------- */

void record_states_begin(struct record_states *states, enum record_states_format format,
			 bool with_settings)
{
	*states = (struct record_states){
		.out = { .fd = STDOUT_FILENO, .is_terminal = isatty(STDOUT_FILENO) },
		.format = format,
		.with_settings = with_settings,
	};
	if (format == RECORD_STATES_CSV && with_settings)
		grid_begin(&states->grid, &grid_csv, setting_columns,
			   COUNT(setting_columns), &states->out);
	else if (format == RECORD_STATES_CSV)
		grid_begin(&states->grid, &grid_csv, columns, COUNT(columns),
			   &states->out);
	else if (format == RECORD_STATES_JSON)
		buf_text(&states->out.buf, "{\"version\":\"1\",\n\"jvms\":[\n");
}

void record_states_add(struct record_states *states, const struct vm *vm,
		       const char *engine, const struct record_state *state)
{
	struct buf *to = &states->out.buf;

	if (states->format == RECORD_STATES_CSV) {
		add_rows(states, vm, engine, state);
	} else if (states->format == RECORD_STATES_JSON) {
		buf_text(to, states->count ? ",\n" : "");
		write_json(to, vm, engine, state, states->with_settings);
	} else {
		buf_text(to, states->count ? "\n" : "");
		write_text(to, vm, engine, state, states->with_settings);
	}
	states->count++;
	out_drain(&states->out);
}

bool record_states_end(struct record_states *states, struct err *err)
{
	if (states->format == RECORD_STATES_CSV)
		grid_end(&states->grid);
	else if (states->format == RECORD_STATES_JSON)
		buf_text(&states->out.buf, states->count ? "\n]}\n" : "]}\n");
	return out_close(&states->out, err);
}
