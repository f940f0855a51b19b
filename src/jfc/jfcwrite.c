#include "jfc/jfcwrite.h"

#include "base/escape.h"
#include "base/javahash.h"

/* As attributes stand in a Java HashMap. */
struct place {
	const struct node_attribute *attribute;
	uint32_t bucket;
};

/* The JDK puts these in front of the elements. Each text ends with an empty line. */
static const char *const about_file[] = {
	"Recommended way to edit .jfc files is to use the configure command of",
	"the 'jfr' tool, i.e. jfr configure, or JDK Mission Control",
	"see Window -> Flight Recorder Template Manager", "", NULL,
};

static const char *const about_control[] = {
	"Contents of the control element is not read by the JVM, it's used",
	"by JDK Mission Control and the 'jfr'-tool to change settings that",
	"carry the control attribute.", "", NULL,
};

static void indent(struct buf *to, int depth)
{
	buf_fill(to, ' ', (size_t)depth * 2);
}

static void write_comment(struct buf *to, const char *const *lines, int depth)
{
	indent(to, depth);
	buf_text(to, "<!--\n");
	for (; *lines; lines++) {
		if (**lines)
			indent(to, depth);
		buf_text(to, *lines);
		buf_byte(to, '\n');
	}
	indent(to, depth);
	buf_text(to, "-->\n");
}

/* Those of one bucket stay in their order. */
static void insert(struct place *places, size_t count, struct place place)
{
	for (; count && places[count - 1].bucket > place.bucket; count--)
		places[count] = places[count - 1];
	places[count] = place;
}

static void write_attributes(struct buf *to, const struct node *node)
{
	struct place places[NODE_ATTRIBUTES_MAX];
	size_t total = 0, count = 0;

	for (const struct node_attribute *at = node->attributes; at; at = at->next)
		total++;
	for (const struct node_attribute *at = node->attributes;
	     at && count < NODE_ATTRIBUTES_MAX; at = at->next) {
		uint32_t hash = javahash_text(at->name);

		insert(places, count++,
		       (struct place){ at, javahash_bucket(hash, total) });
	}
	for (size_t i = 0; i < count; i++) {
		buf_byte(to, ' ');
		buf_str(to, places[i].attribute->name);
		buf_text(to, "=\"");
		escape_xml(to, places[i].attribute->value);
		buf_byte(to, '"');
	}
}

static void write_end(struct buf *to, const struct node *node)
{
	buf_text(to, "</");
	buf_str(to, node->name);
	buf_text(to, ">\n");
}

static void write_node(struct buf *to, const struct node *node, int depth);

/* Empty lines are around what is an entity. */
static void write_children(struct buf *to, const struct node *node, int depth)
{
	if (node_is_entity(node->first))
		buf_byte(to, '\n');
	for (const struct node *at = node->first; at; at = at->next) {
		write_node(to, at, depth);
		if (node_is_entity(at))
			buf_byte(to, '\n');
	}
}

static void write_node(struct buf *to, const struct node *node, int depth)
{
	if (node->kind == NODE_CONTROL)
		write_comment(to, about_control, depth);
	indent(to, depth);
	buf_byte(to, '<');
	buf_str(to, node->name);
	write_attributes(to, node);
	if (!node->first && !node->content.size) {
		buf_text(to, "/>\n");
		return;
	}
	buf_byte(to, '>');
	escape_xml(to, str_trim(node->content));
	if (node->first) {
		buf_byte(to, '\n');
		write_children(to, node, depth + 1);
		indent(to, depth);
	}
	write_end(to, node);
}

void jfcwrite(struct buf *to, const struct configuration *all)
{
	buf_text(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	write_comment(to, about_file, 0);
	write_node(to, all->root, 0);
}
