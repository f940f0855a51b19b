#include "cmd/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000
#define INTERVAL (SECOND / 5)

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * SECOND + time.tv_nsec;
}

static void amount(char *to, size_t size, double bytes)
{
	static const char *const units[] = { "bytes", "kB", "MB", "GB", "TB" };
	size_t unit = 0;

	while (bytes >= 1024 && unit < 4) {
		bytes /= 1024;
		unit++;
	}
	snprintf(to, size, bytes < 10 && unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

void progress_size(char to[PROGRESS_SIZE_MAX], uint64_t bytes)
{
	amount(to, PROGRESS_SIZE_MAX, (double)bytes);
}

static void add_grouped(struct buf *to, uint64_t number)
{
	if (number >= 1000) {
		add_grouped(to, number / 1000);
		buf_printf(to, ",%03u", (unsigned)(number % 1000));
	} else {
		buf_unsigned(to, number);
	}
}

void progress_sums(struct buf *to, uint64_t events, uint64_t bytes)
{
	char size[PROGRESS_SIZE_MAX];

	add_grouped(to, events);
	progress_size(size, bytes);
	buf_printf(to, " event%s, %s", events == 1 ? "" : "s", size);
}

int progress_text(char *to, size_t size, uint64_t done, uint64_t all, double seconds)
{
	char have[24], total[24], rate[24], left[32] = "";
	double speed = seconds > 0 ? (double)done / seconds : 0;

	amount(have, sizeof(have), (double)done);
	amount(rate, sizeof(rate), speed);
	if (!all || done > all)
		return snprintf(to, size, "  %s, %s/s", have, rate);
	amount(total, sizeof(total), (double)all);
	if (speed > 0)
		snprintf(left, sizeof(left), ", %.0f s left", (double)(all - done) / speed);
	return snprintf(to, size, "%4.0f%%  %s of %s, %s/s%s",
			100.0 * (double)done / (double)all, have, total, rate, left);
}

static void tick(void *context)
{
	struct progress *progress = context;
	int64_t time = now();
	char text[120];

	if (time - progress->start < SECOND || time - progress->shown < INTERVAL)
		return;
	progress->shown = time;
	progress->is_visible = true;
	progress_text(text, sizeof(text), input_position(progress->input),
		      progress->input->size,
		      (double)(time - progress->start) / SECOND);
	fprintf(stderr, "\r%s\033[K", text);
}

void progress_begin(struct progress *progress, struct input *input, bool is_printing)
{
	*progress = (struct progress){ .input = input, .start = now() };
	if (!isatty(STDERR_FILENO) || (is_printing && isatty(STDOUT_FILENO)))
		return;
	input->tick = tick;
	input->tick_context = progress;
}

void progress_end(struct progress *progress)
{
	if (progress->is_visible)
		fputs("\r\033[K", stderr);
	progress->is_visible = false;
}
