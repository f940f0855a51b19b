#include "agent/agent.h"
#include "agent/sources.h"
#include "host/perfdata.h"
#include "host/secret.h"
#include "host/vmstructs.h"

#include <unistd.h>

#define TEXT_MAX 8192
#define MISSING INT64_MIN

/* A list of the JVM's: `count` of its texts, with blanks between. Size 0: it has none. */
static void add_list(struct buf *to, const struct vmstructs *structs, const char *list,
		     const char *count)
{
	const void *at = vmstructs_static(structs, "Arguments", list);
	const void *many = vmstructs_static(structs, "Arguments", count);
	char **texts = at ? *(char **const *)at : NULL;
	int number = many ? *(const int *)many : 0;

	for (int i = 0; texts && i < number; i++) {
		if (i > 0)
			buf_byte(to, ' ');
		buf_text(to, texts[i] ? texts[i] : "");
	}
}

static void add_counter(struct buf *to, const struct perfdata *perf, const char *name)
{
	char text[TEXT_MAX];

	buf_str(to, perfdata_copy(perfdata_text(perf, name), text, sizeof(text)));
}

/* Its counters cut what is long, so the JVM's own lists come first. */
static void add_words(struct buf *to, const struct vmstructs *structs,
		      const struct perfdata *perf, const char *list, const char *count,
		      const char *counter)
{
	add_list(to, structs, list, count);
	if (to->size == 0)
		add_counter(to, perf, counter);
}

/* The counters that say the same are made later, and cut what is long. */
static void add_text(struct buf *to, const struct vmstructs *structs, const char *type,
		     const char *field, const struct perfdata *perf, const char *counter)
{
	const void *at = vmstructs_static(structs, type, field);
	const char *text = at ? *(const char *const *)at : NULL;

	if (text)
		buf_text(to, text);
	else
		add_counter(to, perf, counter);
}

static void add_property(struct buf *to, const struct jvm *jvm, const char *name)
{
	char *value;

	if ((*jvm->jvmti)->GetSystemProperty(jvm->jvmti, name, &value) !=
	    JVMTI_ERROR_NONE)
		return;
	jvm_add_text(to, value);
	jvm_free(jvm, value);
}

/* Null if there is nothing. */
static void encode_words(struct batch *batch, const struct buf *words, bool no_redact)
{
	struct buf clean = { 0 };

	secret_add_line(&clean, (struct str){ words->bytes, words->size }, no_redact);
	encode_string(&batch->buf, words->size ? (struct str){ clean.bytes, clean.size }
					       : (struct str){ NULL, 0 });
	buf_clear(&clean);
}

static void encode_version(struct batch *batch, const struct jvm *jvm,
			   const struct vmstructs *structs, const struct perfdata *perf)
{
	struct buf text = { 0 };

	add_property(&text, jvm, "java.vm.name");
	encode_words(batch, &text, true);
	buf_reset(&text);
	add_text(&text, structs, "Abstract_VM_Version", "_s_internal_vm_info_string", perf,
		 "sun.rt.internalVersion");
	if (text.size == 0)
		add_property(&text, jvm, "java.vm.version");
	encode_words(batch, &text, true);
	buf_clear(&text);
}

/* When it was ready to run the program; the counter is 0 until then. */
static int64_t start_time(const struct perfdata *perf)
{
	int64_t time = perfdata_read(perfdata_counter(perf, "sun.rt.vmInitDoneTime"));

	return time ? time : MISSING;
}

static void tell(struct recorder *recorder, struct batch *batch)
{
	const struct agent *agent = agent_of(recorder);
	bool no_redact = recorder->orders->no_redact;
	struct buf arguments = { 0 }, flags = { 0 }, command = { 0 };
	struct vmstructs structs = { 0 };
	struct perfdata perf = { 0 };

	vmstructs_find(&structs, NULL);
	perfdata_find(&perf, NULL);
	add_words(&arguments, &structs, &perf, "_jvm_args_array", "_num_jvm_args",
		  "java.rt.vmArgs");
	add_words(&flags, &structs, &perf, "_jvm_flags_array", "_num_jvm_flags",
		  "java.rt.vmFlags");
	add_text(&command, &structs, "Arguments", "_java_command", &perf,
		 "sun.rt.javaCommand");
	batch_begin(batch, EVENT_JVM_INFORMATION);
	encode_long(&batch->buf, batch->now);
	encode_version(batch, &agent->jvm, &structs, &perf);
	encode_words(batch, &arguments, no_redact);
	encode_words(batch, &flags, no_redact);
	encode_words(batch, &command, no_redact);
	encode_long(&batch->buf, start_time(&perf));
	encode_long(&batch->buf, getpid());
	batch_end(batch);
	buf_clear(&arguments);
	buf_clear(&flags);
	buf_clear(&command);
}

static const struct periodic periodic[] = {
	{ EVENT_JVM_INFORMATION, tell },
	{ 0, NULL },
};

const struct source jvm_source = { "JVM", periodic, NULL, NULL };
