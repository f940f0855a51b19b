/*
 * javacommand.h - what the words behind `java` say: what it runs.
 *
 * Only as far as words tell it: not what is in a file of options ("@file").
 */
#ifndef JVMS_JAVACOMMAND_H
#define JVMS_JAVACOMMAND_H

#include <stddef.h>

/*
 * Where in the words (which end with NULL) its main class is, or jar, module or source
 * file, as it was given: a part of one of them, "shop.Main" of "--module=shop.Main". NULL:
 * it is not told. *options (may be NULL): how many words before it are options of the
 * JVM and of java; all, if it is not told.
 */
const char *javacommand_main(char *const *words, size_t *options);

#endif
