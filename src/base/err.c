#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

bool err_set(struct err *err, enum err_kind kind, const char *format, ...)
{
	char text[sizeof(err->text)]; /* an argument may be err->text itself */
	va_list args;

	if (!err)
		return false;
	va_start(args, format);
	str_print_line(text, sizeof(text), format, args);
	va_end(args);
	err->kind = kind;
	memcpy(err->text, text, strlen(text) + 1);
	return false;
}

bool err_system(struct err *err, const char *format, ...)
{
	int number = errno;
	char text[sizeof(err->text)];
	char reason[128];
	va_list args;
	size_t size;

	if (!err)
		return false;
	snprintf(reason, sizeof(reason), " (%m)");

	/* A long path must not push the reason out. */
	size = strlen(reason);
	va_start(args, format);
	str_print_line(text, sizeof(text) - size, format, args);
	va_end(args);
	err->kind = ERR_SYSTEM;
	snprintf(err->text, sizeof(err->text), "%.*s%s", (int)(sizeof(text) - size - 1),
		 text, reason);
	errno = number;
	return false;
}

bool err_memory(struct err *err)
{
	return err_set(err, ERR_MEMORY, "out of memory");
}

bool err_within(struct err *err, const char *format, ...)
{
	char where[sizeof(err->text)];
	va_list args;
	size_t length, size;

	if (!err)
		return false;

	/* The cause matters most: what does not fit is cut from the place. */
	length = strlen(err->text);
	if (length + sizeof("...: ") > sizeof(where))
		return false;
	va_start(args, format);
	str_print_line(where, sizeof(where) - length - 2, format, args);
	va_end(args);
	size = strlen(where);
	memmove(err->text + size + 2, err->text, length + 1);
	memcpy(err->text, where, size);
	memcpy(err->text + size, ": ", 2);
	return false;
}
