#include <unistd.h>

#include "engine/recorder.h"
#include "host/proc.h"
#include "jfr/rawtext.h"
#include "host/secret.h"
#include "host/hostobservers.h"

/* As the process found it. What was changed since is not in there. */
#define ENVIRONMENT "/proc/self/environ"

static void tell_variable(struct batch *batch, struct str key, struct str value,
			  bool redact)
{
	struct buf shown = { 0 };

	secret_add_value(&shown, key, value, redact);
	batch_begin(batch, EVENT_INITIAL_ENVIRONMENT_VARIABLE);
	encode_long(&batch->buf, batch->now);
	rawtext_encode(&batch->buf, key);
	rawtext_encode_buf(&batch->buf, &shown);
	batch_end(batch);
}

/* NULL-terminated strings, one behind the other. */
static void tell_all(struct batch *batch, struct str text, bool redact)
{
	struct str variable, key;

	while (str_split(&text, '\0', &variable)) {
		if (variable.size && memchr(variable.bytes, '=', variable.size) &&
		    str_split(&variable, '=', &key))
			tell_variable(batch, key, variable, redact);
	}
}

/* A process with special rights may not read that file, but has the variables. */
static void read_own(struct buf *to)
{
	if (proc_read(to, ENVIRONMENT) && to->size)
		return;
	for (char **variable = environ; variable && *variable; variable++)
		buf_text_nul(to, *variable);
}

static void tell_variables(struct recorder *recorder, struct batch *batch)
{
	struct buf text = { 0 };

	read_own(&text);
	batch->buf.failed |= text.failed;
	tell_all(batch, buf_as_str(&text),
		 recorder->orders->redact);
	buf_clear(&text);
}

const struct observer environment_observer = {
	.name = "environment",
	.periodic = (const struct periodic[]){
		{ EVENT_INITIAL_ENVIRONMENT_VARIABLE, tell_variables },
		{ 0 },
	},
};
