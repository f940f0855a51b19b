#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/buf.h"
#include "fault.h"
#include "jfc/builtin.h"
#include "jfc/choice.h"
#include "jfc/jfcread.h"
#include "jfctext.h"

static void expect_bad(struct str text, const char *why)
{
	struct configuration all;
	struct err err = { 0 };

	cr_assert(configuration_init(&all, &err));
	cr_expect(!jfcread(&all, text, &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	cr_expect_str_eq(err.text, why);
	configuration_clear(&all);
}

static void expect_setting(const char *text, const char *key, const char *value)
{
	struct configuration all;

	jfctext_read(&all, text);
	cr_assert_not_null(jfctext_setting(&all, key));
	cr_expect_str_eq(jfctext_setting(&all, key), value);
	configuration_clear(&all);
}

#define SETTING(inside) \
	JFC_FILE("<event name='a'><setting name='x'>" inside "</setting></event>")

Test(jfcread, reads_a_setting)
{
	expect_setting(SETTING("true"), "a#x", "true");
	expect_setting("\xef\xbb\xbf" SETTING("true"), "a#x", "true");
	expect_setting(
		"<?xml version='1.0' encoding='ISO-8859-1'?>" SETTING("\xc3\xa9"),
		"a#x", "\xc3\xa9");
	expect_setting("<?xml version='1.0'?><!DOCTYPE x>\r\n" SETTING("a\r\nb"), "a#x",
		       "a\nb");
}

Test(jfcread, strips_blanks_as_java_does)
{
	expect_setting(SETTING(" \n\t x y \n"), "a#x", "x y");
	expect_setting(SETTING("&#x2003;x&#x3000;"), "a#x", "x");
	expect_setting(SETTING("&#160;x&#x2007;"), "a#x", "\xc2\xa0x\xe2\x80\x87");
	expect_setting(SETTING(" \n "), "a#x", "-");
	expect_setting(SETTING(""), "a#x", "-");
}

/* An element gets what no other has got before, from wherever that is. */
Test(jfcread, gives_characters_to_the_element_that_ends)
{
	expect_setting(
		JFC_FILE("<event name='a'>before<setting name='x'>1</setting></event>"),
		"a#x", "before1");
	expect_setting(SETTING("1<y>2</y>3"), "a#x", "3");
	expect_setting(SETTING("1<y/>"), "a#x", "-");
	expect_setting(SETTING("1<!-- 2 -->3<![CDATA[<4>]]>"), "a#x", "13<4>");
}

Test(jfcread, knows_entities_of_the_file_alone)
{
	expect_setting("<!DOCTYPE x [<!ENTITY e 'some&#33;'>]>" SETTING("&e;&lt;"),
		       "a#x", "some!<");
	expect_setting(
		"<!DOCTYPE x [<!ENTITY e SYSTEM '/etc/passwd'>]>" SETTING("1&e;2"),
		"a#x", "12");
	expect_bad(STR(SETTING("&e;")), "line 1: undefined entity");
}

/* The JDK writes such references, though XML does not allow them. */
Test(jfcread, joins_references_of_surrogates)
{
	expect_setting(SETTING("&#55357;&#56832;"), "a#x", "\xf0\x9f\x98\x80");
	expect_setting(SETTING("&amp;&#55357;&#56832;&#55357;&#56832;&amp;"), "a#x",
		       "&\xf0\x9f\x98\x80\xf0\x9f\x98\x80&");
	expect_bad(STR(SETTING("&#55357;")),
		   "line 1: reference to invalid character number");
	expect_bad(STR(SETTING("&#56832;&#55357;")),
		   "line 1: reference to invalid character number");
	expect_bad(STR(SETTING("&#55357;&#99999999999;")),
		   "line 1: reference to invalid character number");
	expect_bad(STR(SETTING("&#55357;&#56832")),
		   "line 1: reference to invalid character "
		   "number");
}

Test(jfcread, keeps_what_it_does_not_know)
{
	struct configuration all;
	const struct node *node;

	jfctext_read(&all, JFC_FILE("<A:b C='d'><setting>e</setting></A:b>"));
	node = all.root->first;
	cr_expect_eq(node->kind, NODE_UNKNOWN);
	cr_expect_str_eq(jfctext_of(node->name), "A:b");
	cr_expect_str_eq(jfctext_of(node_get(node, STR("C"))), "d");
	cr_expect_str_eq(jfctext_of(node->first->content), "e");
	configuration_clear(&all);
}

Test(jfcread, tells_what_is_wrong_and_where)
{
	expect_bad(STR(""), "line 1: no element found");
	expect_bad(STR("\n\nx"), "line 3: syntax error");
	expect_bad(STR("<a/>"), "line 1: it begins with <a>, not with <configuration>");
	expect_bad(STR("<configuration version='2.0' label='x'>\n</config>"),
		   "line 2: mismatched tag");
	expect_bad(STR("<configuration version='1.0' label='x'/>"),
		   "line 1: the version must be 2.0, but is '1.0'");
	expect_bad(STR(JFC_FILE("\n<event/>")),
		   "line 2: <event> has no attribute 'name'");
	expect_bad(STR(SETTING("\xff")), "line 1: not well-formed (invalid token)");
	expect_bad(STR(JFC_FILE() "<x/>"), "line 1: junk after document element");
}

static void repeat(struct buf *to, const char *text, size_t times)
{
	for (size_t i = 0; i < times; i++)
		buf_text(to, text);
}

static struct str str_in(const struct buf *buf)
{
	cr_assert(!buf->failed);
	return (struct str){ buf->bytes, buf->size };
}

/* The root is one of them. */
static bool reads_depth(size_t depth)
{
	struct configuration all;
	struct buf text = { 0 };
	struct err err = { 0 };
	bool is_good;

	buf_text(&text, "<configuration version='2.0' label='x'>");
	repeat(&text, "<a>", depth - 1);
	repeat(&text, "</a>", depth - 1);
	buf_text(&text, "</configuration>");
	cr_assert(configuration_init(&all, NULL));
	is_good = jfcread(&all, str_in(&text), &err);
	if (!is_good)
		cr_expect_str_eq(err.text, "line 1: elements are more than 64 deep");
	configuration_clear(&all);
	buf_clear(&text);
	return is_good;
}

Test(jfcread, limits_the_depth)
{
	cr_expect(reads_depth(64));
	cr_expect(!reads_depth(65));
	cr_expect(!reads_depth(100000));
}

static bool reads_attributes(size_t count)
{
	struct configuration all;
	struct buf text = { 0 };
	struct err err = { 0 };
	bool is_good;

	buf_text(&text, "<configuration version='2.0' label='x'><a");
	for (size_t i = 0; i < count; i++)
		buf_printf(&text, " a%zu=''", i);
	buf_text(&text, "/></configuration>");
	cr_assert(configuration_init(&all, NULL));
	is_good = jfcread(&all, str_in(&text), &err);
	if (!is_good)
		cr_expect_str_eq(err.text,
				 "line 1: an element has more than 256 attributes");
	configuration_clear(&all);
	buf_clear(&text);
	return is_good;
}

Test(jfcread, limits_the_attributes)
{
	cr_expect(reads_attributes(256));
	cr_expect(!reads_attributes(257));
}

Test(jfcread, limits_the_size)
{
	struct buf text = { 0 };

	buf_fill(&text, ' ', JFCREAD_SIZE_MAX + 1);
	expect_bad(str_in(&text), "it is larger than 4 MiB");
	text.size--;
	expect_bad(str_in(&text), "line 1: no element found");
	buf_clear(&text);
}

/* Entities of entities would come to gigabytes. */
Test(jfcread, limits_what_entities_make)
{
	struct configuration all;
	struct buf text = { 0 };
	struct err err = { 0 };

	buf_text(&text, "<!DOCTYPE x [<!ENTITY e0 '0123456789'>");
	for (int i = 1; i < 10; i++) {
		buf_printf(&text, "<!ENTITY e%d '", i);
		for (int j = 0; j < 10; j++)
			buf_printf(&text, "&e%d;", i - 1);
		buf_text(&text, "'>");
	}
	buf_text(&text, "]>" SETTING("&e9;"));
	cr_assert(configuration_init(&all, NULL));
	cr_expect(!jfcread(&all, str_in(&text), &err));
	cr_expect_eq(err.kind, ERR_FORMAT, "%s", err.text);
	configuration_clear(&all);
	buf_clear(&text);
}

Test(jfcread, limits_all_files_together)
{
	struct configuration all;
	struct buf text = { 0 };
	struct err err = { 0 };
	bool is_good = true;

	buf_text(&text, "<configuration version='2.0' label='x'>");
	repeat(&text, "<a/>", 400000);
	buf_text(&text, "</configuration>");
	cr_assert(configuration_init(&all, NULL));
	for (int i = 0; i < 10 && is_good; i++)
		is_good = jfcread(&all, str_in(&text), &err);
	cr_expect(!is_good);
	cr_expect_eq(err.kind, ERR_FORMAT);
	cr_expect_str_eq(err.text, "line 1: there is too much in it");
	configuration_clear(&all);
	buf_clear(&text);
}

Test(jfcread, needs_memory)
{
	const char *const file = JFC_FILE(
		"<event name='a'><setting name='x'>1</setting>"
		"</event><control><flag name='f' label='F'/>"
		"</control>");
	bool is_good = false;

	for (size_t n = 1; !is_good; n++) {
		struct configuration all;
		struct err err = { 0 };

		cr_assert(configuration_init(&all, NULL));
		fault_at(n);
		is_good = jfcread(&all, str_of(file), &err);
		cr_expect_eq(is_good, !fault_happened());
		fault_at(0);
		cr_expect(is_good || err.kind == ERR_MEMORY, "%s", err.text);
		configuration_clear(&all);
	}
}

static void note(void *context, const struct node *setting)
{
	(void)setting;
	++*(size_t *)context;
}

/* Every option of our own files does something, and no setting asks for another. */
static void check_own(struct str text)
{
	struct configuration all;
	struct err err = { 0 };
	size_t inputs = 0, missing = 0;

	cr_assert(configuration_init(&all, NULL));
	cr_assert(jfcread(&all, text, &err), "%s", err.text);
	configuration_missing(&all, 1, note, &missing);
	cr_expect_eq(missing, 0);
	for (const struct node *at = configuration_input(&all); at;
	     at = configuration_next_input(at)) {
		size_t reached = 0;

		cr_expect(choice_reach(&all, at, note, &reached, NULL));
		cr_expect_gt(reached, 0, "%s", jfctext_of(node_get(at, STR("name"))));
		inputs++;
	}
	cr_expect_gt(inputs, 0);
	configuration_clear(&all);
}

Test(jfcread, reads_our_own_files)
{
	check_own(own_default);
	check_own(own_profile);
}
