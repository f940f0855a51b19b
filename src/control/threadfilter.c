#include "control/threadfilter.h"

/* The next pattern, without the ! in front. */
static bool next(struct str *patterns, struct str *pattern, bool *is_out)
{
	if (!str_item(patterns, pattern))
		return false;
	*is_out = *pattern->bytes == '!';
	if (*is_out)
		*pattern = str_trim((struct str){ pattern->bytes + 1, pattern->size - 1 });
	return true;
}

bool threadfilter_check(struct str patterns, struct err *err)
{
	struct str pattern;
	bool is_out, is_any = false;

	while (next(&patterns, &pattern, &is_out)) {
		if (!pattern.size)
			return err_set(err, ERR_USAGE, "there is no name behind '!'");
		is_any = true;
	}
	return is_any || err_set(err, ERR_USAGE, "there is no name in it");
}

bool threadfilter_matches(struct str patterns, struct str name)
{
	struct str pattern;
	bool is_out, is_wanted = false, is_all = true;

	while (next(&patterns, &pattern, &is_out)) {
		bool is_match = str_glob(pattern, name);

		if (is_out && is_match)
			return false;
		is_wanted |= is_match;
		is_all &= is_out;
	}
	return is_wanted || is_all;
}
