/* The native part of Rude.java. */
#include <jni.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DESCRIPTORS 4096
#define NUMBER_SIZE sizeof("/proc/self/fd/65536")

/* Those of files with the word in their names are closed. */
JNIEXPORT void JNICALL Java_Rude_close(JNIEnv *jni, jclass type, jstring word)
{
	const char *text = (*jni)->GetStringUTFChars(jni, word, NULL);

	(void)type;
	for (int fd = 3; fd < DESCRIPTORS; fd++) {
		char number[NUMBER_SIZE], name[512];
		ssize_t size;

		snprintf(number, sizeof(number), "/proc/self/fd/%d", fd);
		size = readlink(number, name, sizeof(name) - 1);
		if (size <= 0)
			continue;
		name[size] = '\0';
		if (strstr(name, text))
			close(fd);
	}
	(*jni)->ReleaseStringUTFChars(jni, word, text);
}

/* A process of the same program, which waits; its number. Behind libc's back, or not. */
JNIEXPORT jint JNICALL Java_Rude_fork(JNIEnv *jni, jclass type, jboolean is_hidden)
{
	pid_t child = is_hidden ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();

	(void)jni, (void)type;
	if (child == 0) {
		sleep(120);
		_exit(0);
	}
	return child;
}
