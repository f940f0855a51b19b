#include "session/guest.h"

#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/now.h"
#include "base/number.h"
#include "control/message.h"

/* The C library has it only since lately. */
static int open_process(long pid)
{
	return pid > 0 ? (int)syscall(SYS_pidfd_open, (pid_t)pid, 0) : -1;
}

struct guest *guest_new(int connection)
{
	struct guest *guest = calloc(1, sizeof(*guest));

	if (!guest) {
		close(connection);
		return NULL;
	}
	guest->connection = connection;
	guest->process = -1;
	guest->spill = -1;
	return guest;
}

void guest_settle(struct guest *guest)
{
	if (guest->spill >= 0)
		close(guest->spill);
	guest->spill = -1;
}

static void hang_up(struct guest *guest)
{
	if (guest->connection >= 0)
		close(guest->connection);
	guest->connection = -1;
}

void guest_free(struct guest *guest)
{
	if (!guest)
		return;
	hang_up(guest);
	guest_settle(guest);
	if (guest->process >= 0)
		close(guest->process);
	free(guest->repository);
	free(guest->home);
	free(guest->output);
	free(guest);
}

static void fail(struct guest *guest, const char *text)
{
	if (guest->happened & GUEST_FAILED)
		return;
	snprintf(guest->failure, sizeof(guest->failure), "%s", text);
	guest->happened |= GUEST_FAILED;
}

/* Those that the caller knows are not told again; those for which there is no room, never. */
static void take_warning(struct guest *guest, const char *text)
{
	size_t size;

	if (guest->known & GUEST_WARNED)
		guest->warnings[0] = '\0';
	guest->known &= ~GUEST_WARNED;
	guest->happened |= GUEST_WARNED;
	size = strlen(guest->warnings);
	if (size + strlen(text) + 2 <= sizeof(guest->warnings))
		snprintf(guest->warnings + size, sizeof(guest->warnings) - size, "%s\n",
			 text);
}

/* "hello REPOSITORY", with the spill file, which is kept until the JVM is gone. */
static void take_hello(struct guest *guest, struct message *message)
{
	struct spill_header header;
	struct err err = { 0 };

	if (guest->happened & GUEST_BEGAN)
		return;
	guest->repository = strdup(message->rest);
	if (!guest->repository)
		fail(guest, "out of memory");
	guest->spill = message->fd;
	message->fd = -1;
	guest->process = open_process(message->pid);
	if (guest->spill >= 0 && !spill_look(guest->spill, &header, &err))
		fail(guest, err.text);
	else if (guest->spill >= 0 && guest->pid <= 0)	/* of another PID namespace */
		guest->pid = (long)header.pid;
	if (guest->begin_nanos <= 0)
		guest->begin_nanos = now_nanos();
	guest->happened |= GUEST_BEGAN;
}

/* "began NANOS", which comes before. */
static void take_begin(struct guest *guest, const char *text)
{
	if (!(guest->happened & GUEST_BEGAN))
		number_java(str_of(text), &guest->begin_nanos);
}

/* Others are recorded there, and go on: what is in the spill file is theirs. */
static void take_own_folder(struct guest *guest, const char *folder)
{
	char *repository = strdup(folder);

	if (!repository) {
		fail(guest, "out of memory");
		return;
	}
	guest->home = guest->repository;
	guest->repository = repository;
	guest_settle(guest);
}

/* "stopped ": the spill file's header says that, too, where there is one. */
static void take_stop(struct guest *guest, const char *folder)
{
	if (*folder && guest->repository && !guest->home &&
	    !(guest->happened & GUEST_STOPPED))
		take_own_folder(guest, folder);
	guest->happened |= GUEST_STOPPED;
	guest->sums.state = SPILL_STOPPED;
}

static void take(struct guest *guest, struct message *message)
{
	if (message->pid > 0)
		guest->pid = message->pid;
	if (strcmp(message->word, MESSAGE_BEGAN) == 0)
		take_begin(guest, message->rest);
	else if (strcmp(message->word, MESSAGE_HELLO) == 0)
		take_hello(guest, message);
	else if (strcmp(message->word, MESSAGE_WARNING) == 0)
		take_warning(guest, message->rest);
	else if (strcmp(message->word, MESSAGE_FAILED) == 0)
		fail(guest, message->rest);
	else if (strcmp(message->word, MESSAGE_IDLE) == 0)
		guest->is_idle = true;
	else if (strcmp(message->word, MESSAGE_STOPPED) == 0)
		take_stop(guest, message->rest);
	if (message->fd >= 0)
		close(message->fd);
}

static void listen_to(struct guest *guest)
{
	struct message message;
	struct err err = { 0 };
	int got;

	while (guest->connection >= 0 &&
	       (got = message_receive(guest->connection, &message, &err)) != 0) {
		if (got > 0) {
			take(guest, &message);
			continue;
		}
		if (err.kind != ERR_NONE)
			fail(guest, err.text);
		hang_up(guest);
	}
}

/* What it has said until then, it has said to us. */
void guest_leave(struct guest *guest)
{
	if (guest->connection < 0)
		return;
	shutdown(guest->connection, SHUT_RDWR);
	listen_to(guest);
	hang_up(guest);
}

/* Its descriptor can be read when all its threads have ended. */
static bool has_ended(int process)
{
	struct pollfd polled = { .fd = process, .events = POLLIN };

	return poll(&polled, 1, 0) == 1;
}

/* By its number alone: some file systems have several devices. */
static bool is_of_file(const char *line, const struct stat *file)
{
	uintmax_t inode;

	return sscanf(line, "%*x-%*x %*s %*x %*x:%*x %ju", &inode) == 1 &&
	       inode == file->st_ino;
}

/* True also where that cannot be known. */
static bool has_mapped_spill(const struct guest *guest)
{
	char path[40], line[1024];
	struct stat file;
	bool has = false;
	FILE *maps;

	if (guest->spill < 0 || !guest->repository ||
	    fstat(guest->spill, &file) != 0)
		return true;
	snprintf(path, sizeof(path), "/proc/%ld/maps", guest->pid);
	maps = fopen(path, "re");
	if (!maps)
		return true;
	while (!has && fgets(line, sizeof(line), maps))
		has = is_of_file(line, &file) || strstr(line, guest->repository);
	fclose(maps);
	return has;
}

/*
 * A process that it has forked off may hold its connection, and it may have lost that and
 * live on: where it can be seen, only its end counts. But it may have become another
 * program (execve), which has nothing of us.
 */
static bool is_there(const struct guest *guest)
{
	return guest->connection >= 0 ||
	       (guest->process >= 0 && has_mapped_spill(guest));
}

static void look_at_process(struct guest *guest)
{
	guest->has_died |= guest->process >= 0 && has_ended(guest->process);
	if (!guest->has_died && is_there(guest))
		return;
	listen_to(guest);	/* to what it said before it ended */
	hang_up(guest);
	if (guest->process >= 0)
		close(guest->process);
	guest->process = -1;
	guest->happened |= GUEST_GONE;
}

static void take_failure(struct guest *guest)
{
	struct spill_header header;

	/* Once more: its message may have been read before its state. */
	if (!spill_look(guest->spill, &header, NULL))
		return;
	header.message[sizeof(header.message) - 1] = '\0';
	fail(guest, header.message);
}

/* A file that has become none: then the sums stay as they were. */
static void look_at_spill(struct guest *guest)
{
	struct spill_header header;

	if (guest->spill < 0 || !spill_look(guest->spill, &header, NULL))
		return;
	guest->sums = (struct guest_sums){
		.state = (enum spill_state)header.state,
		.events = header.events,
		.bytes = header.bytes,
		.chunks = header.chunks,
		.lost = header.lost_events,
	};
	if (guest->sums.state == SPILL_STOPPED)
		guest->happened |= GUEST_STOPPED;
	if (guest->sums.state == SPILL_FAILED)
		take_failure(guest);
}

void guest_look(struct guest *guest)
{
	listen_to(guest);
	look_at_process(guest);
	look_at_spill(guest);
}

unsigned guest_descriptors(const struct guest *guest)
{
	return (guest->connection >= 0) + (guest->process >= 0) + (guest->spill >= 0);
}

bool guest_is_recording(const struct guest *guest)
{
	return !(guest->happened & (GUEST_GONE | GUEST_STOPPED | GUEST_FAILED));
}
