#include "jvms/javacommand.h"

#include <stdbool.h>
#include <string.h>

/* Options of java whose value is the next word. */
static const char *const with_value[] = {
	"-cp",
	"-classpath",
	"--class-path",
	"-p",
	"--module-path",
	"--upgrade-module-path",
	"--add-modules",
	"--limit-modules",
	"--add-reads",
	"--add-exports",
	"--add-opens",
	"--patch-module",
	"--enable-native-access",
	"--source",
	"--add-launcher",
};

static bool takes_value(const char *word)
{
	for (size_t i = 0; i < sizeof(with_value) / sizeof(with_value[0]); i++) {
		if (strcmp(word, with_value[i]) == 0)
			return true;
	}
	return false;
}

static bool is_before_main(const char *word)
{
	return strcmp(word, "-jar") == 0 || strcmp(word, "-m") == 0 ||
	       strcmp(word, "--module") == 0;
}

/* The count of words, if that says nothing of the main class. */
static const char *find(char *const *words, size_t *at)
{
	for (; words[*at]; ++*at) {
		const char *word = words[*at];

		if (is_before_main(word))
			return words[++*at];
		if (strncmp(word, "--module=", 9) == 0)
			return word + 9;
		if (takes_value(word)) {
			if (!words[*at + 1])
				return NULL;
			++*at;
		} else if (*word == '@') {
			return NULL; /* options in a file: it may well be in there */
		} else if (*word != '-') {
			return word;
		}
	}
	return NULL;
}

const char *javacommand_main(char *const *words, size_t *options)
{
	size_t at = 0;
	const char *main = find(words, &at);

	while (!main && words[at])
		at++;
	if (options)
		*options = at;
	return main;
}
