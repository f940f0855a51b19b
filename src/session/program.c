#include "session/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "session/launcher.h"

#define SUBJECT_MAX 64

/* Options of java whose value is the next word. */
static const char *const with_value[] = {
	"-cp", "-classpath", "--class-path", "-p", "--module-path",
	"--upgrade-module-path", "--add-modules", "--limit-modules", "--add-reads",
	"--add-exports", "--add-opens", "--patch-module", "--enable-native-access",
	"--source", "--add-launcher",
};

static bool takes_value(const char *word)
{
	for (size_t i = 0; i < sizeof(with_value) / sizeof(with_value[0]); i++) {
		if (strcmp(word, with_value[i]) == 0)
			return true;
	}
	return false;
}

/* "lib/app.jar", "shop.Main", "shop/shop.Main", "Main.java"; NULL: it is not told. */
static const char *find_main(char *const *words)
{
	for (; *words; words++) {
		const char *word = *words;

		if (strcmp(word, "-jar") == 0 || strcmp(word, "-m") == 0 ||
		    strcmp(word, "--module") == 0)
			return words[1];
		if (strncmp(word, "--module=", 9) == 0)
			return word + 9;
		if (takes_value(word)) {
			if (!words[1])
				return NULL;
			words++;
		} else if (*word == '@') {
			return NULL;	/* options in a file: it may well be in there */
		} else if (*word != '-') {
			return word;
		}
	}
	return NULL;
}

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
	const char *main = launcher_is_java(command[0]) ? find_main(command + 1) : NULL;
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
