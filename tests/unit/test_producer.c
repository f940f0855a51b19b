#include <criterion/criterion.h>

#include "count/producer.h"
#include "make.h"

#define INFORMATION(name)                                                      \
	TYPE(name, "jdk.jfr.Event",                                            \
	     FIELDS(START, FIELD("jvmName", "java.lang.String"),               \
		    FIELD("jvmVersion", "java.lang.String")))
#define SIMPLE(name)                                                           \
	TYPE(name, NULL, .is_simple = true, FIELDS(FIELD("name", "java.lang.String")))

static const struct schema_type information[] = {
	INFORMATION("my.jdk.JVMInformation"),
	INFORMATION("jdk.JVMInformation"),
	TYPES_END,
};

static const struct schema_type old_information[] = {
	INFORMATION("com.oracle.jdk.JVMInformation"), TYPES_END,
};

static const struct schema_type hotspot[] = {
	SIMPLE("jdk.types.VMOperationType"), TYPES_END,
};

static const struct schema_type async_profiler[] = {
	SIMPLE("profiler.types.LogLevel"),
	TYPE("jdk.ActiveRecording", "jdk.jfr.Event",
	     FIELDS(START, FIELD("id", "long"), FIELD("name", "java.lang.String"))),
	TYPES_END,
};

static void begin(struct made *made, const struct schema_type *types)
{
	make_begin(made, information);
	if (types)
		writer_describe(&made->writer, types);
}

static void expect(struct made *made, const char *name, const char *jvm_name,
		   const char *jvm_version)
{
	struct tally_share share = { 0 };
	struct damage damage = { 0 };
	struct producer producer;
	struct err err;
	struct chunk chunk;

	cr_assert(make_bytes(made), "%s", made->err.text);
	cr_assert(chunk_open_bytes(&chunk, made->bytes, made->size, &err), "%s", err.text);
	cr_assert(tally_chunk(&share, &chunk, NULL, &damage));
	cr_assert(producer_find(&producer, &chunk, &share));
	cr_expect_str_eq(producer.name, name);
	cr_expect_str_eq(producer.jvm_name, jvm_name);
	cr_expect_str_eq(producer.jvm_version, jvm_version);
	cr_expect(damage_is_none(&damage));
	tally_share_clear(&share);
	damage_clear(&damage);
	chunk_close(&chunk);
	make_clear(made);
}

static void event(struct made *made, const char *type, const char *name,
		  const char *version)
{
	writer_event(&made->writer, writer_type(&made->writer, type));
	encode_long(&made->writer.buf, 1);
	encode_string(&made->writer.buf, str_of(name));
	encode_string(&made->writer.buf, str_of(version));
	writer_end(&made->writer);
}

Test(producer, is_unknown_where_nothing_tells)
{
	struct made made = { 0 };

	begin(&made, NULL);
	expect(&made, "unknown", "", "");
}

Test(producer, is_told_by_types)
{
	struct made made = { 0 };

	begin(&made, hotspot);
	expect(&made, "HotSpot", "", "");
	begin(&made, async_profiler);
	expect(&made, "async-profiler", "", "");
}

Test(producer, is_told_by_the_event_of_the_jvm)
{
	static const char *const names[][2] = {
		{ "OpenJDK 64-Bit Server VM", "HotSpot" },
		{ "Java HotSpot(TM) 64-Bit Server VM", "HotSpot" },
		{ "Substrate VM", "native image" },
		{ "Other VM", "unknown" },
	};

	for (size_t i = 0; i < 4; i++) {
		struct made made = { 0 };

		begin(&made, hotspot);
		event(&made, "jdk.JVMInformation", names[i][0], "1.2.3");
		expect(&made, names[i][1], names[i][0], "1.2.3");
		make_begin(&made, old_information);
		event(&made, "com.oracle.jdk.JVMInformation", names[i][0], "1.2.3");
		expect(&made, names[i][1], names[i][0], "1.2.3");
	}
}

Test(producer, is_not_told_by_events_of_others)
{
	struct made made = { 0 };

	begin(&made, NULL);
	event(&made, "my.jdk.JVMInformation", "OpenJDK", "1");
	expect(&made, "unknown", "", "");
}

Test(producer, has_the_version_of_java)
{
	static const char *const versions[][2] = {
		{ "OpenJDK 64-Bit Server VM (25.302-b04) for linux-amd64 JRE "
		  "(1.8.0_302-b04), built on May 27 2021", "1.8.0_302-b04" },
		{ "21.0.3+9-LTS", "21.0.3+9-LTS" },
		{ "X JRE (", "X JRE (" },
		{ " JRE ()", "" },
	};

	for (size_t i = 0; i < 4; i++) {
		struct made made = { 0 };

		begin(&made, hotspot);
		event(&made, "jdk.JVMInformation", "OpenJDK", versions[i][0]);
		expect(&made, "HotSpot", "OpenJDK", versions[i][1]);
	}
}

Test(producer, is_named_by_its_recording)
{
	struct made made = { 0 };

	begin(&made, async_profiler);
	event(&made, "jdk.JVMInformation", "OpenJDK", "17");
	EVENT(&made.writer, "jdk.ActiveRecording", LONG(1), LONG(1),
	      TEXT("async-profiler 4.1"));
	expect(&made, "async-profiler 4.1", "OpenJDK", "17");
}

Test(producer, may_stand_in_constants)
{
	struct made made = { 0 };

	begin(&made, hotspot);
	EVENT(&made.writer, "jdk.JVMInformation", LONG(1), TEXT_KEY(1), TEXT_KEY(2));
	POOL(&made.writer, "java.lang.String");
	CONSTANT(&made.writer, 1, TEXT("Substrate VM"));
	CONSTANT(&made.writer, 2, TEXT("GraalVM"));
	expect(&made, "native image", "Substrate VM", "GraalVM");
}

Test(producer, is_cut_where_a_character_begins)
{
	struct made made = { 0 };
	char wanted[96] = "x";

	for (size_t i = 1; i < 95; i += 2)
		memcpy(wanted + i, "\u00e4", 2);
	wanted[95] = '\0';
	begin(&made, hotspot);
	event(&made, "jdk.JVMInformation", "OpenJDK",
	      "x\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4"
	      "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4"
	      "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4"
	      "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4"
	      "\u00e4\u00e4");
	expect(&made, "HotSpot", "OpenJDK", wanted);
}

Test(producer, is_unknown_where_its_event_is_broken)
{
	struct made made = { 0 };

	begin(&made, hotspot);
	writer_event(&made.writer, writer_type(&made.writer, "jdk.JVMInformation"));
	encode_long(&made.writer.buf, 1);
	writer_end(&made.writer);
	expect(&made, "HotSpot", "", "");
}
