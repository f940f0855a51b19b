#include "control/outname.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/now.h"
#include "base/path.h"

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
	time_t seconds = (time_t)(nanos / SECOND);
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

/* "app" of "app.jfr", but all of ".jfr". */
static struct str without_end(const char *name)
{
	struct str whole = str_of(name), front = whole;

	if (str_ends(whole, STR(".jfr")) && path_last(name).size > sizeof(".jfr") - 1)
		front.size -= sizeof(".jfr") - 1;
	return front;
}

char *outname_distinct(const char *name, long pid, unsigned tries)
{
	struct str front = without_end(name);
	struct buf made = { 0 };

	buf_str(&made, front);
	buf_printf(&made, "-%ld", pid);
	if (tries)
		buf_printf(&made, "-%u", tries + 1);
	buf_text(&made, name + front.size);
	return finish(&made);
}

/* What the current folder is called says nothing of patterns. */
char *outname_absolute(const char *pattern)
{
	struct buf name = { 0 };
	char *here, *absolute;

	if (*pattern == '/')
		return path_absolute(pattern);
	here = getcwd(NULL, 0);
	if (!here)
		return NULL;
	add_literal(&name, here);
	free(here);
	here = finish(&name);
	absolute = here ? path_within(here, pattern) : NULL;
	free(here);
	return absolute;
}
