/*
 * fully.h - all of it is written, or nothing counts; from file to file.
 */
#ifndef BASE_FULLY_H
#define BASE_FULLY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Writes all bytes, whatever signals come. False with errno. */
bool fully_write(int fd, const void *bytes, size_t size);

/*
 * Bytes of one file go to another, from where each is: `most`, or fewer, which does not mean
 * that there are no more. 0: there are none; -1 with errno.
 */
ssize_t fully_pass(int from, int to, size_t most);

#endif
