/*
 * fuzz_scrub.c - the input is a recording; some of it is left out, some redacted.
 *
 * Its last byte chooses filters and fields. What is written can be read without any
 * damage, has the events that were kept, and no string of it has a value that was to be
 * redacted.
 */
#include <stdlib.h>
#include <string.h>

#include "copy/copy.h"
#include "copy/redaction.h"
#include "fuzz/written.h"
#include "jfr/event.h"
#include "jfr/rewrite.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Bits of the last byte. */
enum {
	BY_TYPE = 1, BY_CATEGORY = 2, BY_THREAD = 4, BY_VALUE = 8, IS_EXCLUDING = 16,
	IS_REDACTED = 32, HAS_FIELDS = 64,
};

static void add_rule(struct filter *filter, enum rule_kind kind, const char *patterns,
		     int choice)
{
	struct rule rule = { kind, choice & IS_EXCLUDING, str_of(patterns) };

	if (!filter_add_rule(filter, &rule))
		abort();
}

static struct filter make_filter(int choice)
{
	struct filter filter = { 0 };

	if (choice & BY_TYPE)
		add_rule(&filter, RULE_EVENTS, "*S*,jdk.I*", choice);
	if (choice & BY_CATEGORY)
		add_rule(&filter, RULE_CATEGORIES, "JVM,*o*", choice);
	if (choice & BY_THREAD)
		add_rule(&filter, RULE_THREADS, "main,w*", choice);
	if (choice & BY_VALUE &&
	    !filter_add_condition(&filter, STR("startTime > 0"), NULL))
		abort();
	return filter;
}

/* NULL, if nothing is to be redacted or read. */
static struct redact *collect(struct redact *redact, struct input *input, int choice)
{
	struct damage damage = { 0 };
	struct err err = { 0 };
	bool is_good;

	if (!(choice & IS_REDACTED))
		return NULL;
	if (choice & HAS_FIELDS &&
	    !redact_set_fields(redact, STR("*e,host,java.lang.Thread.*,"
					   "jdk.types.Symbol.string")))
		abort();
	redact_set_key(redact, STR("key"));
	is_good = input_keep(input, &damage, &err) &&
		  redaction_collect(redact, input, &err);
	damage_clear(&damage);
	return is_good ? redact : NULL;
}

static bool scrub(const void *data, size_t size, int choice, struct redact *redact,
		  struct copy *copy, struct buf *scrubbed)
{
	struct filter filter = make_filter(choice);
	struct input input = { 0 };
	struct damage damage = { 0 };
	struct err err = { 0 };
	bool is_good;

	if (!input_of_bytes(&input, data, size, "input"))
		abort();
	*copy = (struct copy){ .sink = written_add, .context = scrubbed, .filter = &filter,
			       .is_pruned = true };
	copy->redact = collect(redact, &input, choice);
	is_good = (copy->redact || !(choice & IS_REDACTED)) &&
		  copy_input(copy, &input, &damage, &err);
	if (!is_good && err.kind == ERR_MEMORY && !(choice & IS_REDACTED))
		abort();
	copy_clear(copy);
	removed_order(&copy->removed);
	removed_clear(&copy->removed);
	outcome_clear(&copy->outcome);
	damage_clear(&damage);
	input_close(&input);
	filter_clear(&filter);
	return is_good && copy->bytes == scrubbed->size;
}

static bool meet_text(void *context, const struct rewrite_place *place, struct str *text)
{
	(void)place;
	if (finder_has(context, *text))
		abort();
	return false;
}

static void check_constants(const struct chunk *chunk, struct rewrite *rewrite)
{
	for (size_t i = 0; i < chunk->metadata.type_count; i++) {
		const struct pool *pool = chunk->pools[i];

		for (uint32_t j = 0; pool && j < pool->constants.count; j++) {
			struct cursor cursor = pool_cursor(pool, j);

			rewrite_value(rewrite, pool->type, &cursor, NULL);
		}
	}
}

static void check_texts(void *values, const struct chunk *chunk)
{
	struct rewrite rewrite = { .text = meet_text, .context = values };
	struct event_walk walk = event_walk(chunk, NULL);
	struct event event;

	if (!rewrite_open(&rewrite, chunk))
		abort();
	check_constants(chunk, &rewrite);
	while (event_next(&walk, &event)) {
		struct cursor cursor = event_cursor(chunk, &event);

		if (event.type && !rewrite_value(&rewrite, event.type, &cursor, NULL))
			abort();
	}
	rewrite_close(&rewrite);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct redact redact = { .is_collecting = false };
	struct buf scrubbed = { 0 };
	struct copy copy;

	if (size > 0 && scrub(data, size, data[size - 1], &redact, &copy, &scrubbed))
		written_check(&copy, &scrubbed, check_texts, &redact.values);
	redact_clear(&redact);
	buf_clear(&scrubbed);
	return 0;
}
