/*
 * elf.h - what a program or a library is made for: processor and C library.
 *
 * Only what is needed to tell that a library cannot be loaded into a program. Anything
 * that is no ELF file (a script) or that cannot be read is unknown, and fits all.
 */
#ifndef JVMS_ELF_H
#define JVMS_ELF_H

#include <stdbool.h>
#include <stdint.h>

enum elf_libc {
	ELF_LIBC_UNKNOWN,	/* none, or another one */
	ELF_LIBC_GLIBC,
	ELF_LIBC_MUSL,
};

struct elf {
	bool is_elf;
	unsigned bits;		/* 32, 64 */
	bool is_big;		/* endian */
	uint16_t machine;	/* EM_X86_64 ... */
	enum elf_libc libc;	/* by the loader of a program, a library's needs */
	bool is_no_agent;	/* a library without Agent_OnLoad */
};

/* Never fails: see above. Links are followed. */
struct elf elf_read(const char *path);

/* "x86-64", "aarch64"; "machine 8" for those that no JVM of today runs on. */
#define ELF_MACHINE_TEXT_MAX 32
const char *elf_machine(const struct elf *elf, char to[ELF_MACHINE_TEXT_MAX]);

/* "glibc", "musl"; "an unknown C library". */
const char *elf_libc_name(enum elf_libc libc);

#endif
