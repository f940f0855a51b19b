#include "agent/log.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"
#include "base/str.h"
#include "control/places.h"

#define LINE_MAX 1024

/* Where lines go: one log for a JVM, as there is one agent in it. */
static _Atomic(char *) log_path;
static atomic_uint log_lines;

bool log_open(const char *folder)
{
	char *path = path_within(folder, PLACES_LOG);

	if (path)
		atomic_store(&log_path, path);
	return path != NULL;
}

void log_say(const char *format, ...)
{
	const char *path = atomic_load(&log_path);
	char line[LINE_MAX], text[LINE_MAX - 64];
	time_t now = time(NULL);
	va_list arguments;
	struct tm tm;
	int fd, size;

	if (!path || atomic_fetch_add(&log_lines, 1) >= LOG_LINES)
		return;
	va_start(arguments, format);
	str_print_line(text, sizeof(text), format, arguments);
	va_end(arguments);
	gmtime_r(&now, &tm);
	size = snprintf(line, sizeof(line), "%04d-%02d-%02dT%02d:%02d:%02dZ %s\n",
			tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
			tm.tm_min, tm.tm_sec, text);
	/*
	 * Opened each time: few lines are written, and no descriptor is held for them.
	 */
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW,
		  S_IRUSR | S_IWUSR);
	if (fd < 0)
		return;
	if (write(fd, line, (size_t)size) < 0)
		size = 0;	/* a full disk: nobody to tell */
	close(fd);
}

void log_line(const char *text)
{
	log_say("%s", text);
}
