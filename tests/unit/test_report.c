#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "render/report.h"

static const struct cause torn = FAULT("it is torn"), dirty = REMARK("it is dirty");

/* What is written stays in the buffer: it never becomes large. */
static struct out out;
static struct report report;

static struct finding finding_of(const struct cause *cause, const char *type,
				 const char *detail)
{
	return (struct finding){ .cause = *cause,
				 .site = { "r.jfr", 1, 77 },
				 .type = str_of(type),
				 .detail = str_of(detail) };
}

static void begin(bool is_json, bool is_quiet)
{
	out = (struct out){ .fd = -1 };
	report = (struct report){ .out = &out,
				  .is_json = is_json,
				  .is_quiet = is_quiet };
}

static void is_written(const char *wanted)
{
	buf_byte(&out.buf, '\0');
	cr_expect_str_eq(out.buf.bytes, wanted);
	buf_clear(&out.buf);
}

/* One file with a fault of three that is told, and a remark. */
static void report_two(void)
{
	struct verdict verdict = { .chunks = 2,	    .bytes = 1024,
				   .events = 1,	    .constants = 31,
				   .unused = 7,	    .faults = 3,
				   .remarks = 1 };
	struct finding first = finding_of(&torn, "shop.Sale", "item: half");
	struct finding second = finding_of(&dirty, "", "");
	struct kind *kind;

	second.site = (struct site){ "r.jfr", SITE_NO_CHUNK, 99 };
	cr_expect(report_finding(&report, "r.jfr", &first));
	cr_expect(report_finding(&report, "r.jfr", &second));
	kind = kinds_find(&verdict.kinds, &torn);
	kind->count = 3;
	kind->kept = 1;
	kind = kinds_find(&verdict.kinds, &dirty);
	kind->count = kind->kept = 1;
	report_verdict(&report, "r.jfr", &verdict);
	verdict_clear(&verdict);
}

static void report_none(const char *name)
{
	struct verdict verdict = { 1, .bytes = 1, .events = 2, .constants = 1 };

	report_verdict(&report, name, &verdict);
}

Test(report, writes_a_line_for_each_finding_and_the_sum)
{
	begin(false, false);
	report_two();
	report_none("good.jfr");
	report_end(&report);
	is_written("r.jfr: chunk 2 at byte 77: shop.Sale: it is torn: item: half\n"
		   "r.jfr: at byte 99: remark: it is dirty\n"
		   "r.jfr: it is torn: and 2 more\n"
		   "r.jfr: 3 faults, 1 remark: 2 chunks, 1 event, 31 constants (7 "
		   "unused), 1024 bytes\n"
		   "good.jfr: ok: 1 chunk, 2 events, 1 constant (0 unused), 1 byte\n");
}

Test(report, can_be_quiet)
{
	begin(false, true);
	report_two();
	report_end(&report);
	is_written("r.jfr: 3 faults, 1 remark: 2 chunks, 1 event, 31 constants (7 "
		   "unused), 1024 bytes\n");
}

Test(report, keeps_names_from_the_terminal_and_in_their_line)
{
	struct finding finding =
		finding_of(&dirty, "a\nb\tc\x1b[1m", "\xc2\x9b\xff\xe2\x82");

	begin(false, false);
	finding.site = (struct site){ "f\r.jfr", SITE_NO_CHUNK, SITE_NO_BYTE };
	report_finding(&report, "f", &finding);
	is_written("f\\x0d.jfr: remark: a\\x0ab\\x09c\\x1b[1m: it is dirty: "
		   "\\u{9b}\\xff\\xe2\\x82\n");
}

Test(report, writes_one_document)
{
	begin(true, false);
	report_two();
	report_none("good.jfr");
	report_failure(&report, "none.jfr", "it is \"none\"");
	report_end(&report);
	is_written("{\n"
		   "  \"files\": [\n"
		   "    {\n"
		   "      \"file\": \"r.jfr\",\n"
		   "      \"findings\": [\n"
		   "        {\"severity\": \"fault\", \"file\": \"r.jfr\", \"chunk\": "
		   "2, "
		   "\"offset\": 77, \"type\": \"shop.Sale\", \"cause\": \"it is "
		   "torn\", "
		   "\"detail\": \"item: half\"},\n"
		   "        {\"severity\": \"remark\", \"file\": \"r.jfr\", "
		   "\"chunk\": null, "
		   "\"offset\": 99, \"type\": null, \"cause\": \"it is dirty\", "
		   "\"detail\": null}\n"
		   "      ],\n"
		   "      \"causes\": [\n"
		   "        {\"severity\": \"fault\", \"cause\": \"it is torn\", "
		   "\"count\": 3, "
		   "\"told\": 1},\n"
		   "        {\"severity\": \"remark\", \"cause\": \"it is dirty\", "
		   "\"count\": 1, "
		   "\"told\": 1}\n"
		   "      ],\n"
		   "      \"chunks\": 2,\n"
		   "      \"events\": 1,\n"
		   "      \"constants\": 31,\n"
		   "      \"unused\": 7,\n"
		   "      \"bytes\": 1024,\n"
		   "      \"faults\": 3,\n"
		   "      \"remarks\": 1\n"
		   "    },\n"
		   "    {\n"
		   "      \"file\": \"good.jfr\",\n"
		   "      \"findings\": [],\n"
		   "      \"causes\": [],\n"
		   "      \"chunks\": 1,\n"
		   "      \"events\": 2,\n"
		   "      \"constants\": 1,\n"
		   "      \"unused\": 0,\n"
		   "      \"bytes\": 1,\n"
		   "      \"faults\": 0,\n"
		   "      \"remarks\": 0\n"
		   "    },\n"
		   "    {\n"
		   "      \"file\": \"none.jfr\",\n"
		   "      \"error\": \"it is \\\"none\\\"\"\n"
		   "    }\n"
		   "  ],\n"
		   "  \"faults\": 3,\n"
		   "  \"remarks\": 1\n"
		   "}\n");
}

Test(report, leaves_findings_out_of_a_quiet_document)
{
	begin(true, true);
	report_two();
	report_end(&report);
	cr_assert(buf_room(&out.buf, 1));
	out.buf.bytes[out.buf.size] = '\0';
	cr_expect_null(strstr(out.buf.bytes, "findings"));
	cr_expect_not_null(strstr(out.buf.bytes, "\"file\": \"r.jfr\",\n      "
	"\"causes\": ["));
	buf_clear(&out.buf);
}

Test(report, says_when_no_more_can_be_written)
{
	struct finding finding = finding_of(&torn, "", "");
	bool is_good = true;
	int pipe_ends[2];

	begin(false, false);
	cr_assert_eq(pipe(pipe_ends), 0);
	out.fd = pipe_ends[0];	/* nothing can be written there */
	for (int i = 0; i < 100000 && is_good; i++)
		is_good = report_finding(&report, "r.jfr", &finding);
	cr_expect_not(is_good);
	buf_clear(&out.buf);
}
