#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "host/proc.h"
#include "jfr/rawtext.h"
#include "host/hostobservers.h"

/* What says which distribution it is: the first of them that there is. */
static const char *const release_files[] = {
	"/etc/oracle-release", "/etc/redhat-release", "/etc/SuSE-release",
	"/etc/gentoo-release", "/etc/system-release", "/etc/os-release",
	"/usr/lib/os-release", "/etc/lsb-release", "/etc/debian_version",
	"/etc/alpine-release",
};

/* Of such a file. */
#define RELEASE_MAX 4096

static void add_release(struct buf *to)
{
	char text[RELEASE_MAX];

	for (size_t i = 0; i < sizeof(release_files) / sizeof(release_files[0]); i++) {
		size_t size = sizeof(text);

		if (!proc_read_into(text, &size, release_files[i]))
			continue;
		buf_add(to, text, size);
		if (text[size - 1] != '\n')
			buf_byte(to, '\n');
		return;
	}
	buf_text(to, "Linux\n");
}

static void add_kernel(struct buf *to)
{
	struct utsname names;

	if (uname(&names) == 0)
		buf_printf(to, "uname: %s %s %s %s\n", names.sysname, names.release,
			   names.version, names.machine);
}

/* A libc that has no name for itself (musl) is not told. */
static void add_libc(struct buf *to)
{
#ifdef _CS_GNU_LIBC_VERSION
	char libc[64] = "", threads[64] = "";

	if (confstr(_CS_GNU_LIBC_VERSION, libc, sizeof(libc)) &&
	    confstr(_CS_GNU_LIBPTHREAD_VERSION, threads, sizeof(threads)))
		buf_printf(to, "libc: %s %s\n", libc, threads);
#endif
}

static void tell_system(struct recorder *recorder, struct batch *batch)
{
	struct buf text = { 0 };

	(void)recorder;
	add_release(&text);
	add_kernel(&text);
	add_libc(&text);
	batch_begin(batch, EVENT_OS_INFORMATION);
	encode_long(&batch->buf, batch->now);
	rawtext_encode_buf(&batch->buf, &text);
	batch_end(batch);
}

const struct observer operatingsystem_observer = {
	.name = "operating system",
	.periodic = (const struct periodic[]){
		{ EVENT_OS_INFORMATION, tell_system },
		{ 0 },
	},
};
