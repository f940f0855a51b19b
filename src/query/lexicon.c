#include "query/lexicon.h"

#include <stdlib.h>

#include "base/digest.h"
#include "base/javahash.h"

/* Method and frames are of this lexicon: they are the same if they are in one place. */
static uint64_t content_digest(const struct thing *content, uint64_t seed)
{
	const uint64_t numbers[] = {
		(uint64_t)content->kind << 32 | content->hash, (uint64_t)content->id,
		(uintptr_t)content->method, content->text.size, content->compact.size,
	};
	uint64_t number = digest(numbers, sizeof(numbers), seed);

	number = digest(content->text.bytes, content->text.size, number);
	if (content->compact.size)
		number = digest(content->compact.bytes, content->compact.size, number);
	if (content->detail.size)
		number = digest(content->detail.bytes, content->detail.size, number);
	return digest(content->frames, content->frame_count * sizeof(*content->frames),
		      number);
}

/* No text at all is another one than an empty one. */
static bool is_same_text(struct str a, struct str b)
{
	return str_is(a, b) && !a.bytes == !b.bytes;
}

static bool is_same(const struct thing *a, const struct thing *b)
{
	return a->kind == b->kind && a->hash == b->hash && a->id == b->id &&
	       a->method == b->method && a->frame_count == b->frame_count &&
	       is_same_text(a->text, b->text) && is_same_text(a->compact, b->compact) &&
	       is_same_text(a->detail, b->detail) &&
	       (a->frame_count == 0 ||
		memcmp(a->frames, b->frames, a->frame_count * sizeof(*a->frames)) == 0);
}

static char *keep_text(char *to, struct str *text)
{
	if (!text->bytes)
		return to;
	if (text->size)
		memcpy(to, text->bytes, text->size);
	text->bytes = to;
	return to + text->size;
}

/* All in one piece. Its parts are in memory already: the sum of their sizes fits. */
static const struct thing *keep(struct lexicon *lexicon, const struct thing *content)
{
	size_t frames_size = content->frame_count * sizeof(*content->frames);
	size_t texts_size =
		content->text.size + content->compact.size + content->detail.size;
	struct thing *thing;
	char *to;

	thing = arena_alloc(&lexicon->arena, sizeof(*thing) + frames_size + texts_size);
	if (!thing)
		return NULL;
	*thing = *content;
	thing->mark = lexicon->mark;
	thing->frames = NULL;
	to = (char *)(thing + 1);
	if (frames_size) {
		thing->frames = memcpy(to, content->frames, frames_size);
		to += frames_size;
	}
	to = keep_text(to, &thing->text);
	to = keep_text(to, &thing->compact);
	keep_text(to, &thing->detail);
	return thing;
}

static const struct thing *add_new(struct lexicon *lexicon, const struct thing *content,
				   uint64_t key, uint32_t older)
{
	struct lexicon_entry entry = { keep(lexicon, content), older };

	if (entry.thing && vec_push(&lexicon->entries, entry)) {
		size_t last = lexicon->entries.count - 1;

		if (last < MAP_NONE && map_put(&lexicon->places, key, (uint32_t)last))
			return entry.thing;
		lexicon->entries.count--;
	}
	lexicon->arena.failed = true;
	return NULL;
}

/* A mark of 0 is nobody's; they stay odd. */
static void set_mark(struct lexicon *lexicon)
{
	if (lexicon->mark == 0)
		lexicon->mark = digest_secret(lexicon) | 1;
}

const struct thing *lexicon_add(struct lexicon *lexicon, const struct thing *content)
{
	uint32_t newest, at;
	uint64_t key;

	set_mark(lexicon);
	key = content_digest(content, lexicon->mark);
	newest = at = map_find(&lexicon->places, key);
	while (at != MAP_NONE) {
		const struct lexicon_entry *entry = &lexicon->entries.items[at];

		if (is_same(entry->thing, content))
			return entry->thing;
		at = entry->older;
	}
	return add_new(lexicon, content, key, newest);
}

static struct datum datum_of_thing(const struct thing *thing)
{
	if (!thing)
		return DATUM_NONE;
	return (struct datum){ .kind = DATUM_THING, .thing = thing };
}

struct datum lexicon_text(struct lexicon *lexicon, struct str text)
{
	struct thing content = { .kind = THING_TEXT, .text = text };

	if (!text.bytes)
		return DATUM_NONE;
	content.hash = javahash_text(text);
	return datum_of_thing(lexicon_add(lexicon, &content));
}

struct datum_list *lexicon_list(struct lexicon *lexicon, size_t count)
{
	struct datum_list *list = NULL;

	if (count > (SIZE_MAX - sizeof(*list)) / sizeof(list->items[0]))
		lexicon->arena.failed = true;
	else
		list = arena_alloc(&lexicon->arena,
				   sizeof(*list) + count * sizeof(list->items[0]));
	if (list)
		list->count = count;
	return list;
}

/*
 * What became of the foreign things that were imported last. The place of a thing does
 * not tell that it is still the same one: memory is used again. Its mark does, because
 * each lexicon has others, after lexicon_reset as well.
 */
struct lexicon_import {
	const struct thing *foreign, *own;
	uint64_t mark;			/* of foreign */
};

#define IMPORT_BITS 12
#define IMPORT_COUNT ((size_t)1 << IMPORT_BITS)

/* NULL without memory: then nothing is remembered. */
static struct lexicon_import *import_slot(struct lexicon *lexicon,
					  const struct thing *foreign)
{
	uint64_t place = (uintptr_t)foreign;

	if (!lexicon->imports)
		lexicon->imports = calloc(IMPORT_COUNT, sizeof(*lexicon->imports));
	if (!lexicon->imports)
		return NULL;
	return &lexicon->imports[place * UINT64_C(0x9e3779b97f4a7c15) >>
				 (64 - IMPORT_BITS)];
}

static const struct thing *import_content(struct lexicon *lexicon,
					  struct thing content);

static const struct thing *import_thing(struct lexicon *lexicon,
					const struct thing *foreign)
{
	struct lexicon_import *slot = import_slot(lexicon, foreign);
	const struct thing *own;

	if (slot && slot->foreign == foreign && slot->mark == foreign->mark)
		return slot->own;
	own = import_content(lexicon, *foreign);
	if (own && slot && foreign->mark)
		*slot = (struct lexicon_import){ foreign, own, foreign->mark };
	return own;
}

/* Appends to lexicon->frames. */
static bool import_frames(struct lexicon *lexicon, const struct thing *stack)
{
	for (size_t i = 0; i < stack->frame_count; i++) {
		const struct thing *frame = import_thing(lexicon, stack->frames[i]);

		if (!frame)
			return false;
		if (!vec_push(&lexicon->frames, frame)) {
			lexicon->arena.failed = true;
			return false;
		}
	}
	return true;
}

/*
 * Calls itself no deeper than things lie in each other: a stack, its frames, their
 * methods. The frames of the stack are put behind any that wait already.
 */
static const struct thing *import_content(struct lexicon *lexicon,
					  struct thing content)
{
	size_t start = lexicon->frames.count;
	const struct thing *own = NULL;

	if (content.method) {
		content.method = import_thing(lexicon, content.method);
		if (!content.method)
			return NULL;
	}
	if (content.frame_count == 0)
		return lexicon_add(lexicon, &content);
	if (import_frames(lexicon, &content)) {
		content.frames = lexicon->frames.items + start;
		own = lexicon_add(lexicon, &content);
	}
	lexicon->frames.count = start;
	return own;
}

static struct datum import_list(struct lexicon *lexicon,
				const struct datum_list *foreign)
{
	struct datum_list *list = lexicon_list(lexicon, foreign->count);

	for (size_t i = 0; list && i < foreign->count; i++) {
		list->items[i] = foreign->items[i];
		if (list->items[i].kind != DATUM_THING)
			continue;
		list->items[i].thing = import_thing(lexicon, foreign->items[i].thing);
		if (!list->items[i].thing)
			return DATUM_NONE;
	}
	if (!list)
		return DATUM_NONE;
	return (struct datum){ .kind = DATUM_LIST, .list = list };
}

struct datum lexicon_import(struct lexicon *lexicon, const struct datum *foreign)
{
	if (foreign->kind == DATUM_THING)
		return datum_of_thing(import_thing(lexicon, foreign->thing));
	if (foreign->kind == DATUM_LIST)
		return import_list(lexicon, foreign->list);
	return *foreign;
}

void lexicon_reset(struct lexicon *lexicon)
{
	map_clear(&lexicon->places);
	lexicon->entries.count = 0;
	arena_reset(&lexicon->arena);
	if (lexicon->imports)
		memset(lexicon->imports, 0, IMPORT_COUNT * sizeof(*lexicon->imports));
	if (lexicon->mark)
		lexicon->mark += 2;
}

void lexicon_clear(struct lexicon *lexicon)
{
	map_clear(&lexicon->places);
	vec_clear(&lexicon->entries);
	vec_clear(&lexicon->frames);
	arena_clear(&lexicon->arena);
	free(lexicon->imports);
	lexicon->imports = NULL;
	lexicon->mark = 0;
}
