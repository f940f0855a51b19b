#include <criterion/criterion.h>

#include <stdlib.h>

#include "make.h"
#include "render/declaration.h"

#define ANNOTATION "java.lang.annotation.Annotation"

static const struct schema_type types[] = {
	TYPE("shop.Price", NULL, .id = 200, FIELDS(FIELD("cents", "long"))),
	TYPE("jdk.jfr.Name", ANNOTATION, .id = 201,
	     FIELDS(FIELD("value", "java.lang.String"))),
	TYPE("shop.Mark", ANNOTATION, .id = 202),
	TYPE("shop.Limits", ANNOTATION, .id = 203,
	     FIELDS(FIELD("low", "int"), FIELD("name", "java.lang.String"),
		    FIELD("tags", "java.lang.String", ARRAY),
		    FIELD("steps", "int", ARRAY))),
	TYPE("shop.Ratio", "jdk.jfr.SettingControl", .id = 204,
	     FIELDS(FIELD("value", "java.lang.String"))),
	TYPE("shop.Sale", "jdk.jfr.Event", .id = 205,
	     FIELDS(FIELD("price", "shop.Price", NOTES(NOTE("jdk.jfr.Label", "The \"Price\""))),
		    FIELD("items", "java.lang.String", ARRAY,
			  NOTES(MARK("shop.Mark"), NOTE("jdk.jfr.Description", "Two\nlines"))),
		    FIELD("ratio", "shop.Ratio")),
	     NOTES(NOTE("jdk.jfr.Name", "shop.Sale"), NOTE("jdk.jfr.Label", "S\u00e4le"),
		   NOTE_OF("jdk.jfr.Category", MEMBER("value-0", "Shop"),
			   MEMBER("value-1", "Floor")))),
	TYPE("Limited", "jdk.jfr.Event", .id = 206,
	     NOTES(NOTE_OF("shop.Limits", MEMBER("low", "7"), MEMBER("name", "x"),
			   MEMBER("tags-0", "a"), MEMBER("tags-1", "b"),
			   MEMBER("steps-0", "9")))),
	TYPE("Empty", "jdk.jfr.Event", .id = 207,
	     NOTES(NOTE_OF("shop.Limits", MEMBER("tags-0", "one")))),
	TYPES_END,
};

static void expect_declaration(const char *name, bool with_ids, const char *wanted)
{
	struct made made = { 0 };
	struct buf text = { 0 };

	make_begin(&made, types);
	cr_assert(make_open(&made), "%s", made.err.text);
	declaration_write(&text, make_type(&made, name), with_ids);
	cr_expect(str_is((struct str){ text.bytes, text.size }, str_of(wanted)),
		  "wanted:\n%s\nwritten:\n%.*s", wanted, (int)text.size, text.bytes);
	buf_clear(&text);
	make_clear(&made);
}

Test(declaration, shows_name_super_type_and_fields)
{
	expect_declaration("shop.Price", false,
			   "@Name(\"shop.Price\")\nclass Price {\n  long cents;\n}\n\n");
	expect_declaration("shop.Ratio", false,
			   "@Name(\"shop.Ratio\")\n"
			   "class Ratio extends jdk.jfr.SettingControl {\n"
			   "  String value;\n}\n\n");
	expect_declaration("shop.Mark", false,
			   "@Name(\"shop.Mark\")\n"
			   "class Mark extends java.lang.annotation.Annotation {\n}\n\n");
}

Test(declaration, shows_annotations_of_type_and_fields)
{
	expect_declaration("shop.Sale", false,
			   "@Name(\"shop.Sale\")\n"
			   "@Label(\"S\u00e4le\")\n"
			   "@Category({\"Shop\", \"Floor\"})\n"
			   "class Sale extends jdk.jfr.Event {\n"
			   "  @Label(\"The \"Price\"\")\n"
			   "  Price price;\n"
			   "\n"
			   "  @Mark\n"
			   "  @Description(\"Two\nlines\")\n"
			   "  String[] items;\n"
			   "\n"
			   "  static Ratio ratio;\n"
			   "}\n\n");
}

Test(declaration, shows_the_members_of_annotations)
{
	expect_declaration("Limited", false,
			   "@Limits(low=7, name=\"x\", tags={\"a\", \"b\"}, steps=9)\n"
			   "class Limited extends jdk.jfr.Event {\n}\n\n");
	expect_declaration("Empty", false,
			   "@Limits(low=null, name=null, tags=\"one\", steps={})\n"
			   "class Empty extends jdk.jfr.Event {\n}\n\n");
}

/* The comments stand ten columns behind the width of the name, or behind the line. */
Test(declaration, shows_ids_as_comments)
{
	expect_declaration("shop.Price", true,
			   "// id: 200\n"
			   "@Name(\"shop.Price\")\n"
			   "class Price {\n"
			   "  long cents;        // id=7\n"
			   "}\n\n");
	expect_declaration("shop.Ratio", true,
			   "// id: 204\n"
			   "@Name(\"shop.Ratio\")\n"
			   "class Ratio extends jdk.jfr.SettingControl {\n"
			   "  String value;      // id=10\n"
			   "}\n\n");
}

static int compare(const void *one, const void *other)
{
	return declaration_compare(*(const struct type *const *)one,
				   *(const struct type *const *)other);
}

Test(declaration, of_all_types_has_the_order_of_the_jdk)
{
	static const struct schema_type list[] = {
		TYPE("z.E", "jdk.jfr.Event"),
		TYPE("a.b.Inner", "jdk.jfr.Event"),
		TYPE("a.Z", "jdk.jfr.Event"),
		TYPE("a.B", "jdk.jfr.Event"),
		TYPE("Plain", "jdk.jfr.Event"),
		TYPE("jdk.jfr.E", "jdk.jfr.Event"),
		TYPE("z.Setting", "jdk.jfr.SettingControl"),
		TYPE("z.Note", ANNOTATION),
		TYPE("a.Other", "java.lang.Object"),
		TYPE("z.Struct", NULL),
		TYPES_END,
	};
	static const char *const wanted[] = { "z.Struct", "a.Other", "z.Note", "z.Setting",
					      "Plain", "a.B", "a.Z", "a.b.Inner",
					      "jdk.jfr.E", "z.E" };
	const struct type *sorted[10];
	struct made made = { 0 };

	make_begin(&made, list);
	cr_assert(make_open(&made), "%s", made.err.text);
	for (size_t i = 0; i < 10; i++)
		sorted[i] = make_type(&made, list[i].name);
	qsort(sorted, 10, sizeof(*sorted), compare);
	for (size_t i = 0; i < 10; i++)
		cr_expect(str_is(sorted[i]->name, str_of(wanted[i])), "%zu: %s", i, wanted[i]);
	make_clear(&made);
}
