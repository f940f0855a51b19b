#include "session/outname.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/path.h"
#include "session/launcher.h"

#define SUBJECT_MAX 64
#define NANOS 1000000000

/* --- what a command runs ---------------------------------------------------------- */

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

char *outname_subject(char *const *command)
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

/* --- patterns --------------------------------------------------------------------- */

static char *finish(struct buf *name)
{
	char *text;

	buf_byte(name, '\0');
	text = name->bytes;
	if (!name->failed)
		return text;
	buf_clear(name);
	errno = ENOMEM;
	return NULL;
}

/* Adds the text so that it stands for itself in a pattern. */
static void add_literal(struct buf *to, const char *text)
{
	for (; *text; text++) {
		buf_byte(to, *text);
		if (*text == '%')
			buf_byte(to, '%');
	}
}

char *outname_default(const char *folder, const char *subject)
{
	struct buf name = { 0 };

	if (folder) {
		add_literal(&name, folder);
		if (!str_ends(str_of(folder), STR("/")))
			buf_byte(&name, '/');
	}
	add_literal(&name, subject);
	buf_text(&name, "-%p-%t.jfr");
	return finish(&name);
}

struct str outname_unknown(const char *pattern)
{
	for (const char *at = pattern; *at; at++) {
		if (*at != '%')
			continue;
		if (!at[1] || !strchr("pt%", at[1]))
			return str_front(str_of(at), at[1] ? 2 : 1);
		at++;
	}
	return (struct str){ NULL, 0 };
}

static void add_time(struct buf *to, int64_t nanos)
{
	time_t seconds = (time_t)(nanos / NANOS);
	struct tm parts;
	char text[32];

	if (localtime_r(&seconds, &parts) &&
	    strftime(text, sizeof(text), "%Y%m%d-%H%M%S", &parts))
		buf_text(to, text);
}

char *outname_expand(const char *pattern, long pid, int64_t nanos)
{
	struct buf name = { 0 };

	for (const char *at = pattern; *at; at++) {
		if (*at != '%' || !at[1]) {
			buf_byte(&name, *at);
			continue;
		}
		at++;
		if (*at == 'p')
			buf_integer(&name, pid);
		else if (*at == 't')
			add_time(&name, nanos);
		else
			buf_byte(&name, *at);
	}
	return finish(&name);
}

char *outname_distinct(const char *name, long pid)
{
	struct str whole = str_of(name);
	struct str front = without_end(whole, STR(".jfr"));
	struct buf made = { 0 };

	if (path_last(name).size == whole.size - front.size)
		front = whole;	/* the file is called ".jfr" */
	buf_str(&made, front);
	buf_printf(&made, "-%ld", pid);
	buf_add(&made, name + front.size, whole.size - front.size);
	return finish(&made);
}
