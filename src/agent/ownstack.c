#include "agent/ownstack.h"

#include <ucontext.h>

#include "sampler/walk.h"

#define SKIPPED 8

/* NULL: the JVM has no such function. Written once, before anybody asks. */
static walk_jvm *walk;

/* Other JVMs have the function, too, but it breaks them. */
void ownstack_init(const struct jvm *jvm)
{
	if (jvm->hotspot.structs.fields &&
	    jvm_enable(jvm, JVMTI_EVENT_CLASS_LOAD, true))
		walk = (walk_jvm *)vmstructs_exported("AsyncGetCallTrace");
}

/*
 * In native code the JVM knows where the thread left Java, and looks at no register.
 * 0: it gave none, or one of a method that has no number yet, which JVMTI gives it.
 */
static int read_fast(JNIEnv *jni, int skipped, int most, jvmtiFrameInfo *frames)
{
	static ucontext_t nowhere;
	struct walk_frame own[SKIPPED + OWNSTACK_FRAMES + 1];
	struct walk_trace trace = { jni, 0, own };

	walk(&trace, skipped + most + 1, &nowhere);
	for (int i = skipped; i < trace.count; i++) {
		if (!own[i].method)
			return 0;
		frames[i - skipped] = (jvmtiFrameInfo){
			own[i].method, own[i].bytecode < 0 ? -1 : own[i].bytecode
		};
	}
	return trace.count > skipped ? trace.count - skipped : 0;
}

int ownstack_read(const struct jvm *jvm, JNIEnv *jni, int skipped, int most,
		  bool is_virtual, jvmtiFrameInfo *frames)
{
	jvmtiEnv *jvmti = jvm->jvmti;
	jint count = walk && !is_virtual ? read_fast(jni, skipped, most, frames) : 0;

	if (count == 0 && (*jvmti)->GetStackTrace(jvmti, NULL, skipped, most + 1, frames,
						  &count) != JVMTI_ERROR_NONE)
		return 0;
	return count;
}
