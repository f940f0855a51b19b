#include "jvms/mapped.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX ((size_t)32 << 20)

/*
 * "7f12-7f34 r-xp 00000000 fe:00 1234   /usr/lib/libc.so.6": what may be executed, and
 * the path; a file that was removed has " (deleted)" behind it.
 */
static bool parse_line(struct str line, struct str *path)
{
	const char *at = line.size ? memchr(line.bytes, '/', line.size) : NULL;
	const char *rights = line.size ? memchr(line.bytes, ' ', line.size) : NULL;
	const char *end = line.bytes + line.size;

	if (!at || !rights || end - rights < 5 || rights[3] != 'x')
		return false;
	*path = (struct str){ at, (size_t)(end - at) };
	if (str_ends(*path, STR(" (deleted)")))
		path->size -= sizeof(" (deleted)") - 1;
	return true;
}

static bool take_path(char **to, struct str path)
{
	if (!*to)
		*to = strndup(path.bytes, path.size);
	return *to != NULL;
}

static bool take(struct mapped *mapped, struct str path)
{
	struct str name = str_after_last(path, '/');

	if (str_is(name, STR("libjvm.so")))
		return take_path(&mapped->jvm, path);
	if (str_is(name, STR(MAPPED_AGENT)))
		return take_path(&mapped->agent, path);
	if (str_starts(name, STR("libj9vm")))
		mapped->is_openj9 = true;
	else if (str_starts(name, STR("ld-musl-")))
		mapped->libc = ELF_LIBC_MUSL;
	else if (str_starts(name, STR("libc.so.6")) || str_starts(name, STR("libc-2.")))
		mapped->libc = ELF_LIBC_GLIBC;
	return true;
}

bool mapped_parse(struct mapped *mapped, struct str text)
{
	struct str line, path;

	while (str_split(&text, '\n', &line)) {
		if (parse_line(line, &path) && !take(mapped, path))
			return false;
	}
	return true;
}

bool mapped_read(struct mapped *mapped, const struct process *process)
{
	struct buf text = { NULL };
	bool is_read;

	memset(mapped, 0, sizeof(*mapped));
	is_read = process_read(process, "maps", TEXT_MAX, &text);
	if (is_read && !mapped_parse(mapped, buf_as_str(&text))) {
		is_read = false;
		errno = ENOMEM;
	}
	buf_clear(&text);
	return is_read;
}

void mapped_clear(struct mapped *mapped)
{
	free(mapped->jvm);
	free(mapped->agent);
	memset(mapped, 0, sizeof(*mapped));
}
