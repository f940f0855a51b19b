#include "hotspot/symtab.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define START_SIZE 1024			/* of the file, which is in memory as it is */
#define TABLE_MAX ((size_t)64 << 20)	/* bytes */
#define SECTIONS_MAX 256

/* A library's file, and where it was loaded. */
struct library {
	int fd;
	const char *base;
	ElfW(Addr) first;		/* the address in the file of what is there */
	ElfW(Shdr) sections[SECTIONS_MAX];
	size_t section_count;
};

static bool read_at(int fd, uint64_t at, void *to, size_t size)
{
	return at <= INT64_MAX && pread(fd, to, size, (off_t)at) == (ssize_t)size;
}

/* The file may have been replaced: the start has its build's number, too. */
static bool read_header(struct library *library, ElfW(Ehdr) *header)
{
	char start[START_SIZE];

	if (!read_at(library->fd, 0, start, sizeof(start)) ||
	    memcmp(start, library->base, sizeof(start)) != 0)
		return false;
	memcpy(header, start, sizeof(*header));
	return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
	       header->e_phentsize == sizeof(ElfW(Phdr)) &&
	       header->e_shentsize == sizeof(library->sections[0]) &&
	       header->e_shnum <= SECTIONS_MAX;
}

static bool read_first(struct library *library, const ElfW(Ehdr) *header)
{
	ElfW(Phdr) part = { .p_type = PT_NULL };

	for (size_t i = 0; i < header->e_phnum && part.p_type != PT_LOAD; i++) {
		if (!read_at(library->fd, header->e_phoff + i * sizeof(part), &part,
			     sizeof(part)))
			return false;
	}
	library->first = part.p_vaddr - part.p_offset;
	return part.p_type == PT_LOAD;
}

static bool read_sections(struct library *library)
{
	ElfW(Ehdr) header;

	if (!read_header(library, &header) || !read_first(library, &header))
		return false;
	library->section_count = header.e_shnum;
	return read_at(library->fd, header.e_shoff, library->sections,
		       library->section_count * sizeof(library->sections[0]));
}

static const ElfW(Shdr) *table_of_symbols(const struct library *library)
{
	for (size_t i = 0; i < library->section_count; i++) {
		if (library->sections[i].sh_type == SHT_SYMTAB)
			return &library->sections[i];
	}
	return NULL;
}

/* The bytes of a section, and a 0: for the caller to free. NULL: not to be had. */
static char *read_section(const struct library *library, const ElfW(Shdr) *section)
{
	size_t size = section->sh_size;
	char *bytes = size < TABLE_MAX ? malloc(size + 1) : NULL;

	if (!bytes)
		return NULL;
	bytes[size] = '\0';
	if (read_at(library->fd, section->sh_offset, bytes, size))
		return bytes;
	free(bytes);
	return NULL;
}

/* 0: there is none of that name. */
static uint64_t value_of(const char *symbols, size_t size, const char *names,
			 size_t names_size, const char *name)
{
	ElfW(Sym) symbol;

	for (size_t at = 0; at + sizeof(symbol) <= size; at += sizeof(symbol)) {
		memcpy(&symbol, symbols + at, sizeof(symbol));
		if (symbol.st_name < names_size && symbol.st_shndx != SHN_UNDEF &&
		    strcmp(names + symbol.st_name, name) == 0)
			return symbol.st_value;
	}
	return 0;
}

static const void *find(struct library *library, const char *name)
{
	const ElfW(Shdr) *table, *texts;
	char *symbols, *names;
	uint64_t value = 0;

	if (!read_sections(library) || !(table = table_of_symbols(library)) ||
	    table->sh_link >= library->section_count)
		return NULL;
	texts = &library->sections[table->sh_link];
	symbols = read_section(library, table);
	names = read_section(library, texts);
	if (symbols && names)
		value = value_of(symbols, table->sh_size, names, texts->sh_size, name);
	free(symbols);
	free(names);
	return value ? library->base + (value - library->first) : NULL;
}

const void *symtab_find(const void *within, const char *name)
{
	struct library library;
	const void *found;
	Dl_info info;

	if (!within || !dladdr(within, &info) || !info.dli_fname || !info.dli_fbase)
		return NULL;
	library.fd = open(info.dli_fname, O_RDONLY | O_CLOEXEC);
	if (library.fd < 0)
		return NULL;
	library.base = info.dli_fbase;
	found = find(&library, name);
	close(library.fd);
	return found;
}
