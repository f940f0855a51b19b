#include "render/roster.h"

#include <stdlib.h>

#include "base/utf.h"

static int compare(const void *a, const void *b)
{
	return str_compare(*(const struct str *)a, *(const struct str *)b);
}

static size_t widest(const struct str *texts, size_t count)
{
	size_t most = 0;

	for (size_t i = 0; i < count; i++) {
		size_t units = utf_units(texts[i]);

		most = units > most ? units : most;
	}
	return most;
}

/* The texts below each other, which is why there are as many as `height` at most. */
struct file {
	const struct str *texts;
	size_t count;
	size_t width;
};

static void add_text(struct buf *to, const struct file *file, size_t row)
{
	struct str text = file->texts[row];

	buf_byte(to, ' ');
	utf_add_output(to, text);
	buf_fill(to, ' ', file->width - utf_units(text));
}

static void add_rows(struct buf *to, const struct file *files, size_t file_count,
		     size_t height)
{
	for (size_t row = 0; row < height; row++) {
		if (row)
			buf_byte(to, '\n');
		for (size_t i = 0; i < file_count; i++) {
			if (row == files[i].count)
				return;
			add_text(to, &files[i], row);
		}
	}
}

void roster_add(struct buf *to, struct str *texts, size_t count, size_t columns)
{
	size_t height = (count + columns - 1) / columns, file_count = 0;
	struct file *files = calloc(columns, sizeof(*files));

	if (!files) {
		to->failed = true;
		return;
	}
	if (count)
		qsort(texts, count, sizeof(*texts), compare);
	for (size_t at = 0; at < count; at += height) {
		size_t left = count - at, here = left < height ? left : height;

		files[file_count++] = (struct file){ texts + at, here,
						     widest(texts + at, here) };
	}
	add_rows(to, files, file_count, height);
	free(files);
}
