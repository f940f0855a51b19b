#include "session/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "jvms/javacommand.h"
#include "session/launcher.h"

#define SUBJECT_MAX 64

static struct str without_end(struct str text, struct str end)
{
	if (str_ends(text, end))
		text.size -= end.size;
	return text;
}

static struct str name_of_main(const char *word)
{
	struct str name = path_last(word);

	if (str_ends(name, STR(".jar")))
		return without_end(name, STR(".jar"));
	return str_after_last(without_end(name, STR(".java")), '.');
}

static bool is_good(char byte)
{
	return str_is_alphanumeric(byte) || byte == '-' || byte == '_' || byte == '.' ||
	       (byte & 0x80);
}

char *program_name(char *const *command)
{
	struct str name = path_last(command[0]);
	const char *main = launcher_is_java(command[0]) ? javacommand_main(command + 1, NULL) : NULL;
	char *made;

	if (main && *main)
		name = name_of_main(main);
	name = str_front(name, SUBJECT_MAX);
	made = name.size ? strndup(name.bytes, name.size) : strdup("recording");
	for (char *at = made; at && *at; at++) {
		if (!is_good(*at) || (at == made && (*at == '-' || *at == '.')))
			*at = '_';
	}
	return made;
}
