#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/processor.h"

#define INTEL                                                                          \
	"processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n"  \
	"model name\t: Intel(R) Xeon(R): 2.00GHz\nstepping\t: 3\nflags\t\t: fpu vme\n" \
	"cache size\t:\n\n"                                                            \
	"processor\t: 1\nvendor_id\t: Other\n\n"

#define ARM                                                                           \
	"processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd\n"                  \
	"CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\n"          \
	"CPU part\t: 0xd0c\nCPU revision\t: 1\n"

Test(processor, has_a_name)
{
	cr_expect(str_is(processor_name(STR(INTEL)), STR("Intel(R) Xeon(R): 2.00GHz")));
	cr_expect(str_is(processor_name(STR("processor : 0\ncpu : POWER9\n")),
			 STR("POWER9")));
	cr_expect_eq(processor_name(STR(ARM)).size, 0);
	cr_expect_eq(processor_name(STR("")).size, 0);
	cr_expect_eq(processor_name(STR("\n\nmodel name: late\n")).size, 0);
}

static void expect_description(struct str text, struct str wanted)
{
	struct buf to = { 0 };

	processor_describe(&to, text);
	cr_expect(str_is((struct str){ to.bytes, to.size }, wanted), "%.*s",
		  (int)to.size, to.bytes);
	buf_clear(&to);
}

Test(processor, is_described_by_the_first)
{
	expect_description(
		STR(INTEL),
		STR("Brand: Intel(R) Xeon(R): 2.00GHz\nVendor: GenuineIntel\n"
		    "Family: 6\nModel: 85\nStepping: 3\nSupports: fpu vme\n"));
	expect_description(STR(ARM),
			   STR("Implementer: 0x41\nArchitecture: 8\nVariant: 0x3\n"
			       "Part: 0xd0c\nRevision: 1\nSupports: fp asimd\n"));
	expect_description(STR("no colon\nmodel name\n: x\n"), STR(""));
}

/* What stands in the two files of a CPU; NULL: it is off, and has none. */
struct siblings {
	const char *core, *socket;
};

static void write_list(const char *folder, size_t cpu, const char *name,
		       const char *list)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/cpu%zu", folder, cpu);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/cpu%zu/topology", folder, cpu);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/cpu%zu/topology/%s", folder, cpu, name);
	file = fopen(path, "w");
	cr_assert_not_null(file);
	fprintf(file, "%s\n", list);
	fclose(file);
}

static struct processor_counts count(const struct siblings *cpus, size_t threads)
{
	char folder[] = "/tmp/cpus-XXXXXX", command[64];
	struct processor_counts counts;

	cr_assert_not_null(mkdtemp(folder));
	for (size_t i = 0; i < threads; i++) {
		if (!cpus[i].core)
			continue;
		write_list(folder, i, "thread_siblings_list", cpus[i].core);
		write_list(folder, i, "core_siblings_list", cpus[i].socket);
	}
	processor_count(&counts, folder, (int)threads);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	cr_assert_eq(system(command), 0);
	return counts;
}

#define COUNT(...)                                                                     \
	count((const struct siblings[]){ __VA_ARGS__ },                                \
	      sizeof((const struct siblings[]){ __VA_ARGS__ }) /                       \
		      sizeof(struct siblings))

Test(processor, counts_cores_and_sockets)
{
	struct processor_counts counts;

	counts = COUNT({ "0,2", "0-3" }, { "1,3", "0-3" }, { "0,2", "0-3" },
		       { "1,3", "0-3" });
	cr_expect_eq(counts.threads, 4);
	cr_expect_eq(counts.cores, 2);
	cr_expect_eq(counts.sockets, 1);
	counts = COUNT({ "0", "0" }, { "1", "1" });
	cr_expect_eq(counts.cores, 2);
	cr_expect_eq(counts.sockets, 2);
	counts = COUNT({ "0-1", "0-1" }, { "0-1", "0-1" }, { NULL, NULL });
	cr_expect_eq(counts.threads, 3);
	cr_expect_eq(counts.cores, 1);
	cr_expect_eq(counts.sockets, 1);
	counts = COUNT({ "0", "0-1" }, { "10", "10" });	/* it is not its own sibling */
	cr_expect_eq(counts.cores, 1);
}

Test(processor, counts_each_as_a_core_where_nothing_is_known)
{
	struct processor_counts counts;

	counts = COUNT({ NULL, NULL }, { NULL, NULL });
	cr_expect_eq(counts.threads, 2);
	cr_expect_eq(counts.cores, 2);
	cr_expect_eq(counts.sockets, 1);
}
