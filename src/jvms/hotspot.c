#include "jvms/hotspot.h"

#include <inttypes.h>
#include <string.h>

#include "base/now.h"
#include "jvms/attach.h"

#define ROTATION "cjfr-rotation"

/* --- words ------------------------------------------------------------------------ */

/* A length of time in a unit that all versions know: whole seconds where it can be. */
static void add_span(struct buf *to, const char *key, int64_t nanos)
{
	if (nanos <= 0)
		return;
	if (nanos % SECOND == 0)
		buf_printf(to, " %s=%" PRId64 "s", key, nanos / SECOND);
	else
		buf_printf(to, " %s=%" PRId64 "ms", key,
			   (nanos + MILLISECOND - 1) / MILLISECOND);
}

/*
 * A text in quotes. HotSpot knows no way to write a quote in them, and older versions take
 * what is behind a backslash otherwise than newer ones.
 */
static bool add_text(struct buf *to, const char *key, struct str text, struct err *err)
{
	for (size_t i = 0; i < text.size; i++) {
		unsigned char byte = (unsigned char)text.bytes[i];

		if (byte < ' ' || byte == '"' || byte == '\\' || byte == 127)
			return err_set(err, ERR_USAGE, "HotSpot's recorder cannot be told "
				       "of '%.*s'", (int)text.size, text.bytes);
	}
	buf_printf(to, " %s=\"%.*s\"", key, (int)text.size, text.bytes);
	return true;
}

static bool add_path(struct buf *to, const char *path, struct err *err)
{
	return add_text(to, "filename", str_of(path), err);
}

/* --- questions -------------------------------------------------------------------- */

/* One command; the answer is over what was there. An exception has a code. */
static bool ask(const struct vm *vm, struct buf *command, struct buf *answer,
		struct err *err)
{
	const char *arguments[3] = { NULL, NULL, NULL };
	int code = 0;

	buf_byte(command, '\0');
	if (command->failed)
		return err_memory(err);
	arguments[0] = command->bytes;
	buf_reset(answer);
	if (!attach_ask(vm, "jcmd", arguments, &code, answer, err))
		return false;
	return code == 0 || jfranswer_why(buf_as_str(answer), err);
}

bool hotspot_check(const struct vm *vm, struct jfranswer_recordings *all,
		   struct err *err)
{
	struct buf command = { 0 }, answer = { 0 };
	struct str text;
	bool is_good;

	buf_text(&command, "JFR.check");
	is_good = ask(vm, &command, &answer, err);
	text = buf_as_str(&answer);
	is_good = is_good && jfranswer_recordings(all, text, err);
	if (is_good && all->of.count == 0 &&
	    !str_starts(str_trim(text), STR("No available recordings")))
		is_good = jfranswer_why(text, err);
	buf_clear(&command);
	buf_clear(&answer);
	return is_good;
}

/* --- a recording starts ------------------------------------------------------------ */

/* HotSpot lets several have one name, of which nobody knows which is meant then. */
static bool check_name(const struct vm *vm, struct str name, struct err *err)
{
	struct jfranswer_recordings all = { .of = { NULL } };
	bool is_good = hotspot_check(vm, &all, err);

	for (size_t i = 0; is_good && name.size && i < all.of.count; i++) {
		const struct recording_facts *facts = &all.of.items[i];

		if (str_is(facts->name, name) && facts->state != FACTS_STOPPED)
			is_good = err_set(err, ERR_USAGE, "HotSpot's recording %" PRIu64
					  " has the name '%.*s' already", facts->id,
					  (int)name.size, name.bytes);
	}
	jfranswer_clear(&all);
	return is_good;
}

static bool write_start(struct buf *to, const struct hotspot_start *start,
			struct err *err)
{
	buf_text(to, "JFR.start");
	if (start->name.size && !add_text(to, "name", start->name, err))
		return false;
	if (start->output) {
		buf_text(to, " dumponexit=true");
		if (!add_path(to, start->output, err))
			return false;
	}
	add_span(to, "delay", start->delay);
	add_span(to, "duration", start->duration);
	add_span(to, "maxage", start->max_age);
	if (start->max_size > 0)
		buf_printf(to, " maxsize=%" PRId64, start->max_size);
	buf_printf(to, " disk=%s", start->to_disk ? "true" : "false");
	return add_text(to, "settings", str_of(start->settings), err);
}

static void take_warnings(struct buf *said, struct str answer)
{
	struct str warning;

	while (jfranswer_warning(&answer, &warning)) {
		buf_str(said, warning);
		buf_byte(said, '\n');
	}
}

static bool start_named(const struct vm *vm, const struct hotspot_start *start,
			uint64_t *id, struct buf *said, struct err *err)
{
	struct buf command = { 0 }, answer = { 0 };
	bool is_good = write_start(&command, start, err) &&
		       ask(vm, &command, &answer, err);

	if (is_good) {
		if (said)
			take_warnings(said, buf_as_str(&answer));
		*id = jfranswer_started(buf_as_str(&answer));
		is_good = *id || jfranswer_why(buf_as_str(&answer), err);
	}
	buf_clear(&command);
	buf_clear(&answer);
	return is_good;
}

bool hotspot_start(const struct vm *vm, const struct hotspot_start *start, uint64_t *id,
		   struct buf *said, struct err *err)
{
	return check_name(vm, start->name, err) && start_named(vm, start, id, said, err);
}

/* --- its data ---------------------------------------------------------------------- */

bool hotspot_dump(const struct vm *vm, uint64_t id, const char *path, int64_t last,
		  struct err *err)
{
	struct buf command = { 0 }, answer = { 0 };
	struct str written;
	bool is_good;

	buf_text(&command, "JFR.dump");
	if (id)
		buf_printf(&command, " name=%" PRIu64, id);
	add_span(&command, "maxage", last);
	is_good = add_path(&command, path, err) && ask(vm, &command, &answer, err);
	if (is_good && !jfranswer_dumped(buf_as_str(&answer), &written))
		is_good = jfranswer_why(buf_as_str(&answer), err);
	buf_clear(&command);
	buf_clear(&answer);
	return is_good;
}

bool hotspot_stop(const struct vm *vm, uint64_t id, const char *path, char **written,
		  struct err *err)
{
	struct buf command = { 0 }, answer = { 0 };
	struct str told;
	bool is_good;

	*written = NULL;
	buf_printf(&command, "JFR.stop name=%" PRIu64, id);
	is_good = (!path || add_path(&command, path, err)) &&
		  ask(vm, &command, &answer, err);
	if (is_good && !jfranswer_stopped(buf_as_str(&answer), &told))
		is_good = jfranswer_why(buf_as_str(&answer), err);
	if (is_good && told.size) {
		*written = strndup(told.bytes, told.size);
		is_good = *written || err_memory(err);
	}
	buf_clear(&command);
	buf_clear(&answer);
	return is_good;
}

bool hotspot_rotate(const struct vm *vm, const char *settings, struct err *err)
{
	const struct hotspot_start start = {
		.name = STR(ROTATION), .settings = settings, .to_disk = true,
	};
	char *written = NULL;
	uint64_t id;
	bool is_good = start_named(vm, &start, &id, NULL, err) &&
		       hotspot_stop(vm, id, NULL, &written, err);

	free(written);
	return is_good;
}
