#include <criterion/criterion.h>

#include "render/text.h"
#include "show.h"

static const struct schema_type types[] = {
	TYPE("test.Class", "jdk.jfr.Event",
	     FIELDS(START, FIELD("x", "java.lang.Class", POOLED))),
	TYPE("test.Loader", "jdk.jfr.Event",
	     FIELDS(START, FIELD("x", "jdk.types.ClassLoader", POOLED))),
	TYPE("test.Method", "jdk.jfr.Event",
	     FIELDS(START, FIELD("x", "jdk.types.Method", POOLED))),
	TYPE("test.Thread", "jdk.jfr.Event",
	     FIELDS(START, FIELD("x", "java.lang.Thread", POOLED))),
	TYPES_END,
};

enum {
	NAME = 1,
	MAIN,
	APP,
	ARRAY_OF_INT,
	ARRAY_OF_CLASS,
	SIGNATURE,
	ODD_SIGNATURE,
	LONELY
};

static void make_names(struct writer *writer)
{
	POOL(writer, "jdk.types.Symbol");
	CONSTANT(writer, NAME, TEXT("java/util/Map$Entry"));
	CONSTANT(writer, MAIN, TEXT("main"));
	CONSTANT(writer, APP, TEXT("app"));
	CONSTANT(writer, ARRAY_OF_INT, TEXT("[[I"));
	CONSTANT(writer, ARRAY_OF_CLASS, TEXT("[Ljava/lang/String;"));
	CONSTANT(writer, SIGNATURE, TEXT("(I[[JLjava/util/Map$Entry;Z)V"));
	CONSTANT(writer, ODD_SIGNATURE, TEXT("(QLa/B"));
	CONSTANT(writer, LONELY, TEXT("["));
}

/* Classes 1 to 6, loaders 21 to 23, methods 31 to 34. */
static void make_code(struct writer *writer)
{
	make_names(writer);
	POOL(writer, "java.lang.Class");
	CONSTANT(writer, 1, KEY(21), KEY(NAME), KEY(0), INT(1), BOOLEAN(0));
	CONSTANT(writer, 2, KEY(22), KEY(ARRAY_OF_INT), KEY(0), INT(1), BOOLEAN(0));
	CONSTANT(writer, 3, KEY(23), KEY(ARRAY_OF_CLASS), KEY(0), INT(1), BOOLEAN(0));
	CONSTANT(writer, 4, KEY(99), KEY(NAME), KEY(0), INT(1), BOOLEAN(0));
	CONSTANT(writer, 5, KEY(99), KEY(99), KEY(0), INT(1), BOOLEAN(0));
	CONSTANT(writer, 6, KEY(99), KEY(LONELY), KEY(0), INT(1), BOOLEAN(0));
	POOL(writer, "jdk.types.ClassLoader");
	CONSTANT(writer, 21, KEY(4), KEY(APP));
	CONSTANT(writer, 22, KEY(4), KEY(99));
	CONSTANT(writer, 23, KEY(99), KEY(99));
	POOL(writer, "jdk.types.Method");
	CONSTANT(writer, 31, KEY(1), KEY(MAIN), KEY(SIGNATURE), INT(1), BOOLEAN(0));
	CONSTANT(writer, 32, KEY(1), KEY(MAIN), KEY(ODD_SIGNATURE), INT(1), BOOLEAN(0));
	CONSTANT(writer, 33, KEY(1), KEY(MAIN), KEY(99), INT(1), BOOLEAN(0));
	CONSTANT(writer, 34, KEY(99), KEY(99), KEY(SIGNATURE), INT(1), BOOLEAN(0));
}

static void make_threads(struct writer *writer)
{
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, 1, TEXT("os \"1\""), LONG(11), TEXT("main"), LONG(1), KEY(0),
		 BOOLEAN(0));
	CONSTANT(writer, 2, TEXT("VM \"Thread\""), LONG(12), NO_TEXT, LONG(0), KEY(0),
		 BOOLEAN(0));
	CONSTANT(writer, 3, TEXT(""), LONG(13), TEXT(""), LONG(30), KEY(0), BOOLEAN(1));
	CONSTANT(writer, 4, NO_TEXT, LONG(14), NO_TEXT, LONG(40), KEY(0), BOOLEAN(0));
	CONSTANT(writer, 5, NO_TEXT, LONG(15), TEXT("x"), LONG(-1), KEY(0), BOOLEAN(0));
	CONSTANT(writer, 6, TEXT("w"), LONG(16), TEXT("x"), LONG(0), KEY(0),
		 BOOLEAN(1));
}

/* What the constant with that key looks like, as field x of an event of that type. */
static void expect_text(const char *event, uint64_t key, const char *wanted, int line)
{
	struct buf text = { 0 };
	struct made made = { 0 };

	writer_describe(&made.writer, make_jdk_types);
	make_begin(&made, types);
	EVENT(&made.writer, event, LONG(0), KEY(key));
	make_code(&made.writer);
	make_threads(&made.writer);
	cr_assert(make_bytes(&made), "%s", made.err.text);
	buf_printf(&text,
		   "%s {\n  startTime = 00:00:00.000 (1970-01-01)\n  x = %s\n}\n\n%c",
		   event, wanted, 0);
	show_compare(&made, &(const struct show){ 0 }, text.bytes, line);
	buf_clear(&text);
	make_clear(&made);
}

#define EXPECT_TEXT(event, key, wanted) expect_text(event, key, wanted, __LINE__)

Test(text, of_a_class_names_its_loader)
{
	EXPECT_TEXT("test.Class", 1, "java.util.Map$Entry (classLoader = app)");
	EXPECT_TEXT("test.Class", 2, "int[][] (classLoader = java.util.Map$Entry)");
	EXPECT_TEXT("test.Class", 4, "java.util.Map$Entry (classLoader = null)");
	EXPECT_TEXT("test.Class", 99, "N/A");
}

/* The JDK has a null pointer there. */
Test(text, of_a_class_says_what_is_missing)
{
	EXPECT_TEXT("test.Class", 3, "java.lang.String[] (classLoader = null)");
	EXPECT_TEXT("test.Class", 5, "<unknown> (classLoader = null)");
	EXPECT_TEXT("test.Class", 6, "[ (classLoader = null)");
}

Test(text, of_a_class_loader_is_its_class)
{
	EXPECT_TEXT("test.Loader", 21, "java.util.Map$Entry (id = 21)");
	EXPECT_TEXT("test.Loader", 23, "null");
	EXPECT_TEXT("test.Loader", 99, "N/A");
}

Test(text, of_a_method_has_simple_names_of_parameters)
{
	EXPECT_TEXT("test.Method", 31,
		    "java.util.Map$Entry.main(int, long[][], Map$Entry, boolean)");
}

Test(text, of_a_method_says_what_is_missing)
{
	EXPECT_TEXT("test.Method", 32, "java.util.Map$Entry.main()");
	EXPECT_TEXT("test.Method", 33, "java.util.Map$Entry.main()");
	EXPECT_TEXT("test.Method", 34,
		    "<unknown>.null(int, long[][], Map$Entry, boolean)");
}

Test(text, of_a_thread_depends_on_its_kind)
{
	EXPECT_TEXT("test.Thread", 1, "\"main\" (javaThreadId = 1)");
	EXPECT_TEXT("test.Thread", 2, "\"VM \"Thread\"\" (osThreadId = 12)");
	EXPECT_TEXT("test.Thread", 3, "\"\" (javaThreadId = 30, virtual)");
	EXPECT_TEXT("test.Thread", 4, "\"null\" (javaThreadId = 40)");
	EXPECT_TEXT("test.Thread", 5, "\"null\" (osThreadId = 15)");
	EXPECT_TEXT("test.Thread", 6, "\"w\" (osThreadId = -1)");
	EXPECT_TEXT("test.Thread", 99, "N/A");
}

static const struct schema_type narrow_types[] = {
	TYPE("java.lang.Thread", NULL,
	     FIELDS(FIELD("osName", "java.lang.String"), FIELD("osThreadId", "int"),
		    FIELD("javaThreadId", "int"))),
	TYPE("test.Thread", "jdk.jfr.Event",
	     FIELDS(START, FIELD("x", "java.lang.Thread", POOLED))),
	TYPES_END,
};

/* The JDK asks for longs and a boolean, and takes nothing else for them. */
Test(text, of_a_thread_with_narrow_ids_has_none)
{
	struct made made = { 0 };

	make_begin(&made, narrow_types);
	EVENT(&made.writer, "test.Thread", LONG(0), KEY(1));
	POOL(&made.writer, "java.lang.Thread");
	CONSTANT(&made.writer, 1, TEXT("os"), INT(11), INT(1));
	cr_assert(make_bytes(&made), "%s", made.err.text);
	SHOWS(&made,
	      "test.Thread {\n  startTime = 00:00:00.000 (1970-01-01)\n"
	      "  x = \"os\" (osThreadId = -1)\n}\n\n",
	      0);
	make_clear(&made);
}
