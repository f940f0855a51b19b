/*
 * fuzz_print.c - the input is a recording, of which every command shows all it can.
 */
#include <stdlib.h>

#include "fuzz/nowhere.h"
#include "render/declaration.h"
#include "render/listing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct input input_of(const uint8_t *data, size_t size)
{
	struct input input = { 0 };

	if (!input_of_bytes(&input, data, size, "input"))
		abort();
	return input;
}

static void declare(const uint8_t *data, size_t size)
{
	struct input input = input_of(data, size);
	struct damage damage = { 0 };
	struct buf text = { 0 };
	struct chunk chunk;
	struct err err;

	while (input_open_next(&input, &chunk, &damage, &err)) {
		for (size_t i = 0; i < chunk.metadata.type_count; i++) {
			buf_reset(&text);
			declaration_write(&text, &chunk.metadata.types[i], i % 2);
		}
		chunk_close(&chunk);
	}
	buf_clear(&text);
	damage_clear(&damage);
	input_close(&input);
}

static void print(const uint8_t *data, size_t size, const struct printer *printer,
		  bool exact)
{
	struct input input = input_of(data, size);
	struct filter filter = { 0 };
	struct listing_request request = {
		.input = &input,
		.filter = &filter,
		.printer = printer,
		.options = { .stack_depth = 3, .exact = exact },
		.threads = 1,
	};
	struct out out = { .fd = nowhere() };
	struct damage damage = { 0 };
	struct err err = { 0 };

	if (!listing_print(&request, &out, &damage, &err) && err.kind != ERR_FORMAT)
		abort();
	if (!out_close(&out, &err))
		abort();
	damage_clear(&damage);
	input_close(&input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0) /* recording_open lets none through */
		return 0;
	declare(data, size);
	print(data, size, &pretty_printer, false);
	print(data, size, &pretty_printer, true);
	print(data, size, &json_printer, false);
	print(data, size, &ndjson_printer, false);
	print(data, size, &xml_printer, false);
	print(data, size, &csv_printer, false);
	return 0;
}
