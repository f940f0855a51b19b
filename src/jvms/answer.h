/*
 * answer.h - what a JVM says to a command of the attach protocol.
 *
 * A line with a number, then text. JVMs of different versions say the same in different
 * ways; some give 0 for what did not succeed.
 */
#ifndef JVMS_ANSWER_H
#define JVMS_ANSWER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"

/* False: it does not begin with a number and a newline. */
bool answer_parse(struct str answer, int *code, struct str *text);

/* The version of the protocol that "getversion" told; 1 if it told none. */
int answer_version(int code, struct str text);

enum answer_load {
	ANSWER_LOADED,
	ANSWER_NOT_LOADED,	/* the library could not be; another folder may be better */
	ANSWER_REFUSED,		/* by the JVM, or by our agent in it */
};

/* Of "load"; if it did not succeed, ERR_SYSTEM. */
enum answer_load answer_of_load(pid_t pid, int code, struct str text, struct err *err);

#endif
