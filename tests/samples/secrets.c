/*
 * secrets.c - a sample with what nobody else should see: passwords in variables, and
 * wherever they went from there.
 *
 * Each value comes in several encodings, alone and as a part of other texts.
 */
#include "shop.h"
#include "testdata.h"

#define STRING_OF(name) FIELD(name, STRING)

static const struct schema_type secret_types[] = {
	TYPE("jdk.InitialEnvironmentVariable", EVENT_TYPE,
	     FIELDS(START, STRING_OF("key"), STRING_OF("value"))),
	TYPE("jdk.InitialSystemProperty", EVENT_TYPE,
	     FIELDS(START, STRING_OF("key"), STRING_OF("value"))),
	TYPE("jdk.JVMInformation", EVENT_TYPE,
	     FIELDS(START, STRING_OF("jvmName"), STRING_OF("jvmArguments"),
		    STRING_OF("javaArguments"))),
	TYPE("jdk.SystemProcess", EVENT_TYPE,
	     FIELDS(START, STRING_OF("pid"), STRING_OF("commandLine"))),
	TYPE("shop.Place", NULL, FIELDS(STRING_OF("host"), FIELD("port", "int"))),
	TYPE("shop.Note", EVENT_TYPE,
	     FIELDS(START, THREAD, STRING_OF("message"), FIELD("word", SYMBOL, POOLED),
		    FIELD("from", "shop.Place"), FIELD("to", "shop.Place")),
	     LABEL("Note for gate-4711")),
	TYPES_END,
};

/* ä and ö, in UTF-8. */
#define UMLAUTS "geheim-\xc3\xa4\xc3\xb6"

/* Of no use in Latin-1: Cyrillic, and a key from beyond the first 65536 characters. */
#define CYRILLIC "\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c"
#define BEYOND "k\xf0\x9f\x94\x91y-9"

static void variable(struct writer *writer, const char *key, struct make_value value)
{
	const struct make_value name = { .kind = MAKE_TEXT, .text = str_of(key) };

	EVENT(writer, "jdk.InitialEnvironmentVariable", LONG(SHOP_TICK), name, value);
}

#define VARIABLE(writer, key, ...)                                              \
	variable(writer, key, (struct make_value)__VA_ARGS__)

static void variables(struct writer *writer)
{
	VARIABLE(writer, "TOKEN", TEXT_AS(STRING_UTF8, "gate-4711"));
	VARIABLE(writer, "TOKEN2", TEXT_AS(STRING_CHARS, UMLAUTS));
	VARIABLE(writer, "TOKEN3", TEXT_AS(STRING_UTF8, CYRILLIC));
	VARIABLE(writer, "TOKEN4", TEXT_AS(STRING_CHARS, BEYOND));
	VARIABLE(writer, "FIRST", TEXT_AS(STRING_LATIN1, "alpha-beta"));
	VARIABLE(writer, "SECOND", TEXT_AS(STRING_LATIN1, "beta-gamma"));
	VARIABLE(writer, "SHORT", TEXT("ab"));
	VARIABLE(writer, "PLAIN", TEXT("true"));
	VARIABLE(writer, "NAME", TEXT("message"));
	VARIABLE(writer, "OURS", TEXT("redacted"));
	VARIABLE(writer, "EMPTY", TEXT(""));
	VARIABLE(writer, "NOTHING", NO_TEXT);
	EVENT(writer, "jdk.InitialSystemProperty", LONG(SHOP_TICK), TEXT("pool"),
	      TEXT_KEY(1));
	EVENT(writer, "jdk.InitialSystemProperty", LONG(SHOP_TICK), TEXT("short"),
	      TEXT_KEY(2));
	EVENT(writer, "jdk.JVMInformation", LONG(SHOP_TICK), TEXT("JVM"),
	      TEXT("-Dgate=gate-4711 -Xmx1g"), TEXT_AS(STRING_CHARS, "Shop " UMLAUTS));
	EVENT(writer, "jdk.SystemProcess", LONG(SHOP_TICK), TEXT("42"),
	      TEXT("curl -u clerk:tea-and-honey https://shop"));
}

/* Where the same occurs once more. */
static void notes(struct writer *writer)
{
	EVENT(writer, "shop.Note", LONG(SHOP_TICK), KEY(1),
	      TEXT_AS(STRING_LATIN1, "at gate-4711, gate-4711!"), KEY(1),
	      TEXT_AS(STRING_LATIN1, UMLAUTS), INT(80),
	      TEXT("x" CYRILLIC "y"), INT(1));
	EVENT(writer, "shop.Note", LONG(SHOP_TICK), KEY(1),
	      TEXT("alpha-beta-gamma-delta"), KEY(2), TEXT_AS(STRING_CHARS, BEYOND),
	      INT(80), TEXT_KEY(3), INT(3));
	EVENT(writer, "shop.Note", LONG(SHOP_TICK), KEY(2), TEXT("ab true"), KEY(3),
	      NO_TEXT, INT(0), NO_TEXT, INT(0));
	/* What stands behind the fields of an event is not shown to anybody. */
	EVENT(writer, "shop.Note", LONG(SHOP_TICK), KEY(2), TEXT("slack"), KEY(3),
	      NO_TEXT, INT(0), NO_TEXT, INT(0), BYTES("gate-4711"));
	/* Nor are events of unknown types. */
	writer_event(writer, 99);
	make_values(&writer->buf, VALUES(LONG(SHOP_TICK), TEXT("gate-4711")));
}

static void constants(struct writer *writer)
{
	writer_checkpoint(writer, CHECKPOINT_THREADS);
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, 1, TEXT("os"), LONG(11), TEXT("worker of gate-4711"), LONG(1),
		 KEY(0), BOOLEAN(0));
	CONSTANT(writer, 2, TEXT("os"), LONG(12), TEXT("clerk"), LONG(2), KEY(0),
		 BOOLEAN(0));
	writer_checkpoint(writer, 0);
	POOL(writer, STRING);
	CONSTANT(writer, 1, TEXT_AS(STRING_LATIN1, "pooled-secret-1"));
	CONSTANT(writer, 2, TEXT_AS(STRING_LATIN1, "xyz"));
	CONSTANT(writer, 3, TEXT_AS(STRING_CHARS, "has pooled-secret-1 in it"));
	CONSTANT(writer, 4, TEXT("nobody needs gate-4711"));
	POOL(writer, SYMBOL);
	CONSTANT(writer, 1, TEXT("gate-4711"));
	CONSTANT(writer, 2, TEXT_AS(STRING_CHARS, "my" BEYOND));
	CONSTANT(writer, 3, TEXT("xyz"));
}

static void secrets(struct writer *writer)
{
	sample_begin(writer, secret_types, 0);
	variables(writer);
	notes(writer);
	constants(writer);
	sample_finish(writer);
	sample_begin(writer, secret_types, 1);
	notes(writer);
	constants(writer);
}

const struct sample secret_samples[] = {
	{ "good-secrets", .make = secrets },
	{ .name = NULL },
};
