#include "show.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Reads back what was written to the descriptor. */
static void read_back(struct buf *text, int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *to = buf_room(text, (size_t)size);

	cr_assert(to && pread(fd, to, (size_t)size, 0) == size);
	text->size += (size_t)size;
}

void show(struct shown *shown, const struct made *made, const struct show *how)
{
	const struct printer *printer = how->printer ? how->printer : &pretty_printer;
	struct input input = { .zone_kind = printer->in_utc ? ZONE_UTC : ZONE_RECORDING };
	struct filter filter = { .events = str_of(how->events),
				 .categories = str_of(how->categories) };
	struct out out = { .fd = memfd_create("text", MFD_CLOEXEC) };
	struct listing_request request = {
		.input = &input,
		.filter = &filter,
		.printer = printer,
		.options = { .stack_depth = how->frames < 0 ? 0 : how->frames,
			     .exact = how->exact },
		.threads = how->threads ? how->threads : 1,
	};

	if (how->frames == 0)
		request.options.stack_depth = 5;
	*shown = (struct shown){ 0 };
	cr_assert(out.fd >= 0);
	cr_assert(input_of_bytes(&input, made->bytes, made->size, "made.jfr"));
	shown->good = listing_print(&request, &out, &shown->damage, &shown->err);
	cr_assert(out_close(&out, NULL));
	read_back(&shown->text, out.fd);
	close(out.fd);
	input_close(&input);
}

void shown_clear(struct shown *shown)
{
	buf_clear(&shown->text);
	damage_clear(&shown->damage);
}

uint64_t shown_faults(const struct shown *shown, const char *cause)
{
	for (size_t i = 0; i < shown->damage.faults.count; i++) {
		if (strcmp(shown->damage.faults.items[i].cause, cause) == 0)
			return shown->damage.faults.items[i].count;
	}
	return 0;
}

void show_compare(const struct made *made, const struct show *how, const char *wanted,
		  int line)
{
	struct shown shown;

	show(&shown, made, how);
	cr_expect(shown.good, "line %d: %s", line, shown.err.text);
	cr_expect(str_is(str_of(wanted),
			 (struct str){ shown.text.bytes, shown.text.size }),
		  "line %d, wanted:\n%s\nshown:\n%.*s", line, wanted,
		  (int)shown.text.size, shown.text.bytes);
	cr_expect(damage_is_none(&shown.damage), "line %d: damage", line);
	shown_clear(&shown);
}
