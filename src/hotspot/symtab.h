/*
 * symtab.h - variables of the JVM's library that it does not export.
 *
 * Their names are in the file's table of symbols, which the makers of JDKs leave there
 * for debuggers and profilers. The file is read anew: it must be the one that was
 * loaded. No lock; any thread, but not in a signal handler.
 */
#ifndef HOTSPOT_SYMTAB_H
#define HOTSPOT_SYMTAB_H

/*
 * The address of a symbol in the library that has `within` somewhere in its memory.
 * NULL: it has none such, its table is stripped, or its file is another one by now.
 */
const void *symtab_find(const void *within, const char *name);

#endif
