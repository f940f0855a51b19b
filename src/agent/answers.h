/*
 * answers.h - what somebody who asked is told (control/message.h).
 *
 * Who does not read is waited for no longer than ANSWERS_PATIENCE, all in all, and then
 * takes nothing any more, as if the connection were closed. Where others closed our
 * descriptor, nothing is told to whoever is behind it now.
 */
#ifndef AGENT_ANSWERS_H
#define AGENT_ANSWERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/bell.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/fileid.h"
#include "base/now.h"

#define ANSWERS_PATIENCE (10 * SECOND)

struct answers {
	int connection;
	struct fileid id;
	int64_t patience;		/* that is left */
	bool is_gone;
	bool is_working;
	pthread_t worker;
	struct bell rest;
};

/* The connection stays the caller's, with what it was when it came. */
void answers_open(struct answers *to, int connection, const struct fileid *id);

/* False: nobody takes it. */
bool answers_say(struct answers *to, const char *word, const char *rest, int fd);
bool answers_say_failed(struct answers *to, const struct err *err);

/* Each line is a note. */
bool answers_say_notes(struct answers *to, const struct buf *lines);

/* From here on "working" is said once a second, until it is not. */
void answers_work(struct answers *to);
void answers_rest(struct answers *to);

#endif
