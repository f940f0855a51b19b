#include "jfr/damage.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *site_text(const struct site *site, char to[SITE_TEXT_MAX])
{
	unsigned long long at = site->at;

	*to = '\0';
	if (site->chunk != SITE_NO_CHUNK)
		snprintf(to, SITE_TEXT_MAX, "chunk %zu at byte %llu: ",
			 site->chunk + 1, at);
	else if (site->at != SITE_NO_BYTE)
		snprintf(to, SITE_TEXT_MAX, "at byte %llu: ", at);
	return to;
}

static void damage_count(struct damage *damage, const struct fault *fault)
{
	if (damage->sink) {
		damage->sink(damage->context, fault);
		return;
	}
	for (size_t i = 0; i < damage->faults.count; i++) {
		struct fault *known = &damage->faults.items[i];

		if (known->first.file == fault->first.file &&
		    strcmp(known->cause, fault->cause) == 0) {
			known->count += fault->count;
			return;
		}
	}
	(void)vec_push(&damage->faults, *fault);	/* without memory: untold */
}

void damage_add(struct damage *damage, const char *cause, struct str type,
		struct site site)
{
	struct fault fault = { .cause = cause, .first = site, .count = 1 };

	type = str_front(type, sizeof(fault.type) - 1);
	if (type.size)
		memcpy(fault.type, type.bytes, type.size);
	damage_count(damage, &fault);
}

void damage_add_detail(struct damage *damage, const char *cause, struct site site,
		       const char *format, ...)
{
	struct fault fault = { .cause = cause, .first = site, .count = 1 };
	va_list arguments;

	va_start(arguments, format);
	str_print(fault.detail, sizeof(fault.detail), format, arguments);
	va_end(arguments);
	damage_count(damage, &fault);
}

void damage_note(struct damage *damage, const char *cause, struct site site)
{
	struct fault fault = { .cause = cause, .first = site, .count = 1,
			       .is_note = true };

	damage_count(damage, &fault);
}

void damage_merge(struct damage *damage, struct damage *from)
{
	for (size_t i = 0; i < from->faults.count; i++)
		damage_count(damage, &from->faults.items[i]);
	from->faults.count = 0;
}

bool damage_is_none(const struct damage *damage)
{
	for (size_t i = 0; i < damage->faults.count; i++) {
		if (!damage->faults.items[i].is_note)
			return false;
	}
	return true;
}

void damage_clear(struct damage *damage)
{
	vec_clear(&damage->faults);
}
