/*
 * testdata.c - writes the sample recordings: testdata FOLDER.
 *
 * They land in FOLDER/testdata and, as seeds of the fuzz targets, in
 * FOLDER/tests/fuzz/corpus. testdata/README says what each is good for. Not run by
 * the build: the files are part of the sources, and running it must not change them.
 */
#include "testdata.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "shop.h"
#include "samples/stall.h"

static void check(bool good, const struct err *err)
{
	if (good)
		return;
	fprintf(stderr, "testdata: %s\n", err->text);
	exit(1);
}

void sample_finish(struct writer *writer)
{
	struct err err;

	check(writer_close(writer, &err), &err);
}

void sample_flush(struct writer *writer)
{
	struct err err;

	check(writer_flush(writer, &err), &err);
}

void sample_kill(struct writer *writer)
{
	writer_end(writer);
	check(writer->err.kind == ERR_NONE, &writer->err);
	writer->is_open = false;
}

void sample_begin(struct writer *writer, const struct schema_type *types,
		  int64_t seconds)
{
	struct header header = shop_header(seconds);

	schema_clear(&writer->schema);
	writer_describe(writer, make_jdk_types);
	writer_describe(writer, types);
	writer->now = header.start_ticks;
	writer_open(writer, &header);
}

void sample_small(struct writer *writer, int64_t seconds)
{
	int64_t tick = SHOP_TICK + seconds * SHOP_SECOND;

	sample_begin(writer, shop_sale_types, seconds);
	shop_sale(writer, tick + 100, 2000000, MAIN_THREAD, MAIN_STACK, "tea");
	shop_sale(writer, tick + 200, 3000000, CLERK_THREAD, SELL_STACK, "coffee");
	shop_constants(writer);
}

void sample_checkpoint(struct writer *writer, const struct make_value *values)
{
	int64_t before;

	writer_end(writer);
	before = writer->header.checkpoint_at;
	writer->header.checkpoint_at = (int64_t)writer_position(writer);
	before -= writer->header.checkpoint_at;
	writer_event(writer, EVENT_CHECKPOINT);
	make_values(&writer->buf, VALUES(LONG(0), LONG(0), LONG(before), BYTE(0)));
	make_values(&writer->buf, values);
	writer_end(writer);
}

void sample_put(struct buf *bytes, size_t at, int width, uint64_t number)
{
	struct buf big = { 0 };

	encode_big(&big, number, width);
	memcpy(bytes->bytes + at, big.bytes, big.size);
	buf_clear(&big);
}

void sample_save(const char *folder, const char *name, const struct buf *bytes)
{
	char path[4096];
	FILE *file;
	bool good;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "wb");
	good = file && (bytes->size == 0 || fwrite(bytes->bytes, bytes->size, 1, file) == 1);
	if (file && fclose(file) == 0 && good)
		return;
	fprintf(stderr, "testdata: %s: %s\n", path, strerror(errno));
	exit(1);
}

static void make(struct writer *writer, const struct sample *sample)
{
	if (sample->make) {
		sample->make(writer);
	} else if (sample->lines) {
		sample_picture(writer, sample->lines, sample->own);
	} else {
		stall_open(writer, 0);
		if (sample->sale)
			make_event(writer, "shop.Sale", sample->sale);
		writer_end(writer);
		if (sample->raw)
			make_values(&writer->buf, sample->raw);
		stall_end(writer);
	}
	if (writer->is_open)
		sample_finish(writer);
}

static void write_samples(const char *folder, const struct sample *sample)
{
	char name[64];

	for (; sample->name; sample++) {
		struct writer writer = { 0 };

		make(&writer, sample);
		if (sample->change)
			sample->change(&writer.buf);
		if (sample->at)
			sample_put(&writer.buf, sample->at, sample->width,
				   (uint64_t)sample->number);
		if (sample->cut)
			writer.buf.size = sample->cut;
		snprintf(name, sizeof(name), "%s%s", sample->name,
			 str_ends(str_of(sample->name), STR(".part")) ? "" : ".jfr");
		sample_save(folder, name, &writer.buf);
		writer_clear(&writer);
	}
}

static const struct sample *const lists[] = {
	good_samples,  object_samples,	odd_samples,
	shape_samples, damage_samples,	event_samples,
	pool_samples,  picture_samples, unfinished_samples,
	view_samples,
	sampler_samples,
	methods_samples,
	secret_samples,
};

/* The folders that samples are in: what a JVM calls a repository. */
static const char *const folders[] = {
	"repository",
	"repository-gap",
	"repository-autumn",
	"repository-closed",
	"repository-damaged",
	"repository-13",
	"spill-killed",
	"spill-memory",
	"spill-newer",
	"spill-damaged",
	"spill-foreign",
	"spill-short",
	"cjfr-single",
	"cjfr-single/2024_05_01_10_00_00_4711",
	"cjfr-couple",
	"cjfr-couple/2024_05_01_10_00_00_4711",
	"cjfr-couple/2024_05_01_10_00_00_4712",
};

static void write_recordings(const char *root)
{
	static const struct buf nothing = { 0 };
	struct buf notes = { 0 };
	char folder[2048], path[4096];

	snprintf(folder, sizeof(folder), "%s/testdata", root);
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, folders[i]);
		mkdir(path, 0777); /* may be there; if it can not, save says why */
	}
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		write_samples(folder, lists[i]);
	buf_text(&notes, "The JVM was killed at noon. Nobody knows who did it.\n");
	sample_save(folder, "repository/notes.txt", &notes);
	sample_save(folder, "repository-13/2024_05_01_10_00_30.jfr", &nothing);
	buf_clear(&notes);
	sample_spills(folder);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: testdata FOLDER\n");
		return 2;
	}
	write_recordings(argv[1]);
	sample_seeds(argv[1]);
	return 0;
}
