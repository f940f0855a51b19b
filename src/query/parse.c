#include <limits.h>
#include <stdint.h>

#include "base/utf.h"
#include "query/lex.h"
#include "query/property.h"
#include "query/query.h"

/* Longer than anybody writes; all counts are bounded by it. */
#define QUERY_SIZE_MAX (64 << 10)

/* So much of a word is repeated in a message. */
#define SHOWN_MAX 60

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* *at and *err are set by what fails, which ends the reading. */
struct parser {
	struct lex lex;
	struct arena *arena;
	size_t *at;
	struct err *err;
};

/* --- what is told ----------------------------------------------------------- */

#define NO_JOIN "JOIN is not known; a query takes the events of all types behind FROM"
#define NO_SUBQUERY "a query inside a query is not known"

/* Words of SQL that this language does not have. */
static const struct {
	const char *word, *why;
} foreign[] = {
	{ "CROSS", NO_JOIN },
	{ "FULL", NO_JOIN },
	{ "HAVING",
	  "HAVING is not known; WHERE chooses events before they are grouped" },
	{ "INNER", NO_JOIN },
	{ "JOIN", NO_JOIN },
	{ "LEFT", NO_JOIN },
	{ "OR", "OR is not known; conditions are joined by AND" },
	{ "RIGHT", NO_JOIN },
	{ "SELECT", NO_SUBQUERY },
};

/* Something is wrong with what begins there. */
static bool fail(struct parser *parser, size_t at, const char *why)
{
	*parser->at = at;
	return err_set(parser->err, ERR_USAGE, "%s", why);
}

/* The same of a word that was taken. */
static bool fail_word(struct parser *parser, const struct word *word, const char *what)
{
	struct str shown = str_front(word->text, SHOWN_MAX);

	*parser->at = word->at;
	return err_set(parser->err, ERR_USAGE, "'%.*s' %s", (int)shown.size,
		       shown.bytes, what);
}

static bool take(struct parser *parser, struct word *word)
{
	if (lex_take(&parser->lex, word, parser->arena, parser->err))
		return true;
	*parser->at = parser->lex.at;
	return false;
}

/*
 * "; did you mean AVG?", if the word is nearly one of those. What is not in capitals is
 * no keyword, and of GROUP BY the first half is one.
 */
static void add_nearest(struct buf *text, struct str word, const char *const *names)
{
	struct str candidates[AGGREGATOR_COUNT_OF_KINDS];
	size_t count = 0;
	int nearest;

	for (; names[count]; count++) {
		const char *name = names[count];
		bool is_keyword = *name >= 'A' && *name <= 'Z';

		candidates[count] = (struct str){ name,
						  is_keyword ? strcspn(name, " ") : 0 };
	}
	nearest = str_nearest(word, candidates, count);
	if (nearest >= 0)
		buf_printf(text, "; did you mean %s?", names[nearest]);
}

static bool fail_text(struct parser *parser, size_t at, struct buf *text)
{
	*parser->at = at;
	if (text->failed)
		err_memory(parser->err);
	else
		err_set(parser->err, ERR_USAGE, "%.*s", (int)text->size, text->bytes);
	buf_clear(text);
	return false;
}

static const char *why_not(struct str word)
{
	for (size_t i = 0; i < COUNT_OF(foreign); i++) {
		if (lex_is_word(word, foreign[i].word))
			return foreign[i].why;
	}
	return NULL;
}

/* What comes is none of these things, of which there are more than 0, and a NULL. */
static bool fail_expected(struct parser *parser, const char *const *things)
{
	bool is_end = lex_is_end(&parser->lex);
	struct buf text = { 0 };
	struct word word = { .at = parser->lex.at };

	if (!is_end && !take(parser, &word))
		return false;
	if (why_not(word.raw))
		return fail(parser, word.at, why_not(word.raw));
	buf_printf(&text, "expected %s", things[0]);
	for (size_t i = 1; things[i]; i++)
		buf_printf(&text, "%s%s", things[i + 1] ? ", " : " or ", things[i]);
	word.raw = str_front(word.raw, SHOWN_MAX);
	if (is_end)
		buf_text(&text, ", found the end");
	else if (strchr("'\"", *word.raw.bytes))
		buf_printf(&text, ", found %.*s", (int)word.raw.size, word.raw.bytes);
	else
		buf_printf(&text, ", found '%.*s'", (int)word.raw.size, word.raw.bytes);
	if (things[1])
		add_nearest(&text, word.raw, things);
	return fail_text(parser, word.at, &text);
}

/* The same of one thing. */
static bool fail_expected_one(struct parser *parser, const char *thing)
{
	return fail_expected(parser, (const char *const[]){ thing, NULL });
}

static bool expect(struct parser *parser, const char *keyword)
{
	return lex_accept(&parser->lex, keyword) || fail_expected_one(parser, keyword);
}

/* --- lists ------------------------------------------------------------------ */

/* Reads an item, of which the memory is zeroed. */
typedef bool read_item(struct parser *parser, void *item);

/* Room behind so many items: they move whenever their number is a power of two. */
static char *more(struct parser *parser, char *items, size_t count, size_t size)
{
	char *grown;

	if (count & (count - 1))
		return items;
	grown = arena_array(parser->arena, count ? 2 * count : 1, size);
	if (!grown)
		err_memory(parser->err);
	else if (count)
		memcpy(grown, items, count * size);
	return grown;
}

/* One item or more, with commas or the like between. NULL if that fails. */
static const void *read_list(struct parser *parser, read_item *read, size_t size,
			     const char *between, size_t *count)
{
	char *items = NULL;

	*count = 0;
	do {
		items = more(parser, items, *count, size);
		if (!items || !read(parser, items + *count * size))
			return NULL;
		++*count;
	} while (lex_accept(&parser->lex, between));
	return items;
}

/* --- what queries are made of ----------------------------------------------- */

/* Text is in single quotes; a word in double quotes is none. */
static bool read_text(struct parser *parser, void *item)
{
	struct word word;

	if (lex_peek(&parser->lex) != '\'')
		return fail_expected_one(parser, "a text in single quotes");
	if (!take(parser, &word))
		return false;
	*(struct str *)item = word.text;
	return true;
}

/*
 * Of what there is past ASCII, more is allowed than in names of Java: no field is called
 * so. But there is nothing past U+FFFF, which Java does not look at.
 */
static bool is_field(struct str name)
{
	bool is_first = true;

	if (str_is(name, STR("*")))
		return true;
	for (; name.size; is_first = false) {
		uint32_t point = utf_next(&name);

		if (point > 0xffff || (point >= 0xd800 && point <= 0xdfff))
			return false;
		if (point >= 0x80 || (point && strchr("._$[]|", (int)point)))
			continue;
		if ((point | 0x20) >= 'a' && (point | 0x20) <= 'z')
			continue;
		if (is_first || point < '0' || point > '9')
			return false;
	}
	return true;
}

static bool read_field(struct parser *parser, struct str *field, size_t *at)
{
	struct word word;
	char next = lex_peek(&parser->lex);

	if (next == '\0' || next == '\'' || strchr(parser->lex.separators, next))
		return fail_expected_one(parser, "the name of a field, without quotes");
	if (!take(parser, &word))
		return false;
	if (!is_field(word.text))
		return fail_word(parser, &word, "cannot be the name of a field");
	*field = word.text;
	*at = word.at;
	return true;
}

/* Where there are no letters, in ascending order. */
static const struct {
	uint16_t first, last;
} no_letters[] = {
	{ 0x0000, 0x0040 }, { 0x005b, 0x0060 }, { 0x007b, 0x00a9 }, { 0x00ab, 0x00b4 },
	{ 0x00b6, 0x00b9 }, { 0x00bb, 0x00bf }, { 0x00d7, 0x00d7 }, { 0x00f7, 0x00f7 },
	{ 0x2000, 0x2070 }, { 0x2190, 0x2bff }, { 0x3000, 0x3004 }, { 0xd800, 0xf8ff },
	{ 0xfff0, 0xffff },
};

static bool is_letter(uint32_t point)
{
	for (size_t i = 0; i < COUNT_OF(no_letters); i++) {
		if (point >= no_letters[i].first && point <= no_letters[i].last)
			return false;
	}
	return point <= 0xffff;
}

/* AS and a name of letters, or nothing. */
static bool read_alias(struct parser *parser, struct str *alias)
{
	struct word word;
	struct str rest;

	if (!lex_accept(&parser->lex, "AS"))
		return true;
	if (lex_is_end(&parser->lex))
		return fail_expected_one(parser, "a name behind AS");
	if (!take(parser, &word))
		return false;
	for (rest = word.text; rest.size;) {
		if (!is_letter(utf_next(&rest)))
			return fail_word(parser, &word,
					 "cannot be a name behind AS; it must consist "
					 "of letters");
	}
	*alias = word.text;
	return true;
}

/* --- COLUMN and FORMAT ------------------------------------------------------ */

static bool read_column(struct parser *parser, struct query *query)
{
	lex_is_end(&parser->lex);
	query->columns_at = parser->lex.at;
	if (!lex_accept(&parser->lex, "COLUMN"))
		return true;
	query->columns = read_list(parser, read_text, sizeof(struct str), ",",
				   &query->column_count);
	return query->columns != NULL;
}

/* The properties of one column. */
static bool read_properties(struct parser *parser, struct query_format *format,
			    struct buf *text)
{
	struct word word;

	do {
		if (lex_is_end(&parser->lex))
			return fail_expected_one(parser, "a property");
		if (!take(parser, &word))
			return false;
		if (!property_apply(format, word.text, parser->err)) {
			*parser->at = word.at;
			return false;
		}
		buf_text(text, text->size ? ";" : "");
		buf_str(text, word.text);
	} while (lex_accept(&parser->lex, ";"));
	return !text->failed || err_memory(parser->err);
}

static bool read_one_format(struct parser *parser, void *item)
{
	struct query_format *format = item;
	struct buf text = { 0 };
	bool good;

	*format = property_none;
	good = read_properties(parser, format, &text);
	if (good) {
		format->text.size = text.size;
		format->text.bytes = arena_copy(parser->arena, text.bytes, text.size);
		good = format->text.bytes || err_memory(parser->err);
	}
	buf_clear(&text);
	return good;
}

static bool read_format(struct parser *parser, struct query *query)
{
	lex_is_end(&parser->lex);
	query->formats_at = parser->lex.at;
	if (!lex_accept(&parser->lex, "FORMAT"))
		return true;
	query->formats = read_list(parser, read_one_format, sizeof(struct query_format),
				   ",", &query->format_count);
	return query->formats != NULL;
}

/* --- SELECT ----------------------------------------------------------------- */

/* Takes the name of an aggregator and its parenthesis, or nothing. */
static enum aggregator take_aggregator(struct lex *lex)
{
	size_t at = lex->at;

	for (int i = AGGREGATOR_NONE + 1; i < AGGREGATOR_COUNT_OF_KINDS; i++) {
		if (lex_accept(lex, aggregator_facts[i].name) && lex_accept(lex, "("))
			return (enum aggregator)i;
		lex->at = at;
	}
	return AGGREGATOR_NONE;
}

static bool fail_aggregator(struct parser *parser, const struct query_expression *one)
{
	const char *names[AGGREGATOR_COUNT_OF_KINDS] = { NULL };
	struct str shown = str_front(one->field, SHOWN_MAX);
	struct buf text = { 0 };

	for (int i = AGGREGATOR_NONE + 1; i < AGGREGATOR_COUNT_OF_KINDS; i++)
		names[i - 1] = aggregator_facts[i].name;
	buf_printf(&text, "there is no aggregator '%.*s'", (int)shown.size,
		   shown.bytes);
	add_nearest(&text, one->field, names);
	return fail_text(parser, one->at, &text);
}

static bool read_expression(struct parser *parser, void *item)
{
	struct query_expression *expression = item;

	expression->aggregator = take_aggregator(&parser->lex);
	if (!read_field(parser, &expression->field, &expression->at))
		return false;
	if (expression->aggregator && !expect(parser, ")"))
		return false;
	if (!expression->aggregator && lex_peek(&parser->lex) == '(')
		return fail_aggregator(parser, expression);
	return read_alias(parser, &expression->alias);
}

/* A comma and FROM behind it: a field was forgotten, or is called so. */
static bool check_expressions(struct parser *parser, const struct query *query)
{
	for (size_t i = 1; i < query->select_count; i++) {
		if (lex_is_word(query->select[i].field, "FROM"))
			return fail(parser, query->select[i].at,
				    "expected the name of a field, found FROM; write "
				    "a field of that name with its event type, as in "
				    "Message.from");
	}
	return true;
}

static bool read_select(struct parser *parser, struct query *query)
{
	static const char *const first[] = { "COLUMN", "FORMAT", "SELECT", NULL };
	static const char *const next[] = { "a comma", "FORMAT", "SELECT", NULL };
	static const char *const last[] = { "a comma", "SELECT", NULL };
	size_t at;

	if (!lex_accept(&parser->lex, "SELECT"))
		return fail_expected(parser, query->format_count   ? last
					     : query->column_count ? next
								   : first);
	if (lex_accept(&parser->lex, "*"))
		return true;
	at = parser->lex.at;
	if (lex_accept(&parser->lex, "FROM"))
		return fail(parser, at, "expected fields or *, found FROM");
	query->select = read_list(parser, read_expression,
				  sizeof(struct query_expression), ",",
				  &query->select_count);
	return query->select && check_expressions(parser, query);
}

/* --- FROM and what follows -------------------------------------------------- */

static bool read_source(struct parser *parser, void *item)
{
	struct query_source *source = item;
	char next = lex_peek(&parser->lex);
	size_t at = parser->lex.at;
	struct word word;

	if (lex_accept(&parser->lex, "(") && lex_accept(&parser->lex, "SELECT"))
		return fail(parser, at, NO_SUBQUERY);
	parser->lex.at = at;
	if (next == '\0' || strchr(parser->lex.separators, next))
		return fail_expected_one(parser, "an event type");
	if (!take(parser, &word))
		return false;
	source->name = word.text;
	source->at = word.at;
	if (word.text.size > 1 && word.text.bytes[word.text.size - 1] == '?') {
		source->is_optional = true;
		source->name.size--;
	}
	return read_alias(parser, &source->alias);
}

static bool read_from(struct parser *parser, struct query *query)
{
	static const char *const things[] = { "a comma", "FROM", NULL };

	if (!lex_accept(&parser->lex, "FROM"))
		return query->select ? fail_expected(parser, things)
				     : fail_expected_one(parser, "FROM");
	query->from = read_list(parser, read_source, sizeof(struct query_source), ",",
				&query->from_count);
	return query->from != NULL;
}

static bool read_condition(struct parser *parser, void *item)
{
	static const char *const operators[] = { "=", "!=", NULL };
	struct query_condition *condition = item;

	if (!read_field(parser, &condition->field, &condition->at))
		return false;
	condition->is_negated = lex_accept(&parser->lex, "!=");
	if (!condition->is_negated && !lex_accept(&parser->lex, "="))
		return fail_expected(parser, operators);
	if (lex_peek(&parser->lex) == '=')
		return fail(parser, parser->lex.at - 1, "== is not known; write =");
	return read_text(parser, &condition->value);
}

static bool read_where(struct parser *parser, struct query *query)
{
	if (!lex_accept(&parser->lex, "WHERE"))
		return true;
	query->where = read_list(parser, read_condition, sizeof(struct query_condition),
				 "AND", &query->where_count);
	return query->where != NULL;
}

static bool read_grouping(struct parser *parser, void *item)
{
	struct query_grouping *grouping = item;

	return read_field(parser, &grouping->field, &grouping->at);
}

static bool read_group_by(struct parser *parser, struct query *query)
{
	if (!lex_accept(&parser->lex, "GROUP"))
		return true;
	if (!expect(parser, "BY"))
		return false;
	query->group_by = read_list(parser, read_grouping,
				    sizeof(struct query_grouping), ",",
				    &query->group_count);
	return query->group_by != NULL;
}

static bool read_order(struct parser *parser, void *item)
{
	struct query_order *order = item;

	if (!read_field(parser, &order->field, &order->at))
		return false;
	if (lex_accept(&parser->lex, "ASC"))
		order->direction = ORDER_ASCENDING;
	else if (lex_accept(&parser->lex, "DESC"))
		order->direction = ORDER_DESCENDING;
	return true;
}

static bool read_order_by(struct parser *parser, struct query *query)
{
	if (!lex_accept(&parser->lex, "ORDER"))
		return true;
	if (!expect(parser, "BY"))
		return false;
	query->order_by = read_list(parser, read_order, sizeof(struct query_order), ",",
				    &query->order_count);
	return query->order_by != NULL;
}

/* The largest number is no limit, as it is not in the JDK. */
static bool read_limit(struct parser *parser, struct query *query)
{
	struct word word;
	int limit = INT_MAX;

	if (lex_accept(&parser->lex, "LIMIT")) {
		if (lex_is_end(&parser->lex))
			return fail_expected_one(parser, "a number behind LIMIT");
		if (!take(parser, &word))
			return false;
		if (!lex_integer(word.text, &limit) || limit < 0)
			return fail_word(parser, &word,
					 "cannot be a limit; it must be a whole "
					 "number, 0 or more");
	}
	query->limit = limit == INT_MAX ? QUERY_NO_LIMIT : (size_t)limit;
	return true;
}

/* True if nothing is left; otherwise says what could be there. */
static bool read_end(struct parser *parser, const struct query *query)
{
	static const char *const from[] = { "a comma",	"WHERE", "GROUP BY",
					    "ORDER BY", "LIMIT", "the end",
					    NULL };
	static const char *const where[] = { "AND",   "GROUP BY", "ORDER BY",
					     "LIMIT", "the end",  NULL };
	static const char *const group[] = { "a comma", "ORDER BY", "LIMIT", "the end",
					     NULL };
	static const char *const order[] = { "a comma", "LIMIT", "the end", NULL };

	if (lex_is_end(&parser->lex))
		return true;
	if (query->limit != QUERY_NO_LIMIT)
		return fail_expected_one(parser, "the end");
	return fail_expected(parser, query->order_count	  ? order
				     : query->group_count ? group
				     : query->where_count ? where
							  : from);
}

bool query_parse(struct query *query, struct str text, struct arena *arena, size_t *at,
		 struct err *err)
{
	struct parser parser = {
		.lex = { .text = text, .separators = "=,;()" },
		.arena = arena,
		.at = at,
		.err = err,
	};

	*query = (struct query){ 0 };
	*at = 0;
	if (text.size > QUERY_SIZE_MAX)
		return err_set(err, ERR_USAGE, "a query of %zu bytes is too long",
			       text.size);
	parser.lex.text.bytes = arena_copy(arena, text.bytes, text.size);
	if (!parser.lex.text.bytes)
		return err_memory(err);
	return read_column(&parser, query) && read_format(&parser, query) &&
	       read_select(&parser, query) && read_from(&parser, query) &&
	       read_where(&parser, query) && read_group_by(&parser, query) &&
	       read_order_by(&parser, query) && read_limit(&parser, query) &&
	       read_end(&parser, query);
}
