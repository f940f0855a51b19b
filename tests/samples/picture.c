/*
 * picture.c - metadata that no schema describes, drawn as make_tree takes it.
 *
 * The chunk has three notes: "before", an event of the type 20, "after". What is to be
 * tried stands in front of the type 20, or is it.
 */
#include "shop.h"
#include "testdata.h"

enum { NOTE_TYPE = 10, OWN_TYPE = 20, LEVELS = 5000 };

/* Lines: a class, with attributes; a field of the class above; that of the time. */
#define CLASS(rest) "  class name=odd." rest "\n"
#define HAS(rest) "   field name=" rest "\n"
#define START_LINE HAS("startTime class=4") "    annotation class=7 value=TICKS\n"

#define NOTE_SUPER " superType=java.lang.annotation.Annotation\n"

static const char before[] =
	"root\n"
	" metadata\n"
	"  class name=boolean id=2\n"
	"  class name=int id=3\n"
	"  class name=long id=4\n"
	"  class name=java.lang.String id=5\n"
	"  class name=java.lang.annotation.Annotation id=6\n"
	"  class name=jdk.jfr.Timestamp id=7" NOTE_SUPER HAS("value class=5")
	"  class name=shop.Note id=10 superType=jdk.jfr.Event\n"
	START_LINE HAS("text class=5");

static const char after[] = " region locale=en_US gmtOffset=0 dst=0\n";

/* The type 20, of an event; its fields may follow. */
#define OWN CLASS("Own id=20 superType=jdk.jfr.Event") START_LINE

#define NOW LONG(SHOP_TICK + 50)
#define SEVEN VALUES(NOW, INT(7))

static void note(struct writer *writer, int64_t tick, struct str text)
{
	writer_event(writer, NOTE_TYPE);
	make_values(&writer->buf,
		    VALUES(LONG(SHOP_TICK + tick), MAKE(MAKE_TEXT, .text = text)));
	writer_end(writer);
}

static void notes(struct writer *writer, const struct make_value *own)
{
	note(writer, 0, STR("before"));
	if (own) {
		writer_event(writer, OWN_TYPE);
		make_values(&writer->buf, own);
		writer_end(writer);
	}
	note(writer, 100, STR("after"));
}

static void begin(struct writer *writer)
{
	struct header header = shop_header(0);

	writer->now = SHOP_TICK;
	writer_open(writer, &header);
}

static void draw(struct writer *writer, const char *picture)
{
	struct arena arena = { 0 };

	writer_element(writer, make_tree(picture, &arena));
	arena_clear(&arena);
}

void sample_picture(struct writer *writer, const char *lines,
		    const struct make_value *own)
{
	struct buf picture = { 0 };

	begin(writer);
	buf_text(&picture, before);
	buf_text(&picture, lines);
	buf_text(&picture, after);
	buf_byte(&picture, 0);
	draw(writer, picture.bytes);
	notes(writer, own);
	buf_clear(&picture);
}

/* Less and less: no region, which is legal; no types; nothing but a root. */
static void no_region(struct writer *writer)
{
	begin(writer);
	draw(writer, before);
	notes(writer, NULL);
}

static void no_types(struct writer *writer)
{
	begin(writer);
	draw(writer, "root\n region locale=en_US gmtOffset=0 dst=0\n");
	notes(writer, NULL);
}

static void root_alone(struct writer *writer)
{
	begin(writer);
	draw(writer, "root\n");
	notes(writer, NULL);
}

/* Metadata up to its id. */
static void raw_begin(struct writer *writer)
{
	begin(writer);
	writer->header.metadata_at = (int64_t)writer_position(writer);
	writer_event(writer, EVENT_METADATA);
	make_values(&writer->buf, VALUES(LONG(0), LONG(0), LONG(1)));
}

/* Metadata of these bytes, and two notes of which nothing is known. */
static void raw(struct writer *writer, const struct make_value *values)
{
	raw_begin(writer);
	make_values(&writer->buf, values);
	notes(writer, NULL);
}

static void strings_huge(struct writer *writer)
{
	raw(writer, VALUES(COUNT(INT32_MAX)));
}

static void strings_negative(struct writer *writer)
{
	raw(writer, VALUES(LONG(-1), TEXT("root"), COUNT(0), COUNT(0), COUNT(0)));
}

static void strings_pooled(struct writer *writer)
{
	raw(writer, VALUES(COUNT(1), TEXT_KEY(1), COUNT(0), COUNT(0), COUNT(0)));
}

static void string_cut(struct writer *writer)
{
	raw(writer, VALUES(COUNT(1), BYTE(STRING_UTF8), COUNT(100), BYTES("root")));
}

static void index_beyond(struct writer *writer)
{
	raw(writer, VALUES(COUNT(1), TEXT("root"), COUNT(7), COUNT(0), COUNT(0)));
}

static void index_negative(struct writer *writer)
{
	raw(writer, VALUES(COUNT(1), TEXT("root"), LONG(-1), COUNT(0), COUNT(0)));
}

static void attributes_huge(struct writer *writer)
{
	raw(writer,
	    VALUES(COUNT(1), TEXT("root"), COUNT(0), COUNT(INT32_MAX), COUNT(0)));
}

/* Some of the children are there, until the event ends. */
static void children_huge(struct writer *writer)
{
	raw_begin(writer);
	make_values(&writer->buf, VALUES(COUNT(1), TEXT("root"), COUNT(0), COUNT(0),
					 COUNT(INT32_MAX)));
	for (int i = 0; i < 1000; i++)
		make_values(&writer->buf, VALUES(COUNT(0), COUNT(0), COUNT(0)));
	notes(writer, NULL);
}

static void children_negative(struct writer *writer)
{
	raw(writer, VALUES(COUNT(1), TEXT("root"), COUNT(0), COUNT(0), LONG(-1)));
}

/* Elements in elements. */
static void depth(struct writer *writer)
{
	raw_begin(writer);
	make_values(&writer->buf, VALUES(COUNT(1), TEXT("root")));
	for (int i = 0; i < LEVELS; i++)
		make_values(&writer->buf,
			    VALUES(COUNT(0), COUNT(0), COUNT(i < LEVELS - 1)));
	notes(writer, NULL);
}

/* Twelve structs, each of which holds the one before sixteen times: 2^48 values. */
static void bomb(struct writer *writer)
{
	struct buf lines = { 0 };

	for (int i = 0; i < 12; i++) {
		int of = i ? 29 + i : 2;

		buf_printf(&lines, CLASS("Box%d id=%d"), i, 30 + i);
		for (int j = 0; j < 16; j++)
			buf_printf(&lines, HAS("x%d class=%d"), j, of);
	}
	buf_text(&lines, OWN HAS("box class=41"));
	buf_byte(&lines, 0);
	sample_picture(writer, lines.bytes, VALUES(NOW, BYTES("\0\0\0\0\0\0\0\0")));
	buf_clear(&lines);
}
/* The newest metadata refers to a string that its table does not have. */
static void metadata(struct writer *writer)
{
	sample_small(writer, 0);
	writer_metadata(writer);
	writer->described = writer->schema.version;
	writer_end(writer);
	writer->header.metadata_at = (int64_t)writer_position(writer);
	writer_event(writer, EVENT_METADATA);
	make_values(&writer->buf, VALUES(LONG(0), LONG(0), LONG(9), COUNT(1),
					 TEXT("root"), COUNT(7), COUNT(0), COUNT(0)));
}

/* A type that holds an array of itself, as text and as a thousand levels of it. */
#define TREE                                                                   \
	CLASS("Tree id=30") HAS("x class=3") HAS("children class=30 dimension=1") \
	OWN HAS("tree class=30")

static void deep_tree(struct writer *writer)
{
	struct buf tree = { 0 };

	sample_picture(writer, TREE, NULL);
	writer_event(writer, OWN_TYPE);
	make_values(&tree, VALUES(NOW));
	for (int i = 0; i < 1000; i++)
		make_values(&tree, VALUES(INT(i), COUNT(i < 999)));
	buf_add(&writer->buf, tree.bytes, tree.size);
	buf_clear(&tree);
	note(writer, 100, STR("far behind"));
}

/* Ids of types that are negative, or of more than 32 bits. */
static void type_ids(struct writer *writer)
{
	static const int64_t ids[] = { -7, INT64_C(1) << 40, INT64_MAX, INT64_MIN };
	struct buf lines = { 0 };

	for (int i = 0; i < 4; i++)
		buf_printf(&lines, CLASS("Id%d id=%lld superType=jdk.jfr.Event")
			   HAS("startTime class=4") HAS("x class=3"),
			   i, (long long)ids[i]);
	buf_byte(&lines, 0);
	sample_picture(writer, lines.bytes, NULL);
	for (int i = 0; i < 4; i++) {
		writer_event(writer, ids[i]);
		make_values(&writer->buf, VALUES(NOW, INT(i)));
	}
	buf_clear(&lines);
}

static void region(struct writer *writer)
{
	struct buf picture = { 0 };

	begin(writer);
	buf_text(&picture, before);
	buf_text(&picture, " region locale= gmtOffset=99999999999 dst=summer\n");
	buf_byte(&picture, 0);
	draw(writer, picture.bytes);
	notes(writer, NULL);
	buf_clear(&picture);
}

const struct sample picture_samples[] = {
	{ "bad-metadata", .make = metadata },
	{ "bad-metadata-strings-huge", .make = strings_huge },
	{ "bad-metadata-strings-less", .make = strings_negative },
	{ "bad-metadata-string-pooled", .make = strings_pooled },
	{ "bad-metadata-string-cut", .make = string_cut },
	{ "bad-metadata-index", .make = index_beyond },
	{ "bad-metadata-index-less", .make = index_negative },
	{ "bad-metadata-attributes", .make = attributes_huge },
	{ "bad-metadata-children", .make = children_huge },
	{ "bad-metadata-children-less", .make = children_negative },
	{ "bad-metadata-depth", .make = depth },
	{ "bad-metadata-no-types", .make = no_types },
	{ "bad-metadata-root", .make = root_alone },
	{ "odd-no-region", .make = no_region },
	{ "bad-region", .make = region },
	{ "odd-metadata-twice", .lines = " metadata\n" OWN HAS("x class=3"),
	  .own = SEVEN },
	{ "odd-elements",
	  .lines = OWN HAS("x class=3")
		   "    strange\n     child x=y\n   strange x=y z=\n"
		   CLASS("More id=21 color=red") "  strange\n strange a=b\n",
	  .own = SEVEN },
	{ "odd-names",
	  .lines = CLASS("a\"b'<c>&d;\x1b[31m\\$\xc3\xa9 id=20 superType=jdk.jfr.Event")
		   START_LINE HAS("x\"y<z>&\x1b[2J\\ class=3"),
	  .own = SEVEN },
	{ "odd-same-names",
	  .lines = OWN HAS("x class=3") HAS("x class=3") HAS("startTime class=4")
		   CLASS("Own id=21 superType=jdk.jfr.Event") HAS("text class=5"),
	  .own = VALUES(NOW, INT(7), INT(8), LONG(9)) },
	{ "odd-type-ids", .make = type_ids },
	{ "odd-super",
	  .lines = CLASS("Unknown id=30 superType=no.such.Type")
		   CLASS("Self id=31 superType=odd.Self")
		   CLASS("Own id=20 superType=shop.Note") START_LINE HAS("x class=3"),
	  .own = SEVEN },
	{ "odd-false",
	  .lines = CLASS("Simple id=30 simpleType=false") HAS("a class=3")
		   OWN HAS("x class=3 constantPool=false") HAS("y class=30"),
	  .own = VALUES(NOW, INT(7), INT(8)) },
	{ "odd-dimension-2", .lines = OWN HAS("x class=3 dimension=2"),
	  .own = VALUES(NOW, COUNT(2), INT(1), INT(2)) },
	{ "bad-setting-type",
	  .lines = OWN HAS("x class=3")
		   "   setting name=period class=99 defaultValue=1\n",
	  .own = SEVEN },
	{ "odd-simple-empty",
	  .lines = CLASS("Nothing id=30 simpleType=true")
		   OWN HAS("nothing class=30") HAS("x class=3"),
	  .own = SEVEN },
	{ "odd-tree", .lines = TREE,
	  .own = VALUES(NOW, INT(1), COUNT(2), INT(2), COUNT(0), INT(3), COUNT(1),
			INT(4), COUNT(0)) },
	{ "odd-tree-deep", .make = deep_tree },
	{ "bad-simple-self",
	  .lines = CLASS("Simple id=30 simpleType=true") HAS("x class=30")
		   OWN HAS("x class=30"),
	  .own = SEVEN },
	{ "bad-inline-self",
	  .lines = CLASS("Self id=30") HAS("x class=3") HAS("self class=30")
		   OWN HAS("self class=30"),
	  .own = SEVEN },
	{ "bad-inline-circle",
	  .lines = CLASS("Hen id=30") HAS("egg class=31")
		   CLASS("Egg id=31") HAS("hen class=30") OWN HAS("hen class=30"),
	  .own = SEVEN },
	{ "bad-inline-bomb", .make = bomb },
	{ "bad-primitive", .lines = CLASS("primitive id=30") OWN HAS("x class=30"),
	  .own = SEVEN },
	{ "bad-type-twice",
	  .lines = OWN HAS("x class=3") CLASS("Other id=20 superType=jdk.jfr.Event")
		   START_LINE HAS("text class=5"),
	  .own = SEVEN },
	{ "bad-type-0",
	  .lines = CLASS("Zero id=0 superType=jdk.jfr.Event") START_LINE
		   CLASS("One id=1") HAS("x class=3") OWN HAS("x class=3"),
	  .own = SEVEN },
	{ "bad-type-id",
	  .lines = CLASS("Word id=twenty") CLASS("No") "  class id=31\n"
		   CLASS("Huge id=99999999999999999999") OWN HAS("x class=3"),
	  .own = SEVEN },
	{ "bad-field-type", .lines = OWN HAS("x class=99"), .own = SEVEN },
	{ "bad-field-word",
	  .lines = OWN HAS("x class=three") "   field class=3\n" HAS("y"),
	  .own = SEVEN },
	{ "bad-note-type",
	  .lines = OWN HAS("x class=3") "    annotation class=99 value=1\n",
	  .own = SEVEN },
	{ "bad-array-huge", .lines = OWN HAS("all class=3 dimension=1"),
	  .own = VALUES(NOW, COUNT(INT32_MAX), INT(1)) },
	{ "bad-array-negative", .lines = OWN HAS("all class=3 dimension=1"),
	  .own = VALUES(NOW, LONG(-1), INT(1)) },
	{ "bad-array-into-next", .lines = OWN HAS("all class=3 dimension=1"),
	  .own = VALUES(NOW, COUNT(5), INT(1), INT(2), INT(3)) },
	{ "bad-array-of-nothing",
	  .lines = CLASS("Nothing id=30") OWN HAS("all class=30 dimension=1"),
	  .own = VALUES(NOW, COUNT(INT32_MAX)) },
	{ .name = NULL },
};
