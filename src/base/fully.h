/*
 * fully.h - all of it is written, or nothing counts.
 */
#ifndef BASE_FULLY_H
#define BASE_FULLY_H

#include <stdbool.h>
#include <stddef.h>

/* Writes all bytes, whatever signals come. False with errno. */
bool fully_write(int fd, const void *bytes, size_t size);

#endif
