/*
 * fuzz_facts.c - what an agent tells of itself and its recordings.
 *
 * What is read is written, read and written again: the same, and one message.
 */
#include <stdlib.h>
#include <string.h>

#include "control/facts.h"
#include "control/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good)
{
	if (!good)
		abort();
}

static bool read_recording(struct recording_facts *facts, struct str text,
			   struct arena *arena)
{
	struct err err = { 0 };
	bool is_good = recording_facts_read(facts, text, arena, &err);

	must(is_good || (err.kind == ERR_FORMAT && strncmp(err.text, "line ", 5) == 0));
	return is_good;
}

static bool read_engine(struct engine_facts *facts, struct str text,
			struct arena *arena)
{
	struct err err = { 0 };
	bool is_good = engine_facts_read(facts, text, arena, &err);

	must(is_good || (err.kind == ERR_FORMAT && strncmp(err.text, "line ", 5) == 0));
	return is_good;
}

static void compare(struct buf *first, struct buf *second)
{
	must(!first->failed && first->size < MESSAGE_MAX - 100);
	must(str_is(buf_as_str(first), buf_as_str(second)));
	buf_clear(first);
	buf_clear(second);
}

static void check_recording(struct str text, struct arena *arena)
{
	struct buf first = { 0 }, second = { 0 };
	struct recording_facts facts, again;

	if (!read_recording(&facts, text, arena))
		return;
	must(*facts_state_word(facts.state));
	recording_facts_write(&facts, &first);
	must(read_recording(&again, buf_as_str(&first), arena));
	recording_facts_write(&again, &second);
	compare(&first, &second);
}

static void check_engine(struct str text, struct arena *arena)
{
	struct buf first = { 0 }, second = { 0 };
	struct engine_facts facts, again;

	if (!read_engine(&facts, text, arena))
		return;
	engine_facts_write(&facts, &first);
	must(read_engine(&again, buf_as_str(&first), arena));
	engine_facts_write(&again, &second);
	compare(&first, &second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	struct arena arena = { 0 };

	check_recording(text, &arena);
	check_engine(text, &arena);
	arena_clear(&arena);
	return 0;
}
