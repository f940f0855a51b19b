/* The native part of Lose.java. */
#include <jni.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DESCRIPTORS 1024

JNIEXPORT void JNICALL Java_Lose_lose(JNIEnv *jni, jclass type)
{
	char name[40], there[4096];

	(void)jni;
	(void)type;
	for (int fd = 3; fd < DESCRIPTORS; fd++) {
		ssize_t size;

		snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
		size = readlink(name, there, sizeof(there) - 1);
		there[size > 0 ? size : 0] = '\0';
		if (strstr(there, "socket:") || strstr(there, "memfd:") ||
		    strstr(there, "/cjfr-"))
			close(fd);
	}
}
