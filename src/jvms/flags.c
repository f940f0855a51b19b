#include "jvms/flags.h"

#include <stdlib.h>
#include <string.h>

#include "jvms/cmdline.h"
#include "jvms/javacommand.h"

#define TEXT_MAX ((size_t)4 << 20)

/* "-XX:+Name" and "-XX:-Name". */
static int flag_of(struct str word, const char *name)
{
	struct str start = STR("-XX:");

	if (!str_starts(word, start) || word.size <= start.size + 1)
		return 0;
	word.bytes += start.size;
	word.size -= start.size;
	if (!str_is((struct str){ word.bytes + 1, word.size - 1 }, str_of(name)))
		return 0;
	return *word.bytes == '+' ? 1 : *word.bytes == '-' ? -1 : 0;
}

int flags_in(struct str options, char mark, const char *name)
{
	struct str word;
	int last = 0;

	while (str_split(&options, mark, &word)) {
		int flag = flag_of(word, name);

		if (flag)
			last = flag;
	}
	return last;
}

char *flags_variable(const struct process *process, const char *name)
{
	struct buf text = { NULL };
	struct str rest, entry;
	size_t size = strlen(name);
	char *value = NULL;

	process_read(process, "environ", TEXT_MAX, &text);
	rest = buf_as_str(&text);
	while (!value && str_split(&rest, '\0', &entry)) {
		if (entry.size > size && entry.bytes[size] == '=' &&
		    memcmp(entry.bytes, name, size) == 0)
			value = strndup(entry.bytes + size + 1, entry.size - size - 1);
	}
	buf_clear(&text);
	return value;
}

/* Those that come later win: what was said is overwritten. */
static void look_in_text(char *text, const char *name, int *flag)
{
	int found = text ? flags_in(str_of(text), ' ', name) : 0;

	if (found)
		*flag = found;
	free(text);
}

static void look_in_words(const struct process *process, const char *name, int *flag)
{
	struct cmdline cmdline;
	size_t options = 0;

	if (cmdline_read(&cmdline, process)) {
		javacommand_main(cmdline.words.items + 1, &options);
		for (size_t i = 0; i < options; i++) {
			int found = flag_of(str_of(cmdline.words.items[1 + i]), name);

			if (found)
				*flag = found;
		}
	}
	cmdline_clear(&cmdline);
}

bool flags_has(const struct process *process, const struct counters *counters,
	       const char *name)
{
	int flag = 0;

	look_in_text(flags_variable(process, "JAVA_TOOL_OPTIONS"), name, &flag);
	look_in_text(flags_variable(process, "JDK_JAVA_OPTIONS"), name, &flag);
	look_in_words(process, name, &flag);
	if (counters) {
		look_in_text(counters_text(counters, "java.rt.vmFlags"), name, &flag);
		look_in_text(counters_text(counters, "java.rt.vmArgs"), name, &flag);
	}
	look_in_text(flags_variable(process, "_JAVA_OPTIONS"), name, &flag);
	return flag > 0;
}
