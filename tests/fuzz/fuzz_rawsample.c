/*
 * fuzz_rawsample.c - samples as the signal handler writes them.
 *
 * What is read lies in the bytes; written and read again it is the same.
 */
#include <stdlib.h>
#include <string.h>

#include "jfr/encode.h"
#include "jfr/eventtypes.h"
#include "jfr/rawsample.h"

#define FRAMES 256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool is_so)
{
	if (!is_so)
		abort();
}

/* The frames that are whole, as many as we keep. */
static uint32_t read_frames(struct rawsample *sample, struct rawframe *frames)
{
	uint32_t count = 0;

	while (count < FRAMES && rawsample_next(sample, &frames[count])) {
		must(frames[count].type <= RAWFRAME_NATIVE);
		must(sample->at <= sample->end);
		count++;
	}
	return count;
}

static void check_again(const struct rawsample *sample, const struct rawframe *frames)
{
	char fields[9 + 6 * 9 + FRAMES * 14];
	struct rawframe again[FRAMES] = { 0 };
	struct rawsample read;
	struct buf event = { 0 };
	char *at = encode_varint_at(fields, EVENT_RAW_SAMPLE);

	at = rawsample_put(at, sample, frames);
	encode_event(&event, fields, (size_t)(at - fields));
	must(event.size <= rawsample_room(sample->count));
	must(rawsample_read(&read, event.bytes, event.size));
	must(read.ticks == sample->ticks && read.thread == sample->thread);
	must(read.flags == sample->flags && read.count == sample->count);
	must(read_frames(&read, again) == sample->count && read.at == read.end);
	for (uint32_t i = 0; i < sample->count; i++) {
		must(again[i].method == frames[i].method);
		must(again[i].bytecode == frames[i].bytecode);
		must(again[i].type == frames[i].type);
	}
	buf_clear(&event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rawframe frames[FRAMES] = { 0 };
	struct rawsample sample;
	char *bytes = malloc(size ? size : 1);

	if (!bytes)
		return 0;
	memcpy(bytes, data, size);
	if (rawsample_read(&sample, bytes, size)) {
		must(sample.end > bytes && sample.end <= bytes + size);
		must(sample.count <= size / 2);
		sample.count = read_frames(&sample, frames);
		check_again(&sample, frames);
	}
	free(bytes);
	return 0;
}
