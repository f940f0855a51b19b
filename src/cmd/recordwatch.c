#include "cmd/recordwatch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/held.h"
#include "base/now.h"
#include "cmd/progress.h"
#include "cmd/recorded.h"
#include "cmd/usage.h"
#include "control/outname.h"
#include "control/written.h"
#include "salvage/leftfile.h"
#include "session/folder.h"

/* So often, and so long (nanoseconds), the end of a JVM is waited for. */
#define DEATH_PAUSES 100
#define DEATH_PAUSE (10 * MILLISECOND)

/* A process is there so much longer than its connections, at most. */
#define END_PATIENCE SECOND

/* --- the line on the terminal -------------------------------------------------- */

/* Not where somebody else has the terminal: that would stop a background job. */
static bool may_show(const struct watch *watch)
{
	return !watch->is_quiet && isatty(STDERR_FILENO) &&
	       tcgetpgrp(STDERR_FILENO) == getpgrp();
}

static void hide(struct watch *watch)
{
	if (watch->has_line)
		fputs("\r\033[K", stderr);
	watch->has_line = false;
}

/* "Recording 1:05, 12,345 events, 1.2 MB, 3 events lost"; NULL without memory. */
static char *line_of(const struct session *session)
{
	struct session_sums sums = session_sum(session);
	long long seconds = sums.nanos / SECOND;
	size_t count = session_recording(session);
	struct buf line = { 0 };

	buf_printf(&line, "Recording ");
	if (count > 1)
		buf_printf(&line, "%zu JVMs, ", count);
	if (seconds >= 3600)
		buf_printf(&line, "%lld:%02lld:%02lld, ", seconds / 3600,
			   seconds / 60 % 60, seconds % 60);
	else
		buf_printf(&line, "%lld:%02lld, ", seconds / 60, seconds % 60);
	progress_sums(&line, sums.events, sums.bytes);
	if (sums.lost)
		buf_printf(&line, ", %llu event%s lost", (unsigned long long)sums.lost,
			   sums.lost == 1 ? "" : "s");
	buf_byte(&line, '\0');
	if (line.failed)
		buf_clear(&line);
	return line.bytes;
}

/*
 * The cursor goes back to the front, so that what the command writes there covers the
 * line instead of being added to it.
 */
static void show(struct watch *watch)
{
	char *line = session_recording(watch->session) && may_show(watch)
			     ? line_of(watch->session) : NULL;

	if (!line)
		return;
	fprintf(stderr, "\r%s\033[K\r", line);
	watch->has_line = true;
	free(line);
}

/* --- recordings ---------------------------------------------------------------- */

/* True if another JVM has that name already. */
static bool is_taken(const struct watch *watch, const char *name)
{
	for (size_t i = 0; i < watch->session->guests.count; i++) {
		const char *other = watch->session->guests.items[i]->output;

		if (other && strcmp(other, name) == 0)
			return true;
	}
	return false;
}

/*
 * What the recording of the JVM will be called; NULL without memory. Its agent, which
 * knows of no others, is told, as it may have to write it.
 */
static char *name_output(const struct watch *watch, const struct guest *guest)
{
	char *name = outname_expand(watch->pattern, guest->pid, guest->begin_nanos);
	char *distinct = name;

	if (!name || !is_taken(watch, name))
		return name;
	for (unsigned tries = 0; distinct && is_taken(watch, distinct); tries++) {
		if (distinct != name)
			free(distinct);
		distinct = outname_distinct(name, guest->pid, tries);
	}
	free(name);
	if (distinct && !watch->is_quiet)
		complain(watch->invocation, "there is one more JVM, process %ld, whose "
			 "recording will be '%s'", guest->pid, distinct);
	if (distinct)
		written_say(guest->repository, distinct, false);
	return distinct;
}

/*
 * The program goes on. A JVM may also take some time to end, with a lot of memory for
 * instance, after its recording has.
 */
static bool is_over_early(const struct watch *watch, const struct guest *guest)
{
	int64_t due = guest->begin_nanos + watch->delay + watch->duration;

	return watch->duration && (guest->happened & GUEST_STOPPED) &&
	       !(guest->happened & GUEST_GONE) &&
	       now_nanos() >= due - SECOND / 2;
}

/* Its agent has said how its recording ended. */
static bool is_accounted_for(const struct guest *guest)
{
	return guest->happened & (GUEST_FAILED | GUEST_STOPPED);
}

/* The last counts of timed methods are missing, and maybe all. */
static bool is_cut(const struct watch *watch, const struct guest *guest)
{
	return watch->looks.cut && !is_accounted_for(guest);
}

static const char *look_of(const struct watch *watch, const struct guest *guest)
{
	return guest->is_idle	      ? watch->looks.idle
	       : is_cut(watch, guest) ? watch->looks.cut
				      : watch->looks.first;
}

static void tell_recorded(const struct watch *watch, const struct guest *guest,
			  const struct recorded *recorded)
{
	uint64_t lost = guest->sums.lost;
	struct buf text = { 0 };

	buf_text(&text, "Recorded ");
	progress_sums(&text, recorded->events, recorded->bytes);
	if (lost)
		buf_printf(&text, " (%llu more lost: buffers were full)",
			   (unsigned long long)lost);
	if (watch->pattern) {
		buf_text(&text, " in ");
		escape_shell(&text, str_of(guest->output));
	}
	if (guest->happened & GUEST_FAILED)
		buf_text(&text, " (recording ended early, see above)");
	else if (is_over_early(watch, guest))
		buf_text(&text, " (the duration is over, the program goes on)");
	if (watch->pattern) {
		buf_printf(&text, "; try: cjfr %s ", look_of(watch, guest));
		escape_shell(&text, str_of(guest->output));
	}
	if (!text.failed)
		fprintf(stderr, "%.*s\n", (int)text.size, text.bytes);
	buf_clear(&text);
}

/* Why there is nothing in the repository. */
static const char *reason(const struct watch *watch, const struct guest *guest)
{
	if (guest->happened & GUEST_FAILED)
		return ": it could not be recorded, see above";
	if (guest->sums.state == SPILL_RECORDING && watch->in_memory &&
	    guest->spill < 0)
		return ": it ended before it could write what was in its memory";
	if (guest->sums.state == SPILL_STARTING ||
	    (guest->sums.state == SPILL_STOPPED && watch->delay))
		return ": it ended before the recording began";
	return "";
}

/* Its agent does that by itself, if it knows where. */
static void tell_running(const struct watch *watch, const struct guest *guest,
			 bool is_written)
{
	const char *so_far = is_written ? "what it has recorded so far is written, "
					: "nothing is written yet, ";

	if (watch->pattern)
		complain(watch->invocation, "process %ld still runs; %sand when it ends, "
			 "the complete recording will be in '%s' (until then it is in "
			 "'%s')", guest->pid, so_far, guest->output, guest->repository);
	else
		complain(watch->invocation, "process %ld still runs; %sthe rest will be "
			 "in '%s'", guest->pid, so_far, guest->repository);
}

/*
 * How a JVM ended that did not end its recording. Of the command that is known, but maybe
 * only a little later than that its connection is closed.
 */
static const char *end_of(const struct watch *watch, const struct guest *guest,
			  char to[CHILD_TEXT_MAX])
{
	struct child *child = &watch->session->child;

	if (guest->pid == child->pid)
		child_await(child, END_PATIENCE);
	if (guest->pid != child->pid || !child->has_ended)
		return "ended at once";
	return child_text(child->status, to);
}

static void tell_incomplete(const struct watch *watch, const struct guest *guest,
			    const struct recorded *recorded)
{
	char text[CHILD_TEXT_MAX];
	const char *how, *there;

	if (is_accounted_for(guest))
		return;		/* a failure was told when it happened */
	how = end_of(watch, guest, text);
	there = !recorded->is_complete ? "its newest events, those since the last flush, "
					 "may be missing"
		: guest->sums.lost     ? "the recording goes up to that moment"
				       : "all its events up to that moment are in the "
					 "recording";
	complain(watch->invocation, "process %ld %s; %s%s", guest->pid, how, there,
		 is_cut(watch, guest) ? ", but for counts of timed methods since the last "
					"chunk (--period writes them more often)"
				      : "");
}

#define KEPT_FORMAT                                                                    \
	"%s%s%s was not written, but the data is still there: %s"
#define KEPT_PART_FORMAT                                                               \
	"%s%s%s was not written; what there was up to the last flush is still there: " \
	"%s; what came after it is lost (%s)"
#define KEPT_WHAT(guest_)                                                              \
	(guest_)->output ? "'" : "",                                                   \
		(guest_)->output ? (guest_)->output : "the recording",                 \
		(guest_)->output ? "'" : ""

/* The spill file, if there is something in it for which it has to be kept. */
static int spill_to_keep(const struct guest *guest, bool lives)
{
	return lives || guest->sums.state == SPILL_STOPPED ? -1 : guest->spill;
}

/* The command that makes a file of what is in the repository. */
static const char *rescue(struct buf *to, const struct guest *guest)
{
	buf_text(to, "cjfr assemble ");
	escape_shell(to, str_of(guest->repository));
	buf_text(to, " <file>");
	buf_byte(to, '\0');
	return to->failed ? "cjfr assemble" : to->bytes;
}

/* True if assemble makes something of it. */
static bool holds_recording(const char *repository)
{
	return folder_has_recording(repository) || leftfile_has_events(repository);
}

/*
 * The repository is all there is. What lies in memory, which goes with this process, is
 * put there first.
 */
static void tell_kept(struct watch *watch, const struct guest *guest, bool lives)
{
	const struct invocation *invocation = watch->invocation;
	int spill = spill_to_keep(guest, lives);
	char text[CHILD_TEXT_MAX];
	struct buf way = { 0 };
	struct err err = { ERR_NONE, "" };
	bool is_kept = spill < 0 || guest->is_kept ||
		       leftfile_keep(spill, guest->repository, &err);
	bool is_there = holds_recording(guest->repository);

	watch->has_failed = true;
	watch->must_keep |= is_there;
	if (!lives && !is_accounted_for(guest))
		complain(invocation, "process %ld %s", guest->pid,
			 end_of(watch, guest, text));
	if (!is_there)
		complain(invocation, "%s%s%s was not written, and the data is lost%s%s%s",
			 KEPT_WHAT(guest), is_kept ? "" : " (", err.text,
			 is_kept ? "" : ")");
	else if (is_kept)
		complain(invocation, KEPT_FORMAT, KEPT_WHAT(guest), rescue(&way, guest));
	else
		complain(invocation, KEPT_PART_FORMAT, KEPT_WHAT(guest),
			 rescue(&way, guest), err.text);
	buf_clear(&way);
}

/* What is to be said if this process has to end now. */
static void add_last_words(struct buf *to, const struct watch *watch)
{
	for (size_t i = 0; i < watch->session->guests.count; i++) {
		const struct guest *guest = watch->session->guests.items[i];
		struct buf way = { 0 };

		if (!guest->is_written && guest->repository &&
		    holds_recording(guest->repository))
			complaint(to, watch->invocation, KEPT_FORMAT, KEPT_WHAT(guest),
				  rescue(&way, guest));
		buf_clear(&way);
	}
}

/* What it had is written. */
static void leave_repository(struct watch *watch, const struct guest *guest, bool lives)
{
	if (lives)
		watch->must_keep = true;
	else if (!watch->preserve)
		folder_forget(watch->folder, guest->repository);
	else if (!watch->is_quiet)
		complain(watch->invocation, "the repository is kept in '%s'",
			 guest->repository);
}

static void tell_written(struct watch *watch, const struct guest *guest, bool lives,
			 const struct recorded *recorded)
{
	if (lives)
		tell_running(watch, guest, true);
	else
		tell_incomplete(watch, guest, recorded);
	if (!watch->is_quiet)
		tell_recorded(watch, guest, recorded);
	leave_repository(watch, guest, lives);
}

static void tell_nothing_of(struct watch *watch, const struct guest *guest, bool lives)
{
	if (lives)
		tell_running(watch, guest, false);
	else
		complain(watch->invocation, "nothing was recorded of process %ld%s",
			 guest->pid, reason(watch, guest));
	leave_repository(watch, guest, lives);
}

/*
 * True if the JVM still records. One that ends closes its files one after the other: the
 * connection may be the first. One that lives on may have lost it.
 */
static bool is_alive(const struct guest *guest)
{
	const struct timespec pause = { .tv_nsec = DEATH_PAUSE };
	bool is_written = true;

	if (guest->has_died || guest->happened & (GUEST_STOPPED | GUEST_FAILED))
		return false;
	if (guest_is_recording(guest))
		return true;
	for (int i = 0; i < DEATH_PAUSES && is_written; i++) {
		is_written = held_is(AT_FDCWD, guest->repository);
		if (is_written)
			nanosleep(&pause, NULL);
	}
	return is_written;
}

/* What is in memory alone goes to the repository, as writing may take for ever. */
static void keep_first(struct guest *guest, bool lives)
{
	int spill = spill_to_keep(guest, lives);

	if (spill >= 0 && !guest->is_kept)
		guest->is_kept = leftfile_keep(spill, guest->repository, NULL);
}

/* Of all that are over: while one is written, a signal may end this process. */
static void keep_all(const struct watch *watch)
{
	for (size_t i = 0; i < watch->session->guests.count; i++) {
		struct guest *guest = watch->session->guests.items[i];

		if (guest->repository && !guest->is_written)
			keep_first(guest, is_alive(guest));
	}
}

static enum recorded_how try_to_write(const struct watch *watch, struct guest *guest,
				      bool lives, struct recorded *recorded)
{
	const char *path = watch->pattern ? guest->output : "-";
	int spill = lives ? -1 : guest->spill;
	enum recorded_how how = RECORDED_FAILED;

	keep_first(guest, lives);
	if (spill < 0 && !folder_has_recording(guest->repository))
		how = RECORDED_NOTHING;
	else if (path)
		how = recorded_write(watch->invocation, guest->repository, spill, path,
				     watch->is_quiet, recorded);
	if (how == RECORDED_WRITTEN)
		written_say(guest->home ? guest->home : guest->repository, path, !lives);
	return how;
}

static void tell_failure(const struct watch *watch, const struct guest *guest)
{
	bool was_recording = guest->happened & GUEST_BEGAN;

	complain(watch->invocation, "process %ld: %s: %s%s", guest->pid,
		 was_recording ? "recording has stopped" : "cannot record",
		 guest->failure,
		 guest->happened & GUEST_GONE ? "" : " (the program goes on)");
}

/*
 * Who ends while something is written for it relies on us: nobody makes the complete
 * recording if we do not. From when it is left on, its agent does.
 */
static bool has_ended_meanwhile(const struct watch *watch, struct guest *guest)
{
	guest_leave(guest);
	guest_look(guest);
	if (guest->happened & ~guest->known & GUEST_FAILED)
		tell_failure(watch, guest);
	guest->known |= guest->happened & GUEST_FAILED;
	return !is_alive(guest);
}

/* False: what is written there once more is there twice. */
static bool is_replaceable(const struct watch *watch, const struct guest *guest)
{
	struct stat status;

	return watch->pattern && guest->output &&
	       (stat(guest->output, &status) != 0 || S_ISREG(status.st_mode));
}

/* It has ended since what it had recorded was written, and that cannot be replaced. */
static void tell_rest(struct watch *watch, struct guest *guest,
		      const struct recorded *recorded)
{
	struct buf way = { 0 };

	keep_first(guest, false);
	watch->must_keep = true;
	complain(watch->invocation, "process %ld has ended meanwhile; what it had "
		 "recorded until then is written, the complete recording is still "
		 "there: %s", guest->pid, rescue(&way, guest));
	buf_clear(&way);
	if (!watch->is_quiet)
		tell_recorded(watch, guest, recorded);
}

static void write_recording(struct watch *watch, struct guest *guest)
{
	struct recorded recorded;
	bool lives = is_alive(guest);
	enum recorded_how how = try_to_write(watch, guest, lives, &recorded);

	if (lives && has_ended_meanwhile(watch, guest)) {
		lives = false;
		if (how == RECORDED_NOTHING || is_replaceable(watch, guest)) {
			how = try_to_write(watch, guest, lives, &recorded);
		} else if (how == RECORDED_WRITTEN) {
			tell_rest(watch, guest, &recorded);
			return;
		}
	}
	if (how == RECORDED_WRITTEN)
		tell_written(watch, guest, lives, &recorded);
	else if (how == RECORDED_FAILED)
		tell_kept(watch, guest, lives);
	else
		tell_nothing_of(watch, guest, lives);
}

/*
 * The recording is as complete as it will be. Once for each JVM. It can take for ever:
 * the output may be a pipe that nobody reads.
 */
static void finish(struct watch *watch, struct guest *guest)
{
	struct buf last_words = { 0 };

	if (!guest->repository || guest->is_written)
		return;
	keep_all(watch);
	add_last_words(&last_words, watch);
	child_leave(&watch->session->child,
		    (struct str){ last_words.bytes, last_words.size });
	write_recording(watch, guest);
	child_return();
	guest->is_written = true;
	guest_settle(guest);
	buf_clear(&last_words);
}

/* --- what happens -------------------------------------------------------------- */

static void tell_warnings(struct watch *watch, const struct guest *guest)
{
	struct str rest = str_of(guest->warnings), line;

	while (str_split(&rest, '\n', &line))
		complain(watch->invocation, "process %ld: %.*s", guest->pid,
			 (int)line.size, line.bytes);
}

static void take_guest(struct watch *watch, struct guest *guest, unsigned what)
{
	if (what == GUEST_BEGAN && watch->pattern)
		guest->output = name_output(watch, guest);
	else if (what == GUEST_WARNED)
		tell_warnings(watch, guest);
	else if (what == GUEST_FAILED)
		tell_failure(watch, guest);
	else if (what == GUEST_STOPPED || what == GUEST_GONE)
		finish(watch, guest);
}

static void take_end(struct watch *watch)
{
	size_t count = session_recording(watch->session);

	if (count == 1)
		complain(watch->invocation, "the command has ended, but a JVM of it "
			 "still runs and is recorded; Ctrl-C ends the waiting");
	else if (count)
		complain(watch->invocation, "the command has ended, but %zu JVMs of it "
			 "still run and are recorded; Ctrl-C ends the waiting", count);
}

static bool has_met_one(const struct session *session)
{
	for (size_t i = 0; i < session->guests.count; i++) {
		const struct guest *guest = session->guests.items[i];

		if (guest->happened & (GUEST_BEGAN | GUEST_FAILED))
			return true;
	}
	return false;
}

static void tell_nothing(const struct watch *watch)
{
	bool has_failed = watch->session->child.status != 0;

	if (watch->archiving)
		complain(watch->invocation, "nothing was recorded: a JVM that makes an "
			 "archive of classes (%s) loads no agent", watch->archiving);
	else if (watch->is_java)
		complain(watch->invocation, "nothing was recorded: java ended without "
			 "loading the agent%s",
			 has_failed ? "; what it said itself may tell why" : "");
	else
		complain(watch->invocation, "nothing was recorded: no JVM reported%s; "
			 "one that runs as another user, or with a cleared environment, "
			 "cannot be recorded",
			 has_failed ? ", or it could not load the agent" : "");
}

static void take(struct watch *watch, const struct session_news *news)
{
	hide(watch);
	if (news->kind == SESSION_GUEST)
		take_guest(watch, news->guest, news->what);
	else if (news->kind == SESSION_TROUBLE)
		complain(watch->invocation, "%s", watch->session->trouble.text);
	else if (news->kind == SESSION_COMMAND_ENDED)
		take_end(watch);
}

bool watch_run(struct watch *watch)
{
	struct session *session = watch->session;
	struct session_news news = { .kind = SESSION_TICK };

	while (session_next(session, &news)) {
		if (news.kind == SESSION_TICK)
			show(watch);
		else
			take(watch, &news);
	}
	hide(watch);
	session_refuse(session);
	for (size_t i = 0; i < session->guests.count; i++)
		finish(watch, session->guests.items[i]);
	if (!has_met_one(session))
		tell_nothing(watch);
	return watch->must_keep || watch->preserve;
}
