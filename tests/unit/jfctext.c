#include "jfctext.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "jfc/jfcread.h"

void jfctext_add(struct configuration *all, const char *text)
{
	struct err err = { 0 };

	cr_assert(jfcread(all, str_of(text), &err), "%s", err.text);
}

void jfctext_read(struct configuration *all, const char *text)
{
	struct err err = { 0 };

	cr_assert(configuration_init(all, &err), "%s", err.text);
	jfctext_add(all, text);
}

const char *jfctext_of(struct str text)
{
	static char texts[4][4000];
	static size_t next;
	char *to = texts[next++ % 4];

	if (!text.bytes)
		return "-";
	snprintf(to, sizeof(texts[0]), "%.*s", (int)text.size, text.bytes);
	return to;
}

const char *jfctext_setting(const struct configuration *all, const char *key)
{
	const char *hash = strchr(key, '#');
	struct str event = { key, (size_t)(hash - key) };

	for (const struct node *at = configuration_setting(all); at;
	     at = configuration_next_setting(at)) {
		if (str_is(node_get(at->parent, STR("name")), event) &&
		    str_is(node_get(at, STR("name")), str_of(hash + 1)))
			return jfctext_of(at->content);
	}
	return NULL;
}
