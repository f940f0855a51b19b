#include "control/message.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define WAITING 64		/* connections that nobody has accepted yet */

/* Closes it and leaves errno alone. */
static void drop(int fd)
{
	int error = errno;

	if (fd >= 0)
		close(fd);
	errno = error;
}

/* The folder that the path lies in, opened; -1 with errno. */
static int open_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	int fd = folder ? open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;

	free(folder);
	return fd;
}

/*
 * An address has room for 107 bytes only, so a long path is told by way of its folder,
 * which stays open in *folder while the address is needed.
 */
static bool set_address(struct sockaddr_un *address, const char *path, int *folder)
{
	const char *slash = strrchr(path, '/');
	int size;

	*folder = -1;
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	size = snprintf(address->sun_path, sizeof(address->sun_path), "%s", path);
	if (size > 0 && (size_t)size < sizeof(address->sun_path))
		return true;
	*folder = open_folder(path);
	if (*folder < 0)
		return false;
	size = snprintf(address->sun_path, sizeof(address->sun_path),
			"/proc/self/fd/%d/%s", *folder, slash ? slash + 1 : path);
	if (size > 0 && (size_t)size < sizeof(address->sun_path))
		return true;
	drop(*folder);
	*folder = -1;
	errno = ENAMETOOLONG;
	return false;
}

typedef int assign(int fd, const struct sockaddr *address, socklen_t size);

/* A socket with the path as the address of this side, or of the other. */
static int open_socket(const char *path, assign *to)
{
	struct sockaddr_un address;
	int folder, fd;

	if (!set_address(&address, path, &folder))
		return -1;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	/* bind makes the file with the mode of the socket: nobody else may connect. */
	if (fd >= 0 && (fchmod(fd, S_IRUSR | S_IWUSR) != 0 ||
			to(fd, (const struct sockaddr *)&address, sizeof(address)) != 0)) {
		drop(fd);
		fd = -1;
	}
	drop(folder);
	return fd;
}

int message_listen(const char *path, struct err *err)
{
	int fd = open_socket(path, bind);

	if (fd >= 0 && listen(fd, WAITING) != 0) {
		drop(fd);
		fd = -1;
	}
	if (fd < 0)
		err_system(err, "cannot listen at '%s'", path);
	return fd;
}

static bool ask_peer(int connection, struct ucred *peer, struct err *err)
{
	socklen_t size = sizeof(*peer);

	return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, peer, &size) == 0 ||
	       err_system(err, "cannot tell who the other side is");
}

/* The other side: false if it belongs to somebody else. */
static bool know_peer(int connection, struct err *err)
{
	struct ucred peer;

	if (!ask_peer(connection, &peer, err))
		return false;
	return peer.uid == geteuid() || peer.uid == 0 ||
	       err_set(err, ERR_SYSTEM, "process %ld belongs to another user (%lu)",
		       (long)peer.pid, (unsigned long)peer.uid);
}

int message_connect(const char *path, struct err *err)
{
	int fd = open_socket(path, connect);

	if (fd < 0) {
		err_system(err, "cannot connect to '%s'", path);
		return -1;
	}
	if (know_peer(fd, err))
		return fd;
	drop(fd);
	return -1;
}

int message_connect_any(const char *path, long *pid, unsigned long *uid,
			struct err *err)
{
	int fd = open_socket(path, connect);
	struct ucred peer;

	if (fd < 0) {
		err_system(err, "cannot connect");
		return -1;
	}
	if (ask_peer(fd, &peer, err)) {
		*pid = peer.pid;
		*uid = peer.uid;
		return fd;
	}
	drop(fd);
	return -1;
}

int message_accept(int listener, struct err *err)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (err)
		err->kind = ERR_NONE;
	if (fd < 0) {
		if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
			err_system(err, "cannot accept a connection");
		return -1;
	}
	if (know_peer(fd, err))
		return fd;
	drop(fd);
	return -1;
}

/* Room for a descriptor that comes along. */
union carried {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr alignment;
};

static void carry(struct msghdr *packet, union carried *carried, int fd)
{
	struct cmsghdr *header;

	*carried = (union carried){ .bytes = { 0 } };
	packet->msg_control = carried;
	packet->msg_controllen = sizeof(carried->bytes);
	header = CMSG_FIRSTHDR(packet);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
}

bool message_send(int connection, const char *word, const char *rest, int fd,
		  struct err *err)
{
	struct iovec parts[] = {
		{ (void *)(uintptr_t)word, strlen(word) },
		{ (void *)(uintptr_t)" ", 1 },
		{ (void *)(uintptr_t)rest, strlen(rest) },
	};
	struct msghdr packet = { .msg_iov = parts,
				 .msg_iovlen = sizeof(parts) / sizeof(parts[0]) };
	union carried carried;
	ssize_t sent;

	if (parts[0].iov_len + 1 + parts[2].iov_len >= MESSAGE_MAX)
		return err_set(err, ERR_USAGE, "a message '%s' of %zu bytes is too long",
			       word, parts[2].iov_len);
	if (fd >= 0)
		carry(&packet, &carried, fd);
	do
		sent = sendmsg(connection, &packet, MSG_DONTWAIT | MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent >= 0 || err_system(err, "cannot send a message '%s'", word);
}

/*
 * Takes the descriptor that came with the packet; more than one is none of ours. Where
 * this process can have no more of them, the system drops it.
 */
static bool take_carried(struct msghdr *packet, int *fd)
{
	bool is_good = true;

	for (struct cmsghdr *header = CMSG_FIRSTHDR(packet); header;
	     header = CMSG_NXTHDR(packet, header)) {
		size_t size = header->cmsg_len - CMSG_LEN(0);

		if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t at = 0; at + sizeof(int) <= size; at += sizeof(int)) {
			if (*fd >= 0) {
				drop(*fd);
				is_good = false;
			}
			memcpy(fd, CMSG_DATA(header) + at, sizeof(int));
		}
	}
	return is_good && (*fd < 0 || !(packet->msg_flags & MSG_CTRUNC));
}

/* Takes the text apart into word and rest. */
static bool take_text(struct message *message, size_t size)
{
	char *blank;

	message->text[size] = '\0';
	blank = memchr(message->text, ' ', size);
	if (!blank || blank == message->text || memchr(message->text, '\0', size))
		return false;
	*blank = '\0';
	message->word = message->text;
	message->rest = blank + 1;
	return true;
}

static int fail(struct message *message)
{
	drop(message->fd);
	message->fd = -1;
	return -1;
}

int message_receive(int connection, struct message *message, struct err *err)
{
	struct iovec part = { message->text, sizeof(message->text) - 1 };
	union carried carried;
	struct msghdr packet = { .msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = &carried,
				 .msg_controllen = sizeof(carried.bytes) };
	struct ucred peer;
	ssize_t size;

	message->fd = -1;
	message->word = message->rest = "";
	if (err)
		err->kind = ERR_NONE;
	do
		size = recvmsg(connection, &packet, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	while (size < 0 && errno == EINTR);
	if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return 0;
	if (size < 0 && errno != ECONNRESET)
		err_system(err, "cannot receive a message");
	if (size < 0)
		return -1;
	/* Nobody is there any more; or a packet is empty, which may carry something, too. */
	if (!take_carried(&packet, &message->fd) || packet.msg_flags & MSG_TRUNC ||
	    size == 0 || !take_text(message, (size_t)size)) {
		if (size == 0)
			return fail(message);
		err_set(err, ERR_FORMAT, "a message that is none came");
		return fail(message);
	}
	/* Whose it is was seen when the connection was made. */
	if (!ask_peer(connection, &peer, err))
		return fail(message);
	message->pid = peer.pid;
	return 1;
}
