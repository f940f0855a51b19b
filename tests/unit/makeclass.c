#include "makeclass.h"

#include "classfile/reader.h"

/* What is being made: constants are written before the rest, but known after it. */
struct made {
	struct buf pool, rest;
	uint32_t count;
};

static uint16_t add(struct made *made, const struct make_constant *constant)
{
	struct buf *pool = &made->pool;

	big_put_u1(pool, (unsigned)constant->tag);
	switch (constant->tag) {
	case CONSTANT_UTF8:
		big_put_u2(pool, (unsigned)strlen(constant->text));
		buf_text(pool, constant->text);
		break;
	case CONSTANT_CLASS:
	case CONSTANT_STRING:
	case CONSTANT_METHOD_TYPE:
		big_put_u2(pool, constant->a);
		break;
	case CONSTANT_METHOD_HANDLE:
		big_put_u1(pool, constant->a);
		big_put_u2(pool, constant->b);
		break;
	case CONSTANT_LONG:
	case CONSTANT_DOUBLE:
		big_put_u4(pool, 0);
		made->count++;
		/* fall through */
	default:
		big_put_u2(pool, constant->a);
		big_put_u2(pool, constant->b);
	}
	return (uint16_t)made->count++;
}

static uint16_t utf8(struct made *made, const char *text)
{
	struct make_constant constant = { CONSTANT_UTF8, text, 0, 0 };
	uint16_t index = (uint16_t)made->count;

	add(made, &constant);
	return index;
}

static uint16_t class_named(struct made *made, const char *name)
{
	struct make_constant constant = { CONSTANT_CLASS, NULL, utf8(made, name), 0 };
	uint16_t index = (uint16_t)made->count;

	add(made, &constant);
	return index;
}

static void put_attribute(struct made *made, const char *name, struct str content)
{
	big_put_u2(&made->rest, utf8(made, name));
	big_put_u4(&made->rest, (uint32_t)content.size);
	buf_str(&made->rest, content);
}

static unsigned count_of(const char *const texts[3])
{
	unsigned count = 0;

	while (count < 3 && texts[count])
		count++;
	return count;
}

/* Each with one value, so that there is something to step over. */
static void put_annotations(struct made *made, const char *const descriptors[3])
{
	unsigned count = count_of(descriptors);
	struct buf content = { 0 };

	big_put_u2(&content, count);
	for (unsigned i = 0; i < count; i++) {
		big_put_u2(&content, utf8(made, descriptors[i]));
		big_put_u2(&content, 1);
		big_put_u2(&content, utf8(made, "value"));
		buf_add(&content, "[\0\2s\0\1B\0\1", 9);
	}
	put_attribute(made, "RuntimeVisibleAnnotations", buf_as_str(&content));
	buf_clear(&content);
}

static void put_code(struct made *made, const struct make_method *method)
{
	struct buf *rest = &made->rest;
	size_t begin;
	unsigned count = 0;

	big_put_u2(rest, utf8(made, "Code"));
	big_put_u4(rest, 0);
	begin = rest->size;
	big_put_u2(rest, method->stack);
	big_put_u2(rest, method->locals);
	big_put_u4(rest, (uint32_t)method->code.size);
	buf_str(rest, method->code);
	big_put_u2(rest, (unsigned)method->entries.size / 8);
	buf_str(rest, method->entries);
	while (count < 6 && method->attributes[count].name)
		count++;
	big_put_u2(rest, count);
	for (unsigned i = 0; i < count; i++)
		put_attribute(made, method->attributes[i].name,
			      method->attributes[i].content);
	big_set_u4(rest, begin - 4, (uint32_t)(rest->size - begin));
}

static void put_method(struct made *made, const struct make_method *method)
{
	struct buf *rest = &made->rest;
	bool has_annotations = method->annotations[0];

	big_put_u2(rest, method->access);
	big_put_u2(rest, utf8(made, method->name));
	big_put_u2(rest, utf8(made, method->descriptor));
	big_put_u2(rest, has_annotations + (method->code.size > 0) +
				 method->is_synthetic);
	if (has_annotations)
		put_annotations(made, method->annotations);
	if (method->code.size)
		put_code(made, method);
	if (method->is_synthetic)
		put_attribute(made, "Synthetic", STR(""));
}

static void put_methods(struct made *made, const struct make_method *methods)
{
	unsigned count = 0;

	while (methods && methods[count].name)
		count++;
	big_put_u2(&made->rest, count);
	for (unsigned i = 0; i < count; i++)
		put_method(made, &methods[i]);
}

static void put_names(struct made *made, const struct make_class *table)
{
	const char *super_name = table->super_name;
	unsigned interfaces = count_of(table->interfaces);

	if (!super_name)
		super_name = "java/lang/Object";
	big_put_u2(&made->rest, table->access);
	big_put_u2(&made->rest, class_named(made, table->name));
	big_put_u2(&made->rest, *super_name ? class_named(made, super_name) : 0);
	big_put_u2(&made->rest, interfaces);
	for (unsigned i = 0; i < interfaces; i++)
		big_put_u2(&made->rest, class_named(made, table->interfaces[i]));
}

/* One that has an attribute. */
static void put_field(struct made *made)
{
	big_put_u2(&made->rest, 1);
	big_put_u2(&made->rest, 0);
	big_put_u2(&made->rest, utf8(made, "field"));
	big_put_u2(&made->rest, utf8(made, "I"));
	big_put_u2(&made->rest, 1);
	put_attribute(made, "Deprecated", STR(""));
}

void make_class(const struct make_class *table, struct buf *to)
{
	static const struct make_constant number = { CONSTANT_FLOAT, NULL, 0, 0 };
	struct made made = { .count = 1 };

	for (const struct make_constant *of = table->constants; of && of->tag; of++)
		add(&made, of);
	put_names(&made, table);
	put_field(&made);
	put_methods(&made, table->methods);
	big_put_u2(&made.rest, table->annotations[0] ? 1 : 0);
	if (table->annotations[0])
		put_annotations(&made, table->annotations);
	for (unsigned i = 0; i < table->more_constants; i++)
		add(&made, &number);
	big_put_u4(to, 0xcafebabe);
	big_put_u2(to, 0);
	big_put_u2(to, table->major ? table->major : 52);
	big_put_u2(to, made.count);
	buf_str(to, buf_as_str(&made.pool));
	buf_str(to, buf_as_str(&made.rest));
	buf_clear(&made.pool);
	buf_clear(&made.rest);
}

/* Of the rich class: what its code names. */
static const struct make_constant rich_constants[] = {
	{ CONSTANT_UTF8, "<init>", 0, 0 },	/* 1 */
	{ CONSTANT_UTF8, "()V", 0, 0 },		/* 2 */
	{ CONSTANT_NAME_AND_TYPE, NULL, 1, 2 }, /* 3 */
	{ CONSTANT_UTF8, "java/lang/Object", 0, 0 }, /* 4 */
	{ CONSTANT_CLASS, NULL, 4, 0 },		/* 5 */
	{ CONSTANT_METHOD, NULL, 5, 3 },	/* 6 */
	{ CONSTANT_UTF8, "text", 0, 0 },	/* 7 */
	{ CONSTANT_STRING, NULL, 7, 0 },	/* 8 */
	{ CONSTANT_LONG, NULL, 1, 2 },		/* 9, 10 */
	{ CONSTANT_UTF8, "I", 0, 0 },		/* 11 */
	{ 0 },
};

static const struct make_method rich_methods[] = {
	/* if (number != 0) super(); else super(); */
	{ .name = "<init>", .descriptor = "(I)V", .stack = 1, .locals = 2,
	  .code = RAW("\x1b\x99\0\x0a"		/* 0: iload_1, ifeq 11 */
			"\x2a\xb7\0\6\xa7\0\7"		/* 4: aload_0, super(), goto 15 */
			"\x2a\xb7\0\6\xb1"),		/* 11: again; 15: return */
	  .attributes = { { "StackMapTable",
			    RAW("\0\2" "\xff\0\x0b\0\2\6\1\0\0"
				  "\xff\0\3\0\2\7\0\5\1\0\0") } } },
	/* A switch, a handler, tables of all kinds. */
	{ .access = 8, .name = "pick", .descriptor = "(ILjava/lang/String;)I",
	  .stack = 2, .locals = 2,
	  .code = RAW("\x1a\xaa\0\0\0\0\0\x1b\0\0\0\0\0\0\0\1"	/* 0, 1 */
			"\0\0\0\x17\0\0\0\x19"	/* 16: targets 24, 26; else 28 */
			"\4\xac\5\xac\6\xac"	/* 24: iconst, ireturn, thrice */
			"\x57\3\xac"),		/* 30: pop, iconst_0, ireturn */
	  .entries = RAW("\0\0\0\x18\0\x1e\0\0"),
	  .attributes = { { "StackMapTable",
			    RAW("\0\4" "\x18" "\1" "\1" "\x41\7\0\5") },
			  { "LineNumberTable", RAW("\0\2\0\0\0\1\0\x18\0\2") },
			  { "LocalVariableTable",
			    RAW("\0\1\0\0\0\x21\0\7\0\x0b\0\0") },
			  { "RuntimeVisibleTypeAnnotations",
			    RAW("\0\2\x40\0\1\0\0\0\x18\0\0\0\0\1\0\0"
				  "\x43\0\x18\1\0\0\0\1\0\0") },
			  { "Unknown", RAW("abc") } } },
	{ .access = 0x400, .name = "none", .descriptor = "()V" },
	{ .access = 8, .name = "old", .descriptor = "()V", .stack = 1, .locals = 1,
	  .code = RAW("\xa8\0\4\xb1\x4b\xa9\0") },	/* jsr 4; astore_0; ret */
	{ .access = 8, .name = "loop", .descriptor = "([[JD)J", .stack = 4, .locals = 3,
	  .code = RAW("\x2a\xc6\0\x0d"		/* 0: aload_0, ifnull 14 */
			"\x14\0\x09\x14\0\x09\x94"	/* 4: ldc2_w, ldc2_w, lcmp */
			"\x9d\xff\xf5"			/* 11: ifgt 0 */
			"\x09\xad"),			/* 14: lconst_0, lreturn */
	  .attributes = { { "StackMapTable", RAW("\0\2" "\0" "\x0d") } } },
	{ 0 },
};

const struct make_class make_class_rich = {
	.name = "a/Rich",
	.interfaces = { "a/One", "a/Two" },
	.annotations = { "La/Ann;" },
	.constants = rich_constants,
	.methods = rich_methods,
};
