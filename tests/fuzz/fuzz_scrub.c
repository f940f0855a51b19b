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
#include "jfr/checkpoint.h"
#include "jfr/event.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Bits of the last byte. */
enum {
	BY_TYPE = 1, BY_CATEGORY = 2, BY_THREAD = 4, BY_VALUE = 8, IS_EXCLUDING = 16,
	IS_REDACTED = 32, HAS_FIELDS = 64,
};

static bool add(void *context, const void *bytes, size_t size, struct err *err)
{
	struct buf *buf = context;

	buf_add(buf, bytes, size);
	return !buf->failed || err_memory(err);
}

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
	if (choice & HAS_FIELDS)
		redact->fields = STR("*e,host,java.lang.Thread.*,jdk.types.Symbol.string");
	redact_set_key(redact, STR("key"));
	is_good = input_keep(input, &damage, &err) && redact_collect(redact, input, &err);
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
	*copy = (struct copy){ .sink = add, .context = scrubbed, .filter = &filter,
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

/* Nobody knows how long a tick is if the header does not. */
static bool is_damaged(const struct damage *damage)
{
	for (size_t i = 0; i < damage->faults.count; i++) {
		const struct fault *fault = &damage->faults.items[i];

		if (!fault->is_note && strcmp(fault->cause, "times cannot be told") != 0)
			return true;
	}
	return false;
}

static bool meet_text(void *context, const struct rewrite_place *place, struct str *text)
{
	(void)place;
	if (finder_has(context, *text))
		abort();
	return false;
}

static void check_constants(struct chunk *chunk, struct rewrite *rewrite)
{
	for (size_t i = 0; i < chunk->metadata.type_count; i++) {
		const struct pool *pool = chunk->pools[i];

		for (uint32_t j = 0; pool && j < pool->constants.count; j++) {
			struct cursor cursor = pool_cursor(pool, j);

			rewrite_value(rewrite, pool->type, &cursor, NULL);
		}
	}
}

static uint64_t check_events(struct chunk *chunk, struct rewrite *rewrite,
			     struct damage *damage)
{
	struct event_walk walk = event_walk(chunk, damage);
	uint64_t count = 0;
	struct event event;

	while (event_next(&walk, &event)) {
		struct cursor cursor = event_cursor(chunk, &event);

		count += event.type_id != EVENT_METADATA &&
			 event.type_id != EVENT_CHECKPOINT;
		if (event.type && !rewrite_value(rewrite, event.type, &cursor, NULL))
			abort();
	}
	return count;
}

static void check(const struct copy *copy, const struct buf *scrubbed,
		  const struct finder *values)
{
	struct input input = { 0 };
	struct damage damage = { 0 };
	uint64_t chunks = 0, events = 0;
	struct chunk chunk;
	struct err err;

	if (!input_of_bytes(&input, scrubbed->bytes, scrubbed->size, "scrubbed"))
		abort();
	while (input_open_next(&input, &chunk, &damage, &err)) {
		struct rewrite rewrite = { .text = meet_text, .context = (void *)values };

		if (!checkpoint_load(&chunk, &damage, &err) || chunk.is_unfinished ||
		    !rewrite_open(&rewrite, &chunk))
			abort();
		check_constants(&chunk, &rewrite);
		events += check_events(&chunk, &rewrite, &damage);
		chunks++;
		rewrite_close(&rewrite);
		chunk_close(&chunk);
	}
	if (is_damaged(&damage) || chunks != copy->chunks || events != copy->events)
		abort();
	damage_clear(&damage);
	input_close(&input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct redact redact = { .fields = { NULL, 0 } };
	struct buf scrubbed = { 0 };
	struct copy copy;

	if (size > 0 && scrub(data, size, data[size - 1], &redact, &copy, &scrubbed))
		check(&copy, &scrubbed, &redact.values);
	redact_clear(&redact);
	buf_clear(&scrubbed);
	return 0;
}
