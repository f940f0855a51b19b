#include "jfc/jfcread.h"

#include <expat.h>
#include <strings.h>

#include "base/buf.h"
#include "base/surrogate.h"
#include "base/utf.h"

#define DEPTH_MAX 64

struct reader {
	XML_Parser parser;
	struct configuration *all;
	struct node *root, *at;
	int depth;
	struct buf content;	/* characters since the last content */
	struct err *err;
	bool is_stopped;
};

static unsigned line_of(const struct reader *reader)
{
	return (unsigned)XML_GetCurrentLineNumber(reader->parser);
}

static void stop(struct reader *reader)
{
	reader->is_stopped = true;
	XML_StopParser(reader->parser, XML_FALSE);
}

/* Memory has run out, or a limit of ours is reached. */
static void stop_when_full(struct reader *reader, bool is_limit)
{
	if (is_limit)
		err_set(reader->err, ERR_FORMAT, "line %u: there is too much in it",
			line_of(reader));
	else
		err_memory(reader->err);
	stop(reader);
}

static void stop_without_memory(struct reader *reader)
{
	stop_when_full(reader, reader->all->arena.is_full);
}

/* Attributes come as name, value, name, value, NULL. */
static void set_attributes(struct reader *reader, struct node *node,
			   const XML_Char **attributes)
{
	size_t count = 0;

	while (attributes[count * 2]) {
		if (count++ < NODE_ATTRIBUTES_MAX)
			continue;
		err_set(reader->err, ERR_FORMAT,
			"line %u: an element has more than %d attributes",
			line_of(reader), NODE_ATTRIBUTES_MAX);
		stop(reader);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		if (!node_set(node, str_of(attributes[i * 2]),
			      str_of(attributes[i * 2 + 1]), &reader->all->arena)) {
			stop_without_memory(reader);
			return;
		}
	}
}

static void start_element(void *context, const XML_Char *name,
			  const XML_Char **attributes)
{
	struct reader *reader = context;
	struct node *node = reader->root;

	if (reader->is_stopped)
		return;
	if (++reader->depth > DEPTH_MAX) {
		err_set(reader->err, ERR_FORMAT,
			"line %u: elements are more than %d deep", line_of(reader),
			DEPTH_MAX);
		stop(reader);
		return;
	}
	if (reader->at)
		node = node_add(reader->at, str_of(name), &reader->all->arena);
	else if (strcasecmp(name, "configuration") != 0) {
		err_set(reader->err, ERR_FORMAT,
			"line %u: it begins with <%s>, not with <configuration>",
			line_of(reader), name);
		stop(reader);
		return;
	}
	if (!node) {
		stop_without_memory(reader);
		return;
	}
	node->line = line_of(reader);
	reader->at = node;
	set_attributes(reader, node, attributes);
}

static void add_characters(void *context, const XML_Char *characters, int size)
{
	struct reader *reader = context;

	if (reader->is_stopped)
		return;
	buf_add(&reader->content, characters, (size_t)size);
	if (reader->content.failed)
		stop_when_full(reader, reader->content.size + (size_t)size >
					       reader->content.limit);
}

/*
 * The element that ends gets all characters that none has got yet, also those that
 * stand before it, as in the JDK.
 */
static bool take_content(struct reader *reader)
{
	struct str text = { reader->content.bytes, reader->content.size };
	const char *kept;

	if (text.size)
		text = utf_strip(text);
	if (text.size) {
		kept = arena_copy(&reader->all->arena, text.bytes, text.size);
		if (!kept)
			return false;
		reader->at->content = (struct str){ kept, text.size };
	}
	buf_reset(&reader->content);
	return true;
}

static void end_element(void *context, const XML_Char *name)
{
	struct reader *reader = context;

	(void)name;
	if (reader->is_stopped)
		return;
	if (!take_content(reader))
		stop_without_memory(reader);
	reader->at = reader->at->parent;
	reader->depth--;
}

static bool parse(struct reader *reader, struct str text)
{
	XML_SetUserData(reader->parser, reader);
	XML_SetElementHandler(reader->parser, start_element, end_element);
	XML_SetCharacterDataHandler(reader->parser, add_characters);
	if (XML_Parse(reader->parser, text.bytes, (int)text.size, XML_TRUE) ==
	    XML_STATUS_OK)
		return true;
	if (reader->is_stopped)
		return false;
	if (XML_GetErrorCode(reader->parser) == XML_ERROR_NO_MEMORY)
		return err_memory(reader->err);
	return err_set(reader->err, ERR_FORMAT, "line %u: %s", line_of(reader),
		       XML_ErrorString(XML_GetErrorCode(reader->parser)));
}

/* --- references of UTF-16 units -------------------------------------------------- */

/* Takes "&#55357;" off the front, if it is a unit between these; else gives 0. */
static uint32_t take_unit(struct str *text, uint32_t from, uint32_t to)
{
	struct str rest = *text;
	uint32_t unit = 0;

	if (!str_starts(rest, STR("&#")))
		return 0;
	for (rest.bytes += 2, rest.size -= 2; rest.size && unit < 0x10000;
	     rest.bytes++, rest.size--) {
		if (*rest.bytes < '0' || *rest.bytes > '9')
			break;
		unit = unit * 10 + (uint32_t)(*rest.bytes - '0');
	}
	if (!rest.size || *rest.bytes != ';' || unit < from || unit > to)
		return 0;
	*text = (struct str){ rest.bytes + 1, rest.size - 1 };
	return unit;
}

/*
 * The JDK writes a character beyond U+FFFF as two references, which is no XML; of each
 * such pair the character is made.
 */
static bool join_units(struct str text, struct buf *to)
{
	while (text.size) {
		const char *mark = memchr(text.bytes, '&', text.size);
		size_t plain = mark ? (size_t)(mark - text.bytes) : text.size;
		struct str rest = { text.bytes + plain, text.size - plain };
		uint32_t high = take_unit(&rest, 0xd800, 0xdbff);
		uint32_t low = high ? take_unit(&rest, 0xdc00, 0xdfff) : 0;

		buf_add(to, text.bytes, plain);
		if (low) {
			utf_add(to, surrogate_join((uint16_t)high, (uint16_t)low));
		} else if (mark) {
			buf_byte(to, '&');
			rest = (struct str){ mark + 1, text.size - plain - 1 };
		}
		text = rest;
	}
	return !to->failed;
}

bool jfcread(struct configuration *all, struct str text, struct err *err)
{
	struct reader reader = { .all = all, .err = err };
	struct buf joined = { 0 };
	bool is_good = true;

	if (text.size > JFCREAD_SIZE_MAX)
		return err_set(err, ERR_FORMAT, "it is larger than %zu MiB",
			       JFCREAD_SIZE_MAX >> 20);
	reader.root = configuration_begin(all);
	reader.parser = XML_ParserCreate("UTF-8");
	reader.content.limit = JFCREAD_SIZE_MAX;
	if (!reader.root || !reader.parser || !join_units(text, &joined))
		is_good = err_memory(err);
	is_good = is_good &&
		  parse(&reader,
			(struct str){ joined.bytes ? joined.bytes : "", joined.size });
	if (reader.parser)
		XML_ParserFree(reader.parser);
	buf_clear(&joined);
	buf_clear(&reader.content);
	return is_good && configuration_join(all, reader.root, err);
}
