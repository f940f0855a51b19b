/*
 * processor.h - which processors the machine has.
 */
#ifndef HOST_PROCESSOR_H
#define HOST_PROCESSOR_H

#include "base/buf.h"
#include "base/str.h"

/* How many there are, whoever may use them. */
struct processor_counts {
	int sockets;
	int cores;		/* of all sockets */
	int threads;		/* of all cores: what the kernel calls a CPU */
};

/*
 * From the folders cpu0, cpu1 ... to that many in a folder (/sys/devices/system/cpu).
 * Where they do not say, each is a core, in one socket.
 */
void processor_count(struct processor_counts *counts, const char *folder, int threads);

/* From the text of /proc/cpuinfo: the name of the first, and a line for each trait. */
struct str processor_name(struct str text);
void processor_describe(struct buf *to, struct str text);

#endif
