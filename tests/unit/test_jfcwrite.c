#include <criterion/criterion.h>
#include <stdio.h>

#include "jfc/builtin.h"
#include "jfc/jfcread.h"
#include "jfc/jfcwrite.h"
#include "jfctext.h"

#define HEAD                                                                          \
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"                                \
	"<!--\n"                                                                      \
	"Recommended way to edit .jfc files is to use the configure command of\n"     \
	"the 'jfr' tool, i.e. jfr configure, or JDK Mission Control\n"                \
	"see Window -> Flight Recorder Template Manager\n"                            \
	"\n"                                                                          \
	"-->\n"

#define CONTROL_HEAD                                                                  \
	"  <!--\n"                                                                    \
	"  Contents of the control element is not read by the JVM, it's used\n"       \
	"  by JDK Mission Control and the 'jfr'-tool to change settings that\n"       \
	"  carry the control attribute.\n"                                            \
	"\n"                                                                          \
	"  -->\n"

static void write(struct buf *to, const char *text)
{
	struct configuration all;

	jfctext_read(&all, text);
	jfcwrite(to, &all);
	cr_assert(!to->failed);
	configuration_clear(&all);
}

static void expect(const char *text, const char *wanted)
{
	struct buf to = { 0 };

	write(&to, text);
	buf_byte(&to, '\0');
	cr_expect_str_eq(to.bytes, wanted);
	buf_clear(&to);
}

Test(jfcwrite, writes_nothing_much)
{
	expect(JFC_FILE(), HEAD "<configuration label=\"Custom\" version=\"2.0\"/>\n");
}

Test(jfcwrite, puts_empty_lines_around_some)
{
	expect(JFC_FILE("<event name='a'><setting name='x'>1</setting>"
			"<setting name='y' control='c'/></event><event name='b'/>"
			"<control><flag label='F' name='c'>true</flag></control>"),
	       HEAD "<configuration label=\"Custom\" version=\"2.0\">\n"
		    "\n"
		    "  <event name=\"a\">\n"
		    "    <setting name=\"x\">1</setting>\n"
		    "    <setting name=\"y\" control=\"c\"/>\n"
		    "  </event>\n"
		    "\n"
		    "  <event name=\"b\"/>\n"
		    "\n" CONTROL_HEAD
		    "  <control>\n"
		    "\n"
		    "    <flag name=\"c\" label=\"F\">true</flag>\n"
		    "\n"
		    "  </control>\n"
		    "\n"
		    "</configuration>\n");
}

Test(jfcwrite, writes_conditions)
{
	expect(JFC_FILE("<control><condition false='f' true='t' name='c'><NOT>"
			"<test value='v' operator='equal' name='n'/></NOT></condition>"
			"</control>"),
	       HEAD "<configuration label=\"Custom\" version=\"2.0\">\n"
		    "\n" CONTROL_HEAD
		    "  <control>\n"
		    "\n"
		    "    <condition false=\"f\" true=\"t\" name=\"c\">\n"
		    "      <not>\n"
		    "        <test name=\"n\" value=\"v\" operator=\"equal\"/>\n"
		    "      </not>\n"
		    "    </condition>\n"
		    "\n"
		    "  </control>\n"
		    "\n"
		    "</configuration>\n");
}

/* Of an element without children. */
static void expect_attributes(const char *attributes, const char *wanted)
{
	char file[1000], written[2000];

	snprintf(file, sizeof(file), JFC_FILE("<a %s/>"), attributes);
	snprintf(written, sizeof(written),
		 HEAD
		 "<configuration label=\"Custom\" version=\"2.0\">\n\n  <a %s/>\n\n"
		 "</configuration>\n",
		 wanted);
	expect(file, written);
}

/* From 13 attributes on the order is another one. */
Test(jfcwrite, orders_attributes_as_a_hash_map_does)
{
	expect_attributes("b='' a='' q='' Q=''", "a=\"\" q=\"\" Q=\"\" b=\"\"");
	expect_attributes(
		"q='' b='' a='' c='' d='' e='' f='' g='' h='' i='' j='' k=''",
		"q=\"\" a=\"\" b=\"\" c=\"\" d=\"\" e=\"\" f=\"\" g=\"\" h=\"\" "
		"i=\"\" j=\"\" k=\"\"");
	expect_attributes(
		"q='' b='' a='' c='' d='' e='' f='' g='' h='' i='' j='' k='' l=''",
		"a=\"\" b=\"\" c=\"\" d=\"\" e=\"\" f=\"\" g=\"\" h=\"\" i=\"\" "
		"j=\"\" k=\"\" l=\"\" q=\"\"");
}

Test(jfcwrite, escapes)
{
	expect(JFC_FILE("<event name='&lt;\xc3\xa9>'>&amp; &#128512;</event>"),
	       HEAD "<configuration label=\"Custom\" version=\"2.0\">\n"
		    "\n"
		    "  <event name=\"&lt;&#233;&gt;\">&amp; &#55357;&#56832;</event>\n"
		    "\n"
		    "</configuration>\n");
}

/* What is written is read as the same. */
static void check_round_trip(const char *text)
{
	struct buf once = { 0 }, twice = { 0 };

	write(&once, text);
	buf_byte(&once, '\0');
	write(&twice, once.bytes);
	buf_byte(&twice, '\0');
	cr_expect_str_eq(once.bytes, twice.bytes);
	buf_clear(&once);
	buf_clear(&twice);
}

static const char *text_of(struct str text)
{
	static char copy[1 << 18];

	cr_assert_lt(text.size, sizeof(copy));
	memcpy(copy, text.bytes, text.size);
	copy[text.size] = '\0';
	return copy;
}

Test(jfcwrite, is_the_reverse_of_jfcread)
{
	check_round_trip(text_of(own_default));
	check_round_trip(text_of(own_profile));
	check_round_trip(JFC_FILE("<a><c>d</c></a><event name='f&#55357;&#56832;'>"
				  "<setting name='h'/></event>"));
}

Test(jfcwrite, fails_with_its_buffer)
{
	struct buf to = { .limit = 100 };
	struct configuration all;

	jfctext_read(&all, JFC_FILE());
	jfcwrite(&to, &all);
	cr_expect(to.failed);
	configuration_clear(&all);
	buf_clear(&to);
}
