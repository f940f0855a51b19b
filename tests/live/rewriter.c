/*
 * rewriter.c - an agent for tests: every method of every class gets a probe.
 *
 *	-agentpath:librewriter.so=to=FILE,runtime=FILE[,MODE]...
 *
 *	to=FILE		what came of it, at the end of the JVM: see below
 *	runtime=FILE	the class RewriterProbe, which is defined in java.lang
 *	within=N	jumps are made wide beyond so many bytes
 *	old		classes of version 50 become 51, for which there is no old
 *			verifier that would take what the new one does not
 *	bad=PREFIX	in classes whose names begin so, the last frame of a method that
 *			was rewritten becomes wrong: a JVM that verifies must say so
 *	off		nothing is rewritten (the baseline, also of "old")
 *
 * At VMInit the hook is turned on, and all classes that are there are retransformed.
 * What is made of each class is checked by strip.h first. Lines of the file:
 *
 *	skip CAUSE METHOD	rewrite_class left it as it is
 *	strip CLASS: WHAT	strip found that to be wrong
 *	hook CLASS: WHAT	it could not be read, or memory ran out
 *	bad CLASS		a frame of it is wrong now
 *	retransform CLASS NUMBER	the JVM did not take it: JVMTI's error
 *	total WHAT NUMBER	at the end
 */
#include <jni.h>
#include <jvmti.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "classfile/rewrite.h"
#include "unit/aligned.h"
#include "unit/strip.h"

#define RUNTIME "java/lang/RewriterProbe"
#define BATCH 500
#define RESULTS (REWRITE_DAMAGED + 1)
#define FAR 32767

static const struct rewrite_probe probe = { RUNTIME, "enter", "exit" };

static struct {
	jvmtiEnv *jvmti;
	FILE *to;
	const char *runtime;
	const char *bad; /* NULL: none */
	int32_t within;
	bool is_off, is_old;
	pthread_mutex_t lock; /* of all below, and of the file */
	int32_t id;
	uint64_t classes, results[RESULTS], retransformed, failures;
	struct strip_counts counts;
} test = { .within = FAR, .lock = PTHREAD_MUTEX_INITIALIZER };

static const char *const causes[RESULTS] = {
	[REWRITE_DONE] = "rewritten",		[REWRITE_NO_CODE] = "nocode",
	[REWRITE_SUBROUTINES] = "subroutines",	[REWRITE_TOO_LARGE] = "large",
	[REWRITE_CONSTANTS_FULL] = "constants", [REWRITE_DAMAGED] = "damaged",
};

/* --- a class --------------------------------------------------------------------- */

/* What becomes of the bytes of one class. */
struct work {
	struct arena arena;
	struct buf buf;
	struct classfile before, after;
	struct rewrite_method *methods;
	size_t count;
	struct err err;
};

static void fails(const char *what, struct str class, const char *why)
{
	pthread_mutex_lock(&test.lock);
	test.failures++;
	fprintf(test.to, "%s %.*s: %s\n", what, (int)class.size, class.bytes, why);
	pthread_mutex_unlock(&test.lock);
}

static void count_results(const struct work *work)
{
	const struct str class = work->before.name;

	pthread_mutex_lock(&test.lock);
	test.classes++;
	for (size_t i = 0; i < work->count; i++) {
		enum rewrite_result result = work->methods[i].result;
		const struct classfile_method *method =
			&work->before.methods[work->methods[i].index];

		test.results[result]++;
		if (result > REWRITE_NO_CODE)
			fprintf(test.to, "skip %s %.*s.%.*s%.*s\n", causes[result],
				(int)class.size, class.bytes, (int)method->name.size,
				method->name.bytes, (int)method->descriptor.size,
				method->descriptor.bytes);
	}
	pthread_mutex_unlock(&test.lock);
}

static bool rewrite(struct work *work)
{
	work->count = work->before.method_count;
	work->methods = arena_array(&work->arena, work->count, sizeof(*work->methods));
	if (!work->methods)
		return err_memory(&work->err);
	pthread_mutex_lock(&test.lock);
	for (size_t i = 0; i < work->count; i++)
		work->methods[i] = (struct rewrite_method){
			.index = (uint16_t)i,
			.probe = &probe,
			.id = test.id++,
		};
	pthread_mutex_unlock(&test.lock);
	if (!rewrite_class_within(&work->before, work->methods, work->count,
				  test.within, &work->arena, &work->buf, &work->err))
		return false;
	return !work->buf.size ||
	       classfile_read(&work->after, &work->arena, work->buf.bytes,
			      work->buf.size, &work->err);
}

static void check(struct work *work)
{
	struct strip_counts counts = { 0 };

	count_results(work);
	if (!work->buf.size)
		return;
	if (!strip_check(&work->before, &work->after, work->methods, work->count,
			 &counts, &work->arena, &work->err))
		fails("strip", work->before.name, work->err.text);
	pthread_mutex_lock(&test.lock);
	test.counts.methods += counts.methods;
	test.counts.widened += counts.widened;
	test.counts.handlers += counts.handlers;
	pthread_mutex_unlock(&test.lock);
}

/* --- the negative control -------------------------------------------------------- */

/* The content of its StackMapTable, which ends with a frame; NULL: it has none. */
static uint8_t *end_of_frames(const struct aligned_code *code)
{
	const uint8_t *at = code->attributes + 2;

	for (uint16_t left = insn_u2(code->attributes); left > 0; left--) {
		uint32_t size = insn_u4(at + 2);

		if (str_is(classfile_utf8(code->file, insn_u2(at)),
			   STR("StackMapTable")))
			return (uint8_t *)(at + 6 + size);
		at += 6 + size;
	}
	return NULL;
}

/*
 * A frame of a handler of ours ends with what is on the stack: a Throwable. The class
 * itself, which is no superclass of that, takes its place.
 */
static bool make_bad(const struct classfile *file, const struct rewrite_method *method)
{
	uint16_t self = insn_u2(file->bytes + file->constants_end + 2);
	uint8_t *end;
	struct aligned_code code;

	if (method->result != REWRITE_DONE || file->major < 51 ||
	    !aligned_code_read(&code, file, file->methods[method->index].code))
		return false;
	end = end_of_frames(&code);
	if (!end || end[-3] != 7 ||
	    !str_is(classfile_class_name(file, insn_u2(end - 2)),
		    STR("java/lang/Throwable")))
		return false;
	end[-2] = (uint8_t)(self >> 8);
	end[-1] = (uint8_t)self;
	return true;
}

static void spoil(struct work *work)
{
	struct str name = work->before.name;

	if (!test.bad || !work->buf.size || !str_starts(name, str_of(test.bad)))
		return;
	for (size_t i = work->count; i-- > 0;) {
		if (make_bad(&work->after, &work->methods[i])) {
			pthread_mutex_lock(&test.lock);
			fprintf(test.to, "bad %.*s\n", (int)name.size, name.bytes);
			pthread_mutex_unlock(&test.lock);
			return;
		}
	}
}

/* --- the hook -------------------------------------------------------------------- */

static void hand_over(struct work *work, jint *size, unsigned char **bytes)
{
	unsigned char *to = NULL;

	if (!work->buf.size ||
	    (*test.jvmti)->Allocate(test.jvmti, (jlong)work->buf.size, &to) !=
		    JVMTI_ERROR_NONE)
		return;
	memcpy(to, work->buf.bytes, work->buf.size);
	*bytes = to;
	*size = (jint)work->buf.size;
}

static void JNICALL on_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined,
			     jobject loader, const char *name, jobject domain,
			     jint size, const unsigned char *bytes, jint *new_size,
			     unsigned char **new_bytes)
{
	struct work work = { 0 };
	uint8_t *own = (uint8_t *)arena_copy(&work.arena, bytes, (size_t)size);

	(void)jvmti, (void)jni, (void)redefined, (void)loader, (void)domain;
	if (own && test.is_old && size > 8 && own[6] == 0 && own[7] == 50)
		own[7] = 51;
	if (name && strcmp(name, RUNTIME) == 0) {
		arena_clear(&work.arena);
		return;
	}
	if (!own) {
		fails("hook", str_of(name), "out of memory");
	} else if (test.is_off) {
		buf_add(&work.buf, own, (size_t)size);
	} else if (!classfile_read(&work.before, &work.arena, own, (size_t)size,
				   &work.err) ||
		   !rewrite(&work)) {
		fails("hook", str_of(name), work.err.text);
	} else {
		check(&work);
		spoil(&work);
	}
	hand_over(&work, new_size, new_bytes);
	buf_clear(&work.buf);
	arena_clear(&work.arena);
}

/* --- begin and end --------------------------------------------------------------- */

static bool define_runtime(JNIEnv *jni)
{
	static jbyte bytes[1 << 16];
	FILE *from = fopen(test.runtime, "rb");
	size_t size = from ? fread(bytes, 1, sizeof(bytes), from) : 0;

	if (from)
		fclose(from);
	return size &&
	       (*jni)->DefineClass(jni, RUNTIME, NULL, bytes, (jsize)size) != NULL;
}

static void not_taken(jclass class, jvmtiError error)
{
	char *signature = NULL;

	(*test.jvmti)->GetClassSignature(test.jvmti, class, &signature, NULL);
	pthread_mutex_lock(&test.lock);
	test.failures++;
	fprintf(test.to, "retransform %s %d\n", signature ? signature : "?", error);
	pthread_mutex_unlock(&test.lock);
	(*test.jvmti)->Deallocate(test.jvmti, (unsigned char *)signature);
}

/* All at once; if that cannot be, one by one. */
static void retransform(const jclass *classes, jint count)
{
	jvmtiError error;

	if (count == 0)
		return;
	error = (*test.jvmti)->RetransformClasses(test.jvmti, count, classes);
	if (error == JVMTI_ERROR_NONE)
		test.retransformed += (uint64_t)count;
	else if (count == 1)
		not_taken(classes[0], error);
	else
		for (jint i = 0; i < count; i++)
			retransform(&classes[i], 1);
}

static void retransform_all(void)
{
	jclass *classes = NULL;
	jint count = 0, kept = 0;

	(*test.jvmti)->GetLoadedClasses(test.jvmti, &count, &classes);
	for (jint i = 0; i < count; i++) {
		jboolean can = JNI_FALSE;

		(*test.jvmti)->IsModifiableClass(test.jvmti, classes[i], &can);
		if (can)
			classes[kept++] = classes[i];
	}
	for (jint i = 0; i < kept; i += BATCH)
		retransform(classes + i, kept - i < BATCH ? kept - i : BATCH);
	(*test.jvmti)->Deallocate(test.jvmti, (unsigned char *)classes);
}

static void JNICALL on_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	(void)thread;
	if (test.is_off && !test.is_old)
		return;
	if (!test.is_off && !define_runtime(jni)) {
		fails("hook", STR(RUNTIME), "it cannot be defined");
		return;
	}
	(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE,
					   JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
	retransform_all();
}

static void total(const char *what, uint64_t number)
{
	fprintf(test.to, "total %s %llu\n", what, (unsigned long long)number);
}

static void total_of(JNIEnv *jni, const char *name)
{
	jclass runtime = (*jni)->FindClass(jni, RUNTIME);
	jfieldID field = runtime ? (*jni)->GetStaticFieldID(jni, runtime, name, "I")
				 : NULL;

	if (field)
		total(name, (uint32_t)(*jni)->GetStaticIntField(jni, runtime, field));
	(*jni)->ExceptionClear(jni);
}

static void JNICALL on_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
	(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE,
					   JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
	pthread_mutex_lock(&test.lock);
	total("classes", test.classes);
	total("retransformed", test.retransformed);
	for (size_t i = 0; i < RESULTS; i++)
		total(causes[i], test.results[i]);
	total("checked", test.counts.methods);
	total("widened", test.counts.widened);
	total("handlers", test.counts.handlers);
	total("failures", test.failures);
	if (!test.is_off) {
		total_of(jni, "calls");
		total_of(jni, "wrong");
	}
	fflush(test.to);
	pthread_mutex_unlock(&test.lock);
}

/* JVMTI's status of a class, for LinkAll.java: linked, or not. */
JNIEXPORT jint JNICALL Java_LinkAll_status(JNIEnv *jni, jclass self, jclass class);
JNIEXPORT jint JNICALL Java_LinkAll_status(JNIEnv *jni, jclass self, jclass class)
{
	jint status = 0;

	(void)jni, (void)self;
	(*test.jvmti)->GetClassStatus(test.jvmti, class, &status);
	return status;
}

static bool take_option(char *option)
{
	char *value = strchr(option, '=');

	if (value)
		*value++ = '\0';
	if (strcmp(option, "off") == 0)
		test.is_off = true;
	else if (strcmp(option, "old") == 0)
		test.is_old = true;
	else if (!value)
		return false;
	else if (strcmp(option, "to") == 0)
		test.to = fopen(value, "w");
	else if (strcmp(option, "runtime") == 0)
		test.runtime = value;
	else if (strcmp(option, "bad") == 0)
		test.bad = value;
	else if (strcmp(option, "within") == 0)
		test.within = (int32_t)strtol(value, NULL, 10);
	else
		return false;
	return true;
}

static bool take_options(const char *options)
{
	char *copy = options ? strdup(options) : NULL; /* values are kept */

	for (char *option; copy && (option = strsep(&copy, ","));) {
		if (*option && !take_option(option))
			return false;
	}
	return test.to && (test.runtime || test.is_off);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	jvmtiCapabilities can = {
		.can_retransform_classes = 1,
		.can_retransform_any_class = 1,
		.can_generate_all_class_hook_events = 1,
	};
	jvmtiEventCallbacks callbacks = {
		.VMInit = on_init,
		.VMDeath = on_death,
		.ClassFileLoadHook = on_class,
	};

	(void)reserved;
	if (!take_options(options) ||
	    (*vm)->GetEnv(vm, (void **)&test.jvmti, JVMTI_VERSION_1_2) != JNI_OK ||
	    (*test.jvmti)->AddCapabilities(test.jvmti, &can) != JVMTI_ERROR_NONE)
		return JNI_ERR;
	(*test.jvmti)->SetEventCallbacks(test.jvmti, &callbacks, sizeof(callbacks));
	(*test.jvmti)
		->SetEventNotificationMode(test.jvmti, JVMTI_ENABLE,
					   JVMTI_EVENT_VM_INIT, NULL);
	(*test.jvmti)
		->SetEventNotificationMode(test.jvmti, JVMTI_ENABLE,
					   JVMTI_EVENT_VM_DEATH, NULL);
	return JNI_OK;
}
