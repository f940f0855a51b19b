#include "filter/rule.h"

#include <stdlib.h>

#include "base/utf.h"

static bool is_space(uint32_t point)
{
	return point == ' ' || (point >= '\t' && point <= '\r');
}

/* True if the pattern is the capitals A to Z that words begin with, in order. */
static bool is_acronym(struct str pattern, struct str words)
{
	bool is_start = true;

	if (!words.size || !memchr(words.bytes, ' ', words.size))
		return false;
	while (words.size) {
		uint32_t point = utf_next(&words);

		if (is_start && point >= 'A' && point <= 'Z' &&
		    (!pattern.size || utf_next(&pattern) != point))
			return false;
		is_start = is_space(point);
	}
	return pattern.size == 0;
}

static bool category_matches(struct str pattern, struct str category)
{
	return str_glob(pattern, category) || is_acronym(pattern, category);
}

static bool event_pattern(struct str pattern, const struct type *type)
{
	return str_glob(pattern, type->name) ||
	       str_glob(pattern, type_simple_name(type));
}

static bool category_pattern(struct str pattern, const struct type *type)
{
	bool matches = false;
	struct str *categories;
	size_t count;

	if (!type_annotation(type, "jdk.jfr.Category"))
		return category_matches(pattern, STR("Uncategorized"));
	categories = type_categories(type, &count);
	for (size_t i = 0; i < count && !matches; i++)
		matches = category_matches(pattern, categories[i]);
	free(categories);
	return matches;
}

typedef bool type_pattern(struct str pattern, const struct type *type);

static bool any_pattern(struct str patterns, const struct type *type,
			type_pattern *matches)
{
	struct str pattern;

	while (str_item(&patterns, &pattern)) {
		if (matches(pattern, type))
			return true;
	}
	return false;
}

bool rule_matches(const struct rule *rule, const struct type *type)
{
	static type_pattern *const patterns[] = {
		[RULE_EVENTS] = event_pattern,
		[RULE_CATEGORIES] = category_pattern,
	};

	return rule->kind != RULE_THREADS &&
	       any_pattern(rule->patterns, type, patterns[rule->kind]);
}

bool rule_accepts(const struct rule *rule, const struct type *type)
{
	return rule->kind == RULE_THREADS ||
	       rule_matches(rule, type) != rule->is_excluding;
}
