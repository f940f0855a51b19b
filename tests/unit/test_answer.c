#include <criterion/criterion.h>

#include "control/doorcode.h"
#include "jvms/answer.h"

Test(answer, is_a_number_and_text)
{
	struct str text;
	int code;

	cr_assert(answer_parse(STR("0\nfine\nso\n"), &code, &text));
	cr_expect_eq(code, 0);
	cr_expect(str_is(text, STR("fine\nso\n")));
	cr_assert(answer_parse(STR("-1\n"), &code, &text));
	cr_expect_eq(code, -1);
	cr_expect_eq(text.size, 0);
}

Test(answer, is_nothing_else)
{
	static const char *const texts[] = {
		"", "0", "\n", "x\n", "1 2\n", "99999999999\n", "0x1\n", " 0\n",
	};
	struct str text;
	int code;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		cr_expect_not(answer_parse(str_of(texts[i]), &code, &text), "%s",
			      texts[i]);
}

Test(answer, tells_the_version_of_the_protocol)
{
	cr_expect_eq(answer_version(0, STR("2")), 2);
	cr_expect_eq(answer_version(0, STR("2 streaming\n")), 2);
	cr_expect_eq(answer_version(0, STR("")), 1);
	cr_expect_eq(answer_version(0, STR("-7")), 1);
	cr_expect_eq(answer_version(-1, STR("2")), 1);
}

Test(answer, of_load_is_success_in_two_ways)
{
	cr_expect_eq(answer_of_load(7, 0, STR("0\n"), NULL), ANSWER_LOADED);
	cr_expect_eq(answer_of_load(7, 0, STR("return code: 0\n"), NULL),
		     ANSWER_LOADED);
}

Test(answer, of_load_says_what_went_wrong)
{
	static const struct {
		int code;
		enum answer_load result;
		const char *text, *told;
	} rows[] = {
		{ -1, ANSWER_NOT_LOADED, "",
		  "process 7 cannot load the agent, and does not say why" },
		{ -1, ANSWER_NOT_LOADED,
		  "/a/b.so was not loaded.\n/a/b.so: too short\n",
		  "process 7 cannot load the agent: /a/b.so: too short" },
		{ 0, ANSWER_NOT_LOADED, "/a/b.so was not loaded.\n",
		  "process 7 cannot load the agent: /a/b.so was not loaded." },
		{ 0, ANSWER_NOT_LOADED, "",
		  "process 7 cannot load the agent, and does not say why" },
		{ 0, ANSWER_REFUSED,
		  "Dynamic agent loading is not enabled. Use this or that.\n",
		  "process 7 takes no agents while it runs: start its JVM with "
		  "-XX:+EnableDynamicAgentLoading, or record it from its start: cjfr "
		  "record -- java ..." },
		{ 0, ANSWER_REFUSED, "return code: 65536\n",
		  "the agent in process 7: it does not know its options" },
		{ 0, ANSWER_REFUSED, "65536\n",
		  "the agent in process 7: it does not know its options" },
		{ 0, ANSWER_NOT_LOADED, "return code: many\n",
		  "process 7 cannot load the agent: return code: many" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct err err = { .kind = ERR_NONE };

		cr_expect_eq(
			answer_of_load(7, rows[i].code, str_of(rows[i].text), &err),
			rows[i].result, "%zu", i);
		cr_expect_eq(err.kind, ERR_SYSTEM);
		cr_expect_str_eq(err.text, rows[i].told);
	}
}

Test(answer, that_is_long_is_cut)
{
	struct err err = { .kind = ERR_NONE };
	char text[4096];

	memset(text, 'x', sizeof(text));
	cr_expect_eq(answer_of_load(7, -1, (struct str){ text, sizeof(text) }, &err),
		     ANSWER_NOT_LOADED);
	cr_expect_lt(strlen(err.text), 400);
}
