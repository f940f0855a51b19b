#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault.h"
#include "hotspot/symtab.h"
#include "place.h"

/* This program stands for a library that does not export them. */
static int symtab_test_one = 1, symtab_test_other = 2;

/* Criterion starts this program under a name that is no file. */
static void begin(void)
{
	Dl_info info;

	place_open();
	cr_assert_eq(chdir(place_folder), 0);
	cr_assert(dladdr(&symtab_test_one, &info));
	if (!strchr(info.dli_fname, '/'))
		cr_assert_eq(symlink("/proc/self/exe", info.dli_fname), 0);
}

TestSuite(symtab, .init = begin, .fini = place_close);

static const void *find(const char *name)
{
	return symtab_find(&symtab_test_one, name);
}

Test(symtab, finds_what_is_not_exported)
{
	cr_expect_eq(find("symtab_test_one"), &symtab_test_one);
	cr_expect_eq(find("symtab_test_other"), &symtab_test_other);
	symtab_test_other++;
}

Test(symtab, finds_nothing_else)
{
	char *elsewhere = malloc(1);

	cr_expect_null(find("symtab_test_none"));
	cr_expect_null(find(""));
	cr_expect_null(find("symtab_test_on"));
	cr_expect_null(symtab_find(NULL, "symtab_test_one"));
	cr_expect_null(symtab_find(elsewhere, "symtab_test_one"));
	free(elsewhere);
}

/* The library has been replaced since it was loaded. */
Test(symtab, finds_nothing_in_another_file)
{
	Dl_info info;

	dladdr(&symtab_test_one, &info);
	if (strchr(info.dli_fname, '/'))
		cr_skip("this program's name is that of its file");
	unlink(info.dli_fname);
	cr_expect_null(find("symtab_test_one"));
	cr_assert_eq(symlink("/bin/sh", info.dli_fname), 0);
	cr_expect_null(find("symtab_test_one"));
}

Test(symtab, finds_nothing_without_memory)
{
	const void *found;

	for (size_t n = 1; n < 10; n++) {
		fault_at(n);
		found = find("symtab_test_one");
		if (!fault_happened())
			break;
		cr_expect_null(found, "request %zu", n);
	}
	fault_at(0);
	cr_expect_eq(find("symtab_test_one"), &symtab_test_one);
}
