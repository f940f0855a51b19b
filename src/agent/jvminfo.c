#include "agent/agent.h"
#include "agent/allobservers.h"
#include "host/secret.h"
#include "jfr/rawtext.h"

#include <unistd.h>

#define TEXT_MAX 8192

static void add_counter(struct buf *to, const struct hotspot *hotspot, const char *name)
{
	char text[TEXT_MAX];

	buf_str(to,
		perfdata_copy(perfdata_text(&hotspot->perf, name), text, sizeof(text)));
}

/* Counters cut what is long, and are made later: so the JVM's own lists come first. */
static void add_words(struct buf *to, const struct hotspot *hotspot, const char *list,
		      const char *count, const char *counter)
{
	struct vmstructs_texts words =
		vmstructs_texts(&hotspot->structs, "Arguments", list, count);

	for (size_t i = 0; i < words.count; i++) {
		if (i > 0)
			buf_byte(to, ' ');
		buf_text(to, words.items[i] ? words.items[i] : "");
	}
	if (to->size == 0)
		add_counter(to, hotspot, counter);
}

static void add_text(struct buf *to, const struct hotspot *hotspot, const char *type,
		     const char *field, const char *counter)
{
	const char *text = vmstructs_text(&hotspot->structs, type, field);

	if (text)
		buf_text(to, text);
	else
		add_counter(to, hotspot, counter);
}

/* Null if there is nothing. */
static void encode_words(struct batch *batch, const struct buf *words, bool redact)
{
	struct buf clean = { 0 };

	secret_add_line(&clean, (struct str){ words->bytes, words->size }, redact);
	rawtext_encode(&batch->buf, words->size
					    ? (struct str){ clean.bytes, clean.size }
					    : (struct str){ NULL, 0 });
	buf_clear(&clean);
}

static void encode_version(struct batch *batch, const struct jvm *jvm)
{
	struct buf text = { 0 };

	jvm_add_property(&text, jvm, "java.vm.name");
	encode_words(batch, &text, false);
	buf_reset(&text);
	add_text(&text, &jvm->hotspot, "Abstract_VM_Version",
		 "_s_internal_vm_info_string", "sun.rt.internalVersion");
	if (text.size == 0)
		jvm_add_property(&text, jvm, "java.vm.version");
	encode_words(batch, &text, false);
	buf_clear(&text);
}

/* When it was ready to run the program; the counter is 0 until then. */
static int64_t start_time(const struct perfdata *perf)
{
	int64_t time = perfdata_read(perfdata_counter(perf, "sun.rt.vmInitDoneTime"));

	return time ? time : EVENT_NO_TIME;
}

static void tell_jvm(struct recorder *recorder, struct batch *batch)
{
	const struct jvm *jvm = &agent_of(recorder)->jvm;
	bool redact = recorder->orders->redact;
	struct buf arguments = { 0 }, flags = { 0 }, command = { 0 };

	add_words(&arguments, &jvm->hotspot, "_jvm_args_array", "_num_jvm_args",
		  "java.rt.vmArgs");
	add_words(&flags, &jvm->hotspot, "_jvm_flags_array", "_num_jvm_flags",
		  "java.rt.vmFlags");
	add_text(&command, &jvm->hotspot, "Arguments", "_java_command",
		 "sun.rt.javaCommand");
	batch_begin(batch, EVENT_JVM_INFORMATION);
	encode_long(&batch->buf, batch->now);
	encode_version(batch, jvm);
	encode_words(batch, &arguments, redact);
	encode_words(batch, &flags, redact);
	encode_words(batch, &command, redact);
	encode_long(&batch->buf, start_time(&jvm->hotspot.perf));
	encode_long(&batch->buf, getpid());
	batch_end(batch);
	buf_clear(&arguments);
	buf_clear(&flags);
	buf_clear(&command);
}

const struct observer jvminfo_observer = {
	.name = "JVM",
	.periodic = (const struct periodic[]){
		{ EVENT_JVM_INFORMATION, tell_jvm },
		{ 0 },
	},
};
