/*
 * feeds.h - what an input consists of: files, those of directories, and what else was
 * left there. The input's (input.h), which reads them.
 */
#ifndef JFR_FEEDS_H
#define JFR_FEEDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "jfr/damage.h"
#include "jfr/known.h"
#include "jfr/recording.h"
#include "jfr/run.h"

/*
 * What a JVM left behind (salvage.h) besides the files of a directory: it follows them,
 * and belongs to their run. Of one of those, which was being written, only so much is
 * read: its other events are in the rest.
 */
struct input_rest {
	const char *directory;		/* as it is given to input_open */
	const char *cut;		/* path of that file; NULL: there is none */
	uint64_t cut_size;		/* 0: the file is left out */
	const char *name;		/* of the rest, for those who look for it */
	const void *bytes;		/* a recording, which is borrowed */
	size_t size;			/* 0: there is none */
};

/* A file, or the rest of a directory. */
struct feed {
	const char *path;
	const struct input_rest *rest;	/* it is that; NULL: a file */
	uint64_t cut;			/* so much of the file is read; 0: all */
	struct recording *recording;	/* NULL: not open at the moment */
	struct run *run;
	int64_t start_nanos;		/* of its next chunk */
	bool is_foreign_allowed;	/* from a directory: need not be a recording */
	bool is_foreign;		/* and is none */
	bool has_begun;
	bool is_done;
};

struct feeds {
	const struct input_rest *rests;	/* borrowed */
	size_t rest_count;
	uint64_t size;			/* of all, 0 if that is not known */
	VEC(struct feed) all;
	VEC(struct run *) runs;
	struct known *known;		/* metadata of all runs; NULL: there is no run */
	VEC(char *) names;		/* of files in directories */
};

/* Told with the reason. */
#define FEEDS_DIRECTORY_LOST "this directory is left out"

/*
 * Adds a file, "-" is standard input, or the files of a directory in the order of their
 * names, and its rest. ERR_SYSTEM, ERR_MEMORY.
 */
bool feeds_add(struct feeds *feeds, const char *path, struct damage *damage,
	       struct err *err);

/* A run for one of the caller's; and adds that. Without memory: NULL, false. */
struct run *feeds_run(struct feeds *feeds);
bool feeds_put(struct feeds *feeds, struct feed feed);

/* Bytes that are read of it; 0: it is not known. */
uint64_t feed_size(const struct feed *feed);

/* True if a file of that name lies in a repository of ours, and is no recording. */
bool feeds_is_beside(const char *path);

/* Recordings must be closed before. */
void feeds_clear(struct feeds *feeds);

#endif
