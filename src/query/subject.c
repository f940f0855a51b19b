#include "query/subject.h"

#include <string.h>
#include <strings.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static bool is_word(struct str text, const char *word, bool matters_case)
{
	if (text.size != strlen(word))
		return false;
	return matters_case ? memcmp(text.bytes, word, text.size) == 0
			    : strncasecmp(text.bytes, word, text.size) == 0;
}

static bool is_all(struct subject *subject, struct str word)
{
	static const struct {
		const char *word;
		enum subject_kind kind;
	} all[] = {
		{ "all-views", SUBJECT_ALL_VIEWS },
		{ "all-events", SUBJECT_ALL_EVENTS },
		{ "types", SUBJECT_TYPES },
	};

	for (size_t i = 0; i < COUNT_OF(all); i++) {
		if (is_word(word, all[i].word, false)) {
			subject->kind = all[i].kind;
			return true;
		}
	}
	return false;
}

static bool is_query(struct str text)
{
	static const char *const starts[] = { "SELECT", "COLUMN", "FORMAT" };

	text = str_trim(text);
	for (size_t i = 0; i < COUNT_OF(starts); i++) {
		size_t size = strlen(starts[i]);

		if (text.size > size && strncasecmp(text.bytes, starts[i], size) == 0 &&
		    memchr(" \t\n'*", text.bytes[size], 5))
			return true;
	}
	return false;
}

static struct str query_of_type(struct str word, struct arena *arena)
{
	static const struct str front = STR("SELECT * FROM ");
	char *text = arena_alloc(arena, front.size + word.size + 1);

	if (!text)
		return (struct str){ NULL, 0 };
	memcpy(text, front.bytes, front.size);
	memcpy(text + front.size, word.bytes, word.size);
	return (struct str){ text, front.size + word.size };
}

static void add(struct subject *subject, struct candidate candidate)
{
	subject->candidates[subject->count++] = candidate;
}

void subject_of(struct subject *subject, const struct views *views, struct str word,
	       struct arena *arena)
{
	const struct view *view = views_find(views, word);
	bool is_named = view && view->name.size == word.size &&
			strncasecmp(view->name.bytes, word.bytes, word.size) == 0;
	struct str query;

	*subject = (struct subject){ .kind = SUBJECT_ONE };
	if (is_all(subject, word))
		return;
	subject->is_query = is_query(word);
	if (subject->is_query) {
		add(subject, (struct candidate){ NULL, word, false });
		return;
	}
	if (is_named) {
		add(subject, (struct candidate){ view, view->query, false });
		return;
	}
	query = query_of_type(word, arena);
	add(subject, (struct candidate){ NULL, query, false });
	if (view)
		add(subject, (struct candidate){ view, view->query, false });
	add(subject, (struct candidate){ NULL, query, true });
}
