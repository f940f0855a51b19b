/*
 * fuzz_secret.c - any bytes as command lines: they come out whole, but for stand-ins.
 */
#include <stdlib.h>
#include <string.h>

#include "host/processes.h"
#include "host/secret.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* True if all that is in `made` is in the text, in its order, or a stand-in. */
static bool is_made_of(struct str made, struct str text)
{
	size_t at = 0;

	for (size_t i = 0; i < made.size; i++) {
		while (at < text.size && text.bytes[at] != made.bytes[i])
			at++;
		if (at++ < text.size)
			continue;
		return false;
	}
	return true;
}

static void check(const struct buf *made, struct str text)
{
	struct buf visible = { 0 };
	struct str rest = { made->bytes, made->size }, standin = STR(SECRET_STANDIN);

	while (rest.size) {
		const char *found =
			memmem(rest.bytes, rest.size, standin.bytes, standin.size);
		size_t size = found ? (size_t)(found - rest.bytes) : rest.size;

		buf_add(&visible, rest.bytes, size);
		size += found ? standin.size : 0;
		rest = (struct str){ rest.bytes + size, rest.size - size };
	}
	if (!is_made_of((struct str){ visible.bytes, visible.size }, text))
		abort();
	buf_clear(&visible);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf line = { 0 }, arguments = { 0 }, plain = { 0 };
	char *bytes = malloc(size ? size : 1);
	struct str text = { bytes, size };

	if (!bytes)
		return 0;
	memcpy(bytes, data, size);
	secret_add_line(&line, text, true);
	check(&line, text);
	processes_add_line(&arguments, text, true);
	processes_add_line(&plain, text, false);
	check(&arguments, (struct str){ plain.bytes, plain.size });
	buf_clear(&line);
	buf_clear(&arguments);
	buf_clear(&plain);
	free(bytes);
	return 0;
}
