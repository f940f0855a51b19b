#include "cmd/filtering.h"

#include "cmd/usage.h"

typedef bool read_option(struct filter *filter, struct str text, struct err *err);

/* Options with one value each. */
static const struct {
	const char *name;
	size_t offset;
	read_option *read;
} readers[] = {
	{ "from", offsetof(struct filtering, from), filter_set_from },
	{ "to", offsetof(struct filtering, to), filter_set_to },
	{ "last", offsetof(struct filtering, last), filter_set_last },
	{ "min-duration", offsetof(struct filtering, min_duration),
	  filter_set_min_duration },
};

static bool read_options(const struct filtering *filtering, struct filter *filter,
			 struct err *err)
{
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		const char *const *value =
			(const void *)((const char *)filtering + readers[i].offset);

		if (*value && !readers[i].read(filter, str_of(*value), err))
			return err_within(err, "--%s", readers[i].name);
	}
	for (size_t i = 0; i < filtering->conditions.count; i++) {
		if (!filter_add_condition(filter,
					  str_of(filtering->conditions.items[i]), err))
			return err_within(err, "--where");
	}
	return filter_check(filter, err) || err_within(err, "--from, --to");
}

enum status filtering_read(const struct invocation *invocation,
			   const struct filtering *filtering, struct filter *filter)
{
	struct err err = { 0 };

	*filter = (struct filter){ .events = str_of(filtering->events),
				   .categories = str_of(filtering->categories),
				   .threads = str_of(filtering->threads) };
	if (filtering->last && (filtering->from || filtering->to))
		return complain_usage(invocation,
				      "--last goes with neither --from nor --to");
	if (filtering->threads && !*filtering->threads)
		return complain_usage(invocation, "--thread: it is empty");
	if (read_options(filtering, filter, &err))
		return STATUS_DONE;
	filter_clear(filter);
	if (err.kind != ERR_MEMORY)
		return complain_usage(invocation, "%s", err.text);
	complain(invocation, "%s", err.text);
	return STATUS_FAILED;
}
