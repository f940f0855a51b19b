#include "jvms/jfranswer.h"

#include "base/number.h"
#include "base/scale.h"
#include "base/timespan.h"

static const struct str warning_mark = { "Warning! ", 9 };

/* Takes the text off the front. */
static bool take_text(struct str *from, struct str text)
{
	if (!str_starts(*from, text))
		return false;
	from->bytes += text.size;
	from->size -= text.size;
	return true;
}

/* A number without a sign; 0 if there is none, or it is too large. */
static uint64_t take_id(struct str *from)
{
	struct str digits = { from->bytes, 0 };
	int64_t id;

	while (digits.size < from->size && from->bytes[digits.size] >= '0' &&
	       from->bytes[digits.size] <= '9')
		digits.size++;
	from->bytes += digits.size;
	from->size -= digits.size;
	return number_java(digits, &id) && id > 0 ? (uint64_t)id : 0;
}

/* The next line that says something. */
static bool next_line(struct str *rest, struct str *line)
{
	while (str_split(rest, '\n', line)) {
		*line = str_trim(*line);
		if (line->size)
			return true;
	}
	return false;
}

bool jfranswer_warning(struct str *answer, struct str *warning)
{
	struct str rest = *answer;

	if (!next_line(&rest, warning) || !take_text(warning, warning_mark))
		return false;
	*answer = rest;
	return true;
}

/* The first line behind the warnings; of nothing an empty one. */
static struct str first_line(struct str *answer)
{
	struct str line;

	while (jfranswer_warning(answer, &line))
		;
	return next_line(answer, &line) ? line : STR("");
}

/* --- recordings ------------------------------------------------------------------ */

/* "250.0MB", "976.6kB", "12 bytes", where 1024 are one more; 0: not understood. */
static uint64_t size_of(struct str text)
{
	struct number number;
	struct product product;
	uint64_t factor;

	if (!number_take(&text, &number) ||
	    !scale_read(&scale_of_bytes, str_trim(text), &factor))
		return 0;
	product = number_times(&number, factor);
	return product.whole > INT64_MAX ? INT64_MAX : (uint64_t)product.whole;
}

static int64_t span_of(struct str text)
{
	int64_t nanos;

	return timespan_parse(text, &nanos, NULL, NULL) && nanos > 0 ? nanos : 0;
}

/* Puts " key=value" at the end of the line where it belongs, and takes it off. */
static bool take_fact(struct str *line, struct recording_facts *facts)
{
	size_t at = line->size;
	struct str key, value;

	/* Its value may have a blank in it: "12 bytes". */
	if (str_ends(*line, STR(" bytes")))
		at -= 6;
	while (at && line->bytes[at - 1] != ' ')
		at--;
	if (at < 2)
		return false;
	value = (struct str){ line->bytes + at, line->size - at };
	if (!str_split(&value, '=', &key) || !value.size)
		return false;
	if (str_is(key, STR("duration")))
		facts->duration = span_of(value);
	else if (str_is(key, STR("maxage")))
		facts->max_age = span_of(value);
	else if (str_is(key, STR("maxsize")))
		facts->max_size = (int64_t)size_of(value);
	else
		return false;
	line->size = at - 1;
	return true;
}

static const struct {
	struct str word;
	enum facts_state state;
} states[] = {
	{ STR("(new)"), FACTS_DELAYED },
	{ STR("(delayed)"), FACTS_DELAYED },
	{ STR("(running)"), FACTS_RUNNING },
	{ STR("(stopping)"), FACTS_RUNNING },
	{ STR("(stopped)"), FACTS_STOPPED },
};

static bool take_state(struct str *line, enum facts_state *state)
{
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (!str_ends(*line, states[i].word))
			continue;
		line->size -= states[i].word.size;
		*line = str_trim(*line);
		*state = states[i].state;
		return true;
	}
	return false;
}

/* "Recording 1: name=a b duration=1h maxsize=976.6kB (running)". */
static bool read_recording(struct recording_facts *facts, struct str line)
{
	*facts = (struct recording_facts){ .to_disk = true };
	if (!take_text(&line, STR("Recording ")))
		return false;
	facts->id = take_id(&line);
	if (!facts->id || !take_text(&line, STR(": name=")) ||
	    !take_state(&line, &facts->state))
		return false;
	while (take_fact(&line, facts))
		;
	facts->name = line;
	return true;
}

bool jfranswer_recordings(struct jfranswer_recordings *all, struct str answer,
			  struct err *err)
{
	struct recording_facts facts;
	struct str line;

	while (next_line(&answer, &line) && all->of.count < JFRANSWER_RECORDINGS_MAX) {
		if (!read_recording(&facts, line))
			continue;
		facts.name.bytes = arena_copy(&all->arena, facts.name.bytes,
					      facts.name.size);
		if (!facts.name.bytes || !vec_push(&all->of, facts))
			return err_memory(err);
	}
	return true;
}

void jfranswer_clear(struct jfranswer_recordings *all)
{
	vec_clear(&all->of);
	arena_clear(&all->arena);
}

/* --- what was done ---------------------------------------------------------------- */

uint64_t jfranswer_started(struct str answer)
{
	struct str line = first_line(&answer);

	return take_text(&line, STR("Started recording ")) ||
	       take_text(&line, STR("Recording ")) ? take_id(&line) : 0;
}

/* The path is the line behind one that ends so. */
static bool was_done(struct str answer, struct str done, struct str *path)
{
	struct str line = first_line(&answer);

	*path = STR("");
	if (!str_starts(line, done))
		return false;
	if (str_ends(line, STR(" written to:")))
		next_line(&answer, path);
	return true;
}

bool jfranswer_dumped(struct str answer, struct str *path)
{
	return was_done(answer, STR("Dumped recording"), path);
}

bool jfranswer_stopped(struct str answer, struct str *path)
{
	return was_done(answer, STR("Stopped recording"), path);
}

/* How answers begin whose words do not help those who did not ask through jcmd. */
static const struct {
	struct str begin;
	const char *text;
} reasons[] = {
	{ STR("java.lang.IllegalArgumentException: Unknown diagnostic command"),
	  "this JVM has no Flight Recorder: --engine cjfr needs none" },
	{ STR("Module jdk.jfr not found"),
	  "this JVM has no Flight Recorder, as the module jdk.jfr is not in it: "
	  "--engine cjfr needs none" },
	{ STR("Flight Recorder is disabled"),
	  "its Flight Recorder is switched off, by -XX:-FlightRecorder" },
	{ STR("No available recordings"), "HotSpot's recorder has no recording" },
	{ STR("No recordings to dump from"), "HotSpot's recorder has no recording" },
};

bool jfranswer_why(struct str answer, struct err *err)
{
	struct str line = first_line(&answer);

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (str_starts(line, reasons[i].begin))
			return err_set(err, ERR_USAGE, "%s", reasons[i].text);
	}
	if (!line.size)
		return err_set(err, ERR_USAGE, "HotSpot's recorder did not do it, and "
			       "does not say why");
	while (line.size && line.bytes[line.size - 1] == '.')
		line.size--;
	line = str_front(line, 300);
	return err_set(err, ERR_USAGE, "HotSpot's recorder says: %.*s", (int)line.size,
		       line.bytes);
}
