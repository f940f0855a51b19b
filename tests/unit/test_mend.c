#include <criterion/criterion.h>
#include <stdlib.h>

#include "copy/mend.h"
#include "jfr/compile.h"
#include "make.h"

static void add_picture(struct buf *to, const struct element *element, size_t depth)
{
	for (; element; element = element->next) {
		buf_fill(to, ' ', depth);
		buf_str(to, element->name.bytes ? element->name : STR("?"));
		for (size_t i = 0; i < element->attribute_count; i++) {
			buf_byte(to, ' ');
			buf_str(to, element->attributes[i].name);
			buf_byte(to, '=');
			buf_str(to, element->attributes[i].text);
		}
		buf_byte(to, '\n');
		add_picture(to, element->children, depth + 1);
	}
}

/* The picture of a metadata event, mended; "" if nothing had to be changed. */
static char *mend_event(const struct buf *event)
{
	struct arena arena = { 0 };
	struct metadata metadata;
	struct accept accept;
	struct buf text = { 0 };
	struct err err = { 0 };
	const unsigned char *bytes = (const unsigned char *)event->bytes;
	const struct element *root, *mended;
	enum mend done;

	cr_assert(metadata_read(&metadata, bytes, event->size, &arena, &err), "%s",
		  err.text);
	cr_assert(compile_types(&metadata, &arena));
	root = element_read(bytes, event->size, &arena, &err);
	cr_assert(root && accept_open(&accept, &metadata, &arena));
	mended = mend_tree(root, &accept, &arena, &done);
	cr_assert(mended);
	if (done != MEND_NOTHING)
		add_picture(&text, mended, 0);
	buf_byte(&text, '\0');
	metadata_clear(&metadata);
	arena_clear(&arena);
	return text.bytes;
}

static char *mend(const char *picture)
{
	struct buf event = { 0 };
	char *text;

	make_metadata(&event, picture);
	text = mend_event(&event);
	buf_clear(&event);
	return text;
}

#define HEAD                                                                   \
	"root\n"                                                               \
	" metadata\n"                                                          \
	"  class name=long id=2\n"                                             \
	"  class name=java.lang.String id=3\n"
#define REGION " region locale=de_DE gmtOffset=3600000 dst=0\n"

/* What is between HEAD and REGION, before and after; it does not change twice. */
static void expect(const char *before, const char *after, int line)
{
	struct buf all = { 0 };
	char *mended, *again;

	buf_printf(&all, HEAD "%s" REGION "%c", before, 0);
	mended = mend(all.bytes);
	buf_reset(&all);
	buf_printf(&all, HEAD "%s" REGION "%c", after, 0);
	cr_expect_str_eq(mended, all.bytes, "line %d:\n%s", line, mended);
	again = mend(all.bytes);
	cr_expect_str_eq(again, "", "line %d, again:\n%s", line, again);
	free(mended);
	free(again);
	buf_clear(&all);
}

#define BECOMES(before, after) expect(before, after, __LINE__)

static void expect_kept(const char *part, int line)
{
	struct buf all = { 0 };
	char *mended;

	buf_printf(&all, HEAD "%s" REGION "%c", part, 0);
	mended = mend(all.bytes);
	cr_expect_str_eq(mended, "", "line %d:\n%s", line, mended);
	free(mended);
	buf_clear(&all);
}

#define STAYS(part) expect_kept(part, __LINE__)

Test(mend, leaves_good_metadata_as_it_is)
{
	STAYS("  class name=jdk.jfr.Label id=4 superType=java.lang.annotation.Annotation\n"
	      "   field name=value class=3\n"
	      "  class name=a.Mark id=5 superType=java.lang.annotation.Annotation\n"
	      "  class name=a.Symbol id=6 simpleType=true\n"
	      "   field name=string class=3\n"
	      "  class name=a.Tree id=7\n"
	      "   field name=children class=7 dimension=1\n"
	      "   field name=parent class=7 constantPool=true\n"
	      "   field name=nothing class=8 constantPool=true\n"
	      "  class name=a.Nothing id=8\n"
	      "  class name=a.Setting id=9 superType=jdk.jfr.SettingControl\n"
	      "  class name=a.E id=10 superType=jdk.jfr.Event\n"
	      "   setting name=enabled class=9 defaultValue=true\n"
	      "    annotation class=4 value=Enabled\n"
	      "   field name=startTime class=2\n"
	      "    annotation class=5\n"
	      "   field name=duration class=2\n"
	      "   field name=symbol class=6 constantPool=true\n"
	      "   field name=tree class=7\n"
	      "   annotation class=4 value=Event\n");
}

Test(mend, leaves_out_annotations_of_undeclared_types_and_without_values)
{
	BECOMES("  class name=a.N id=4\n"
		"   field name=number class=2\n"
		"  class name=a.T id=5\n"
		"   field name=x class=2\n"
		"    annotation class=99 value=x\n"
		"    annotation class=4 number=-7\n"
		"    annotation class=4 number=7x\n"
		"    annotation class=4\n"
		"   annotation class=98\n",
		"  class name=a.N id=4\n"
		"   field name=number class=2\n"
		"  class name=a.T id=5\n"
		"   field name=x class=2\n"
		"    annotation class=4 number=-7\n");
}

Test(mend, knows_what_members_of_annotations_may_be)
{
	BECOMES("  class name=boolean id=4\n"
		"  class name=char id=5\n"
		"  class name=byte id=6\n"
		"  class name=double id=7\n"
		"  class name=a.All id=8\n"
		"   field name=z class=4\n"
		"   field name=c class=5\n"
		"   field name=b class=6 dimension=1\n"
		"   field name=d class=7\n"
		"   field name=s class=3 dimension=1\n"
		"  class name=a.Of id=9\n"
		"   field name=struct class=8\n"
		"  class name=a.T id=10\n"
		"   annotation class=8 z=yes c=x b-0=-128 b-1=127 d=-1.5e3 s-0= s-1=b\n"
		"   annotation class=8 c=x d=.5\n"
		"   annotation class=8 c=xx d=1\n"
		"   annotation class=8 c=x d=1 b-0=128\n"
		"   annotation class=8 c=x d=1.5x\n"
		"   annotation class=8 c=x d=nan\n"
		"   annotation class=9\n",
		"  class name=boolean id=4\n"
		"  class name=char id=5\n"
		"  class name=byte id=6\n"
		"  class name=double id=7\n"
		"  class name=a.All id=8\n"
		"   field name=z class=4\n"
		"   field name=c class=5\n"
		"   field name=b class=6 dimension=1\n"
		"   field name=d class=7\n"
		"   field name=s class=3 dimension=1\n"
		"  class name=a.Of id=9\n"
		"   field name=struct class=8\n"
		"  class name=a.T id=10\n"
		"   annotation class=8 z=yes c=x b-0=-128 b-1=127 d=-1.5e3 s-0= s-1=b\n"
		"   annotation class=8 c=x d=.5\n");
}

Test(mend, leaves_out_what_the_jdk_expects_to_be_a_text)
{
	BECOMES("  class name=jdk.jfr.Label id=4\n"
		"  class name=jdk.jfr.Category id=5\n"
		"   field name=value class=3\n"
		"  class name=a.T id=6\n"
		"   annotation class=4 value=x\n"
		"   annotation class=5 value=x\n",
		"  class name=jdk.jfr.Label id=4\n"
		"  class name=jdk.jfr.Category id=5\n"
		"   field name=value class=3\n"
		"  class name=a.T id=6\n");
}

Test(mend, leaves_out_units_that_no_time_has)
{
	BECOMES("  class name=jdk.jfr.Timestamp id=4\n"
		"   field name=value class=3\n"
		"  class name=jdk.jfr.Timespan id=5\n"
		"   field name=value class=3\n"
		"  class name=a.T id=6\n"
		"   field name=good class=2\n"
		"    annotation class=4 value=TICKS\n"
		"   field name=other class=2\n"
		"    annotation class=5 value=FORTNIGHTS\n"
		"   field name=text class=3\n"
		"    annotation class=5 value=SECONDS\n",
		"  class name=jdk.jfr.Timestamp id=4\n"
		"   field name=value class=3\n"
		"  class name=jdk.jfr.Timespan id=5\n"
		"   field name=value class=3\n"
		"  class name=a.T id=6\n"
		"   field name=good class=2\n"
		"    annotation class=4 value=TICKS\n"
		"   field name=other class=2\n"
		"   field name=text class=3\n");
}

Test(mend, empties_types_that_cannot_be_read)
{
	BECOMES("  class name=a.Self id=4\n"
		"   field name=self class=4\n"
		"   field name=x class=2\n"
		"  class name=a.Holder id=5\n"
		"   field name=selves class=4 dimension=1\n"
		"  class name=a.Empty id=6\n"
		"  class name=a.E id=7 superType=jdk.jfr.Event\n"
		"   setting name=s class=6\n"
		"   field name=startTime class=2\n"
		"   field name=holder class=5\n"
		"  class name=a.F id=8 superType=jdk.jfr.Event\n"
		"   field name=startTime class=2\n"
		"   field name=holder class=5 constantPool=true\n",
		"  class name=a.Self id=4\n"
		"  class name=a.Holder id=5\n"
		"  class name=a.Empty id=6\n"
		"  class name=a.E id=7\n"
		"  class name=a.F id=8 superType=jdk.jfr.Event\n"
		"   field name=startTime class=2\n"
		"   field name=holder class=5 constantPool=true\n");
}

Test(mend, takes_events_that_the_jdk_cannot_read_for_structs)
{
	BECOMES("  class name=a.NoFields id=4 superType=jdk.jfr.Event\n"
		"  class name=a.Text id=5 superType=jdk.jfr.Event\n"
		"   field name=startTime class=3\n"
		"  class name=a.Late id=6 superType=jdk.jfr.Event\n"
		"   field name=startTime class=2\n"
		"   field name=x class=3\n"
		"   field name=duration class=2\n"
		"  class name=a.Array id=7 superType=jdk.jfr.Event\n"
		"   field name=startTime class=2 dimension=1\n"
		"  class name=a.Key id=8 superType=jdk.jfr.Event\n"
		"   field name=startTime class=2 constantPool=true\n"
		"  class name=a.Inline id=9\n"
		"   field name=event class=10\n"
		"  class name=a.Good id=10 superType=jdk.jfr.Event\n"
		"   field name=whenever class=2\n"
		"  class name=a.Turned id=11 superType=jdk.jfr.Event\n"
		"   field name=duration class=2\n"
		"   field name=startTime class=2\n"
		"  class name=a.Lone id=12 superType=jdk.jfr.Event\n"
		"   field name=duration class=2\n"
		"  class name=a.Checkpoint id=1 superType=jdk.jfr.Event\n"
		"   field name=startTime class=2\n",
		"  class name=a.NoFields id=4\n"
		"  class name=a.Text id=5\n"
		"  class name=a.Late id=6\n"
		"  class name=a.Array id=7\n"
		"  class name=a.Key id=8\n"
		"  class name=a.Inline id=9\n"
		"  class name=a.Good id=10 superType=jdk.jfr.Event\n"
		"   field name=whenever class=2\n"
		"  class name=a.Turned id=11 superType=jdk.jfr.Event\n"
		"   field name=duration class=2\n"
		"   field name=startTime class=2\n"
		"  class name=a.Lone id=12\n"
		"  class name=a.Checkpoint id=1\n");
}

Test(mend, unwraps_simple_types_that_are_inline)
{
	BECOMES("  class name=a.Inner id=4 simpleType=true\n"
		"   field name=x class=2\n"
		"   field name=ignored class=3\n"
		"  class name=a.Outer id=5 simpleType=true\n"
		"   field name=inner class=4\n"
		"  class name=a.List id=6 simpleType=true\n"
		"   field name=all class=5 dimension=1\n"
		"  class name=a.Key id=7 simpleType=true\n"
		"   field name=key class=4 constantPool=true\n"
		"  class name=a.T id=8\n"
		"   field name=outer class=5\n"
		"   field name=pooled class=5 constantPool=true\n"
		"   field name=list class=6\n"
		"   field name=keys class=7 dimension=1\n"
		"  class name=a.Never id=9\n"
		"   field name=lists class=6 dimension=1\n",
		"  class name=a.Inner id=4 simpleType=true\n"
		"   field name=x class=2\n"
		"   field name=ignored class=3\n"
		"  class name=a.Outer id=5 simpleType=true\n"
		"   field name=inner class=2\n"
		"  class name=a.List id=6 simpleType=true\n"
		"   field name=all class=2 dimension=1\n"
		"  class name=a.Key id=7 simpleType=true\n"
		"   field name=key class=4 constantPool=true\n"
		"  class name=a.T id=8\n"
		"   field name=outer class=2\n"
		"   field name=pooled class=5 constantPool=true\n"
		"   field name=list class=2 dimension=1\n"
		"   field name=keys class=4 dimension=1 constantPool=true\n"
		"  class name=a.Never id=9\n");
}

Test(mend, makes_simple_types_that_are_none_plain)
{
	BECOMES("  class name=a.Nothing id=4 simpleType=true simpleType=yes\n"
		"  class name=java.lang.Thread id=5 simpleType=true\n"
		"   field name=osName class=3\n"
		"   field name=osThreadId class=2\n",
		"  class name=a.Nothing id=4\n"
		"  class name=java.lang.Thread id=5\n"
		"   field name=osName class=3\n");
}

Test(mend, keeps_the_first_of_two_types_with_the_same_number)
{
	BECOMES("  class name=a.First id=4\n"
		"   field name=x class=2\n"
		"  class name=a.Second id=4\n"
		"   field name=y class=3\n",
		"  class name=a.First id=4\n"
		"   field name=x class=2\n");
}

Test(mend, leaves_out_settings_of_others_and_of_no_type)
{
	BECOMES("  class name=a.T id=4\n"
		"   setting name=x class=2\n"
		"  class name=a.E id=5 superType=jdk.jfr.Event\n"
		"   setting name=x class=99\n"
		"   setting class=2\n"
		"   setting name=y class=2\n"
		"   field name=startTime class=2\n",
		"  class name=a.T id=4\n"
		"  class name=a.E id=5 superType=jdk.jfr.Event\n"
		"   setting name=y class=2\n"
		"   field name=startTime class=2\n");
}

Test(mend, gives_numbers_that_are_none)
{
	BECOMES("  class name=a.T id=x\n"
		"   field name=a class=2 dimension=x\n"
		"   field name=b class=2 dimension=-1\n"
		"   field name=c class=2 dimension=9999999999\n"
		"   field name=d class=2 dimension=0\n"
		"   field class=2\n"
		"   field name=self constantPool=true\n",
		"  class name=a.T id=-1\n"
		"   field name=a class=2\n"
		"   field name=b class=2\n"
		"   field name=c class=2 dimension=1\n"
		"   field name=d class=2 dimension=0\n"
		"   field class=2 name=\n"
		"   field name=self constantPool=true class=-1\n");
}

Test(mend, gives_names_that_java_may_have)
{
	BECOMES("  class id=4\n"
		"  class name=a..b id=5\n"
		"  class name=[I id=6\n"
		"  class name=a.1 id=7\n"
		"  class name=a.new.E id=8 superType=jdk.jfr.Event\n"
		"   field name=startTime class=2\n"
		"  class name=Ümlaut.$x_1 id=9\n"
		"  class name=int id=10\n"
		"   field name=x class=99\n"
		"  class name=java.lang.String id=11\n"
		"   field name=x class=99\n",
		"  class id=4 name=unnamed\n"
		"  class name=_a__b id=5\n"
		"  class name=__I id=6\n"
		"  class name=_a_1 id=7\n"
		"  class name=_a_new_E id=8 superType=jdk.jfr.Event\n"
		"   field name=startTime class=2\n"
		"  class name=Ümlaut.$x_1 id=9\n"
		"  class name=_int id=10\n"
		"  class name=_java_lang_String id=11\n");
}

Test(mend, adds_a_region)
{
	char *mended = mend("root\n metadata\n  class name=int id=2\n");

	cr_expect_str_eq(mended, "root\n metadata\n  class name=int id=2\n"
				 " region locale=en_US gmtOffset=0 dst=0\n");
	free(mended);
}

Test(mend, gives_the_region_numbers)
{
	char *mended = mend("root\n metadata\n region gmtOffset=x dst=-3600000\n other\n");

	cr_expect_str_eq(mended, "root\n metadata\n region gmtOffset=0 dst=-3600000\n"
				 " other\n");
	free(mended);
}

/* Index 0 of the strings is none: what it names has no name. */
Test(mend, leaves_out_what_has_no_name)
{
	struct buf event = { 0 };
	char *mended;

	make_values(&event, VALUES(COUNT(99), LONG(0), LONG(5), LONG(0), LONG(1)));
	make_values(&event, VALUES(COUNT(5), NO_TEXT, TEXT("metadata"), TEXT("region"),
				   TEXT("class"), TEXT("a")));
	make_values(&event, VALUES(COUNT(0), COUNT(0), COUNT(3)));
	make_values(&event, VALUES(COUNT(1), COUNT(2), COUNT(0), COUNT(4), COUNT(4),
				   COUNT(4), COUNT(1), COUNT(0), COUNT(0), COUNT(0)));
	make_values(&event, VALUES(COUNT(2), COUNT(1), COUNT(4), COUNT(0), COUNT(0)));
	make_values(&event, VALUES(COUNT(0), COUNT(0), COUNT(0)));
	mended = mend_event(&event);
	cr_expect_str_eq(mended, "root\n metadata a=a\n region\n");
	free(mended);
	buf_clear(&event);
}
