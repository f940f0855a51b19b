#include <criterion/criterion.h>
#include <stdio.h>

#include "jfr/compile.h"
#include "make.h"

struct sample {
	struct metadata metadata;
	struct arena arena;
};

static void open(struct sample *sample, const char *picture)
{
	struct buf buf = { 0 };
	struct err err = { 0 };

	make_metadata(&buf, picture);
	cr_assert(metadata_read(&sample->metadata, make_cursor(&buf).at, buf.size,
				&sample->arena, &err), "%s", err.text);
	buf_clear(&buf);
	cr_assert(compile_types(&sample->metadata, &sample->arena));
}

static void clear(struct sample *sample)
{
	metadata_clear(&sample->metadata);
	arena_clear(&sample->arena);
}

/* The operations of a program, a letter each; "!" if it is broken. */
static const char *letters(const struct sample *sample, int64_t id)
{
	static char text[PROGRAM_VALUES_MAX + 1];
	const struct type *type = metadata_type(&sample->metadata, id);

	for (uint32_t i = 0; i < type->program.count; i++)
		text[i] = "-bBSCIJFDTR["[type->program.ops[i].kind];
	text[type->program.count] = '\0';
	return type->program.is_broken ? "!" : text;
}

#define PRIMITIVES                                                             \
	"root\n"                                                               \
	" metadata\n"                                                          \
	"  class name=boolean id=11\n"                                         \
	"  class name=byte id=12\n"                                            \
	"  class name=short id=13\n"                                           \
	"  class name=char id=14\n"                                            \
	"  class name=int id=15\n"                                             \
	"  class name=long id=16\n"                                            \
	"  class name=float id=17\n"                                           \
	"  class name=double id=18\n"                                          \
	"  class name=java.lang.String id=19\n"

Test(compile, makes_one_operation_for_each_primitive)
{
	static const char *const expected[] = { "b", "B", "S", "C", "I",
						"J", "F", "D", "T" };
	struct sample sample = { 0 };

	open(&sample, PRIMITIVES);
	for (int i = 0; i < 9; i++)
		cr_expect_str_eq(letters(&sample, 11 + i), expected[i]);
	clear(&sample);
}

Test(compile, unrolls_structs_and_gives_fields_their_slots)
{
	struct sample sample = { 0 };
	const struct field *fields;

	open(&sample, PRIMITIVES
	     "  class name=a.E id=30 superType=jdk.jfr.Event\n"
	     "   field name=before class=16\n"
	     "   field name=outer class=31\n"
	     "   field name=behind class=11\n"
	     "  class name=a.Outer id=31\n"
	     "   field name=inner class=32\n"
	     "   field name=x class=15\n"
	     "  class name=a.Inner id=32\n"
	     "   field name=a class=17\n"
	     "   field name=b class=19\n");
	cr_expect_str_eq(letters(&sample, 30), "JFTIb");
	fields = metadata_type(&sample.metadata, 30)->fields;
	cr_expect_eq(fields[0].slot, 0);
	cr_expect_eq(fields[1].slot, 1);
	cr_expect_eq(fields[2].slot, 4);
	cr_expect_eq(metadata_type(&sample.metadata, 31)->fields[1].slot, 2);
	clear(&sample);
}

Test(compile, makes_references_and_arrays)
{
	struct sample sample = { 0 };
	const struct op *ops;

	open(&sample, PRIMITIVES
	     "  class name=a.S id=30\n"
	     "   field name=key class=30 constantPool=true\n"
	     "   field name=numbers class=15 dimension=1\n"
	     "   field name=keys class=30 dimension=1 constantPool=true\n"
	     "   field name=children class=30 dimension=1\n");
	cr_expect_str_eq(letters(&sample, 30), "R[[[");
	ops = metadata_type(&sample.metadata, 30)->program.ops;
	cr_expect_eq(ops[0].type, metadata_type(&sample.metadata, 30));
	cr_expect_eq(ops[1].element, &metadata_type(&sample.metadata, 15)->program);
	cr_expect_eq(ops[2].element->ops[0].kind, OP_REFERENCE);
	cr_expect_eq(ops[3].element, &metadata_type(&sample.metadata, 30)->program);
	clear(&sample);
}

Test(compile, takes_the_first_field_of_a_simple_type)
{
	struct sample sample = { 0 };

	open(&sample, PRIMITIVES
	     "  class name=a.One id=30 simpleType=true\n"
	     "   field name=x class=19\n"
	     "  class name=a.Two id=31 simpleType=true\n"
	     "   field name=x class=30\n"
	     "   field name=y class=16\n"
	     "  class name=a.None id=32 simpleType=true\n");
	cr_expect_str_eq(letters(&sample, 30), "T");
	cr_expect_str_eq(letters(&sample, 31), "T");
	cr_expect_str_eq(letters(&sample, 32), "!");
	clear(&sample);
}

Test(compile, marks_what_cannot_be_decoded_and_who_holds_it)
{
	struct sample sample = { 0 };

	open(&sample, PRIMITIVES
	     "  class name=a.Holder id=30\n"
	     "   field name=x class=31\n"
	     "  class name=a.Self id=31\n"
	     "   field name=before class=15\n"
	     "   field name=self class=31\n"
	     "  class name=a.Ping id=32\n"
	     "   field name=x class=33\n"
	     "  class name=a.Pong id=33 simpleType=true\n"
	     "   field name=x class=32\n"
	     "  class name=a.Undeclared id=34\n"
	     "   field name=x class=99\n"
	     "  class name=a.Unknown id=35\n"
	     "  class name=a.User id=36\n"
	     "   field name=x class=35\n"
	     "  class name=a.Key id=37\n"
	     "   field name=x class=31 constantPool=true\n"
	     "  class name=a.Array id=38\n"
	     "   field name=x class=31 dimension=1\n"
	     "  class name=a.Fine id=39\n"
	     "   field name=x class=37\n"
	     "  class name=a.Event id=40 superType=jdk.jfr.Event\n");
	for (int64_t id = 30; id <= 36; id++)
		cr_expect_str_eq(letters(&sample, id), "!", "type %d", (int)id);
	/* A key can be read whatever it stands for; an array, if it is empty. */
	cr_expect_str_eq(letters(&sample, 37), "R");
	cr_expect_str_eq(letters(&sample, 38), "[");
	cr_expect(metadata_type(&sample.metadata, 38)->program.ops[0].element->is_broken);
	cr_expect_str_eq(letters(&sample, 39), "R");
	cr_expect_str_eq(letters(&sample, 40), "");
	clear(&sample);
}

/* A type that holds two of the next one, which holds two of the next ... */
static struct buf doubling(int levels)
{
	struct buf picture = { 0 };

	buf_text(&picture, PRIMITIVES);
	for (int i = 0; i < levels; i++)
		buf_printf(&picture,
			   "  class name=a.T%d id=%d\n"
			   "   field name=x class=%d\n"
			   "   field name=y class=%d\n",
			   i, 100 + i, i + 1 < levels ? 101 + i : 15,
			   i + 1 < levels ? 101 + i : 15);
	buf_byte(&picture, '\0');
	return picture;
}

Test(compile, refuses_types_of_too_many_values)
{
	struct buf picture = doubling(14);
	struct sample sample = { 0 };

	open(&sample, picture.bytes);
	cr_expect_eq(metadata_type(&sample.metadata, 102)->program.count, 4096);
	cr_expect_str_eq(letters(&sample, 101), "!");
	cr_expect_str_eq(letters(&sample, 100), "!");
	buf_clear(&picture);
	clear(&sample);
}

Test(compile, refuses_structs_too_deep_inside_each_other)
{
	struct buf picture = { 0 };
	struct sample sample = { 0 };

	buf_text(&picture, PRIMITIVES);
	for (int i = 0; i < 1000; i++)
		buf_printf(&picture,
			   "  class name=a.T%d id=%d\n"
			   "   field name=x class=%d\n",
			   i, 100 + i, i < 999 ? 101 + i : 15);
	buf_byte(&picture, '\0');
	open(&sample, picture.bytes);
	cr_expect_str_eq(letters(&sample, 100), "!");
	cr_expect_str_eq(letters(&sample, 1099), "I");
	buf_clear(&picture);
	clear(&sample);
}

Test(compile, tells_events_whose_ticks_stand_in_front)
{
	struct sample sample = { 0 };

	open(&sample, PRIMITIVES
	     "  class name=a.Plain id=30 superType=jdk.jfr.Event\n"
	     "   field name=startTime class=16\n"
	     "  class name=a.Long id=31 superType=jdk.jfr.Event\n"
	     "   field name=startTime class=16\n"
	     "   field name=duration class=16\n"
	     "  class name=a.Turned id=32 superType=jdk.jfr.Event\n"
	     "   field name=duration class=16\n"
	     "   field name=startTime class=16\n"
	     "  class name=a.Apart id=33 superType=jdk.jfr.Event\n"
	     "   field name=startTime class=16\n"
	     "   field name=x class=16\n"
	     "   field name=duration class=16\n"
	     "  class name=a.None id=34 superType=jdk.jfr.Event\n"
	     "   field name=x class=16\n"
	     "  class name=a.Text id=35 superType=jdk.jfr.Event\n"
	     "   field name=startTime class=19\n"
	     "  class name=a.Broken id=36 superType=jdk.jfr.Event\n"
	     "   field name=startTime class=16\n"
	     "   field name=x class=99\n");
	for (int64_t id = 30; id <= 36; id++)
		cr_expect_eq(metadata_type(&sample.metadata, id)->has_plain_ticks, id < 32,
			     "type %d", (int)id);
	clear(&sample);
}
