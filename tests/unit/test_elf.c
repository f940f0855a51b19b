#include <criterion/criterion.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jvms/elf.h"

/* A file with all that is looked at, which tests change before they write it. */
static struct made {
	Elf64_Ehdr header;
	Elf64_Phdr parts[3];
	Elf64_Dyn dynamic[5];
	char loader[64];
	char names[64];
} made;

static char path[64];

static void fill(void)
{
	made = (struct made){
		.header = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64,
					 __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
						 ? ELFDATA2MSB : ELFDATA2LSB },
			    .e_machine = EM_AARCH64,
			    .e_phoff = offsetof(struct made, parts),
			    .e_phentsize = sizeof(Elf64_Phdr),
			    .e_phnum = 3 },
		.parts = { { .p_type = PT_LOAD, .p_vaddr = 0x10000,
			     .p_filesz = sizeof(made) },
			   { .p_type = PT_DYNAMIC,
			     .p_offset = offsetof(struct made, dynamic),
			     .p_filesz = sizeof(made.dynamic) },
			   { .p_type = PT_INTERP,
			     .p_offset = offsetof(struct made, loader),
			     .p_filesz = sizeof(made.loader) } },
		.dynamic = { { DT_NEEDED, { 1 } },
			     { DT_NEEDED, { 11 } },
			     { DT_STRTAB, { 0x10000 + offsetof(struct made, names) } },
			     { DT_STRSZ, { sizeof(made.names) } } },
		.loader = "/lib/ld-musl-aarch64.so.1",
	};
	memcpy(made.names, "\0libm.so.6\0libc.so.6", 20);
}

static void begin(void)
{
	int fd;

	snprintf(path, sizeof(path), "/tmp/cjfr-elf-XXXXXX");
	fd = mkstemp(path);
	cr_assert_geq(fd, 0);
	close(fd);
	fill();
}

static void end(void)
{
	unlink(path);
}

TestSuite(elf, .init = begin, .fini = end);

static struct elf read_bytes(const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	cr_assert_eq(write(fd, bytes, size), (ssize_t)size);
	close(fd);
	return elf_read(path);
}

static struct elf read_made(void)
{
	return read_bytes(&made, sizeof(made));
}

Test(elf, tells_processor_and_loader_of_a_program)
{
	char text[ELF_MACHINE_TEXT_MAX];
	struct elf elf = read_made();

	cr_expect(elf.is_elf);
	cr_expect_eq(elf.bits, 64u);
	cr_expect_eq(elf.libc, ELF_LIBC_MUSL);
	cr_expect_str_eq(elf_machine(&elf, text), "aarch64");
	snprintf(made.loader, sizeof(made.loader), "/lib64/ld-linux-x86-64.so.2");
	made.header.e_machine = 0x1234;
	elf = read_made();
	cr_expect_eq(elf.libc, ELF_LIBC_GLIBC);
	cr_expect_str_eq(elf_machine(&elf, text), "machine 4660");
	snprintf(made.loader, sizeof(made.loader), "/lib/other.so");
	cr_expect_eq(read_made().libc, ELF_LIBC_UNKNOWN);
}

Test(elf, tells_what_a_library_needs)
{
	made.header.e_phnum = 2;
	cr_expect_eq(read_made().libc, ELF_LIBC_GLIBC);
	memcpy(made.names + 11, "libc.musl-x86_64.so.1", 22);
	cr_expect_eq(read_made().libc, ELF_LIBC_MUSL);
	memcpy(made.names + 11, "libother.so", 12);
	cr_expect_eq(read_made().libc, ELF_LIBC_UNKNOWN);
}

Test(elf, tells_a_library_that_is_no_agent)
{
	cr_expect_not(read_made().is_no_agent, "it is a program");
	made.header.e_phnum = 2;
	cr_expect(read_made().is_no_agent);
	memcpy(made.names + 21, "Agent_OnLoader", 15);
	cr_expect(read_made().is_no_agent);
	memcpy(made.names + 21, "Agent_OnLoad", 13);
	cr_expect_not(read_made().is_no_agent);
	made.dynamic[3].d_un.d_val = 20;
	cr_expect(read_made().is_no_agent, "it lies behind the texts");
	made.dynamic[3].d_un.d_val = 1 << 20;
	cr_expect_not(read_made().is_no_agent, "nobody can tell");
	made.dynamic[3].d_tag = DT_DEBUG;
	cr_expect_not(read_made().is_no_agent, "likewise");
}

Test(elf, of_another_kind_is_known_as_such)
{
	struct elf elf;

	made.header.e_ident[EI_CLASS] = ELFCLASS32;
	elf = read_made();
	cr_expect_eq(elf.bits, 32u);
	cr_expect_eq(elf.libc, ELF_LIBC_UNKNOWN);
	fill();
	made.header.e_ident[EI_DATA] ^= ELFDATA2LSB ^ ELFDATA2MSB;
	elf = read_made();
	cr_expect_neq(elf.is_big, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	cr_expect_eq(elf.machine, (uint16_t)(EM_AARCH64 << 8));
}

Test(elf, that_is_none_is_unknown)
{
	cr_expect_not(read_bytes("#!/bin/sh\nexec java \"$@\"\n", 26).is_elf);
	cr_expect_not(read_bytes("", 0).is_elf);
	cr_expect_not(elf_read("/nowhere").is_elf);
	cr_expect_not(elf_read("/tmp").is_elf);
}

Test(elf, may_lie_about_all_places)
{
	/* Nothing but that it comes back, under the sanitizers. */
	for (size_t size = 0; size < sizeof(made); size++)
		read_bytes(&made, size);
	for (size_t at = 6; at < sizeof(made); at++) {
		fill();
		made.header.e_phnum = at % 2 ? 3 : 2;
		((unsigned char *)&made)[at] = 0xff;
		cr_expect(read_made().is_elf);
	}
}

Test(elf, of_this_program_is_this_machine_s)
{
	struct elf elf = elf_read("/proc/self/exe");

	cr_expect(elf.is_elf);
	cr_expect_eq(elf.bits, 8 * sizeof(void *));
	cr_expect_neq(elf.libc, ELF_LIBC_UNKNOWN);
}
