/*
 * header.c - what a chunk says about itself in its first 68 bytes.
 *
 * Its size is looked at by recording_next, its offsets by chunk_open and
 * checkpoint_load.
 */
#include "verify/check.h"

/*
 * Without ticks or with a duration below zero, times cannot be right. What is merely
 * unlikely may be so. Flags and the newer minor versions change nothing for us: all
 * recordings that there are have compressed numbers, and so the JDK reads them.
 */
static const struct cause
	is_negative = FAULT("the chunk has a negative duration"),
	is_long = REMARK("the chunk lasts very long"),
	is_no_time = REMARK("the chunk begins at an unlikely time"),
	is_raw = REMARK("the header says that numbers are not compressed"),
	has_flags = REMARK("the header has flags that are not known"),
	is_new = REMARK("the version of the format is not known");

#define DAY_NANOS (INT64_C(86400) * 1000000000)

/* Where the fields are: the offset of each is the sum of the widths before it. */
struct layout {
	unsigned char magic[HEADER_MAGIC_SIZE];
#define X(name, width) unsigned char name[width];
	HEADER_FIELDS(X)
#undef X
};

#define AT(name) offsetof(struct layout, name)

static void check_times(struct check *check, const struct header *header)
{
	if (header->duration_nanos < 0)
		check_add(check, &is_negative, STR(""), AT(duration_nanos),
			  "%lld nanoseconds", (long long)header->duration_nanos);
	if (header->duration_nanos > 366 * DAY_NANOS)
		check_add(check, &is_long, STR(""), AT(duration_nanos), "%lld days",
			  (long long)(header->duration_nanos / DAY_NANOS));
	/* Before 2000, or after 2200: JFR came in 2012. */
	if (header->start_nanos < 10957 * DAY_NANOS ||
	    header->start_nanos > 84006 * DAY_NANOS)
		check_add(check, &is_no_time, STR(""), AT(start_nanos),
			  "%lld nanoseconds since 1970",
			  (long long)header->start_nanos);
}

void check_header(struct check *check)
{
	const struct header *header = &check->chunk->header;
	bool has_state = header->major == 2 && header->minor >= 1;
	int64_t flags = HEADER_COMPRESSED | (has_state ? HEADER_FINAL : 0);

	check_times(check, header);
	if (header->minor > (header->major == 2 ? 1 : 0))
		check_add(check, &is_new, STR(""), AT(major), "%d.%d",
			  (int)header->major, (int)header->minor);
	if (!(header->flags & HEADER_COMPRESSED))
		check_add(check, &is_raw, STR(""), AT(flags), NULL);
	if (header->flags & ~flags || header->pad || (!has_state && header->state))
		check_add(check, &has_flags, STR(""), AT(state), "%02x %02x %04x",
			  (unsigned)header->state, (unsigned)header->pad,
			  (unsigned)header->flags);
}
