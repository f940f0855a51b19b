/*
 * fuzz_attach.c - what a JVM answers, and what /proc and its file of counters tell of it:
 * the first byte says which.
 */
#include <stdlib.h>
#include <string.h>

#include "jvms/answer.h"
#include "jvms/cmdline.h"
#include "jvms/flags.h"
#include "jvms/javacommand.h"
#include "jvms/mapped.h"
#include "jvms/process.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool is_so)
{
	if (!is_so)
		abort();
}

static void see_answer(struct str text)
{
	struct err err = { .kind = ERR_NONE };
	struct str rest;
	int code;

	if (!answer_parse(text, &code, &rest))
		return;
	must(rest.size < text.size && rest.bytes + rest.size == text.bytes + text.size);
	must(answer_version(code, rest) >= 1);
	if (answer_of_load(7, code, rest, &err) != ANSWER_LOADED)
		must(err.kind == ERR_SYSTEM && *err.text && !strchr(err.text, '\n'));
}

static void see_maps(struct str text)
{
	struct mapped mapped = { NULL };

	if (mapped_parse(&mapped, text) && mapped.agent)
		must(*mapped.agent == '/');
	mapped_clear(&mapped);
}

static void see_status(struct str text)
{
	struct process process = { .pid = 7 };

	if (process_parse_status(&process, text))
		must(process.inner >= 0 && strlen(process.name) < sizeof(process.name));
	if (process_parse_stat(&process, text))
		must(process.begun >= 0);
}

static void see_words(struct str text)
{
	struct cmdline cmdline;
	size_t options;

	if (cmdline_parse(&cmdline, text)) {
		javacommand_main(cmdline.words.items, &options);
		must(options < cmdline.words.count);
	}
	cmdline_clear(&cmdline);
	flags_in(text, ' ', "DisableAttachMechanism");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const sees[])(struct str text) = { see_answer, see_maps, see_status,
							 see_words };
	char *text;

	if (!size)
		return 0;
	text = malloc(size);
	if (!text)
		return 0;
	memcpy(text, data + 1, size - 1);
	sees[*data % 4]((struct str){ text, size - 1 });
	free(text);
	return 0;
}
