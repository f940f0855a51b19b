/*
 * spills.c - repositories of our agent whose JVM was killed: chunk files, and a spill
 * file with what is in none of them.
 */
#include <stdio.h>

#include "testdata.h"
#include "unit/makeleft.h"

#define CHUNK "/2024_05_01_10_00_00.jfr"

/* Two slots and a block are enough. */
static void begin(struct madespill *made)
{
	makespill_open_as(made, 256, 3, 1024, 1);
	makeleft_begin(made);
}

/* Events 2 to 4 of two threads, and a sample. */
static void leave(const struct madespill *made)
{
	struct spill_block *block = makespill_block(made, SPILL_RECORDS, 0);
	struct spill_slot *slot = makespill_slot(made, 1, 1);

	makeleft_thread(block, 11, "cashier");
	makeleft_thread(block, 13, "clerk");
	makeleft_method(block, 30, 0xabc0);
	makeleft_event(slot, 11, 11, 2);
	makeleft_event(slot, 14, 11, 4);
	makeleft_event(makespill_slot(made, 2, 1), 12, 13, 3);
	makeleft_sample(makespill_slot(made, LANE_RAW | 3, 1), 13, 13, 0xabc0);
}

static void save_spill(const char *folder, const char *repository,
		       struct madespill *made)
{
	struct buf bytes = { 0 };
	char name[100];

	buf_add(&bytes, made->header, made->size);
	snprintf(name, sizeof(name), "%s/spill", repository);
	sample_save(folder, name, &bytes);
	buf_clear(&bytes);
	makespill_close(made);
}

/*
 * A chunk of ten seconds that was not finished. What is behind the end that its header
 * tells is in the spill file, too.
 */
static void save_chunk(const char *folder, const char *repository)
{
	struct buf bytes = { 0 };
	char name[100];

	makeleft_chunk(&bytes, 0, 10, 3);
	makeleft_add(&bytes, 11, 11, 2);
	snprintf(name, sizeof(name), "%s" CHUNK, repository);
	sample_save(folder, name, &bytes);
	buf_clear(&bytes);
}

static void save(const char *folder, const char *repository)
{
	struct madespill made;

	begin(&made);
	leave(&made);
	save_spill(folder, repository, &made);
}

static void save_newer(const char *folder)
{
	struct madespill made;

	save_chunk(folder, "spill-newer");
	begin(&made);
	leave(&made);
	made.header->version = 99;
	save_spill(folder, "spill-newer", &made);
}

/* What it was nobody can tell. */
static void save_foreign(const char *folder)
{
	struct madespill made;

	save_chunk(folder, "spill-foreign");
	begin(&made);
	leave(&made);
	made.header->magic[0] = 'X';
	save_spill(folder, "spill-foreign", &made);
}

/* An event of no type, and a slot that cannot be. */
static void save_damaged(const char *folder)
{
	struct madespill made;

	save_chunk(folder, "spill-damaged");
	begin(&made);
	makeleft_event(makespill_slot(&made, 1, 1), 11, 0, 2);
	makespill_put(makespill_slot_at(&made, 0), "\4\231\1\0", 4);
	makespill_slot(&made, 2, 1)->committed = 100000;
	save_spill(folder, "spill-damaged", &made);
}

/* The block is cut off; a log is there, too. */
static void save_short(const char *folder)
{
	static const char line[] = "2024-05-01T10:00:12Z no space left\n";
	struct buf log = { 0 };
	struct madespill made;

	save_chunk(folder, "spill-short");
	begin(&made);
	leave(&made);
	made.size -= 1000;
	save_spill(folder, "spill-short", &made);
	buf_text(&log, line);
	sample_save(folder, "spill-short/agent.log", &log);
	buf_clear(&log);
}

void sample_spills(const char *folder)
{
	save_chunk(folder, "spill-killed");
	save(folder, "spill-killed");
	save(folder, "spill-memory");
	save_newer(folder);
	save_damaged(folder);
	save_foreign(folder);
	save_short(folder);
	save(folder, "cjfr-single/2024_05_01_10_00_00_4711");
	save(folder, "cjfr-couple/2024_05_01_10_00_00_4711");
	save(folder, "cjfr-couple/2024_05_01_10_00_00_4712");
}
