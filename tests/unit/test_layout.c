#include <criterion/criterion.h>
#include <stdlib.h>

#include "copy/layout.h"
#include "jfr/compile.h"
#include "make.h"

/* The number of the first type of the picture. */
static uint64_t layout_of(const char *picture)
{
	struct arena arena = { 0 };
	struct metadata metadata;
	struct buf buf = { 0 };
	struct err err;
	uint64_t *layouts, first;

	make_metadata(&buf, picture);
	cr_assert(metadata_read(&metadata, make_cursor(&buf).at, buf.size, &arena,
				&err) &&
		  compile_types(&metadata, &arena));
	layouts = layout_find(&metadata);
	cr_assert(layouts);
	first = layouts[0];
	free(layouts);
	buf_clear(&buf);
	metadata_clear(&metadata);
	arena_clear(&arena);
	return first;
}

#define METADATA "root\n metadata\n"
#define PAIR(id, field) "  class name=a.Pair id=" id "\n   field name=x class=9\n" field
#define REST(inner)                                                                    \
	"  class name=int id=9\n  class name=long id=10\n"                             \
	"  class name=a.Inner id=11\n   field name=y class=" inner "\n"

Test(layout, is_the_same_of_the_same)
{
	uint64_t layout = layout_of(METADATA PAIR("5", "") REST("9"));

	cr_expect_eq(layout, layout_of(METADATA PAIR("7", "") REST("10")));
	cr_expect_neq(layout, layout_of(METADATA PAIR("5", "   field name=z class=9\n")
						REST("9")));
}

Test(layout, tells_fields_apart)
{
	static const char *const fields[] = {
		"",
		"   field name=y class=9\n",
		"   field name=z class=9\n",
		"   field name=z class=10\n",
		"   field name=z class=9 dimension=1\n",
		"   field name=z class=11\n",
		"   field name=z class=11 constantPool=true\n",
		"   field name=z class=11 dimension=1 constantPool=true\n",
		"   field name=z class=4711\n",
	};
	uint64_t layouts[sizeof(fields) / sizeof(fields[0])];

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct buf picture = { 0 };

		buf_text(&picture, METADATA PAIR("5", ""));
		buf_text(&picture, fields[i]);
		buf_text(&picture, REST("9"));
		buf_byte(&picture, '\0');
		layouts[i] = layout_of(picture.bytes);
		for (size_t k = 0; k < i; k++)
			cr_expect_neq(layouts[i], layouts[k], "%zu %zu", i, k);
		buf_clear(&picture);
	}
}

/* Of what is held inline the fields count, of what is referred to the name. */
Test(layout, counts_what_is_inside)
{
#define INNER "   field name=z class=11\n"
#define OUTER "   field name=z class=11 constantPool=true\n"
	cr_expect_neq(layout_of(METADATA PAIR("5", INNER) REST("9")),
		      layout_of(METADATA PAIR("5", INNER) REST("10")));
	cr_expect_eq(layout_of(METADATA PAIR("5", OUTER) REST("9")),
		     layout_of(METADATA PAIR("5", OUTER) REST("10")));
}
