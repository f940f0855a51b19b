#include "query/property.h"

#include "query/lex.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* So much of a property is repeated in a message. */
#define SHOWN_MAX 60

const struct query_format property_none = { .text = { "", 0 }, .precision = -1 };

static bool set_nothing(struct query_format *format, struct str value)
{
	(void)format;
	return value.size == 0;
}

static bool set_normalized(struct query_format *format, struct str value)
{
	format->is_normalized = true;
	return value.size == 0;
}

static bool set_share_of_run(struct query_format *format, struct str value)
{
	format->is_share_of_run = true;
	return value.size == 0;
}

static bool set_in_order(struct query_format *format, struct str value)
{
	format->is_in_order = true;
	return value.size == 0;
}

static bool truncate_beginning(struct query_format *format, struct str value)
{
	format->truncation = TRUNCATE_BEGINNING;
	return value.size == 0;
}

static bool truncate_end(struct query_format *format, struct str value)
{
	format->truncation = TRUNCATE_END;
	return value.size == 0;
}

static bool set_missing(struct query_format *format, struct str value)
{
	format->missing = str_is(value, STR("whitespace")) ? STR("") : value;
	return true;
}

static bool set_cell_height(struct query_format *format, struct str value)
{
	return lex_integer(value, &format->cell_height) && format->cell_height >= 1;
}

static bool set_precision(struct query_format *format, struct str value)
{
	return lex_integer(value, &format->precision) && format->precision >= 0;
}

/*
 * Names that end in a colon have a value behind it, and the case of their letters
 * counts. Without one, `missing:` is allowed, in any case, and says nothing; so it is in
 * the JDK.
 */
static const struct property {
	const char *name;
	bool (*set)(struct query_format *format, struct str value);
	const char *wants;
} properties[] = {
	{ "none", set_nothing, NULL },
	{ "normalized", set_normalized, NULL },
	{ "truncate-beginning", truncate_beginning, NULL },
	{ "truncate-end", truncate_end, NULL },
	{ "share-of-run", set_share_of_run, NULL },
	{ "in-order", set_in_order, NULL },
	{ "missing:", set_missing, "a text" },
	{ "cell-height:", set_cell_height, "a whole number, 1 or more" },
	{ "ms-precision:", set_precision, "a whole number, 0 or more" },
};

static const struct property *find(struct str text)
{
	for (size_t i = 0; i < COUNT_OF(properties); i++) {
		const struct property *property = &properties[i];

		if (property->wants ? str_starts(text, str_of(property->name))
				    : lex_is_word(text, property->name))
			return property;
	}
	return NULL;
}

static bool fail_unknown(struct str text, struct err *err)
{
	const char *colon = memchr(text.bytes, ':', text.size);
	struct str shown = str_front(text, SHOWN_MAX);
	struct str name = { text.bytes,
			    colon ? (size_t)(colon - text.bytes) + 1 : text.size };
	struct str names[COUNT_OF(properties)];
	int nearest;

	for (size_t i = 0; i < COUNT_OF(properties); i++)
		names[i] = str_of(properties[i].name);
	nearest = str_nearest(name, names, COUNT_OF(properties));
	if (nearest < 0)
		return err_set(err, ERR_USAGE, "there is no property '%.*s'",
			       (int)shown.size, shown.bytes);
	return err_set(err, ERR_USAGE, "there is no property '%.*s'; did you mean %s?",
		       (int)shown.size, shown.bytes, properties[nearest].name);
}

bool property_apply(struct query_format *format, struct str text, struct err *err)
{
	const struct property *property = find(text);
	struct str value, shown;

	if (lex_is_word(text, "missing:"))
		return true;
	if (!property)
		return fail_unknown(text, err);
	value.bytes = text.bytes + strlen(property->name);
	value.size = text.size - strlen(property->name);
	if (property->set(format, value))
		return true;
	shown = str_front(value, SHOWN_MAX);
	return err_set(err, ERR_USAGE, "%s needs %s, found '%.*s'", property->name,
		       property->wants, (int)shown.size, shown.bytes);
}
