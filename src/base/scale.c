#include "base/scale.h"

#include <string.h>

/* No unit's name is longer. */
#define NAME_MAX_SIZE 16

const struct scale scale_of_bytes = { 1024, "b byte bytes" };

static bool is_name(const struct scale *scale, struct str name)
{
	struct str rest = str_of(scale->names), known;

	if (name.size == 0)
		return true;
	while (str_split(&rest, ' ', &known)) {
		if (str_is(known, name))
			return true;
	}
	return false;
}

static bool read_small(const struct scale *scale, struct str name, uint64_t *factor)
{
	static const char letters[] = "kmgtpe";
	const char *letter;

	if (is_name(scale, name))
		return true;
	letter = memchr(letters, *name.bytes, sizeof(letters) - 1);
	if (!letter)
		return false;
	for (const char *step = letters; step <= letter; step++)
		*factor *= scale->step;
	name = (struct str){ name.bytes + 1, name.size - 1 };
	if (scale->step == 1024 && name.size && *name.bytes == 'i')
		name = (struct str){ name.bytes + 1, name.size - 1 };
	return is_name(scale, name);
}

bool scale_read(const struct scale *scale, struct str text, uint64_t *factor)
{
	char small[NAME_MAX_SIZE];

	*factor = 1;
	if (text.size > sizeof(small))
		return false;
	for (size_t i = 0; i < text.size; i++) {
		char byte = text.bytes[i];

		small[i] = byte >= 'A' && byte <= 'Z' ? (char)(byte | 0x20) : byte;
	}
	return read_small(scale, (struct str){ small, text.size }, factor);
}
