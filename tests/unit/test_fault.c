#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fault.h"
#include "copy/merge.h"
#include "copy/redaction.h"
#include "count/inventory.h"
#include "jfr/checkpoint.h"
#include "jfr/compile.h"
#include "jfr/refs.h"
#include "jfr/unpack.h"
#include "make.h"
#include "render/listing.h"
#include "shop.h"
#include "tell.h"
#include "way.h"

/*
 * Does the whole of something; false and err if memory ran out. It is done again and
 * again, each time with the next request for memory refused, until none is: nothing
 * may leak or crash, and nothing but the truth be told.
 */
typedef bool task(const struct made *sample, struct err *err);

static void try_all(task *run, const struct made *sample)
{
	size_t n = 0;
	bool good;

	do {
		struct err err = { 0 };

		fault_at(++n);
		good = run(sample, &err);
		cr_assert(good || fault_happened(), "request %zu: %s", n, err.text);
		cr_assert(good || err.kind == ERR_MEMORY, "request %zu: %s", n, err.text);
	} while (fault_happened());
	fault_at(0);
	cr_assert(good);
	cr_log_info("%zu requests", n);
}

static const struct schema_type types[] = {
	TYPE("a.E", "jdk.jfr.Event",
	     FIELDS(START, DURATION, THREAD, STACK, FIELD("text", "java.lang.String"),
		    FIELD("numbers", "int", ARRAY)),
	     NOTES(NOTE_OF("jdk.jfr.Category", MEMBER("value-0", "Test")))),
	TYPES_END,
};

static void fill(struct made *made)
{
	make_begin(made, make_jdk_types);
	writer_describe(&made->writer, types);
	for (int i = 0; i < 30; i++)
		EVENT(&made->writer, "a.E", LONG(i), LONG(0), KEY(1), KEY(1),
		      TEXT_AS(STRING_LATIN1, "\xc3\xa9\xc3\xa9\xc3\xa9"), COUNT(0));
	POOL(&made->writer, "java.lang.Thread");
	CONSTANT(&made->writer, 1, TEXT("main"), LONG(1), TEXT("main"), LONG(1), KEY(0),
		 BOOLEAN(false));
	POOL(&made->writer, "jdk.types.Symbol");
	for (uint64_t key = 0; key < 40; key++)
		CONSTANT(&made->writer, key, TEXT("\xc3\xa9"));
}

static bool write_chunk(const struct made *sample, struct err *err)
{
	struct made made = { 0 };
	bool good;

	fill(&made);
	good = writer_close(&made.writer, err);
	if (good)
		cr_expect_eq(made.writer.buf.size, sample->size);
	make_clear(&made);
	return good;
}

static bool read_values(struct chunk *chunk)
{
	struct event_walk walk = event_walk(chunk, NULL);
	struct value values[PROGRAM_VALUES_MAX];
	struct arena arena = { 0 };
	struct event event;
	bool good = true;

	while (event_next(&walk, &event)) {
		if (event.type && !event_decode(chunk, &event, values, &arena))
			good = false;
	}
	arena_clear(&arena);
	return good;
}

static bool read_chunk(const struct made *sample, struct err *err)
{
	struct chunk chunk;
	struct damage damage = { 0 };
	bool good = chunk_open_bytes(&chunk, sample->bytes, sample->size, err) &&
		    checkpoint_load(&chunk, &damage, err) &&
		    (read_values(&chunk) || err_memory(err));

	cr_expect_eq(damage.faults.count, 0);
	damage_clear(&damage);
	chunk_close(&chunk);
	return good;
}

static bool mark_refs(const struct made *sample, struct err *err)
{
	struct refs refs = { 0 };
	struct event event = make_nth(sample, 0);
	bool good = refs_open(&refs, &sample->chunk) && refs_mark_event(&refs, &event) &&
		    refs_spread(&refs);

	refs_close(&refs);
	return good || err_memory(err);
}

#define LONG_TEXT "a text that is longer than the one that stood here before"

static bool shout(void *context, const struct rewrite_place *place, struct str *text)
{
	(void)context;
	(void)place;
	*text = STR(LONG_TEXT);
	return true;
}

static bool write_anew(const struct made *sample, struct err *err)
{
	struct rewrite rewrite = { .text = shout };
	struct event event = make_nth(sample, 0);
	struct cursor cursor = event_cursor(&sample->chunk, &event);
	struct buf to = { 0 };
	bool good = rewrite_open(&rewrite, &sample->chunk) &&
		    rewrite_value(&rewrite, event.type, &cursor, &to) && !to.failed;

	if (good)
		cr_expect_eq(to.size, event.size - 2 - 3 + sizeof(LONG_TEXT) - 1);
	buf_clear(&to);
	rewrite_close(&rewrite);
	return good || err_memory(err);
}

/* The walk over damage needs memory, too; without it damage may stay untold. */
static bool read_damaged(const struct made *sample, struct err *err)
{
	struct chunk chunk;
	struct damage damage = { 0 };
	bool good = chunk_open_bytes(&chunk, sample->bytes, sample->size - 100, err) &&
		    checkpoint_load(&chunk, &damage, err);

	damage_clear(&damage);
	chunk_close(&chunk);
	return good;
}

Test(fault, is_survived_while_writing)
{
	struct made sample = { 0 };

	fill(&sample);
	cr_assert(make_bytes(&sample), "%s", sample.err.text);
	try_all(write_chunk, &sample);
	make_clear(&sample);
}

Test(fault, is_survived_while_reading)
{
	struct made sample = { 0 };

	fill(&sample);
	cr_assert(make_bytes(&sample), "%s", sample.err.text);
	try_all(read_chunk, &sample);
	make_clear(&sample);
}

Test(fault, is_survived_while_marking_references)
{
	struct made sample = { 0 };

	fill(&sample);
	cr_assert(make_open(&sample), "%s", sample.err.text);
	try_all(mark_refs, &sample);
	try_all(write_anew, &sample);
	make_clear(&sample);
}

Test(fault, is_survived_while_reading_what_is_damaged)
{
	struct made sample = { 0 };

	make_begin(&sample, make_jdk_types);
	writer_metadata(&sample.writer);
	POOL(&sample.writer, "jdk.types.Symbol");
	for (uint64_t key = 0; key < 100; key++)
		CONSTANT(&sample.writer, key, TEXT("text"));
	cr_assert(make_bytes(&sample), "%s", sample.err.text);
	try_all(read_damaged, &sample);
	make_clear(&sample);
}

static const struct schema_type odd_types[] = {
	TYPE("a.Odd", "jdk.jfr.Event",
	     FIELDS(FIELD("text", "java.lang.String", NOTES(MARK("jdk.jfr.Contextual"))),
		    START, DURATION, THREAD, FIELD("many", "int", ARRAY))),
	TYPE("jdk.types.OldObject", NULL,
	     FIELDS(FIELD("type", "java.lang.Class", POOLED),
		    FIELD("description", "java.lang.String"),
		    FIELD("referrer", "jdk.types.Reference", POOLED))),
	TYPE("jdk.types.Reference", NULL,
	     FIELDS(FIELD("array", "jdk.types.Field", POOLED),
		    FIELD("field", "jdk.types.Field", POOLED),
		    FIELD("object", "jdk.types.OldObject", POOLED), FIELD("skip", "int"))),
	TYPE("jdk.types.Field", NULL, FIELDS(FIELD("name", "java.lang.String"))),
	TYPE("a.Sample", "jdk.jfr.Event",
	     FIELDS(START, FIELD("object", "jdk.types.OldObject", POOLED),
		    FIELD("arrayElements", "int"))),
	TYPES_END,
};

/* With a string before its times and thread, of which it is the context. */
static void add_odd(struct writer *writer, int64_t tick)
{
	EVENT(writer, "a.Odd", TEXT_AS(STRING_LATIN1, "\xc3\xa9"), LONG(tick), LONG(2),
	      KEY(MAIN_THREAD), COUNT(1), INT((int)tick));
}

/* An object held by another. */
static void add_sample(struct writer *writer, int64_t tick)
{
	EVENT(writer, "a.Sample", LONG(tick), KEY(1), INT(0));
	POOL(writer, "jdk.types.OldObject");
	CONSTANT(writer, 1, KEY(SHOP_CLASS), TEXT("held"), KEY(1));
	CONSTANT(writer, 2, KEY(SHOP_CLASS), TEXT("holder"), KEY(0));
	POOL(writer, "jdk.types.Reference");
	CONSTANT(writer, 1, KEY(0), KEY(1), KEY(2), INT(1));
	POOL(writer, "jdk.types.Field");
	CONSTANT(writer, 1, TEXT_AS(STRING_LATIN1, "\xc3\xa9"));
}

/* A chunk of the shop, and two of the same odd events. */
static void fill_shop(struct made *made)
{
	struct writer *writer = &made->writer;

	writer_describe(writer, make_jdk_types);
	make_begin(made, shop_types);
	shop_constants(writer);
	shop_events(writer, 1000);
	for (int chunk = 0; chunk < 2; chunk++) {
		cr_assert(writer_close(writer, &made->err), "%s", made->err.text);
		make_begin(made, chunk ? NULL : odd_types);
		shop_constants(writer);
		for (int i = 0; i < 4; i++)
			add_odd(writer, 2000 + i);
		add_sample(writer, 2004);
	}
	cr_assert(make_bytes(made), "%s", made->err.text);
}

/* What a run gave that lacked no memory: all others that succeed give the same. */
static const struct printer *printer;
static struct str true_text;
static struct inventory true_count;

static struct str file_text(int fd)
{
	size_t size = (size_t)lseek(fd, 0, SEEK_END);
	void *text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

	cr_assert_neq(text, MAP_FAILED);
	return (struct str){ text, size };
}

static bool print_shop(const struct made *sample, struct err *err)
{
	struct input input = { 0 };
	struct filter filter = { .events = { NULL, 0 } };
	struct out out = { .fd = memfd_create("text", MFD_CLOEXEC) };
	struct listing_request request = { .input = &input,
					   .filter = &filter,
					   .printer = printer,
					   .options = { .stack_depth = 5 },
					   .threads = 1 };
	struct damage damage = { 0 };
	bool good;

	good = (input_of_bytes(&input, sample->bytes, sample->size, "shop") ||
		err_memory(err)) &&
	       listing_print(&request, &out, &damage, err);
	if (out.error == ENOMEM) /* as of any failed output, out_close tells */
		err_memory(err);
	good = out_close(&out, NULL) && good;
	if (good) {
		struct str text = file_text(out.fd);

		/* CSV has no columns for what only later chunks have. */
		cr_expect(damage_is_none(&damage) || printer == &csv_printer);
		if (true_text.bytes) {
			cr_assert(str_is(text, true_text));
			munmap((void *)text.bytes, text.size);
		} else {
			true_text = text;
		}
	}
	damage_clear(&damage);
	input_close(&input);
	close(out.fd);
	return good;
}

static void compare_rows(const struct tally *tally)
{
	cr_assert_eq(tally->rows.count, true_count.tally.rows.count);
	cr_expect_eq(tally->chunks, true_count.tally.chunks);
	cr_expect_eq(tally->name_width, true_count.tally.name_width);
	for (size_t i = 0; i < tally->rows.count; i++) {
		const struct tally_row *row = &tally->rows.items[i];
		const struct tally_row *other = &true_count.tally.rows.items[i];

		cr_expect(str_is(row->name, other->name));
		cr_expect(row->id == other->id && row->count == other->count &&
			  row->size == other->size);
	}
}

static bool count_shop(const struct made *sample, struct err *err)
{
	struct input input = { 0 };
	struct damage damage = { 0 };
	struct inventory inventory = { .wants_pools = true, .top = 3 };
	bool good = (input_of_bytes(&input, sample->bytes, sample->size, "shop") ||
		     err_memory(err)) &&
		    inventory_take(&inventory, &input, 1, &damage, err);

	if (good) {
		cr_expect(damage_is_none(&damage));
		compare_rows(&inventory.tally);
	}
	inventory_clear(&inventory);
	damage_clear(&damage);
	input_close(&input);
	return good;
}

static struct buf true_copy;

static bool append(void *context, const void *bytes, size_t size, struct err *err)
{
	struct buf *to = context;

	buf_add(to, bytes, size);
	return !to->failed || err_memory(err);
}

/* The copy is never another: if it is made at all, it is made of the same. */
static void expect_true_copy(struct buf *bytes)
{
	if (true_copy.bytes) {
		cr_assert(bytes->size == true_copy.size &&
			  memcmp(bytes->bytes, true_copy.bytes, bytes->size) == 0);
	} else {
		true_copy = *bytes;
		*bytes = (struct buf){ 0 };
	}
}

static bool copy_or_merge(const struct made *sample, bool is_merge, struct err *err)
{
	struct buf bytes = { 0 };
	struct merge merge = { .copy = { .sink = append, .context = &bytes } };
	struct input input = { 0 };
	struct damage damage = { 0 };
	bool good = (input_of_bytes(&input, sample->bytes, sample->size, "shop") ||
		     err_memory(err)) &&
		    (is_merge ? merge_input(&merge, &input, &damage, err)
			      : copy_input(&merge.copy, &input, &damage, err));

	if (good)
		expect_true_copy(&bytes);
	merge_clear(&merge);
	buf_clear(&bytes);
	damage_clear(&damage);
	input_close(&input);
	return good;
}

static bool copy_shop(const struct made *sample, struct err *err)
{
	return copy_or_merge(sample, false, err);
}

static bool merge_shop(const struct made *sample, struct err *err)
{
	return copy_or_merge(sample, true, err);
}

/* The same with some events left out, and secrets replaced. */
static bool scrub_shop(const struct made *sample, struct err *err)
{
	struct buf bytes = { 0 };
	struct redact redact = { .is_collecting = false };
	struct filter filter = { .threads = STR("main") };
	struct copy copy = { .sink = append, .context = &bytes, .filter = &filter,
			     .is_pruned = true, .redact = &redact };
	struct rule rule = { RULE_EVENTS, true, STR("a.Sample") };
	struct input input = { 0 };
	struct damage damage = { 0 };
	bool good = ((filter_add_rule(&filter, &rule) &&
		 redact_set_fields(&redact, STR("text,item")) &&
		 input_of_bytes(&input, sample->bytes, sample->size, "shop")) ||
		err_memory(err)) &&
	       input_keep(&input, &damage, err) &&
	       redaction_collect(&redact, &input, err) &&
	       copy_input(&copy, &input, &damage, err);
	if (good)
		expect_true_copy(&bytes);
	copy_clear(&copy);
	outcome_clear(&copy.outcome);
	removed_clear(&copy.removed);
	redact_clear(&redact);
	filter_clear(&filter);
	buf_clear(&bytes);
	damage_clear(&damage);
	input_close(&input);
	return good;
}

Test(fault, is_survived_while_scrubbing)
{
	struct made sample = { 0 };
	struct err err;

	fill_shop(&sample);
	cr_assert(scrub_shop(&sample, &err), "%s", err.text);
	cr_assert_gt(true_copy.size, 1000);
	try_all(scrub_shop, &sample);
	buf_clear(&true_copy);
	make_clear(&sample);
}

/* Its odd events are left out, and its class gets a stand-in for its name. */
Test(fault, is_survived_while_copying)
{
	struct made sample = { 0 };
	struct err err;

	fill_shop(&sample);
	make_begin(&sample, NULL);
	POOL(&sample.writer, "java.lang.Class");
	CONSTANT(&sample.writer, 1, KEY(0), KEY(77), KEY(0), INT(0), BOOLEAN(0));
	writer_event(&sample.writer, writer_type(&sample.writer, "a.Sample"));
	cr_assert(make_bytes(&sample), "%s", sample.err.text);
	cr_assert(copy_shop(&sample, &err), "%s", err.text);
	cr_assert_gt(true_copy.size, 1000);
	try_all(copy_shop, &sample);
	buf_clear(&true_copy);
	make_clear(&sample);
}

/* Chunks of one run whose keys change their meaning, and one of another run, twice. */
Test(fault, is_survived_while_merging)
{
	struct header header = writer_header;
	struct made sample = { 0 };
	struct err err;

	make_begin(&sample, make_jdk_types);
	writer_describe(&sample.writer, types);
	for (int chunk = 0; chunk < 5; chunk++) {
		if (chunk > 2)
			header.start_nanos = INT64_C(77777777777777);
		writer_open(&sample.writer, &header);
		sample.writer.metadata_id = 0;
		EVENT(&sample.writer, "a.E", LONG(chunk / 4), LONG(0), KEY(1), KEY(1),
		      TEXT("text"), COUNT(0));
		POOL(&sample.writer, "java.lang.Thread");
		CONSTANT(&sample.writer, 1, TEXT("t"), LONG(chunk / 3), TEXT("t"),
			 LONG(1), KEY(0), BOOLEAN(false));
		header.start_nanos += 1000;
		cr_assert(writer_close(&sample.writer, &err), "%s", err.text);
	}
	cr_assert(make_bytes(&sample), "%s", sample.err.text);
	cr_assert(merge_shop(&sample, &err), "%s", err.text);
	try_all(merge_shop, &sample);
	buf_clear(&true_copy);
	make_clear(&sample);
}

Test(fault, is_survived_while_printing)
{
	static const struct printer *const printers[] = {
		&pretty_printer, &json_printer, &ndjson_printer,
		&xml_printer, &csv_printer,
	};
	struct made sample = { 0 };
	struct err err;

	fill_shop(&sample);
	for (size_t i = 0; i < sizeof(printers) / sizeof(printers[0]); i++) {
		printer = printers[i];
		true_text = (struct str){ NULL, 0 };
		cr_assert(print_shop(&sample, &err), "%s", err.text);
		try_all(print_shop, &sample);
		munmap((void *)true_text.bytes, true_text.size);
	}
	make_clear(&sample);
}

Test(fault, is_survived_while_counting)
{
	struct made sample = { 0 };
	struct input input = { 0 };
	struct damage damage = { 0 };
	struct err err;

	fill_shop(&sample);
	cr_assert(input_of_bytes(&input, sample.bytes, sample.size, "shop"));
	cr_assert(inventory_take(&true_count, &input, 1, &damage, &err));
	cr_expect(damage_is_none(&damage));
	try_all(count_shop, &sample);
	inventory_clear(&true_count);
	input_close(&input);
	make_clear(&sample);
}

/* Each condition comes to the end of its path in another way. */
static bool make_filter(struct filter *filter, struct err *err)
{
	static const char *const conditions[] = {
		"text ~ \xc3\xa9*", "eventThread.group.parent = null", "stackTrace ~ *",
		"eventThread ~ main*", "many >= 0", "duration >= 0", "typ = 1",
	};

	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
		if (!filter_add_condition(filter, str_of(conditions[i]), err))
			return false;
	}
	filter->threads = STR("m*,\xc3\xa9*");
	return true;
}

/* Adds how many events each condition alone accepts; false without memory. */
static bool select_events(const struct chunk *chunk, struct filter *filter,
			  size_t *taken)
{
	struct event_walk walk = event_walk(chunk, NULL);
	struct selection selection = { 0 };
	struct outcome outcome = { 0 };
	struct event event;
	int64_t start, end;
	bool good = selection_open(&selection, chunk, filter, NULL);

	while (good && event_next(&walk, &event)) {
		if (!event.type || !event_ticks(chunk, &event, &start, &end))
			continue;
		*taken += selection_accepts(&selection, &event, start, end);
		good = !selection.failed;
	}
	good = good && outcome_add(&outcome, &selection);
	outcome_clear(&outcome);
	selection_close(&selection);
	return good;
}

static size_t true_taken;

static bool select_shop(const struct made *sample, struct err *err)
{
	struct filter filter = { .events = { NULL, 0 } };
	size_t count, taken = 0;
	bool good = make_filter(&filter, err);

	/* All at once, then each condition alone, in the place of the first. */
	count = filter.conditions.count;
	for (size_t i = 0; good && i <= count; i++) {
		struct condition *first = filter.conditions.items[0];

		filter.conditions.count = i ? 1 : count;
		filter.conditions.items[0] = filter.conditions.items[i ? i - 1 : 0];
		good = select_events(&sample->chunk, &filter, &taken) ||
		       err_memory(err);
		filter.conditions.items[0] = first;
	}
	filter.conditions.count = count;
	filter_clear(&filter);
	if (good && !true_taken)
		true_taken = taken;
	cr_assert(!good || taken == true_taken, "%zu", taken);
	return good;
}

Test(fault, is_survived_while_selecting)
{
	struct made sample = { 0 };
	struct err err;

	make_begin(&sample, make_jdk_types);
	writer_describe(&sample.writer, odd_types);
	shop_constants(&sample.writer);
	for (int i = 0; i < 4; i++)
		add_odd(&sample.writer, 2000 + i);
	cr_assert(make_open(&sample), "%s", sample.err.text);
	cr_assert(select_shop(&sample, &err), "%s", err.text);
	cr_expect_gt(true_taken, 0);
	try_all(select_shop, &sample);
	make_clear(&sample);
}

/* A file, the same packed, and the same through a pipe that holds all of it. */
static char paths[3][64];

static void open_pipe(const struct made *sample, int ends[2])
{
	cr_assert_eq(pipe(ends), 0);
	cr_assert_eq(write(ends[1], sample->bytes, sample->size), (ssize_t)sample->size);
	close(ends[1]);
	snprintf(paths[2], sizeof(paths[2]), "/dev/fd/%d", ends[0]);
}

/* Without memory a file may be left out, or end early: but then it is said. */
static bool is_told(const struct damage *damage)
{
	for (size_t i = 0; i < damage->faults.count; i++) {
		if (!strstr(damage->faults.items[i].detail, "memory"))
			return false;
	}
	return damage->faults.count > 0;
}

static struct buf true_told;

static void compare_told(struct buf *told, const struct damage *damage)
{
	if (told->failed)
		return;
	if (!true_told.size)
		buf_add(&true_told, told->bytes, told->size);
	cr_expect(is_told(damage) ||
		  (damage->faults.count == 0 && told->size == true_told.size &&
		   memcmp(told->bytes, true_told.bytes, told->size) == 0),
		  "%.*s", (int)told->size, told->bytes);
}

static bool read_input(const struct made *sample, struct err *err)
{
	const char *const names[] = { paths[0], paths[1], paths[2] };
	struct input input = { .unpacker = &unpack_archive };
	struct damage damage = { 0 };
	struct input_span span;
	struct buf told = { 0 };
	struct chunk chunk;
	bool is_good;
	int ends[2];

	open_pipe(sample, ends);
	is_good = input_open(&input, names, 3, &damage, err) &&
		  input_survey(&input, &span, &damage, err);
	while (is_good && input_open_next(&input, &chunk, &damage, err)) {
		tell_chunk(&told, &chunk, &damage);
		chunk_close(&chunk);
	}
	is_good = is_good && err->kind == ERR_NONE;
	if (is_good)
		compare_told(&told, &damage);
	buf_clear(&told);
	input_close(&input);
	damage_clear(&damage);
	close(ends[0]);
	return is_good;
}

static const struct schema_type small_types[] = {
	TYPE("a.E", "jdk.jfr.Event", FIELDS(START, FIELD("x", "int"))),
	TYPES_END,
};

/* Chunks of which each begins later than the one before. */
static void fill_small(struct made *made)
{
	struct header header = writer_header;

	writer_describe(&made->writer, small_types);
	for (int i = 1; i <= 3; i++) {
		header.start_nanos = header.start_ticks = i * 1000000000ll;
		writer_open(&made->writer, &header);
		EVENT(&made->writer, "a.E", LONG(1), INT(i));
		cr_assert(writer_close(&made->writer, &made->err));
	}
	cr_assert(make_bytes(made));
}

Test(fault, is_survived_while_bytes_come_in)
{
	static const char *const gzip[] = { "gzip", NULL };
	struct made sample = { 0 };
	struct err err = { 0 };
	void *packed;
	size_t size;

	fill_small(&sample);
	packed = way_pack(sample.bytes, sample.size, gzip, &size);
	way_file(paths[0], sample.bytes, sample.size);
	way_file(paths[1], packed, size);
	free(packed);
	cr_assert(read_input(&sample, &err), "%s", err.text);
	cr_expect(str_is((struct str){ true_told.bytes, true_told.size },
			 STR("[1][1][1][2][2][2][3][3][3]")));
	try_all(read_input, &sample);
	unlink(paths[0]);
	unlink(paths[1]);
	buf_clear(&true_told);
	make_clear(&sample);
}

/* A spool without memory goes to a file; of what it takes nothing may be lost. */
static bool use_spool(const struct made *sample, struct err *err)
{
	struct spool spool = { 0 };
	struct block blocks[4] = { 0 };
	size_t count = 0;
	bool is_good = true;

	while (is_good && count < 4) {
		size_t room = sample->size - spool.size;
		unsigned char *to = spool_room(&spool, &room, err);

		is_good = to != NULL;
		if (is_good)
			memcpy(to, sample->bytes + spool.size, room);
		is_good = is_good && spool_added(&spool, room, err);
		if (!is_good || spool.size < sample->size)
			continue;
		is_good = spool_bytes(&spool, err) &&
			  spool_cut(&spool, count % 2 ? 100 : spool.size, &blocks[count],
				    err);
		if (!is_good)
			continue;
		cr_expect_eq(memcmp(blocks[count].bytes, sample->bytes,
				    blocks[count].size), 0);
		spool_drop(&spool, spool.size);
		count++;
	}
	for (size_t i = 0; i < 4; i++)
		block_free(&blocks[i]);
	spool_clear(&spool);
	return is_good;
}

Test(fault, is_survived_by_spools)
{
	struct made sample = { 0 };

	fill_shop(&sample);
	try_all(use_spool, &sample);
	make_clear(&sample);
}

Test(fault, can_happen)
{
	void *memory;

	fault_at(1);
	memory = malloc(1);
	cr_expect_null(memory);
	cr_expect(fault_happened());
	cr_expect_eq(fault_count(), 1);
	fault_at(0);
	free(memory);
}

/* The same for the limit of an arena: a little more each time, until it is enough. */
Test(fault, is_survived_at_the_limit_of_an_arena)
{
	struct made sample = { 0 };
	bool good = false;

	fill(&sample);
	cr_assert(make_open(&sample), "%s", sample.err.text);
	for (size_t limit = 1; !good; limit += 61) {
		struct arena arena = { .limit = limit };
		struct metadata metadata = { 0 };
		struct err err = { 0 };
		size_t at = (size_t)sample.chunk.header.metadata_at;

		good = metadata_read(&metadata, sample.bytes + at, sample.size - at, &arena,
				     &err) &&
		       (compile_types(&metadata, &arena) || err_memory(&err));
		cr_assert(good || err.kind != ERR_NONE);
		metadata_clear(&metadata);
		arena_clear(&arena);
	}
	make_clear(&sample);
}
