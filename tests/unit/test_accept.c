#include <criterion/criterion.h>

#include "copy/accept.h"
#include "jfr/compile.h"
#include "make.h"

struct sample {
	struct metadata metadata;
	struct arena arena;
	struct accept accept;
	struct buf event;	/* names are in it */
};

static void open(struct sample *sample, const char *picture)
{
	struct err err = { 0 };

	*sample = (struct sample){ .accept = { .metadata = NULL } };
	make_metadata(&sample->event, picture);
	cr_assert(metadata_read(&sample->metadata, make_cursor(&sample->event).at,
				sample->event.size, &sample->arena, &err),
		  "%s", err.text);
	cr_assert(compile_types(&sample->metadata, &sample->arena));
	cr_assert(accept_open(&sample->accept, &sample->metadata, &sample->arena));
}

static void clear(struct sample *sample)
{
	metadata_clear(&sample->metadata);
	arena_clear(&sample->arena);
	buf_clear(&sample->event);
}

static bool is_type(const struct sample *sample, int64_t id)
{
	return accept_type(&sample->accept, metadata_type(&sample->metadata, id));
}

static bool is_pool(const struct sample *sample, int64_t id)
{
	return accept_pool(&sample->accept, metadata_type(&sample->metadata, id));
}

#define HEAD                                                                    \
	"root\n"                                                                \
	" metadata\n"                                                           \
	"  class name=long id=2\n"                                              \
	"  class name=int id=3\n"                                               \
	"  class name=java.lang.String id=4\n"

/* A long chain of arrays, at whose end is what nobody knows. */
Test(accept, refuses_whatever_holds_what_is_refused)
{
	struct buf picture = { 0 };
	struct sample sample;

	buf_text(&picture, HEAD);
	for (int id = 1000; id < 4000; id++)
		buf_printf(&picture, "  class name=a.T id=%d\n"
				     "   field name=x class=%d dimension=1\n", id, id + 1);
	buf_text(&picture, "  class name=a.T id=4000\n"
			   "   field name=x class=99\n"
			   "  class name=a.Free id=4001\n"
			   "   field name=x class=1000 constantPool=true\n");
	buf_byte(&picture, '\0');
	open(&sample, picture.bytes);
	cr_expect_not(is_type(&sample, 1000));
	cr_expect_not(is_type(&sample, 3999));
	cr_expect_not(is_type(&sample, 4000));
	cr_expect(is_type(&sample, 4001));
	clear(&sample);
	buf_clear(&picture);
}

/* The JDK knows what has no fields only from the fields that hold it. */
Test(accept, knows_pools_of_what_fields_hold)
{
	struct sample sample;

	open(&sample, HEAD "  class name=a.T id=5\n"
			   "   field name=text class=4\n"
			   "   field name=number class=3 constantPool=true\n"
			   "  class name=a.Empty id=6\n"
			   "  class name=a.E id=7 superType=jdk.jfr.Event\n"
			   "   field name=startTime class=2\n"
			   "  class name=a.Broken id=8\n"
			   "   field name=x class=3\n"
			   "   field name=x class=99\n");
	cr_expect(is_pool(&sample, 2));
	cr_expect_not(is_pool(&sample, 3));
	cr_expect(is_pool(&sample, 4));
	cr_expect(is_pool(&sample, 5));
	cr_expect_not(is_pool(&sample, 6));
	cr_expect(is_type(&sample, 7));
	cr_expect_not(is_pool(&sample, 7));
	cr_expect_not(is_pool(&sample, 8));
	clear(&sample);
}

#define FRAMES(class_fields)                                                    \
	HEAD                                                                    \
	"  class name=jdk.types.Symbol id=10 simpleType=true\n"                 \
	"   field name=string class=4\n"                                        \
	"  class name=java.lang.Class id=11\n" class_fields                     \
	"  class name=jdk.types.Method id=12\n"                                 \
	"   field name=type class=11 constantPool=true\n"                       \
	"   field name=descriptor class=10 constantPool=true\n"                 \
	"  class name=jdk.types.StackFrame id=13\n"                             \
	"   field name=method class=12 constantPool=true\n"                     \
	"  class name=jdk.types.StackTrace id=14\n"                             \
	"   field name=frames class=13 dimension=1\n"

Test(accept, has_stack_traces_only_with_all_they_need)
{
	struct sample sample;

	open(&sample, FRAMES("   field name=name class=10 constantPool=true\n"));
	for (int64_t id = 10; id <= 14; id++)
		cr_expect(is_pool(&sample, id));
	clear(&sample);
	open(&sample, FRAMES("   field name=name class=98 constantPool=true\n"));
	for (int64_t id = 11; id <= 14; id++)
		cr_expect_not(is_pool(&sample, id), "%lld", (long long)id);
	clear(&sample);
	/* There is no key for a name that is known otherwise, or not at all. */
	open(&sample, FRAMES("   field name=name class=4\n"));
	cr_expect(is_pool(&sample, 14));
	clear(&sample);
	open(&sample, FRAMES("   field name=x class=3\n"));
	cr_expect(is_pool(&sample, 14));
	clear(&sample);
}

Test(accept, unwraps_simple_types)
{
	struct accept_form form;
	struct sample sample;
	const struct type *type;

	open(&sample, HEAD "  class name=a.In id=5 simpleType=true\n"
			   "   field name=x class=3 dimension=1\n"
			   "  class name=a.Out id=6 simpleType=true\n"
			   "   field name=x class=5\n"
			   "  class name=a.T id=7\n"
			   "   field name=a class=6\n"
			   "   field name=b class=6 constantPool=true\n"
			   "   field name=c class=3\n");
	type = metadata_type(&sample.metadata, 7);
	form = accept_form(&type->fields[0]);
	cr_expect(form.type->id == 3 && form.array && !form.pooled);
	form = accept_form(&type->fields[1]);
	cr_expect(form.type->id == 6 && !form.array && form.pooled);
	form = accept_form(&type->fields[2]);
	cr_expect(form.type->id == 3 && !form.array && !form.pooled);
	clear(&sample);
}
