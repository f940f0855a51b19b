/*
 * objects.c - samples of old objects, and what else may form circles and chains.
 */
#include "shop.h"
#include "samples/stall.h"

#define REFERENCE "jdk.types.Reference"
#define OLD_OBJECT "jdk.types.OldObject"

static const struct schema_type old_object_types[] = {
	TYPE("jdk.types.OldObjectArray", NULL,
	     FIELDS(FIELD("size", "int"), FIELD("index", "int"))),
	TYPE("jdk.types.OldObjectField", NULL,
	     FIELDS(FIELD("name", STRING), FIELD("modifiers", "short"))),
	TYPE(REFERENCE, NULL,
	     FIELDS(FIELD("array", "jdk.types.OldObjectArray", POOLED),
		    FIELD("field", "jdk.types.OldObjectField", POOLED),
		    FIELD("object", OLD_OBJECT, POOLED), FIELD("skip", "int"))),
	TYPE(OLD_OBJECT, NULL,
	     FIELDS(FIELD("address", "long", NOTES(MARK("jdk.jfr.MemoryAddress"))),
		    FIELD("type", "java.lang.Class", POOLED),
		    FIELD("description", STRING),
		    FIELD("referrer", REFERENCE, POOLED))),
	TYPE("jdk.types.OldObjectRootSystem", NULL, .is_simple = true,
	     FIELDS(FIELD("system", STRING))),
	TYPE("jdk.types.OldObjectRootType", NULL, .is_simple = true,
	     FIELDS(FIELD("type", STRING))),
	TYPE("jdk.types.OldObjectGcRoot", NULL,
	     FIELDS(FIELD("description", STRING),
		    FIELD("system", "jdk.types.OldObjectRootSystem", POOLED),
		    FIELD("type", "jdk.types.OldObjectRootType", POOLED))),
	TYPE("jdk.OldObjectSample", EVENT_TYPE,
	     FIELDS(START, DURATION, THREAD, STACK,
		    FIELD("allocationTime", "long", TICKS),
		    FIELD("objectSize", "long",
			  NOTES(NOTE("jdk.jfr.DataAmount", "BYTES"))),
		    FIELD("object", OLD_OBJECT, POOLED), FIELD("arrayElements", "int"),
		    FIELD("root", "jdk.types.OldObjectGcRoot", POOLED)),
	     NOTES(NOTE("jdk.jfr.Label", "Old Object Sample"))),
	TYPES_END,
};

/* An array in an array, which two steps further a static field of a class holds. */
static void old_objects(struct writer *writer)
{
	sample_begin(writer, old_object_types, 0);
	EVENT(writer, "jdk.OldObjectSample", LONG(SHOP_TICK + 5), LONG(0),
	      KEY(MAIN_THREAD), KEY(MAIN_STACK), LONG(SHOP_TICK + 1), LONG(4096),
	      KEY(1), INT(400), KEY(1));
	EVENT(writer, "jdk.OldObjectSample", LONG(SHOP_TICK + 5), LONG(0),
	      KEY(MAIN_THREAD), KEY(0), LONG(SHOP_TICK + 2), LONG(24), KEY(4),
	      INT(INT32_MIN), KEY(0));
	POOL(writer, OLD_OBJECT);
	CONSTANT(writer, 1, LONG(0x7f001000), KEY(GRID_CLASS), NO_TEXT, KEY(1));
	CONSTANT(writer, 2, LONG(0x7f002000), KEY(GRID_CLASS), NO_TEXT, KEY(2));
	CONSTANT(writer, 3, LONG(0x7f003000), KEY(SHOP_CLASS), TEXT("Class Name: Shop"),
		 KEY(0));
	CONSTANT(writer, 4, LONG(0x7f004000), KEY(STRING_CLASS), NO_TEXT, KEY(0));
	POOL(writer, REFERENCE);
	CONSTANT(writer, 1, KEY(1), KEY(0), KEY(2), INT(0));
	CONSTANT(writer, 2, KEY(0), KEY(1), KEY(3), INT(2));
	POOL(writer, "jdk.types.OldObjectArray");
	CONSTANT(writer, 1, INT(3), INT(0));
	POOL(writer, "jdk.types.OldObjectField");
	CONSTANT(writer, 1, TEXT("leaks"), SHORT(8));
	POOL(writer, "jdk.types.OldObjectGcRoot");
	CONSTANT(writer, 1, TEXT("Shop::main"), KEY(1), KEY(0));
	POOL(writer, "jdk.types.OldObjectRootSystem");
	CONSTANT(writer, 1, TEXT("Class Loader Data"));
	POOL(writer, "jdk.types.OldObjectRootType");
	CONSTANT(writer, 0, TEXT("<unknown>"));
	shop_constants(writer);
}

/* An object that holds itself, a thread group in itself, two objects in each other. */
static void circles(struct writer *writer)
{
	sample_begin(writer, old_object_types, 0);
	for (int i = 1; i <= 2; i++)
		EVENT(writer, "jdk.OldObjectSample", LONG(SHOP_TICK + i), LONG(0),
		      KEY(50), KEY(0), LONG(SHOP_TICK + 1), LONG(24), KEY(i),
		      INT(INT32_MIN), KEY(0));
	POOL(writer, OLD_OBJECT);
	CONSTANT(writer, 1, LONG(0x1000), KEY(STRING_CLASS), NO_TEXT, KEY(1));
	CONSTANT(writer, 2, LONG(0x2000), KEY(SHOP_CLASS), NO_TEXT, KEY(2));
	CONSTANT(writer, 3, LONG(0x3000), KEY(CLERK_CLASS), NO_TEXT, KEY(3));
	POOL(writer, REFERENCE);
	CONSTANT(writer, 1, KEY(0), KEY(1), KEY(1), INT(0));
	CONSTANT(writer, 2, KEY(0), KEY(1), KEY(3), INT(0));
	CONSTANT(writer, 3, KEY(0), KEY(1), KEY(2), INT(0));
	POOL(writer, "jdk.types.OldObjectField");
	CONSTANT(writer, 1, TEXT("next"), SHORT(2));
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, 50, TEXT("circle"), LONG(1), TEXT("circle"), LONG(1), KEY(50),
		 BOOLEAN(false));
	POOL(writer, "jdk.types.ThreadGroup");
	CONSTANT(writer, 50, KEY(50), TEXT("in itself"));
	shop_constants(writer);
}

/* A class loader whose class is loaded by itself; another one through a third class. */
static void loaders(struct writer *writer)
{
	stall_open(writer, 0);
	shop_sale(writer, SHOP_TICK, 5, MAIN_THREAD, 50,
		  "by a class of its own loader");
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, 50, BOOLEAN(false), COUNT(2), KEY(50), INT(1), INT(1), KEY(0),
		 KEY(51), INT(2), INT(2), KEY(0));
	POOL(writer, "jdk.types.Method");
	CONSTANT(writer, 50, KEY(50), KEY(3), KEY(6), INT(9), BOOLEAN(false));
	CONSTANT(writer, 51, KEY(51), KEY(5), KEY(7), INT(9), BOOLEAN(false));
	POOL(writer, "java.lang.Class");
	CONSTANT(writer, 50, KEY(50), KEY(1), KEY(0), INT(1), BOOLEAN(false));
	CONSTANT(writer, 51, KEY(51), KEY(2), KEY(0), INT(1), BOOLEAN(false));
	CONSTANT(writer, 52, KEY(52), KEY(2), KEY(0), INT(1), BOOLEAN(false));
	POOL(writer, "jdk.types.ClassLoader");
	CONSTANT(writer, 50, KEY(50), KEY(8));
	CONSTANT(writer, 51, KEY(52), KEY(8));
	CONSTANT(writer, 52, KEY(51), KEY(8));
	stall_end(writer);
}

/* A pooled text that is itself; two that are each other. */
static void texts(struct writer *writer)
{
	stall_open(writer, 0);
	for (int i = 50; i <= 52; i++)
		EVENT(writer, "shop.Sale", LONG(SHOP_TICK), LONG(5), KEY(MAIN_THREAD),
		      KEY(MAIN_STACK), TEXT_KEY(i), DOUBLE(1), INT(i), BOOLEAN(0),
		      LONG(7));
	POOL(writer, STRING);
	CONSTANT(writer, 50, TEXT_KEY(50));
	CONSTANT(writer, 51, TEXT_KEY(52));
	CONSTANT(writer, 52, TEXT_KEY(51));
	stall_end(writer);
}

/* Two thousand thread groups, each in the next. */
static void groups(struct writer *writer)
{
	stall_open(writer, 0);
	shop_sale(writer, SHOP_TICK, 5, 50, MAIN_STACK, "deep in groups");
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, 50, TEXT("deep"), LONG(1), TEXT("deep"), LONG(1), KEY(1000),
		 BOOLEAN(false));
	POOL(writer, "jdk.types.ThreadGroup");
	for (int i = 1000; i < 3000; i++)
		CONSTANT(writer, i, KEY(i < 2999 ? i + 1 : 0), TEXT("g"));
	stall_end(writer);
}

const struct sample object_samples[] = {
	{ "good-old-objects", .make = old_objects },
	{ "odd-circles", .make = circles },
	{ "odd-circle-of-loaders", .make = loaders },
	{ "odd-circle-of-texts", .make = texts },
	{ "odd-long-chain", .make = groups },
	{ .name = NULL },
};
