#include "spilled.h"

#include <criterion/criterion.h>

struct madespill spilled_file;
struct spill spilled;
struct err spilled_err;

void spilled_begin(void)
{
	makespill_open(&spilled_file, 6, 8);
}

void spilled_end(void)
{
	makespill_close(&spilled_file);
}

bool heard_events(void *context, uint64_t lane, const char *bytes, size_t size)
{
	struct heard *heard = context;

	cr_assert_gt(size, 0);
	if (--heard->left == 0)
		return false;
	if (heard->text.size == 0 || lane != heard->lane)
		buf_printf(&heard->text, "%s%s%d:", heard->text.size ? " " : "",
			   lane & LANE_RAW ? "r" : "", (int)(lane & ~LANE_RAW));
	for (size_t at = 0; at < size; at += (unsigned char)bytes[at])
		buf_byte(&heard->text, bytes[at + 2]);
	heard->lane = lane;
	return true;
}

/* "1001/5=tea " for a record. */
bool heard_record(void *context, uint32_t type, uint64_t key, const char *bytes,
		  size_t size)
{
	struct heard *heard = context;

	if (--heard->left == 0)
		return false;
	buf_printf(&heard->text, "%d/%d=%.*s ", (int)type, (int)key, (int)size, bytes);
	return true;
}

void heard_expect(struct heard *heard, const char *expected)
{
	buf_byte(&heard->text, 0);
	cr_expect_str_eq(heard->text.bytes, expected);
	buf_clear(&heard->text);
}

void spilled_open(bool is_done)
{
	cr_assert(spill_open(&spilled, spilled_file.fd, &spilled_err), "%s",
		  spilled_err.text);
	spilled.is_done = is_done;
}

/* What is told of the file as it is now, and how much of it is damaged. */
void spilled_expect(bool is_done, const char *events, uint64_t damaged)
{
	struct heard listener = { 0 };

	spilled_open(is_done);
	if (*events)
		cr_expect(spill_has_events(&spilled));
	cr_expect(spill_events(&spilled, heard_events, &listener, &spilled_err), "%s",
		  spilled_err.text);
	cr_expect_eq(spilled.damaged, damaged, "%d damaged", (int)spilled.damaged);
	heard_expect(&listener, events);
	spill_close(&spilled);
}

void spilled_events(const char *events)
{
	spilled_expect(false, events, 0);
}

/* A batch of so many events of 8 bytes, one more mark for each. */
void spilled_keep(uint64_t flush, int events, char mark)
{
	char bytes[1024];

	for (int i = 0; i < events; i++)
		makespill_event_at(bytes + 8 * i, 8, (char)(mark + i));
	makespill_batch(&spilled_file, flush, (uint64_t)events, bytes,
			8 * (size_t)events);
	spilled_file.header->flush = flush;
}

/* Where the block was, there is none. */
void spilled_lose(uint64_t number)
{
	uint32_t place = 0;

	while (makespill_block_at(&spilled_file, place)->number != number)
		place++;
	makespill_block_at(&spilled_file, place)->kind = SPILL_FREE;
}
