#include "cmd/jfcfiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/source.h"
#include "jfc/builtin.h"
#include "jfc/jfcread.h"

static void warn(void *context, const struct node *setting)
{
	struct buf *said = context;

	buf_text(said, "Warning! Setting '");
	buf_str(said, node_get(setting->parent, STR("name")));
	buf_byte(said, '#');
	buf_str(said, node_get(setting, STR("name")));
	buf_text(said, "' refers to missing control '");
	buf_str(said, node_get(setting, STR("control")));
	buf_text(said, "'\n");
}

static bool read_text(struct configuration *all, struct str text, struct buf *said,
		      struct err *err)
{
	if (!jfcread(all, text, err))
		return false;
	configuration_missing(all, all->files, warn, said);
	return !said->failed || err_memory(err);
}

static bool read_file(struct configuration *all, const char *path, struct buf *said,
		      struct err *err)
{
	struct source source;
	size_t size;
	bool is_good;

	if (!source_open(&source, path, NULL, err))
		return err->kind != ERR_SYSTEM && err_within(err, "%s", path);
	size = source_fill(&source, JFCREAD_SIZE_MAX + 1);
	if (source.failure.kind != ERR_NONE) {
		*err = source.failure;
		is_good = false;
	} else {
		struct str text = { (const char *)source.bytes, size };

		is_good = read_text(all, text, said, err);
	}
	source_close(&source);
	return is_good || err_within(err, "%s", source_name(path));
}

static bool is_file(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The path of that name in the JDK, to be freed; NULL: it has none. */
static char *find_in_jdk(const char *name)
{
	const char *home = getenv("JAVA_HOME");
	const char *suffix = str_ends(str_of(name), STR(".jfc")) ? "" : ".jfc";
	char *path;

	if (!home || !*home || !*name || strchr(name, '/') ||
	    asprintf(&path, "%s/lib/jfr/%s%s", home, name, suffix) < 0)
		return NULL;
	if (is_file(path))
		return path;
	free(path);
	return NULL;
}

static const struct str *find_own(const char *name)
{
	static const struct {
		const char *name, *file;
		const struct str *text;
	} own[] = {
		{ "default", "default.jfc", &own_default },
		{ "profile", "profile.jfc", &own_profile },
	};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		if (strcmp(name, own[i].name) == 0 || strcmp(name, own[i].file) == 0)
			return own[i].text;
	}
	return NULL;
}

bool jfcfiles_add(struct configuration *all, const char *name, struct buf *said,
		  struct err *err)
{
	const struct str *own = find_own(name);
	char *path = find_in_jdk(name);
	bool is_good;

	if (!path && own)
		return read_text(all, *own, said, err) || err_within(err, "%s", name);
	if (!path && strcmp(name, "none") == 0)
		return true;
	is_good = read_file(all, path ? path : name, said, err);
	free(path);
	return is_good;
}
