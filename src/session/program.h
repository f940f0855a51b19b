/*
 * program.h - what a command runs, in a word.
 *
 * "app" of `java -cp x -jar lib/app.jar`, "Main" of `java shop.Main`, "mvn" of
 * `/usr/bin/mvn verify`.
 */
#ifndef SESSION_PROGRAM_H
#define SESSION_PROGRAM_H

/* Only characters that are good in a name. The caller's to free; NULL without memory. */
char *program_name(char *const *command);

#endif
