/* Texts are those of FieldFormatter in JDK 25, hashes those of its Histogram. */
#include <criterion/criterion.h>

#include "ask.h"
#include "fault.h"
#include "query/depict.h"
#include "shop.h"

static struct made shop;
static struct lexicon lexicon;
static struct depict depict;

static const struct schema_type own_types[] = {
	TYPE("test.Node", NULL,
	     FIELDS(FIELD("next", "test.Node", POOLED), FIELD("number", "int"))),
	TYPE("test.Named", NULL,
	     FIELDS(FIELD("name", "java.lang.String"), FIELD("inner", "test.Inner"),
		    FIELD("words", "jdk.types.Symbol", ARRAY, POOLED))),
	TYPE("test.Inner", NULL, FIELDS(FIELD("deep", "test.Node", POOLED))),
	TYPES_END,
};

/* Beside the shop's constants, such as lack something. */
static void odd_constants(struct writer *writer)
{
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, 900, TEXT("os"), LONG(7), NO_TEXT, LONG(9), KEY(0),
		 BOOLEAN(false));
	CONSTANT(writer, 901, TEXT("os"), LONG(7), TEXT("java"), LONG(0), KEY(0),
		 BOOLEAN(false));
	POOL(writer, "jdk.types.ThreadGroup");
	CONSTANT(writer, 900, KEY(0), NO_TEXT);
	POOL(writer, "java.lang.Class");
	CONSTANT(writer, 900, KEY(0), KEY(0), KEY(0), INT(0), BOOLEAN(false));
	CONSTANT(writer, 901, KEY(900), KEY(1), KEY(0), INT(0), BOOLEAN(false));
	POOL(writer, "jdk.types.ClassLoader");
	CONSTANT(writer, 900, KEY(0), KEY(0));
	POOL(writer, "jdk.types.Method");
	CONSTANT(writer, 900, KEY(0), KEY(0), KEY(0), INT(0), BOOLEAN(false));
	CONSTANT(writer, 901, KEY(901), KEY(10), KEY(13), INT(0), BOOLEAN(false));
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, 900, BOOLEAN(false), COUNT(2), KEY(4711), INT(1), INT(2), KEY(0),
		 KEY(MAIN_METHOD), INT(3), INT(4), KEY(0));
	CONSTANT(writer, 901, BOOLEAN(false), COUNT(1), KEY(901), INT(1), INT(2), KEY(0));
	/* The same methods as SELL_STACK, in other lines. */
	CONSTANT(writer, 902, BOOLEAN(false), COUNT(2), KEY(SELL_METHOD), INT(1), INT(2),
		 KEY(0), KEY(RUN_METHOD), INT(3), INT(4), KEY(0));
	POOL(writer, "test.Node");
	CONSTANT(writer, 1, KEY(2), INT(10));
	CONSTANT(writer, 2, KEY(3), INT(20));
	CONSTANT(writer, 3, KEY(3), INT(30));
	POOL(writer, "test.Named");
	CONSTANT(writer, 1, TEXT("a name"), KEY(1), COUNT(3), KEY(8), KEY(4711), KEY(12));
	CONSTANT(writer, 2, NO_TEXT, KEY(0), COUNT(0));
}

static void open_shop(void)
{
	struct header header = shop_header(0);

	writer_describe(&shop.writer, make_jdk_types);
	writer_describe(&shop.writer, shop_types);
	writer_describe(&shop.writer, own_types);
	writer_open(&shop.writer, &header);
	shop_constants(&shop.writer);
	odd_constants(&shop.writer);
	shop_events(&shop.writer, SHOP_TICK);
	cr_assert(make_open(&shop), "%s", shop.err.text);
	shop.chunk.clock = clock_of(&shop.chunk.header);
	cr_assert(depict_open(&depict, &shop.chunk, &lexicon));
}

static void close_shop(void)
{
	cr_expect_not(depict.failed);
	depict_close(&depict);
	lexicon_clear(&lexicon);
	make_clear(&shop);
}

TestSuite(depict, .init = open_shop, .fini = close_shop);

/* What an input has of a constant. */
static struct datum find(const char *type, uint64_t key, enum reach reach,
			 const char *path)
{
	struct recall *recall =
		depict_recall(&depict, make_type(&shop, type), reach, str_of(path));

	return depict_constant(&depict, recall, key);
}

static struct datum constant(const char *type, uint64_t key)
{
	return find(type, key, REACH_FIELD, "");
}

static const struct thing *thing(const char *type, uint64_t key)
{
	struct datum datum = constant(type, key);

	cr_assert_eq(datum.kind, DATUM_THING);
	return datum.thing;
}

static void add_text(struct buf *to, struct str text)
{
	buf_byte(to, '|');
	buf_str(to, text.bytes ? text : STR("-"));
}

/* "kind text|compact|detail|id|hash". */
static void expect_thing(const char *type, uint64_t key, const char *wanted, int line)
{
	const struct thing *found = thing(type, key);
	struct datum datum = { .kind = DATUM_THING, .thing = found };
	struct buf text = { 0 };

	ask_tell(&text, &datum);
	add_text(&text, found->compact);
	add_text(&text, found->detail);
	buf_printf(&text, "|%lld|%d%c", (long long)found->id, (int32_t)found->hash, 0);
	cr_expect_str_eq(text.bytes, wanted, "line %d: %s", line, text.bytes);
	buf_clear(&text);
}

#define THING_IS(type, key, wanted) expect_thing(type, key, wanted, __LINE__)

static void expect_datum(struct datum datum, const char *wanted, int line)
{
	struct buf text = { 0 };

	ask_tell(&text, &datum);
	buf_byte(&text, '\0');
	cr_expect_str_eq(text.bytes, wanted, "line %d: %s", line, text.bytes);
	buf_clear(&text);
}

#define DATUM_IS(datum, wanted) expect_datum(datum, wanted, __LINE__)

Test(depict, shows_threads)
{
	THING_IS("java.lang.Thread", MAIN_THREAD, "thread main|main|-|1|1");
	THING_IS("java.lang.Thread", UNNAMED_THREAD, "thread ||-|4|4");
	THING_IS("java.lang.Thread", VM_THREAD,
		 "thread VM Periodic Task Thread|VM Periodic Task Thread|-|5|5");
	THING_IS("java.lang.Thread", 900, "<thread>|-|-|900|900");
	THING_IS("java.lang.Thread", 901, "thread os|os|-|901|901");
}

Test(depict, shows_groups_of_threads_with_their_parents)
{
	THING_IS("jdk.types.ThreadGroup", MAIN_GROUP,
		 "group main|main|main:system|0|793552656");
	THING_IS("jdk.types.ThreadGroup", SYSTEM_GROUP,
		 "group system|system|system:null|0|-1569477646");
	THING_IS("jdk.types.ThreadGroup", 900, "<group>|-|null:null|0|1008906138");
}

Test(depict, shows_classes)
{
	THING_IS("java.lang.Class", STRING_CLASS,
		 "class java.lang.String|String|-|102|102");
	THING_IS("java.lang.Class", GRID_CLASS, "class int[][]|int[][]|-|103|103");
	THING_IS("java.lang.Class", SHOP_CLASS, "class shop.Shop|Shop|-|100|100");
	THING_IS("java.lang.Class", HIDDEN_CLASS,
		 "class shop.Shop$$Lambda+0x00007f0001000000|"
		 "Shop$$Lambda+0x00007f0001000000|-|104|104");
	THING_IS("java.lang.Class", 900, "<class>|-|-|900|900");
}

/* By their classes: that of the bootstrap loader is not known. */
Test(depict, shows_class_loaders)
{
	THING_IS("jdk.types.ClassLoader", APP_LOADER,
		 "loader jdk.internal.loader.ClassLoaders$AppClassLoader|"
		 "ClassLoaders$AppClassLoader|-|2|2");
	THING_IS("jdk.types.ClassLoader", BOOT_LOADER, "<loader>|-|-|1|1");
}

Test(depict, shows_methods)
{
	THING_IS("jdk.types.Method", SELL_METHOD,
		 "method shop.Shop$Clerk.sell(String, int, double[][], Map$Entry, "
		 "boolean)|shop.Shop$Clerk.sell(...)|"
		 "(Ljava/lang/String;I[[DLjava/util/Map$Entry;Z)Lshop/Shop;|101|"
		 "-1933358695");
	THING_IS("jdk.types.Method", RUN_METHOD,
		 "method shop.Shop$Clerk.run()|shop.Shop$Clerk.run()|()V|101|3800277");
	THING_IS("jdk.types.Method", 900,
		 "method <unknown>.null()|<unknown>.null()|-|0|31744");
}

/* Other structs go by a name, their own or that of their type. */
Test(depict, shows_what_else_has_fields)
{
	THING_IS("jdk.types.Package", SHOP_PACKAGE, "object shop|shop|-|2|2");
	THING_IS("jdk.types.Module", NO_MODULE, "object Module|Module|-|2|2");
	THING_IS("test.Node", 3, "object Node|Node|-|3|3");
}

Test(depict, shows_values_of_simple_types)
{
	DATUM_IS(constant("jdk.types.Symbol", 8), "'main'");
	DATUM_IS(constant("jdk.types.FrameType", 3), "'Native'");
}

Test(depict, shows_nothing_of_what_is_missing)
{
	DATUM_IS(constant("java.lang.Thread", 0), "null");
	DATUM_IS(constant("java.lang.Thread", 4711), "null");
	DATUM_IS(constant("jdk.types.Symbol", 4711), "null");
	DATUM_IS(find("jdk.types.StackTrace", 4711, REACH_TOP_FRAME, ""), "null");
	DATUM_IS(depict_constant(&depict, NULL, 1), "null");
}

Test(depict, shows_a_constant_once)
{
	struct recall *recall = depict_recall(&depict, make_type(&shop, "java.lang.Class"),
					      REACH_FIELD, STR(""));
	const struct thing *first = thing("java.lang.Class", SHOP_CLASS);

	cr_expect_eq(thing("java.lang.Class", SHOP_CLASS), first);
	cr_expect_eq(recall->data.count, 1);
	cr_expect_eq(depict_recall(&depict, make_type(&shop, "java.lang.Class"),
				   REACH_FIELD, STR("")),
		     recall);
	cr_expect_neq(depict_recall(&depict, make_type(&shop, "java.lang.Class"),
				    REACH_FIELD, STR("name")),
		      recall);
}

/* --- stack traces ------------------------------------------------------------------ */

Test(depict, shows_stack_traces)
{
	const struct thing *stack = thing("jdk.types.StackTrace", SELL_STACK);

	cr_expect_eq(stack->kind, THING_STACK);
	cr_expect_eq(stack->id, SELL_STACK);
	cr_expect_eq((int32_t)stack->hash, 199223837);
	cr_assert_eq(stack->frame_count, 2);
	cr_expect_eq(stack->frames[0]->method, thing("jdk.types.Method", SELL_METHOD));
	cr_expect_eq(stack->frames[1]->method, thing("jdk.types.Method", RUN_METHOD));
	cr_expect_eq((int32_t)stack->frames[1]->hash, 3800277);
	cr_expect(str_is(stack->text, stack->frames[0]->text));
	cr_expect(str_is(stack->compact, STR("shop.Shop$Clerk.sell(...)")));
	cr_expect_eq((int32_t)thing("jdk.types.StackTrace", MAIN_STACK)->hash, 949257929);
	cr_expect_eq((int32_t)thing("jdk.types.StackTrace", HIDDEN_STACK)->hash,
		     -1464642515);
	cr_expect_eq(thing("jdk.types.StackTrace", LONG_STACK)->frame_count, 65);
}

Test(depict, shows_stack_traces_without_frames)
{
	const struct thing *empty = thing("jdk.types.StackTrace", EMPTY_STACK);

	cr_expect_eq(empty->frame_count, 0);
	cr_expect_eq(empty->hash, 1);
	cr_expect_null(empty->text.bytes);
}

/* They are grouped by their methods, whatever the lines; but they are two. */
Test(depict, has_stack_traces_go_by_their_methods)
{
	const struct thing *one = thing("jdk.types.StackTrace", SELL_STACK);
	const struct thing *other = thing("jdk.types.StackTrace", 902);

	cr_expect_neq(one, other);
	cr_expect_not_null(one->method);
	cr_expect_eq(one->method, other->method);
	cr_expect_neq(one->method, thing("jdk.types.StackTrace", MAIN_STACK)->method);
}

/* A frame whose method is missing is one all the same. */
Test(depict, shows_frames_without_methods)
{
	const struct thing *stack = thing("jdk.types.StackTrace", 900);

	cr_assert_eq(stack->frame_count, 2);
	cr_expect_null(stack->frames[0]->method);
	cr_expect_null(stack->frames[0]->text.bytes);
	cr_expect_eq(stack->frames[1]->method, thing("jdk.types.Method", MAIN_METHOD));
}

static const char stack_trace[] = "jdk.types.StackTrace";

#define TOP_IS(reach, key, path, wanted)                                       \
	DATUM_IS(find(stack_trace, key, REACH_TOP_##reach, path), wanted)

Test(depict, finds_the_top_frame)
{
	TOP_IS(FRAME, NATIVE_STACK, "", "frame java.lang.String.wait0(long)");
	TOP_IS(FRAME, HIDDEN_STACK, "",
	       "frame shop.Shop$Clerk.sell(String, int, double[][], Map$Entry, boolean)");
	TOP_IS(FRAME, EMPTY_STACK, "", "null");
	TOP_IS(FRAME, 900, "", "<frame>");
}

/* A class loader without a name is none of the JDK's; a class without one is. */
Test(depict, finds_the_top_frame_of_the_application)
{
	TOP_IS(APPLICATION_FRAME, NATIVE_STACK, "", "frame shop.Shop.main(String[])");
	TOP_IS(APPLICATION_FRAME, MAIN_STACK, "", "frame shop.Shop.main(String[])");
	TOP_IS(APPLICATION_FRAME, 900, "", "frame shop.Shop.main(String[])");
	TOP_IS(APPLICATION_FRAME, 901, "", "frame shop.Shop.sell()");
}

Test(depict, finds_what_is_in_a_top_frame)
{
	TOP_IS(FRAME, SELL_STACK, "lineNumber", "int 42");
	TOP_IS(FRAME, NATIVE_STACK, "bytecodeIndex", "int -1");
	TOP_IS(APPLICATION_FRAME, NATIVE_STACK, "lineNumber", "int 65536");
	TOP_IS(FRAME, SELL_STACK, "type", "'JIT compiled'");
	TOP_IS(FRAME, SELL_STACK, "method", "method shop.Shop$Clerk.sell(String, int, "
					    "double[][], Map$Entry, boolean)");
	TOP_IS(FRAME, SELL_STACK, "method.type", "class shop.Shop$Clerk");
	TOP_IS(FRAME, SELL_STACK, "method.type.classLoader.name", "'app'");
	TOP_IS(FRAME, SELL_STACK, "nothing", "null");
	TOP_IS(FRAME, 900, "method.type", "null");
}

Test(depict, finds_the_package_of_a_top_frame)
{
	TOP_IS(FRAME, NATIVE_STACK, "package", "'java.lang'");
	TOP_IS(APPLICATION_FRAME, NATIVE_STACK, "package", "'shop'");
	TOP_IS(FRAME, 900, "package", "null");
}

/* --- paths ------------------------------------------------------------------------- */

Test(depict, follows_paths)
{
	DATUM_IS(find("test.Node", 1, REACH_FIELD, "number"), "int 10");
	DATUM_IS(find("test.Node", 1, REACH_FIELD, "next.number"), "int 20");
	DATUM_IS(find("test.Named", 1, REACH_FIELD, "inner.deep.next.number"), "int 20");
	DATUM_IS(find("test.Named", 1, REACH_FIELD, "inner"), "object Inner");
	DATUM_IS(find("test.Named", 2, REACH_FIELD, "inner.deep.next.number"), "null");
	DATUM_IS(find("test.Node", 1, REACH_FIELD, "next.nothing"), "null");
	DATUM_IS(find("test.Node", 1, REACH_FIELD, "number.next"), "null");
	DATUM_IS(find("java.lang.Class", STRING_CLASS, REACH_FIELD, "package.module.name"),
		 "'java.base'");
}

/* As far as the path goes. (The JDK stops where a constant leads back to itself.) */
Test(depict, goes_round_in_circles_no_further_than_asked)
{
	DATUM_IS(find("test.Node", 3, REACH_FIELD, "next"), "object Node");
	DATUM_IS(find("test.Node", 3, REACH_FIELD, "next.next.next.number"), "int 30");
}

Test(depict, shows_arrays_as_lists)
{
	DATUM_IS(find("test.Named", 1, REACH_FIELD, "words"), "['main', null, 'run']");
	DATUM_IS(find("test.Named", 2, REACH_FIELD, "words"), "[]");
	DATUM_IS(find("test.Named", 1, REACH_FIELD, "words.string"), "null");
}

/* --- values of events ------------------------------------------------------------- */

/* The values of all fields behind the first of the nth event of a type. */
static void expect_event(const char *name, size_t nth, const char *wanted, int line)
{
	const struct type *type = make_type(&shop, name);
	struct value values[64];
	struct buf text = { 0 };
	size_t at = 0;

	while (make_nth(&shop, at).type != type || nth-- > 0)
		at++;
	cr_assert(make_decode(&shop, at, values));
	for (size_t i = 1; i < type->field_count; i++) {
		const struct field *field = &type->fields[i];
		struct datum datum =
			depict_value(&depict, field, values + field->slot);

		buf_text(&text, i > 1 ? ", " : "");
		ask_tell(&text, &datum);
	}
	buf_byte(&text, '\0');
	cr_expect_str_eq(text.bytes, wanted, "line %d: %s", line, text.bytes);
	buf_clear(&text);
}

#define EVENT_IS(name, nth, wanted) expect_event(name, nth, wanted, __LINE__)

Test(depict, shows_primitives)
{
	EVENT_IS("shop.Primitives", 0,
		 "true, byte 127, short 32767, char 120, int 2147483647, "
		 "long 9223372036854775807, float 3.40282347e+38, "
		 "double 1.7976931348623157e+308, 'a \"quoted\" \\ <text> &\n\ttab'");
	EVENT_IS("shop.Primitives", 1,
		 "false, byte -128, short -32768, char 8364, int -2147483648, "
		 "long -9223372036854775808, float 1.40129846e-45, "
		 "double 4.9406564584124654e-324, null");
}

/* @Unsigned does not count, as in the JDK's view. */
Test(depict, shows_numbers_with_their_sign)
{
	EVENT_IS("shop.Amounts", 0,
		 "long 0, int 1, long 1, double 1.5, float 0.5, int 1000, "
		 "long 139638282147448, byte -1, short -1, int -1, long -1");
}

Test(depict, shows_times)
{
	EVENT_IS("shop.Spans", 0,
		 "span 0.000000000, span 0.000001500, span 0.000000001, "
		 "span 20.000000000, span 61.000000000, span 90.000000000, "
		 "time 1714557602.000000005, time 1714557600.123000000");
	EVENT_IS("shop.Spans", 1,
		 "span 0.000000007, span -9223372036854775808.000000000, "
		 "span 9223372036854775807.999999999, "
		 "span -9223372036854775808.000000000, "
		 "span 9223372036854775807.999999999, span -3600.000000000, "
		 "time -9223372036854775808.000000000, "
		 "time -9223372036854775808.000000000");
}

Test(depict, shows_structs_and_constants_of_events)
{
	EVENT_IS("shop.Delivery", 1,
		 "object Address, thread , null, null, null, null, null, null, []");
}

static uint64_t bits_of(struct datum datum)
{
	uint64_t bits;

	memcpy(&bits, &datum.real, sizeof(bits));
	return bits;
}

Test(depict, knows_one_nan)
{
	const struct field field = { .type = make_type(&shop, "double"),
				     .shown = make_type(&shop, "double") };
	const struct value one = { .real = __builtin_nan("") };
	const struct value other = { .real = -__builtin_nan("12345") };

	cr_expect_eq(bits_of(depict_value(&depict, &field, &one)),
		     bits_of(depict_value(&depict, &field, &other)));
}

/* --- memory ------------------------------------------------------------------------- */

/* Everything anew; false if something failed, and it was told. */
static bool depict_all(struct buf *text)
{
	struct lexicon own = { 0 };
	struct depict all;
	bool is_good = depict_open(&all, &shop.chunk, &own);
	static const struct {
		const char *type;
		enum reach reach;
		const char *path;
		uint64_t key;
	} inputs[] = {
		{ "jdk.types.StackTrace", REACH_TOP_FRAME, "package", NATIVE_STACK },
		{ "java.lang.Thread", REACH_FIELD, "", CLERK_THREAD },
		{ "jdk.types.ThreadGroup", REACH_FIELD, "", MAIN_GROUP },
		{ "jdk.types.ClassLoader", REACH_FIELD, "", APP_LOADER },
		{ "jdk.types.StackTrace", REACH_FIELD, "", HIDDEN_STACK },
		{ "jdk.types.StackTrace", REACH_TOP_NOT_INIT_FRAME, "", NATIVE_STACK },
		{ "test.Named", REACH_FIELD, "words", 1 },
		{ "jdk.types.Package", REACH_FIELD, "", SHOP_PACKAGE },
	};

	for (size_t i = 0; is_good && i < sizeof(inputs) / sizeof(inputs[0]); i++) {
		struct recall *recall =
			depict_recall(&all, make_type(&shop, inputs[i].type),
				      inputs[i].reach, str_of(inputs[i].path));
		struct datum datum = depict_constant(&all, recall, inputs[i].key);

		ask_tell(text, &datum);
		buf_byte(text, ' ');
	}
	buf_byte(text, '\0');
	is_good &= !all.failed && !all.scratch.failed && !own.arena.failed &&
		   !text->failed;
	depict_close(&all);
	lexicon_clear(&own);
	return is_good;
}

Test(depict, tells_that_memory_ran_out)
{
	struct buf wanted = { 0 }, text = { 0 };
	bool is_refused, is_good;
	size_t n = 0;

	cr_assert(depict_all(&wanted));
	do {
		buf_clear(&text);
		fault_at(++n);
		is_good = depict_all(&text);
		is_refused = fault_happened();
		fault_at(0);
		cr_expect(!is_good || strcmp(text.bytes, wanted.bytes) == 0,
			  "request %zu: %s", n, text.bytes);
		cr_expect(is_good || is_refused);
	} while (is_refused);
	cr_expect_gt(n, 10);
	buf_clear(&wanted);
	buf_clear(&text);
}
