#include "base/finder.h"

#include <stdlib.h>

static uint64_t key_of(uint32_t node, unsigned char byte)
{
	return (uint64_t)node << 8 | byte;
}

/* What the node becomes with that byte behind it; 0: nothing that is sought. */
static uint32_t child(const struct finder *finder, uint32_t node, unsigned char byte)
{
	uint32_t found;

	if (node == 0)
		return finder->first[byte];
	found = map_find(&finder->children, key_of(node, byte));
	return found == MAP_NONE ? 0 : found;
}

static uint32_t add_child(struct finder *finder, uint32_t parent, unsigned char byte)
{
	struct finder_node node = { .parent = parent, .byte = byte };
	uint32_t index = (uint32_t)finder->nodes.count;

	if (finder->limit && index > finder->limit)
		return 0;
	node.depth = finder->nodes.items[parent].depth + 1;
	if (!vec_push(&finder->nodes, node))
		return 0;
	if (parent == 0)
		finder->first[byte] = index;
	else if (!map_put(&finder->children, key_of(parent, byte), index))
		return 0;
	return index;
}

bool finder_add(struct finder *finder, struct str text)
{
	struct finder_node none = { 0 };
	uint32_t node = 0;

	if (text.size > UINT32_MAX ||
	    (finder->nodes.count == 0 && !vec_push(&finder->nodes, none)))
		return false;
	for (size_t i = 0; i < text.size; i++) {
		unsigned char byte = (unsigned char)text.bytes[i];
		uint32_t next = child(finder, node, byte);

		node = next ? next : add_child(finder, node, byte);
		if (!node)
			return false;
	}
	finder->nodes.items[node].found = (uint32_t)text.size;
	return true;
}

/* The longest ending of the node's text with the byte behind it that is a node. */
static uint32_t step(const struct finder *finder, uint32_t node, unsigned char byte)
{
	uint32_t next = child(finder, node, byte);

	while (!next && node) {
		node = finder->nodes.items[node].back;
		next = child(finder, node, byte);
	}
	return next;
}

/* The nodes but for the first, the shorter before the longer; NULL without memory. */
static uint32_t *order(const struct finder *finder)
{
	size_t count = finder->nodes.count, deepest = 0;
	uint32_t *nodes = calloc(count, sizeof(*nodes));
	size_t *places;

	for (size_t i = 0; i < count; i++) {
		size_t depth = finder->nodes.items[i].depth;

		deepest = depth > deepest ? depth : deepest;
	}
	places = calloc(deepest + 2, sizeof(*places));
	for (size_t i = 0; places && i < count; i++)
		places[finder->nodes.items[i].depth + 1]++;
	for (size_t i = 0; places && i <= deepest; i++)
		places[i + 1] += places[i];
	for (size_t i = 0; places && nodes && i < count; i++)
		nodes[places[finder->nodes.items[i].depth]++] = (uint32_t)i;
	if (!places) {
		free(nodes);
		nodes = NULL;
	}
	free(places);
	return nodes;
}

bool finder_build(struct finder *finder)
{
	size_t count = finder->nodes.count;
	uint32_t *nodes = count ? order(finder) : NULL;

	for (size_t i = 1; nodes && i < count; i++) {
		struct finder_node *node = &finder->nodes.items[nodes[i]];
		uint32_t back = finder->nodes.items[node->parent].back;

		node->back = node->parent ? step(finder, back, node->byte) : 0;
		if (!node->found)
			node->found = finder->nodes.items[node->back].found;
	}
	free(nodes);
	return !count || nodes;
}

/* True with a text that ends behind the byte at *at; else at the end. */
static bool next(const struct finder *finder, struct str text, size_t *at,
		 uint32_t *node, struct finder_span *span)
{
	while (finder->nodes.count > 0 && *at < text.size) {
		uint32_t found;

		*node = step(finder, *node, (unsigned char)text.bytes[(*at)++]);
		found = finder->nodes.items[*node].found;
		if (found) {
			*span = (struct finder_span){ *at - found, *at };
			return true;
		}
	}
	return false;
}

bool finder_has(const struct finder *finder, struct str text)
{
	struct finder_span span;
	uint32_t node = 0;
	size_t at = 0;

	return next(finder, text, &at, &node, &span);
}

bool finder_find(const struct finder *finder, struct str text,
		 struct finder_spans *found)
{
	struct finder_span span;
	uint32_t node = 0;
	size_t at = 0;

	found->spans.count = 0;
	while (next(finder, text, &at, &node, &span)) {
		/* They come in the order of their ends, but may begin before others. */
		while (found->spans.count > 0) {
			struct finder_span *last =
				&found->spans.items[found->spans.count - 1];

			if (last->end <= span.start)
				break;
			span.start = last->start < span.start ? last->start : span.start;
			found->spans.count--;
		}
		if (!vec_push(&found->spans, span))
			return false;
	}
	return true;
}

void finder_clear(struct finder *finder)
{
	vec_clear(&finder->nodes);
	map_clear(&finder->children);
	*finder = (struct finder){ .limit = finder->limit };
}
