#include "agent/log.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"
#include "base/str.h"
#include "control/places.h"

#define LINE_SIZE 1024

/* Where lines go: one log for a JVM, as there is one agent in it. */
static struct {
	pthread_mutex_t lock;
	char path[PATH_MAX];		/* "": nowhere */
	unsigned lines;
} the_log = { .lock = PTHREAD_MUTEX_INITIALIZER };

bool log_open(const char *folder)
{
	char *path = path_within(folder, PLACES_LOG);
	bool is_good = path && strlen(path) < sizeof(the_log.path);

	if (is_good) {
		pthread_mutex_lock(&the_log.lock);
		snprintf(the_log.path, sizeof(the_log.path), "%s", path);
		the_log.lines = 0;
		pthread_mutex_unlock(&the_log.lock);
	}
	free(path);
	return is_good;
}

void log_close(void)
{
	pthread_mutex_lock(&the_log.lock);
	the_log.path[0] = '\0';
	pthread_mutex_unlock(&the_log.lock);
}

/* Where the next line goes; false: there is to be none. */
static bool take_line(char path[PATH_MAX])
{
	bool is_one;

	pthread_mutex_lock(&the_log.lock);
	is_one = the_log.path[0] && the_log.lines < LOG_LINES;
	if (is_one) {
		the_log.lines++;
		memcpy(path, the_log.path, sizeof(the_log.path));
	}
	pthread_mutex_unlock(&the_log.lock);
	return is_one;
}

void log_say(const char *format, ...)
{
	char line[LINE_SIZE], text[LINE_SIZE - 64], path[PATH_MAX];
	time_t now = time(NULL);
	va_list arguments;
	struct tm tm;
	int fd, size;

	if (!take_line(path))
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
