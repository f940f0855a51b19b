#include "cmd/jfcfiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/source.h"
#include "jfc/builtin.h"
#include "jfc/jfcread.h"
#include "jfc/settings.h"

static void warn(void *context, const struct node *setting)
{
	struct buf *said = context;

	buf_text(said, "Warning! Setting '");
	settings_key(said, setting);
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

char *jfcfiles_find(const char *name)
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

/* What needs no file. */
static const struct own {
	const char *name, *file;	/* it goes by both */
	const struct str *text;		/* NULL: it is empty */
} owns[] = {
	{ "default", "default.jfc", &own_default },
	{ "none", "none", NULL },
	{ "profile", "profile.jfc", &own_profile },
};

#define OWNS (sizeof(owns) / sizeof(owns[0]))

const char *jfcfiles_name(size_t i)
{
	return i < OWNS ? owns[i].name : NULL;
}

static const struct own *find_own(const char *name)
{
	for (size_t i = 0; i < OWNS; i++) {
		if (strcmp(name, owns[i].name) == 0 || strcmp(name, owns[i].file) == 0)
			return &owns[i];
	}
	return NULL;
}

static bool read_own(struct configuration *all, const struct own *own, const char *name,
		     struct buf *said, struct err *err)
{
	return !own->text || read_text(all, *own->text, said, err) ||
	       err_within(err, "%s", name);
}

bool jfcfiles_add_own(struct configuration *all, const char *name, struct buf *said,
		      struct err *err)
{
	const struct own *own = find_own(name);

	return own ? read_own(all, own, name, said, err)
		   : jfcfiles_add(all, name, said, err);
}

bool jfcfiles_add(struct configuration *all, const char *name, struct buf *said,
		  struct err *err)
{
	const struct own *own = find_own(name);
	char *path = jfcfiles_find(name);
	bool is_good;

	if (!path && own)
		return read_own(all, own, name, said, err);
	is_good = read_file(all, path ? path : name, said, err);
	free(path);
	return is_good;
}

bool jfcfiles_each(const char *list, jfcfiles_told *told, void *context,
		   struct err *err)
{
	struct str rest = str_of(list), name;
	bool is_good = rest.size || told(context, list, err);

	while (rest.size && rest.bytes[rest.size - 1] == ',')
		rest.size--;
	while (is_good && str_split(&rest, ',', &name)) {
		char *one = strndup(name.bytes, name.size);

		is_good = one ? told(context, one, err) : err_memory(err);
		free(one);
	}
	return is_good;
}
