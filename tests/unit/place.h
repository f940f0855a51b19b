/*
 * place.h - a folder for the files of a test: each has its own, in a process of its own.
 *
 *	TestSuite(folder, .init = place_open, .fini = place_close);
 *
 *	place_put("a/b.txt", "tea\n");
 *	cr_expect(is_there(place_of("a/b.txt")));
 */
#ifndef UNIT_PLACE_H
#define UNIT_PLACE_H

extern char place_folder[];	/* its path, from the root */

void place_open(void);

/* Removes it with all that is in it. */
void place_close(void);

/* The path of something in it, there or not. Good until place_close. */
const char *place_of(const char *name);

/* Writes a file there, and makes the folders that it lies in; its path. */
const char *place_put(const char *name, const char *text);

/* Makes a folder there; its path. */
const char *place_make(const char *name);

#endif
