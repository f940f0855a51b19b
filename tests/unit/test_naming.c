#include <criterion/criterion.h>

#include "jfr/naming.h"
#include "make.h"
#include "shop.h"

static struct made shop;
static struct buf text;

static void open_shop(void)
{
	make_begin(&shop, make_jdk_types);
	shop_constants(&shop.writer);
	POOL(&shop.writer, "java.lang.Class");
	CONSTANT(&shop.writer, 900, KEY(0), KEY(0), KEY(0), INT(0), BOOLEAN(false));
	POOL(&shop.writer, "java.lang.Thread");
	CONSTANT(&shop.writer, 900, TEXT("os"), LONG(7), NO_TEXT, LONG(9), KEY(0),
		 BOOLEAN(false));
	CONSTANT(&shop.writer, 901, NO_TEXT, LONG(7), TEXT("java"), LONG(0), KEY(0),
		 BOOLEAN(false));
	CONSTANT(&shop.writer, 902, NO_TEXT, LONG(0), NO_TEXT, LONG(0), KEY(0),
		 BOOLEAN(false));
	POOL(&shop.writer, "jdk.types.ClassLoader");
	CONSTANT(&shop.writer, 900, KEY(LOADER_CLASS), KEY(0));
	CONSTANT(&shop.writer, 901, KEY(0), KEY(0));
	POOL(&shop.writer, "jdk.types.Method");
	CONSTANT(&shop.writer, 900, KEY(0), KEY(8), KEY(0), INT(0), BOOLEAN(false));
	CONSTANT(&shop.writer, 901, KEY(SHOP_CLASS), KEY(0), KEY(0), INT(0),
		 BOOLEAN(false));
	cr_assert(make_open(&shop), "%s", shop.err.text);
}

static void close_shop(void)
{
	buf_clear(&text);
	make_clear(&shop);
}

TestSuite(naming, .init = open_shop, .fini = close_shop);

/* The word of a constant; NULL if it has none. */
static const char *name_of(const char *type, uint64_t key, bool with_parameters)
{
	struct object object;
	bool has_name;

	buf_reset(&text);
	cr_assert(object_constant(&object, &shop.chunk, make_type(&shop, type), key,
				  &shop.arena));
	has_name = naming_add(&text, &object, &shop.arena);
	if (with_parameters)
		naming_add_parameters(&text,
				      object_text(&object, "descriptor", &shop.arena));
	buf_byte(&text, '\0');
	cr_expect(has_name || text.size == 1);
	return has_name ? text.bytes : NULL;
}

static void expect(const char *type, uint64_t key, const char *name)
{
	const char *found = name_of(type, key, false);

	if (name)
		cr_expect_str_eq(found ? found : "(none)", name);
	else
		cr_expect_null(found);
}

Test(naming, of_threads)
{
	expect("java.lang.Thread", MAIN_THREAD, "main");
	expect("java.lang.Thread", VIRTUAL_THREAD, "errand");
	expect("java.lang.Thread", UNNAMED_THREAD, "");
	expect("java.lang.Thread", VM_THREAD, "VM Periodic Task Thread");
	expect("java.lang.Thread", 900, "os");
	expect("java.lang.Thread", 901, "java");
	expect("java.lang.Thread", 902, NULL);
	expect("jdk.types.ThreadGroup", MAIN_GROUP, "main");
}

Test(naming, of_classes)
{
	expect("java.lang.Class", STRING_CLASS, "java.lang.String");
	expect("java.lang.Class", GRID_CLASS, "int[][]");
	expect("java.lang.Class", INT_CLASS, "int");
	expect("java.lang.Class", HIDDEN_CLASS, "shop.Shop$$Lambda+0x00007f0001000000");
	expect("java.lang.Class", 900, NULL);
	expect("jdk.types.ClassLoader", APP_LOADER, "app");
	expect("jdk.types.ClassLoader", 900,
	       "jdk.internal.loader.ClassLoaders$AppClassLoader");
	expect("jdk.types.ClassLoader", 901, NULL);
}

Test(naming, of_methods)
{
	expect("jdk.types.Method", SELL_METHOD, "shop.Shop$Clerk.sell");
	expect("jdk.types.Method", 900, "<unknown>.main");
	expect("jdk.types.Method", 901, NULL);
	cr_expect_str_eq(
		name_of("jdk.types.Method", SELL_METHOD, true),
		"shop.Shop$Clerk.sell(String, int, double[][], Map$Entry, boolean)");
	cr_expect_str_eq(name_of("jdk.types.Method", RUN_METHOD, true),
			 "shop.Shop$Clerk.run()");
	cr_expect_str_eq(name_of("jdk.types.Method", 900, true), "<unknown>.main()");
}

Test(naming, is_for_some_structs_only)
{
	cr_expect(naming_has(TYPE_THREAD));
	cr_expect(naming_has(TYPE_THREAD_GROUP));
	cr_expect(naming_has(TYPE_CLASS));
	cr_expect(naming_has(TYPE_CLASS_LOADER));
	cr_expect(naming_has(TYPE_METHOD));
	cr_expect_not(naming_has(TYPE_PLAIN));
	cr_expect_not(naming_has(TYPE_STACK_TRACE));
	cr_expect_not(naming_has(TYPE_STACK_FRAME));
	cr_expect_not(naming_has(TYPE_OLD_OBJECT));
	expect("jdk.types.Package", SHOP_PACKAGE, NULL);
}

Test(naming, of_classes_as_they_are_stored)
{
	static const struct {
		const char *stored, *length, *shown;
	} names[] = {
		{ "java/lang/String", "", "java.lang.String" },
		{ "[I", "", "int[]" },
		{ "[I", "400", "int[400]" },
		{ "[[Z", "", "boolean[][]" },
		{ "[[La/b/C;", "7", "a.b.C[7][]" },
		{ "[Ljava/util/Map$Entry;", "", "java.util.Map$Entry[]" },
		{ "[Lunfinished/Name", "", "unfinished.Name[]" },
		{ "[L", "", "[]" },
		{ "[L;[", "", "[]" },
		{ "[", "1", "[" },
		{ "[[", "", "[[" },
		{ "[Q", "", "<unknown-descriptor-type>[]" },
		{ "", "", "" },
		{ "I", "400", "I" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		buf_reset(&text);
		naming_add_class(&text, str_of(names[i].stored),
				 str_of(names[i].length));
		cr_expect(str_is((struct str){ text.bytes, text.size },
				 str_of(names[i].shown)), "%s", names[i].stored);
	}
}

Test(naming, of_parameters_is_java_source)
{
	static const struct {
		const char *descriptor, *shown;
	} names[] = {
		{ "(IJZDFSCB)V", "(int, long, boolean, double, float, short, char, byte)" },
		{ "([I[[[Z)V", "(int[], boolean[][][])" },
		{ "(Ljava/util/Map$Entry;I)I", "(Map$Entry, int)" },
		{ "(La.b.C;)V", "(C)" },
		{ "()V", "()" },
		/* Those that are none end somewhere. */
		{ "", "()" },
		{ ")", "()" },
		{ "(I", "()" },
		{ "([)", "()" },
		{ "(I[)", "(int, )" },
		{ "(VX)",
		  "(<unknown-descriptor-type>, <unknown-descriptor-type>)" },
		{ "(La/B)", "(B)" },
		{ "(L)", "()" },
		{ "(L;)", "()" },
		{ "([L;[)", "([], )" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		buf_reset(&text);
		naming_add_parameters(&text, str_of(names[i].descriptor));
		cr_expect(str_is((struct str){ text.bytes, text.size },
				 str_of(names[i].shown)), "%s", names[i].descriptor);
	}
}
