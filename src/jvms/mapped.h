/*
 * mapped.h - what a process has in its memory: a JVM, a C library, our agent.
 */
#ifndef JVMS_MAPPED_H
#define JVMS_MAPPED_H

#include <stdbool.h>

#include "base/str.h"
#include "jvms/elf.h"
#include "jvms/process.h"

#define MAPPED_AGENT "libcjfragent.so"

/* Zeroed: nothing. Paths are as the system tells them to us; they are its own. */
struct mapped {
	char *jvm;		/* of libjvm.so, which it runs; NULL: it is no JVM */
	char *agent;		/* of our library; NULL: it is not loaded */
	bool is_openj9;		/* the JVM is not HotSpot */
	enum elf_libc libc;
};

/* False with errno: EACCES: it is not for us. mapped_clear in any case. */
bool mapped_read(struct mapped *mapped, const struct process *process);
void mapped_clear(struct mapped *mapped);

/* The part: the text of its file "maps". False without memory. */
bool mapped_parse(struct mapped *mapped, struct str text);

#endif
