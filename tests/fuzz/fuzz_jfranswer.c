/*
 * fuzz_jfranswer.c - what HotSpot's own recorder answers, whatever that is.
 *
 * Texts lie within the answer, or are copies; nothing is read beyond its end.
 */
#include <stdlib.h>

#include "jvms/jfranswer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good)
{
	if (!good)
		abort();
}

static bool is_within(struct str part, struct str text)
{
	return part.size == 0 || (part.bytes >= text.bytes &&
				  part.bytes + part.size <= text.bytes + text.size);
}

static void check_recordings(struct str text)
{
	struct jfranswer_recordings all = { .of = { NULL } };
	struct err err = { ERR_NONE, "" };

	must(jfranswer_recordings(&all, text, &err));
	must(all.of.count <= JFRANSWER_RECORDINGS_MAX);
	for (size_t i = 0; i < all.of.count; i++) {
		const struct recording_facts *facts = &all.of.items[i];

		must(facts->id > 0 && facts->id <= INT64_MAX);
		must(facts->name.size <= text.size);
		must(facts->max_size >= 0 && facts->duration >= 0 && facts->max_age >= 0);
	}
	jfranswer_clear(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size }, path, rest = text;
	struct err err = { ERR_NONE, "" };

	check_recordings(text);
	jfranswer_started(text);
	jfranswer_dumped(text, &path);
	must(is_within(path, text));
	jfranswer_stopped(text, &path);
	must(is_within(path, text));
	while (jfranswer_warning(&rest, &path))
		must(is_within(path, text));
	must(!jfranswer_why(text, &err) && err.kind == ERR_USAGE && err.text[0]);
	return 0;
}
