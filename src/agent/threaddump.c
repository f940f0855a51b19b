#include "agent/agent.h"
#include "agent/allobservers.h"
#include "agent/modules.h"

#include <time.h>

#define REFERENCES 16

/* State words of the JVM's own dumps: of the thread, and of what it waits for. */
static const struct word {
	jint state;			/* bits that are all set: the first such row */
	const char *doing, *name;
} words[] = {
	{ JVMTI_THREAD_STATE_SLEEPING, "waiting on condition",
	  "TIMED_WAITING (sleeping)" },
	{ JVMTI_THREAD_STATE_PARKED | JVMTI_THREAD_STATE_WAITING_WITH_TIMEOUT,
	  "waiting on condition", "TIMED_WAITING (parking)" },
	{ JVMTI_THREAD_STATE_PARKED, "waiting on condition", "WAITING (parking)" },
	{ JVMTI_THREAD_STATE_IN_OBJECT_WAIT | JVMTI_THREAD_STATE_WAITING_WITH_TIMEOUT,
	  "in Object.wait()", "TIMED_WAITING (on object monitor)" },
	{ JVMTI_THREAD_STATE_IN_OBJECT_WAIT, "in Object.wait()",
	  "WAITING (on object monitor)" },
	{ JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER, "waiting for monitor entry",
	  "BLOCKED (on object monitor)" },
	{ JVMTI_THREAD_STATE_RUNNABLE, "runnable", "RUNNABLE" },
	{ JVMTI_THREAD_STATE_TERMINATED, "runnable", "TERMINATED" },
	{ 0, "runnable", "NEW" },
};

static const struct word *word_of(jint state)
{
	const struct word *word = words;

	while ((state & word->state) != word->state)
		word++;
	return word;
}

static void add_property(struct buf *to, const struct jvm *jvm, const char *before,
			 const char *name)
{
	size_t start = to->size;

	buf_text(to, before);
	if (!jvm_add_property(to, jvm, name))
		to->size = start;
}

static void add_head(struct buf *to, const struct jvm *jvm)
{
	time_t now = time(NULL);
	struct tm tm;

	localtime_r(&now, &tm);
	buf_printf(to, "%04d-%02d-%02d %02d:%02d:%02d\n", tm.tm_year + 1900,
		   tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
	add_property(to, jvm, "Full thread dump ", "java.vm.name");
	add_property(to, jvm, " (", "java.vm.version");
	add_property(to, jvm, " ", "java.vm.info");
	buf_text(to, "):\n\n");
}

static void add_thread(struct buf *to, const struct jvm *jvm, JNIEnv *jni,
		       jthread thread, jint state)
{
	const struct word *word = word_of(state);
	jvmtiThreadInfo info = { 0 };

	if (!jvm_frame(jni, REFERENCES))
		return;
	(*jvm->jvmti)->GetThreadInfo(jvm->jvmti, thread, &info);
	buf_byte(to, '"');
	jvm_add_text(to, info.name ? info.name : "");
	buf_printf(to, "\" #%lld%s prio=%d nid=%ld %s\n",
		   (long long)jvm_thread_number(jni, thread),
		   info.is_daemon ? " daemon" : "", (int)info.priority,
		   (long)jvm_thread_tid(jvm, jni, thread), word->doing);
	buf_printf(to, "   java.lang.Thread.State: %s\n", word->name);
	jvm_free(jvm, info.name);
	jvm_frame_end(jni);
}

/* "java.base@25/" before the name of the file, for classes of modules with a name. */
static void add_module(struct buf *to, const struct jvm *jvm, JNIEnv *jni, jclass type)
{
	struct module_name module;

	if (!modules_name(jvm, jni, type, &module))
		return;
	buf_add(to, module.name.bytes, module.name.size);
	if (module.version.size) {
		buf_byte(to, '@');
		buf_add(to, module.version.bytes, module.version.size);
	}
	buf_byte(to, '/');
	buf_clear(&module.name);
	buf_clear(&module.version);
}

static void add_source(struct buf *to, const struct jvm *jvm, jclass type,
		       const struct method_place *place)
{
	char *file = NULL;

	if (place->is_native) {
		buf_text(to, "Native Method");
		return;
	}
	(*jvm->jvmti)->GetSourceFileName(jvm->jvmti, type, &file);
	if (file)
		jvm_add_text(to, file);
	else
		buf_text(to, "Unknown Source");
	if (file && place->line >= 0)
		buf_printf(to, ":%d", (int)place->line);
	jvm_free(jvm, file);
}

/* java/lang/Object becomes java.lang.Object, from `start` on. */
static void point(struct buf *text, size_t start)
{
	for (size_t i = start; i < text->size; i++) {
		if (text->bytes[i] == '/')
			text->bytes[i] = '.';
	}
}

static void add_frame(struct buf *to, struct agent *agent, JNIEnv *jni,
		      const jvmtiFrameInfo *frame)
{
	const struct jvm *jvm = &agent->jvm;
	jvmtiEnv *jvmti = jvm->jvmti;
	char *signature = NULL, *name = NULL;
	struct method_place place;
	jclass type = NULL;
	size_t start;

	if (!jvm_frame(jni, REFERENCES))
		return;
	(*jvmti)->GetMethodDeclaringClass(jvmti, frame->method, &type);
	if (type &&
	    (*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) ==
		    JVMTI_ERROR_NONE &&
	    (*jvmti)->GetMethodName(jvmti, frame->method, &name, NULL, NULL) ==
		    JVMTI_ERROR_NONE) {
		place = methods_place(&agent->methods, jni, frame->method,
				      frame->location);
		buf_text(to, "\tat ");
		start = to->size;
		jvm_add_text(to, classes_name(signature));
		point(to, start);
		buf_byte(to, '.');
		jvm_add_text(to, name);
		buf_byte(to, '(');
		add_module(to, jvm, jni, type);
		add_source(to, jvm, type, &place);
		buf_text(to, ")\n");
	}
	jvm_free(jvm, signature);
	jvm_free(jvm, name);
	jvm_frame_end(jni);
}

static void add_all(struct buf *to, struct agent *agent, JNIEnv *jni)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	jvmtiStackInfo *stacks;
	jint count;

	if ((*jvmti)->GetAllStackTraces(jvmti, (jint)recorder_stack_depth(&agent->recorder), &stacks,
					&count) != JVMTI_ERROR_NONE)
		return;
	jvm_room(jni, count + REFERENCES);
	for (jint i = 0; i < count; i++) {
		add_thread(to, &agent->jvm, jni, stacks[i].thread, stacks[i].state);
		for (jint j = 0; j < stacks[i].frame_count; j++)
			add_frame(to, agent, jni, &stacks[i].frame_buffer[j]);
		buf_byte(to, '\n');
	}
	jvm_free(&agent->jvm, stacks);
}

static void tell_dump(struct recorder *recorder, struct batch *batch)
{
	struct agent *agent = agent_of(recorder);
	JNIEnv *jni = jvm_jni(&agent->jvm);
	struct buf text = { 0 };

	if (!jni || !jvm_frame(jni, REFERENCES))
		return;
	add_head(&text, &agent->jvm);
	add_all(&text, agent, jni);
	jvm_frame_end(jni);
	if (!text.failed) {
		batch_begin(batch, EVENT_THREAD_DUMP);
		encode_long(&batch->buf, batch->now);
		encode_string(&batch->buf, buf_as_str(&text));
		batch_end(batch);
	}
	buf_clear(&text);
}

const struct observer threaddump_observer = {
	.name = "thread dumps",
	.periodic = (const struct periodic[]){
		{ EVENT_THREAD_DUMP, tell_dump },
		{ 0 },
	},
};
