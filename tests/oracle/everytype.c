/*
 * everytype.c - writes a recording with one event of each type of our engine to
 * standard output.
 */
#include <stdio.h>

#include "../everytype.h"

int main(void)
{
	struct writer writer = { .now = 0 };
	struct err err = { 0 };

	if (!everytype_write(&writer) || !writer_close(&writer, &err)) {
		fprintf(stderr, "everytype: %s\n", err.text);
		return 1;
	}
	fwrite(writer.buf.bytes, 1, writer.buf.size, stdout);
	writer_clear(&writer);
	return fflush(stdout) ? 1 : 0;
}
