#include "jvms/cmdline.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_MAX ((size_t)4 << 20)

bool cmdline_parse(struct cmdline *cmdline, struct str text)
{
	memset(cmdline, 0, sizeof(*cmdline));
	cmdline->text = malloc(text.size + 1);
	if (!cmdline->text)
		return false;
	memcpy(cmdline->text, text.bytes, text.size);
	cmdline->text[text.size] = '\0';
	for (size_t at = 0; at < text.size; at += strlen(cmdline->text + at) + 1) {
		if (!vec_push(&cmdline->words, cmdline->text + at))
			return false;
	}
	return vec_push(&cmdline->words, NULL);
}

bool cmdline_read(struct cmdline *cmdline, const struct process *process)
{
	struct buf text = { NULL };
	bool is_read;

	memset(cmdline, 0, sizeof(*cmdline));
	is_read = process_read(process, "cmdline", TEXT_MAX, &text) &&
		  cmdline_parse(cmdline, buf_as_str(&text)) && cmdline->words.count > 1;
	buf_clear(&text);
	return is_read;
}

void cmdline_clear(struct cmdline *cmdline)
{
	free(cmdline->text);
	vec_clear(&cmdline->words);
	cmdline->text = NULL;
}
