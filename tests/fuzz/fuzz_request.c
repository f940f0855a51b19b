/*
 * fuzz_request.c - a packet in which an agent is asked something: word, blank, lines.
 *
 * What is read is written, read and written again: the same.
 */
#include <stdlib.h>
#include <string.h>

#include "control/message.h"
#include "control/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good)
{
	if (!good)
		abort();
}

/* True if it was read; it is to be cleared in any case. */
static bool read(struct request *request, const char *word, const char *rest)
{
	struct err err = { 0 };
	bool is_good;

	request_init(request, REQUEST_CHECK);
	is_good = request_read(request, word, rest, &err);
	must(is_good || (err.kind == ERR_USAGE && *err.text));
	return is_good;
}

static void write(const struct request *request, struct buf *to)
{
	request_write(request, to);
	buf_byte(to, '\0');
	must(!to->failed);
}

static void check(const struct request *request)
{
	struct buf first = { 0 }, second = { 0 };
	struct request again;

	must(request->verb < REQUEST_VERBS && request->to <= REQUEST_TO_NOBODY);
	must(request->last >= 0 && request->name.size <= MESSAGE_MAX);
	must(request->arena.taken <= (size_t)16 * MESSAGE_MAX);
	write(request, &first);
	must(read(&again, request_word(request->verb), first.bytes));
	write(&again, &second);
	must(str_is(buf_as_str(&first), buf_as_str(&second)));
	request_clear(&again);
	buf_clear(&first);
	buf_clear(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[MESSAGE_MAX];
	struct request request;
	char *rest;

	size = size < sizeof(text) - 1 ? size : sizeof(text) - 1;
	memcpy(text, data, size);
	text[size] = '\0';
	rest = text + strcspn(text, " ");
	if (*rest)
		*rest++ = '\0';
	if (read(&request, text, rest))
		check(&request);
	request_clear(&request);
	return 0;
}
