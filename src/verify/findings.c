#include "verify/findings.h"

#include <stdarg.h>
#include <string.h>

struct kind *kinds_find(struct kinds *kinds, const struct cause *cause)
{
	struct kind kind = { .cause = *cause };

	for (size_t i = 0; i < kinds->list.count; i++) {
		struct kind *known = &kinds->list.items[i];

		if (known->cause.text == cause->text ||
		    strcmp(known->cause.text, cause->text) == 0)
			return known;
	}
	if (!vec_push(&kinds->list, kind))
		return NULL;
	return &kinds->list.items[kinds->list.count - 1];
}

static struct str keep(struct findings *findings, struct str text)
{
	char *copy;

	if (text.size == 0)
		return STR("");
	copy = arena_copy(&findings->arena, text.bytes, text.size);
	return (struct str){ copy, copy ? text.size : 0 };
}

/* Counts so many; true if one is to be kept. */
static bool count(struct findings *findings, const struct cause *cause, uint64_t many)
{
	struct kind *kind = kinds_find(&findings->kinds, cause);

	if (!kind) {
		findings->failed = true;
		return false;
	}
	kind->count += many;
	if (kind->kept == findings->limit)
		return false;
	kind->kept++;
	return true;
}

static void add(struct findings *findings, const struct cause *cause, struct str type,
		struct site site, struct str detail)
{
	struct finding finding = { *cause, site, keep(findings, type),
				   keep(findings, detail),
				   findings->items.count };

	findings->failed |= findings->arena.failed ||
			    !vec_push(&findings->items, finding);
}

void findings_add(struct findings *findings, const struct cause *cause, struct str type,
		  struct site site, const char *format, ...)
{
	char detail[256] = "";
	va_list arguments;

	if (!count(findings, cause, 1))
		return;
	if (format) {
		va_start(arguments, format);
		str_print(detail, sizeof(detail), format, arguments);
		va_end(arguments);
	}
	add(findings, cause, type, site, str_of(detail));
}

static void take_fault(void *context, const struct fault *fault)
{
	struct findings *findings = context;
	struct cause cause = { fault->cause,
			       fault->is_note ? SEVERITY_REMARK : SEVERITY_FAULT };

	if (count(findings, &cause, fault->count))
		add(findings, &cause, str_of(fault->type), fault->first,
		    str_of(fault->detail));
}

struct damage findings_damage(struct findings *findings)
{
	return (struct damage){ .sink = take_fault, .context = findings };
}

static int compare(const void *one, const void *other)
{
	const struct finding *a = one, *b = other;

	if (a->site.at != b->site.at)
		return a->site.at < b->site.at ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

void findings_sort(struct findings *findings, size_t from)
{
	if (from < findings->items.count)
		qsort(findings->items.items + from, findings->items.count - from,
		      sizeof(*findings->items.items), compare);
}

void findings_reset(struct findings *findings)
{
	findings->items.count = 0;
	findings->kinds.list.count = 0;
	findings->failed = false;
	arena_reset(&findings->arena);
}

void findings_clear(struct findings *findings)
{
	vec_clear(&findings->items);
	vec_clear(&findings->kinds.list);
	arena_clear(&findings->arena);
}
