/*
 * seeds.c - the seeds of the fuzz targets, made of the same things as the recordings.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "counters.h"
#include "jfr/eventtypes.h"
#include "jfr/frame.h"
#include "jfr/rawsample.h"
#include "shop.h"
#include "testdata.h"
#include "unit/makeclass.h"
#include "unit/makespill.h"

/* Seeds: each is the input of the fuzz target that its folder is named after. */
static void seed(const char *root, const char *target, const char *name,
		 const struct buf *bytes)
{
	char folder[2048];

	snprintf(folder, sizeof(folder), "%s/tests/fuzz/corpus/%s", root, target);
	mkdir(folder, 0777);	/* may be there; if it can not, save says why */
	sample_save(folder, name, bytes);
}

static void write_headers(const char *root)
{
	struct header header = shop_header(0);
	struct buf bytes = { 0 };

	header.chunk_size = 1000;
	header.metadata_at = 68;
	header_write(&header, &bytes);
	seed(root, "header", "finished", &bytes);
	header.state = 5;
	buf_reset(&bytes);
	header_write(&header, &bytes);
	seed(root, "header", "growing", &bytes);
	header.major = 1;
	header.minor = 0;
	header.ticks_per_second = 2100000000;
	buf_reset(&bytes);
	header_write(&header, &bytes);
	seed(root, "header", "version-1", &bytes);
	buf_clear(&bytes);
}

static void write_metadata(const char *root)
{
	struct buf bytes = { 0 };

	make_metadata(&bytes, "root\n"
			      " metadata\n"
			      "  class name=int id=2\n"
			      "  class name=a.L id=3 superType=java.lang.annotation.Annotation\n"
			      "   field name=value class=2\n"
			      "  class name=a.S id=4 simpleType=true\n"
			      "   field name=x class=2\n"
			      "  class name=a.E id=5 superType=jdk.jfr.Event\n"
			      "   field name=startTime class=2\n"
			      "    annotation class=3 value=TICKS\n"
			      "   field name=y class=4 constantPool=true\n"
			      "   field name=z class=5 dimension=1\n"
			      "   annotation class=3 value-0=JVM\n"
			      " region gmtOffset=3600000 dst=0 locale=en_US\n");
	seed(root, "metadata", "small", &bytes);
	buf_reset(&bytes);
	make_metadata(&bytes, "root\n metadata\n");
	seed(root, "metadata", "empty", &bytes);
	buf_clear(&bytes);
}

static void write_strings(const char *root)
{
	struct buf bytes = { 0 };

	make_values(&bytes, VALUES(NO_TEXT, TEXT(""), TEXT_KEY(7), TEXT("\xf0\x9f\x98\x80"),
				   TEXT_AS(STRING_CHARS, "h\xc3\xa9 \xf0\x9f\x98\x80"),
				   TEXT_AS(STRING_LATIN1, "h\xc3\xa9")));
	seed(root, "strings", "encodings", &bytes);
	buf_reset(&bytes);
	make_values(&bytes, VALUES(BYTE(STRING_UTF8), COUNT(9),
				   BYTES("\xc0\x80\xed\xa0\xbd\xed\xb8\x80\xff"),
				   TEXT_AS(STRING_CHARS, "\xed\xb8\x80\xed\xa0\xbd")));
	seed(root, "strings", "ill-formed", &bytes);
	buf_clear(&bytes);
}

/* The part of a chunk of the shop's types that was written by `add`. */
static void write_part(const char *root, const char *target, const char *name,
		       void (*add)(struct writer *writer))
{
	struct writer writer = { 0 };
	struct buf part = { 0 };
	size_t at;

	sample_begin(&writer, shop_types, 0);
	at = writer.buf.size;
	add(&writer);
	writer_end(&writer);
	if (strcmp(target, "checkpoints") == 0)
		encode_big(&part, (uint64_t)writer.header.checkpoint_at - at, 2);
	buf_add(&part, writer.buf.bytes + at, writer.buf.size - at);
	seed(root, target, name, &part);
	buf_clear(&part);
	writer_clear(&writer);
}

static void add_symbols(struct writer *writer)
{
	POOL(writer, SYMBOL);
	CONSTANT(writer, 1, TEXT("one"));
	CONSTANT(writer, 0, TEXT_KEY(1));
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, 1, BOOLEAN(false), COUNT(1), KEY(1), INT(5), INT(0), KEY(0));
}

static void add_chain(struct writer *writer)
{
	add_symbols(writer);
	writer_end(writer);
	add_symbols(writer);
	writer_end(writer);
	sample_checkpoint(writer,
			  VALUES(COUNT(1), LONG(4242), COUNT(1), KEY(1), TEXT("x")));
}

/* The newest is inside of the one before it, which is seven bytes in front. */
static void add_overlap(struct writer *writer)
{
	add_symbols(writer);
	writer_end(writer);
	writer->header.checkpoint_at = (int64_t)writer_position(writer) + 7;
	writer_event(writer, EVENT_CHECKPOINT);
	make_values(&writer->buf, VALUES(LONG(0), LONG(0), LONG(0), BYTE(0), COUNT(0)));
	make_values(&writer->buf, VALUES(COUNT(15), LONG(EVENT_CHECKPOINT), LONG(0),
					 LONG(0), LONG(-7), BYTE(0), COUNT(0)));
}

static void add_events(struct writer *writer)
{
	shop_events(writer, SHOP_TICK);
}

static void add_sale(struct writer *writer)
{
	shop_sale(writer, SHOP_TICK, 5, MAIN_THREAD, MAIN_STACK, "tea");
}

/* A whole recording, as small as can be: these types, and what `add` writes. */
static void write_print(const char *root, const char *name, const struct schema_type *types,
			void (*add)(struct writer *writer))
{
	struct writer writer = { 0 };

	writer_describe(&writer, types);
	writer_open(&writer, NULL);
	add(&writer);
	sample_finish(&writer);
	seed(root, "print", name, &writer.buf);
	writer_clear(&writer);
}

static const struct schema_type context_types[] = {
	TYPE("java.lang.Thread", NULL,
	     FIELDS(FIELD("osName", "java.lang.String"), FIELD("javaThreadId", "long"))),
	TYPE("a.C", "jdk.jfr.Event",
	     FIELDS(START, DURATION, THREAD,
		    FIELD("id", "int", NOTES(MARK("jdk.jfr.Contextual"))))),
	TYPE("a.E", "jdk.jfr.Event", FIELDS(START, THREAD)),
	TYPES_END,
};

/* Contexts that are open, nested, never closed, and closed before they are opened. */
static void add_contexts(struct writer *writer)
{
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, 1, TEXT("t"), LONG(0));
	EVENT(writer, "a.C", LONG(1), LONG(9), KEY(1), INT(1));
	EVENT(writer, "a.C", LONG(2), LONG(3), KEY(1), INT(2));
	EVENT(writer, "a.C", LONG(9), LONG(-5), KEY(1), INT(3));
	EVENT(writer, "a.E", LONG(4), KEY(1));
	EVENT(writer, "a.E", LONG(4), KEY(2));
}

static const struct schema_type ring_types[] = {
	TYPE("a.A", NULL,
	     FIELDS(FIELD("b", "a.B", POOLED), FIELD("all", "a.A", POOLED, ARRAY))),
	TYPE("a.B", NULL, FIELDS(FIELD("a", "a.A", POOLED), FIELD("x", "int", ARRAY))),
	TYPE("a.E", "jdk.jfr.Event", FIELDS(START, FIELD("a", "a.A", POOLED))),
	TYPES_END,
};

static void add_rings(struct writer *writer)
{
	EVENT(writer, "a.E", LONG(1), KEY(1));
	EVENT(writer, "a.E", LONG(1), KEY(2));
	POOL(writer, "a.A");
	CONSTANT(writer, 1, KEY(1), COUNT(2), KEY(1), KEY(2));
	CONSTANT(writer, 2, KEY(1), COUNT(0));
	POOL(writer, "a.B");
	CONSTANT(writer, 1, KEY(2), COUNT(2), INT(-1), INT(7));
}

static const struct schema_type simple_types[] = {
	TYPE("a.A", NULL, .is_simple = true, FIELDS(FIELD("x", "int", ARRAY))),
	TYPE("a.P", NULL, .is_simple = true, FIELDS(FIELD("a", "a.A", POOLED))),
	TYPE("a.T", NULL, .is_simple = true,
	     FIELDS(FIELD("x", "int"), FIELD("y", "java.lang.String"))),
	TYPE("a.E", "jdk.jfr.Event", .is_simple = true,
	     FIELDS(START, FIELD("a", "a.A"), FIELD("p", "a.P", POOLED),
		    FIELD("q", "a.P"), FIELD("t", "a.T", ARRAY))),
	TYPES_END,
};

static void add_simple(struct writer *writer)
{
	EVENT(writer, "a.E", LONG(1), COUNT(1), INT(2), KEY(1), KEY(1), COUNT(1), INT(3));
	POOL(writer, "a.A");
	CONSTANT(writer, 1, COUNT(2), INT(1), INT(2));
	POOL(writer, "a.P");
	CONSTANT(writer, 1, KEY(1));
}

static const char *const lines[] = {
	"item = coffee", "duration >= 1.5ms", "eventThread.group.parent.name != 'system'",
	"stackTrace ~ *Clerk.sell(*", "stackTrace.frames.method.type.name = shop/Shop",
	"address.city.zip < -0.5", "bytes <= 1.5 kB", "share = 50%", "since > 2024-05-01",
	"startTime < 1970-01-01T00:00:05.5+01:00", "address = 0x7f0012345678",
	"ticks = null", "pooled !~ *o?e*", "c == 'x'", "ulong > 9e18", "z != true",
	"1h30m", "PT-1H-1.5S", "-30s", "22:06:54.734 (2024-05-01)", "main, 4?0*, 31",
};

/* A file for each text. */
static void write_texts(const char *root, const char *target, const char *const *texts,
			size_t count)
{
	struct buf bytes = { 0 };
	char name[32];

	for (size_t i = 0; i < count; i++) {
		buf_reset(&bytes);
		buf_text(&bytes, texts[i]);
		snprintf(name, sizeof(name), "line-%02zu", i + 1);
		seed(root, target, name, &bytes);
	}
	buf_clear(&bytes);
}

/* A line each; those about a recording have one behind them. */
static void write_where(const char *root)
{
	struct writer writer = { 0 };
	struct buf bytes = { 0 };

	write_texts(root, "where", lines, sizeof(lines) / sizeof(lines[0]));
	writer_describe(&writer, ring_types);
	writer_open(&writer, NULL);
	add_rings(&writer);
	sample_finish(&writer);
	buf_reset(&bytes);
	buf_text(&bytes, "a.b.a.all.all.b.x != 7\n");
	buf_add(&bytes, writer.buf.bytes, writer.buf.size);
	seed(root, "where", "rings", &bytes);
	writer_clear(&writer);
	buf_clear(&bytes);
}

static const char *const queries[] = {
	"COLUMN 'A', 'b c' FORMAT none, missing:'x y';cell-height:5 SELECT a, AVG(b) AS B "
	"FROM jdk.X AS Y, Z? WHERE c = 'd' AND [Y|Z].e = 'f' GROUP BY a, b ORDER BY B DESC, "
	"c LIMIT 25",
	"FORMAT normalized, share-of-run;truncate-end, ms-precision:6 SELECT count(*), "
	"LAST_BATCH(a), P999(b.c) FROM * ORDER BY a ASC",
	"SELECT * FROM \"X\" GRUOP BY \xc3\xa9\xe2\x80\x83",
	"; mine\n[a.b.c-d]\nlabel = \"L\"\nabout = 'Q?'\ntable = \"SELECT *\n FROM X\"\n"
	"[jvm.gc] form='SELECT COUNT(*) FROM X' label=x ; y",
};

static void write_query(const char *root)
{
	write_texts(root, "query", queries, sizeof(queries) / sizeof(queries[0]));
}

static const char *const filters[] = {
	"a.b.C; c.D::m;\n\t::<clinit>;@a.Ann\na.b.C <init> ",
	"a.b.*;!a.b.C*::get*\na.b.D forget int",
	("+a.Base::m(String, int[], java.util.Map$Entry...)\n"
	 "a.Base m java.lang.String,int[],java.util.Map$Entry[]"),
	"**.b*.C::*a*b\nx.y.bb.C cacabb ",
	"!@a.*;okio.-Util::f-impl()\nokio.-Util f-impl ",
	"a.B,c.D::m;+@x;!!y;a/b;::\n",
	"\xe2\x80\x83::\xc3\xa9\xe3\x80\x80; a.\xf0\x9f\x98\x80\n",
};

static void write_filters(const char *root)
{
	write_texts(root, "methodfilter", filters, sizeof(filters) / sizeof(filters[0]));
}

static const char *const orders[] = {
	("name=two\\nlines, a \\\\ and a = sign\ndestination=/tmp/x.jfr\nrepository=/tmp\n"
	 "socket=/run/s\ndelay=1\nduration=2\nmax-age=600000000000\nflush-interval=4\n"
	 "max-size=9223372036854775807\nmax-chunk-size=6\nmemory-size=7\nbuffer-size=8\n"
	 "stack-depth=64\nsamples-wall=true\nthreads=main,worker-?,!*1\ndisk=false\n"
	 "redact=false\n"),
	("setting=jdk.CPULoad#enabled=true\nsetting=jdk.CPULoad#period=20 ms\n"
	 "setting=jdk.GarbageCollection#threshold=1h30m\nsetting=a\\=b#filter==\n"
	 "setting=jdk.Shutdown#stackTrace=false\n"),
	("setting=jdk.CPULoad#period=everyChunk\nsetting=jdk.PhysicalMemory#period=PT1.5S\n"
	 "setting=jdk.ThreadDump#period=infinity\nsetting=jdk.GCPhasePause#threshold=0 ns\n"),
};

static void write_orders(const char *root)
{
	write_texts(root, "orders", orders, sizeof(orders) / sizeof(orders[0]));
}

static const char *const requests[] = {
	"stop name=check\\nout\nlast=300000000000\nto=client\n",
	"dump name=1\nlast=0\n",
	"start ",
};

static const char *const facts[] = {
	("id=3\nname=a\\nb\ndestination=/tmp/a=b.jfr\nwhy=no space\nstate=failed\n"
	 "begun=1796036400000000001\nended=1796036400000000002\nduration=4\nmax-age=5\n"
	 "max-size=6\ndisk=true\nbytes=7\nchunks=8\nlost-events=9\n"),
	("pid=4711\nversion=1.0\nrepository=/tmp/cjfr-abcdef\nattached=1\nlaunched=true\n"
	 "events=2\nlost-events=3\nlost-bytes=4\nmemory-size=5\nmemory-used=6\n"
	 "cpu-flusher=7\ncpu-handler=8\nprobed-classes=9\nprobed-methods=10\n"
	 "interval=11\n"),
};

static void write_requests(const char *root)
{
	write_texts(root, "request", requests, sizeof(requests) / sizeof(requests[0]));
	write_texts(root, "facts", facts, sizeof(facts) / sizeof(facts[0]));
}

/* A chunk with types of our engine, where some events are short, and some have no length. */
static void write_sifted(const char *root)
{
	struct header header = writer_header;
	struct writer writer = { 0 };
	struct err err;

	header.start_nanos = header.start_ticks = 1000;
	writer_describe(&writer, eventtypes);
	writer_open(&writer, &header);
	writer_metadata(&writer);
	for (int64_t i = 0; i < 6; i++) {
		writer_event(&writer, EVENT_METHOD_TRACE);
		make_values(&writer.buf, VALUES(LONG(1000 + i), LONG(i * 50), KEY(0), KEY(0),
						KEY(0)));
		writer_event(&writer, EVENT_VIRTUAL_THREAD_START + i % 2);
		make_values(&writer.buf, VALUES(LONG(1000 + i), KEY(0), KEY(0), LONG(i)));
		writer_checkpoint(&writer, 0);
		writer_pool(&writer, POOL_SYMBOL);
		writer_constant(&writer, (uint64_t)i);
		encode_string(&writer.buf, STR("tea"));
		writer_copy_header(&writer, POOL_CHUNK_HEADER, CHECKPOINT_FLUSH, 1);
	}
	if (writer_close(&writer, &err))
		seed(root, "sieve", "calls", &writer.buf);
	writer_clear(&writer);
}

static const struct schema_type tick_types[] = {
	TYPE("a.E", "jdk.jfr.Event", FIELDS(START, FIELD("s", "a.S", POOLED))),
	TYPE("a.S", NULL, FIELDS(FIELD("text", "java.lang.String"))),
	TYPES_END,
};

/* Three small chunks of one JVM, in which something is to be broken; where they are. */
static void three_chunks(struct writer *writer, size_t places[3])
{
	for (int i = 0; i < 3; i++) {
		struct header header = shop_header(i);

		if (i == 0)
			writer_describe(writer, tick_types);
		places[i] = writer->buf.size;
		writer->now = header.start_ticks;
		writer_open(writer, &header);
		for (int k = 0; k < 4; k++) {
			EVENT(writer, "a.E", LONG(header.start_ticks + k), KEY(1));
			if (k % 2)
				continue;
			POOL(writer, "a.S");
			CONSTANT(writer, 1, TEXT("text"));
		}
		sample_finish(writer);
	}
}

/* The bytes of an event, or of a number in a header, replaced by others. */
static void write_broken(const char *root, const char *name, int chunk, size_t at,
			 const char *bytes, size_t size)
{
	struct writer writer = { 0 };
	size_t places[3];

	three_chunks(&writer, places);
	memcpy(writer.buf.bytes + places[chunk] + at, bytes, size);
	seed(root, "resync", name, &writer.buf);
	writer_clear(&writer);
}

/* Bytes between chunks, or in front of all. */
static void write_gap(const char *root, const char *name, int chunk, const char *bytes,
		      size_t size)
{
	struct writer writer = { 0 };
	struct buf with_gap = { 0 };
	size_t places[3];

	three_chunks(&writer, places);
	buf_add(&with_gap, writer.buf.bytes, places[chunk]);
	buf_add(&with_gap, bytes, size);
	buf_add(&with_gap, writer.buf.bytes + places[chunk],
		writer.buf.size - places[chunk]);
	seed(root, "resync", name, &with_gap);
	buf_clear(&with_gap);
	writer_clear(&writer);
}

/* As it is while the JVM runs: the last chunk is flushed in part. */
static void write_growing(const char *root)
{
	struct header header = shop_header(3);
	struct writer writer = { 0 };
	size_t places[3];
	struct err err;

	three_chunks(&writer, places);
	writer_open(&writer, &header);
	EVENT(&writer, "a.E", LONG(header.start_ticks), KEY(1));
	if (!writer_flush(&writer, &err))
		return;
	EVENT(&writer, "a.E", LONG(header.start_ticks), KEY(1));
	writer_end(&writer);
	buf_fill(&writer.buf, 0, 20);
	seed(root, "resync", "growing", &writer.buf);
	writer_clear(&writer);
}

static void write_resync(const char *root)
{
	write_broken(root, "event", 0, HEADER_SIZE, "\0", 1);
	write_broken(root, "events", 1, HEADER_SIZE, "garbage, garbage", 16);
	write_broken(root, "unknown-type", 1, HEADER_SIZE + 1, "\x77", 1);
	write_broken(root, "chunk-size-0", 0, 8, "\0\0\0\0\0\0\0", 8);
	write_broken(root, "chunk-size-large", 1, 8, "\0\0\0\0\1\0\0", 8);
	write_broken(root, "no-checkpoint", 0, 16, "\0\0\0\0\0\0\0", 8);
	write_broken(root, "other-checkpoint", 1, 16, "\0\0\0\0\0\0\0\x44", 8);
	write_broken(root, "no-metadata", 2, 24, "\0\0\0\0\0\0\0", 8);
	write_broken(root, "magic", 1, 0, "FLX", 3);
	write_broken(root, "state", 1, 64, "\x05", 1);
	write_gap(root, "gap", 1, "something that is no chunk", 26);
	write_gap(root, "gap-in-front", 0, "FLR", 4);
	write_growing(root);
}

/* The magic number is the same on all machines, the rest is as this one has it. */
static void write_counters(const char *root)
{
	struct counters counters;
	struct buf bytes = { 0 };

	counters_fill(&counters);
	buf_add(&bytes, counters.bytes, counters.size);
	seed(root, "perfdata", "three", &bytes);
	buf_clear(&bytes);
}

/* Arguments that end with 0. */
/* The same class as the verifiers of three ages see it: without frames, maybe, with. */
static void write_classes(const char *root)
{
	static const struct {
		const char *name;
		uint16_t major;
	} kinds[] = { { "old", 48 }, { "maybe", 50 }, { "framed", 52 } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct make_class table = make_class_rich;
		struct buf bytes = { 0 };

		table.major = kinds[i].major;
		make_class(&table, &bytes);
		seed(root, "classfile", kinds[i].name, &bytes);
		buf_clear(&bytes);
	}
}

static void write_secrets(const char *root)
{
	static const char line[] =
		"java\0-Ddb.password=a b\0--token\0x\0-H\0Authorization: Bearer x\0"
		"jdbc:x://me:x@host/?key=x&a=b\0{ \"secret\" : \"x\" }";
	struct buf bytes = { 0 };

	buf_add(&bytes, line, sizeof(line));
	seed(root, "secret", "line", &bytes);
	buf_clear(&bytes);
}

/* As in a raw lane: a size of its own width, then type and fields. */
static void add_raw_sample(struct buf *bytes)
{
	static const struct rawframe frames[] = {
		{ UINT64_C(0x7f0012345678), 17, RAWFRAME_COMPILED },
		{ UINT64_C(0x7f0012345600), -1, RAWFRAME_INTERPRETED },
		{ 0, -3, RAWFRAME_NATIVE },
		{ UINT64_MAX, INT32_MAX, RAWFRAME_UNKNOWN },
	};
	struct rawsample sample = {
		.ticks = 123456789,
		.thread = 7,
		.flags = RAWSAMPLE_NATIVE | RAWSAMPLE_TRUNCATED,
		.count = sizeof(frames) / sizeof(frames[0]),
	};
	char fields[200], *at = encode_varint_at(fields, EVENT_RAW_SAMPLE);

	at = rawsample_put(at, &sample, frames);
	encode_event(bytes, fields, (size_t)(at - fields));
}

static void write_raw_samples(const char *root)
{
	struct buf bytes = { 0 };

	add_raw_sample(&bytes);
	seed(root, "rawsample", "four", &bytes);
	buf_clear(&bytes);
}

/* What a JVM left, as this machine has numbers. */
static void seed_spill(const char *root, const char *name, const struct madespill *made)
{
	struct buf bytes = { 0 };

	buf_add(&bytes, made->header, made->size);
	seed(root, "spill", name, &bytes);
	seed(root, "salvage", name, &bytes);
	buf_clear(&bytes);
}

/* An event of one of our types. */
static void add_spilled(struct buf *events, enum event_id type,
			const struct make_value *fields)
{
	struct buf event = { 0 };

	encode_varint(&event, type);
	make_values(&event, fields);
	encode_event(events, event.bytes, event.size);
	buf_clear(&event);
}

static void add_known(struct spill_block *block, uint32_t type, uint64_t key,
		      const struct make_value *fields)
{
	struct buf value = { 0 };

	make_values(&value, fields);
	makespill_record(block, type, key, value.bytes, value.size);
	buf_clear(&value);
}

static void add_all_known(const struct madespill *made)
{
	struct spill_block *block = makespill_block(made, SPILL_RECORDS, 0);

	add_known(block, POOL_SYMBOL, 1, VALUES(TEXT("a/Main")));
	add_known(block, POOL_THREAD, 7,
		  VALUES(TEXT("main"), LONG(4001), TEXT("main"), LONG(1), KEY(0),
			 BOOLEAN(false)));
	add_known(block, POOL_CLASS, 2,
		  VALUES(KEY(0), KEY(1), KEY(0), INT(1), BOOLEAN(false)));
	block = makespill_block(made, SPILL_RECORDS, 0);
	add_known(block, POOL_METHOD, 3,
		  VALUES(KEY(2), KEY(1), KEY(1), INT(1), BOOLEAN(false)));
	add_known(block, SPILL_METHOD, UINT64_C(0x7f0012345678),
		  VALUES(LONG(3), LONG(1), LONG(0), LONG(0), LONG(40), LONG(5), LONG(2)));
	makespill_record(block, POOL_SYMBOL, 4, "gone", 4)->type = SPILL_GONE;
}

/* Killed in the middle of its second flush. */
static void write_spilled_slots(const char *root)
{
	struct madespill made;
	struct spill_slot *slot;
	struct buf events = { 0 };

	makespill_open_as(&made, 256, 5, MAKESPILL_BLOCK, 3);
	add_all_known(&made);
	slot = makespill_slot(&made, 1, 1);
	add_spilled(&events, EVENT_THREAD_END, VALUES(LONG(1100), KEY(7), KEY(7)));
	makespill_put(slot, events.bytes, events.size);
	makespill_drain(slot, 1);
	makespill_put(slot, events.bytes, events.size);
	makespill_drain(slot, 2);
	makespill_put(slot, events.bytes, events.size);
	makespill_put(makespill_slot(&made, 1, 2), events.bytes, events.size);
	makespill_slot(&made, 2, 1);
	buf_reset(&events);
	add_raw_sample(&events);
	makespill_put(makespill_slot(&made, LANE_RAW | 3, 1), events.bytes, events.size);
	made.header->flush = 2;
	made.header->committed = 1;
	made.header->flush_chunk = made.header->start_nanos;
	made.header->flush_size = 828;
	seed_spill(root, "slots", &made);
	buf_clear(&events);
	makespill_close(&made);
}

/* Types of constants as they are, and one of events. */
static void add_spilled_types(struct buf *metadata)
{
	struct schema_type types[EVENT_END] = { 0 };	/* more than there are */
	const struct schema_type *type = eventtypes;
	struct writer writer = { 0 };
	size_t count = 0, at;
	struct frame frame;

	for (; type->name; type++) {
		if (type->id < EVENT_FIRST || type->id == EVENT_CPU_LOAD)
			types[count++] = *type;
	}
	writer_describe(&writer, types);
	writer_open(&writer, NULL);
	sample_finish(&writer);
	at = (size_t)writer.header.metadata_at;
	if (!frame_read((const unsigned char *)writer.buf.bytes, writer.buf.size, at,
			&frame))
		buf_add(metadata, writer.buf.bytes + at, frame.size);
	writer_clear(&writer);
}

/* What is kept, of which a block is missing, and metadata. */
static void write_spilled_kept(const char *root)
{
	struct madespill made;
	struct buf events = { 0 }, metadata = { 0 };

	makespill_open_as(&made, 64, 1, 512, 16);
	add_all_known(&made);
	for (int64_t i = 0; i < 12; i++)
		add_spilled(&events, EVENT_CPU_LOAD,
			    VALUES(LONG(1000 + i), FLOAT(0.25), FLOAT(0), FLOAT(1)));
	for (uint64_t flush = 1; flush <= 3; flush++)
		makespill_batch(&made, flush, 12, events.bytes, events.size);
	add_spilled_types(&metadata);
	makespill_metadata(&made, metadata.bytes, metadata.size);
	makespill_block_at(&made, 3)->kind = SPILL_FREE;
	made.header->flush = made.header->committed = 3;
	seed_spill(root, "kept", &made);
	buf_clear(&events);
	buf_clear(&metadata);
	makespill_close(&made);
}

/* Names in parts: one of which all are there, one that was being removed. */
static void write_spilled_parts(const char *root)
{
	char name[400];
	struct madespill made;
	struct buf value = { 0 }, events = { 0 };

	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = 0;
	makespill_open_as(&made, 128, 1, MAKESPILL_BLOCK, 9);
	make_values(&value, VALUES(TEXT(name), LONG(4001), TEXT("main"), LONG(1), KEY(0),
				   BOOLEAN(false)));
	makespill_parts(&made, 1, POOL_THREAD, 7, value.bytes, value.size);
	makespill_parts(&made, 2, POOL_THREAD, 8, value.bytes, value.size);
	((struct spill_record *)makespill_block_at(&made, 4)->bytes)->type = SPILL_GONE;
	add_spilled(&events, EVENT_THREAD_END, VALUES(LONG(1100), KEY(7), KEY(8)));
	makespill_put(makespill_slot(&made, 1, 1), events.bytes, events.size);
	seed_spill(root, "parts", &made);
	buf_clear(&value);
	buf_clear(&events);
	makespill_close(&made);
}

void sample_seeds(const char *root)
{
	write_headers(root);
	write_metadata(root);
	write_strings(root);
	write_part(root, "checkpoints", "one", add_symbols);
	write_part(root, "checkpoints", "chain", add_chain);
	write_part(root, "checkpoints", "overlap", add_overlap);
	write_part(root, "events", "sale", add_sale);
	write_part(root, "events", "all", add_events);
	write_print(root, "contexts", context_types, add_contexts);
	write_print(root, "rings", ring_types, add_rings);
	write_print(root, "simple-types", simple_types, add_simple);
	write_where(root);
	write_query(root);
	write_filters(root);
	write_orders(root);
	write_requests(root);
	write_sifted(root);
	write_resync(root);
	write_classes(root);
	write_counters(root);
	write_secrets(root);
	write_raw_samples(root);
	write_spilled_slots(root);
	write_spilled_kept(root);
	write_spilled_parts(root);
}
