/*
 * jvm.h - the JVM that we are a guest of: its environments, and calls made safe.
 *
 * A function that may leave a Java exception behind is always followed by jvm_failed,
 * which takes it away: none of ours ever reaches the application. References to objects
 * live in a frame (jvm_frame), so that a thread that never returns to Java keeps none.
 */
#ifndef AGENT_JVM_H
#define AGENT_JVM_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/compat.h"
#include "jfr/lines.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "hotspot/hotspot.h"

struct jvm {
	JavaVM *vm;
	jvmtiEnv *jvmti;
	const struct compat_callbacks *callbacks;	/* NULL: it hears nothing yet */
	int version;			/* 8, 11, ... */
	struct hotspot hotspot;		/* from life_begin on; zeroed before */
};

/* An environment of the JVM's for us (JVMTI). ERR_SYSTEM: it has none. */
bool jvm_open(struct jvm *jvm, JavaVM *vm, struct err *err);

/* It tells us by these, which stay: of its beginning and end from here on. ERR_SYSTEM. */
bool jvm_hear(struct jvm *jvm, const struct compat_callbacks *callbacks,
	      struct err *err);

/* The environment is gone, with all tags, events and capabilities. May be called again. */
void jvm_close(struct jvm *jvm);

/*
 * Takes those of the capabilities that can be had now, beside what there is; and what we
 * have been given. On any thread.
 */
void jvm_want(const struct jvm *jvm, const jvmtiCapabilities *wanted);
jvmtiCapabilities jvm_can(const struct jvm *jvm);

/* Events of that number come from now on, or not any more. False: it has none such. */
bool jvm_enable(const struct jvm *jvm, jvmtiEvent event, bool is_on);

/* The calling thread's JNI; NULL if it is not one of the JVM's. */
JNIEnv *jvm_jni(const struct jvm *jvm);

/* True if the last call threw; the exception is gone then. */
bool jvm_failed(JNIEnv *jni);

/* Room for so many references, until jvm_frame_end. False: there is none. */
bool jvm_frame(JNIEnv *jni, int references);
void jvm_frame_end(JNIEnv *jni);

/* Makes room for references that JVMTI gave. */
void jvm_room(JNIEnv *jni, int references);

/* Gives back what JVMTI allocated; NULL is allowed. */
void jvm_free(const struct jvm *jvm, void *memory);

/* Appends text of JNI or JVMTI ("modified UTF-8") as UTF-8. */
void jvm_add_text(struct buf *to, const char *text);

/* Appends a Java string. False if it is null, or could not be had. */
bool jvm_add_string(struct buf *to, JNIEnv *jni, jstring string);

/* Appends a property that the JVM was started with. False: it has none of that name. */
bool jvm_add_property(struct buf *to, const struct jvm *jvm, const char *name);

/* A local reference to the calling thread; NULL: it is none of the JVM's. */
jthread jvm_thread_here(const struct jvm *jvm);

/*
 * Calls `what` for each thread that lives, or each class that is loaded, in a frame.
 * False: they could not be had.
 */
typedef void jvm_object_what(void *context, JNIEnv *jni, jobject object);
bool jvm_for_threads(const struct jvm *jvm, JNIEnv *jni, jvm_object_what *what,
		     void *context);
bool jvm_for_classes(const struct jvm *jvm, JNIEnv *jni, jvm_object_what *what,
		     void *context);

/* Java's number of a thread; 0: not known. */
int64_t jvm_thread_number(JNIEnv *jni, jthread thread);

/* Where the JVM's own structure of a thread is; 0: it does not live, or not known. */
uintptr_t jvm_thread_vm(JNIEnv *jni, jthread thread);

/* The system's number of a thread; 0: not known. */
pid_t jvm_thread_tid(const struct jvm *jvm, JNIEnv *jni, jthread thread);

/* Appends its name; false: it has ended. */
bool jvm_add_thread_name(struct buf *to, const struct jvm *jvm, JNIEnv *jni,
			 jthread thread);

/* Appends the lines of a method, which is not native: all that are known. */
void jvm_add_lines(struct lines *to, const struct jvm *jvm, jmethodID method);

/*
 * Fields are those of the object's class that stands right below Object, such as
 * java.lang.Thread: classes below that one may have others of the same name.
 *
 * Appends one that is a String; false if it is null, or could not be had.
 */
bool jvm_add_field(struct buf *to, JNIEnv *jni, jobject object, const char *name);

/* False if there is no such field (in this version). */
bool jvm_long_field(JNIEnv *jni, jobject object, const char *name, int64_t *value);

/* A local reference; NULL: null, or there is no such field. */
jobject jvm_object_field(JNIEnv *jni, jobject object, const char *name,
			 const char *descriptor);

/* The same of one that is static. */
jobject jvm_static_field(JNIEnv *jni, jobject object, const char *name,
			 const char *descriptor);

#endif
