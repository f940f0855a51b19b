#include "jvms/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As many program headers, and needs of a library, are looked at. */
#define HEADERS_MAX 64
#define NEEDS_MAX 256
#define NAME_SIZE 256
#define NAMES_MAX (16 << 20) /* bytes of texts */

#define IS_BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static bool read_at(int fd, uint64_t at, void *to, size_t size)
{
	return at <= INT64_MAX && pread(fd, to, size, (off_t)at) == (ssize_t)size;
}

/* A text that ends with 0, or with the room for it. */
static void read_text(int fd, uint64_t at, char to[NAME_SIZE])
{
	ssize_t size = at <= INT64_MAX ? pread(fd, to, NAME_SIZE - 1, (off_t)at) : 0;

	to[size < 0 ? 0 : size] = '\0';
}

static enum elf_libc libc_of(const char *name)
{
	if (strstr(name, "musl"))
		return ELF_LIBC_MUSL;
	if (strstr(name, "ld-linux") || strcmp(name, "libc.so.6") == 0 ||
	    strstr(name, "/ld64.so"))
		return ELF_LIBC_GLIBC;
	return ELF_LIBC_UNKNOWN;
}

/* The file, and where its parts will lie in memory. */
struct image {
	int fd;
	Elf64_Phdr headers[HEADERS_MAX];
	size_t count;
};

/* Where in the file an address is. */
static bool find_address(const struct image *image, uint64_t address, uint64_t *at)
{
	for (size_t i = 0; i < image->count; i++) {
		const Elf64_Phdr *part = &image->headers[i];

		if (part->p_type != PT_LOAD || address < part->p_vaddr ||
		    address - part->p_vaddr >= part->p_filesz)
			continue;
		*at = part->p_offset + (address - part->p_vaddr);
		return true;
	}
	return false;
}

static const Elf64_Phdr *find_header(const struct image *image, uint32_t type)
{
	for (size_t i = 0; i < image->count; i++) {
		if (image->headers[i].p_type == type)
			return &image->headers[i];
	}
	return NULL;
}

/* What a library says about itself. */
struct dynamic {
	Elf64_Dyn entries[NEEDS_MAX];
	size_t count;
	uint64_t names, names_size; /* the texts that it refers to: where in the file */
};

static bool read_dynamic(const struct image *image, const Elf64_Phdr *header,
			 struct dynamic *dynamic)
{
	size_t size = header->p_filesz < sizeof(dynamic->entries)
			    ? header->p_filesz
			    : sizeof(dynamic->entries);
	size_t count = size / sizeof(dynamic->entries[0]);

	dynamic->count = 0;
	dynamic->names = dynamic->names_size = 0;
	if (!read_at(image->fd, header->p_offset, dynamic->entries,
		     count * sizeof(dynamic->entries[0])))
		return false;
	for (size_t i = 0; i < count && dynamic->entries[i].d_tag != DT_NULL; i++) {
		const Elf64_Dyn *entry = &dynamic->entries[i];

		if (entry->d_tag == DT_STRTAB &&
		    !find_address(image, entry->d_un.d_ptr, &dynamic->names))
			return false;
		if (entry->d_tag == DT_STRSZ)
			dynamic->names_size = entry->d_un.d_val;
		dynamic->count++;
	}
	return true;
}

/* The C library among the libraries that it needs. */
static enum elf_libc needed_libc(const struct image *image,
				 const struct dynamic *dynamic)
{
	enum elf_libc libc = ELF_LIBC_UNKNOWN;
	char name[NAME_SIZE];

	for (size_t i = 0; i < dynamic->count && !libc; i++) {
		const Elf64_Dyn *entry = &dynamic->entries[i];

		if (entry->d_tag != DT_NEEDED)
			continue;
		read_text(image->fd, dynamic->names + entry->d_un.d_val, name);
		libc = libc_of(name);
	}
	return libc;
}

/*
 * Whether one of its texts is Agent_OnLoad, or ends so: what has the text, has the
 * function. If it cannot be told, that is so, too.
 */
static bool names_agent(const struct image *image, const struct dynamic *dynamic)
{
	static const char name[] = "Agent_OnLoad";
	size_t size = (size_t)dynamic->names_size;
	char *names;
	bool is_there;

	if (!dynamic->names || !size || dynamic->names_size > NAMES_MAX)
		return true;
	names = malloc(size);
	is_there = !names || !read_at(image->fd, dynamic->names, names, size) ||
		   memmem(names, size, name, sizeof(name));
	free(names);
	return is_there;
}

static void read_library(struct elf *elf, const struct image *image,
			 const Elf64_Phdr *header)
{
	struct dynamic dynamic;

	if (!read_dynamic(image, header, &dynamic))
		return;
	elf->libc = needed_libc(image, &dynamic);
	elf->is_no_agent = !names_agent(image, &dynamic);
}

static void read_program(struct elf *elf, const struct image *image,
			 const Elf64_Phdr *loader)
{
	char name[NAME_SIZE];

	read_text(image->fd, loader->p_offset, name);
	elf->libc = libc_of(name);
}

/* The C library is looked for where the file is of the kind that this program is. */
static void read_parts(struct elf *elf, int fd)
{
	struct image image = { .fd = fd };
	const Elf64_Phdr *loader, *dynamic;
	Elf64_Ehdr header;

	if (elf->bits != 64 || elf->is_big != IS_BIG ||
	    !read_at(fd, 0, &header, sizeof(header)) ||
	    header.e_phentsize != sizeof(image.headers[0]))
		return;
	image.count = header.e_phnum < HEADERS_MAX ? header.e_phnum : HEADERS_MAX;
	if (!read_at(fd, header.e_phoff, image.headers,
		     image.count * sizeof(image.headers[0])))
		return;
	loader = find_header(&image, PT_INTERP);
	dynamic = find_header(&image, PT_DYNAMIC);
	if (loader)
		read_program(elf, &image, loader);
	else if (dynamic)
		read_library(elf, &image, dynamic);
}

struct elf elf_read(const char *path)
{
	struct elf elf = { .is_elf = false };
	unsigned char start[EI_NIDENT + 4];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return elf;
	if (read_at(fd, 0, start, sizeof(start)) &&
	    memcmp(start, ELFMAG, SELFMAG) == 0) {
		elf.is_elf = true;
		elf.bits = start[EI_CLASS] == ELFCLASS64 ? 64 : 32;
		elf.is_big = start[EI_DATA] == ELFDATA2MSB;
		elf.machine = elf.is_big ? (uint16_t)(start[EI_NIDENT + 2] << 8 |
						      start[EI_NIDENT + 3])
					 : (uint16_t)(start[EI_NIDENT + 3] << 8 |
						      start[EI_NIDENT + 2]);
		read_parts(&elf, fd);
	}
	close(fd);
	return elf;
}

const char *elf_machine(const struct elf *elf, char to[ELF_MACHINE_TEXT_MAX])
{
	static const struct {
		uint16_t machine;
		const char *name;
	} names[] = {
		{ EM_X86_64, "x86-64" },   { EM_386, "x86" },
		{ EM_AARCH64, "aarch64" }, { EM_ARM, "arm" },
		{ EM_PPC64, "ppc64" },	   { EM_S390, "s390x" },
		{ EM_RISCV, "riscv64" },   { 258 /* LoongArch */, "loongarch64" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].machine == elf->machine)
			return names[i].name;
	}
	snprintf(to, ELF_MACHINE_TEXT_MAX, "machine %u", elf->machine);
	return to;
}

const char *elf_libc_name(enum elf_libc libc)
{
	return libc == ELF_LIBC_MUSL  ? "musl"
	     : libc == ELF_LIBC_GLIBC ? "glibc"
				      : "an unknown C library";
}
