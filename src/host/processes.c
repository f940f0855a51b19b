#include "host/processes.h"

#include <stdio.h>

#include "engine/recorder.h"
#include "host/proc.h"
#include "jfr/rawtext.h"
#include "host/secret.h"
#include "host/hostobservers.h"

/* Of a command line; and how many processes there may be: the rest is left out. */
#define LINE_MAX_BYTES 8192
#define PROCESSES_MAX 20000

void processes_add_line(struct buf *to, struct str text, bool redact)
{
	bool is_due = false;
	struct str argument;

	/* Who writes a title of its own there leaves zeros behind it. */
	while (text.size && !text.bytes[text.size - 1])
		text.size--;
	for (int i = 0; str_split(&text, '\0', &argument); i++) {
		if (i)
			buf_byte(to, ' ');
		secret_add_argument(to, argument, &is_due, redact);
	}
}

/* A thread of the kernel has no command line, but a name. */
static void add_name(struct buf *to, const char *id)
{
	char path[64], text[1024];
	size_t size = sizeof(text);
	struct proc_stat stat;

	snprintf(path, sizeof(path), "/proc/%s/stat", id);
	if (proc_read_into(text, &size, path) &&
	    proc_stat_parse((struct str){ text, size }, &stat))
		buf_str(to, stat.name);
}

static void tell_process(struct batch *batch, const char *id, bool redact)
{
	char path[64], text[LINE_MAX_BYTES];
	size_t size = sizeof(text);
	struct buf line = { 0 };

	snprintf(path, sizeof(path), "/proc/%s/cmdline", id);
	if (proc_read_into(text, &size, path))
		processes_add_line(&line, (struct str){ text, size }, redact);
	if (!line.size && !line.failed)
		add_name(&line, id);
	if (!line.size && !line.failed)		/* it is gone */
		return;
	batch_begin(batch, EVENT_SYSTEM_PROCESS);
	encode_long(&batch->buf, batch->now);
	encode_string(&batch->buf, str_of(id));
	rawtext_encode_buf(&batch->buf, &line);
	batch_end(batch);
}

static void tell_processes(struct recorder *recorder, struct batch *batch)
{
	struct proc_list list;
	pid_t pid;

	if (!proc_list_open(&list, "/proc"))
		return;
	for (int i = 0; i < PROCESSES_MAX && proc_list_next(&list, &pid); i++) {
		char id[16];

		snprintf(id, sizeof(id), "%d", (int)pid);
		tell_process(batch, id, recorder->orders->redact);
	}
	proc_list_close(&list);
}

const struct observer processes_observer = {
	.name = "processes",
	.periodic = (const struct periodic[]){
		{ EVENT_SYSTEM_PROCESS, tell_processes },
		{ 0 },
	},
};
