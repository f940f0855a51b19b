#include "host/processor.h"

#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "host/proc.h"
#include "jfr/rawtext.h"
#include "host/hostobservers.h"

/* Names in /proc/cpuinfo, which each architecture has others of, and ours. */
static const struct {
	const char *key, *label;
} traits[] = {
	{ "model name", "Brand" },
	{ "vendor_id", "Vendor" },
	{ "cpu family", "Family" },
	{ "model", "Model" },
	{ "stepping", "Stepping" },
	{ "microcode", "Microcode" },
	{ "cache size", "Cache" },
	{ "CPU implementer", "Implementer" },
	{ "CPU architecture", "Architecture" },
	{ "CPU variant", "Variant" },
	{ "CPU part", "Part" },
	{ "CPU revision", "Revision" },
	{ "cpu", "Processor" },
	{ "isa", "Instruction set" },
	{ "uarch", "Microarchitecture" },
	{ "flags", "Supports" },
	{ "Features", "Supports" },
};

/* "key<blanks>: value" of the first processor; bytes NULL: it has no such line. */
static struct str value_of(struct str text, struct str key)
{
	struct str line, name;

	while (str_split(&text, '\n', &line) && line.size) {
		if (str_split(&line, ':', &name) && str_is(str_trim(name), key))
			return str_trim(line);
	}
	return (struct str){ NULL, 0 };
}

struct str processor_name(struct str text)
{
	struct str name = value_of(text, STR("model name"));

	return name.size ? name : value_of(text, STR("cpu"));
}

void processor_describe(struct buf *to, struct str text)
{
	for (size_t i = 0; i < sizeof(traits) / sizeof(traits[0]); i++) {
		struct str value = value_of(text, str_of(traits[i].key));

		if (!value.size)
			continue;
		buf_text(to, traits[i].label);
		buf_text(to, ": ");
		buf_str(to, value);
		buf_byte(to, '\n');
	}
}

/* True if the list of siblings ("0,2-3") begins with the CPU itself. */
static bool is_first(const char *folder, int cpu, const char *list)
{
	char path[256], text[64], own[16];
	size_t size = sizeof(text), own_size;

	snprintf(path, sizeof(path), "%s/cpu%d/topology/%s", folder, cpu, list);
	if (!proc_read_into(text, &size, path))
		return false;
	own_size = (size_t)snprintf(own, sizeof(own), "%d", cpu);
	return str_starts((struct str){ text, size }, (struct str){ own, own_size }) &&
	       (size == own_size || text[own_size] < '0' || text[own_size] > '9');
}

void processor_count(struct processor_counts *counts, const char *folder, int threads)
{
	counts->threads = threads;
	counts->sockets = counts->cores = 0;
	for (int i = 0; i < threads; i++) {
		counts->cores += is_first(folder, i, "thread_siblings_list");
		counts->sockets += is_first(folder, i, "core_siblings_list");
	}
	if (!counts->cores)
		counts->cores = threads;
	if (!counts->sockets)
		counts->sockets = 1;
}

static struct str machine(struct utsname *names)
{
	return uname(names) == 0 ? str_of(names->machine) : STR("unknown");
}

static void tell_processor(struct recorder *recorder, struct batch *batch)
{
	struct buf text = { 0 }, description = { 0 };
	struct processor_counts counts;
	struct utsname names;
	struct str all, name;

	(void)recorder;
	proc_read(&text, "/proc/cpuinfo");
	batch->buf.failed |= text.failed;
	all = buf_as_str(&text);
	name = processor_name(all);
	processor_describe(&description, all);
	processor_count(&counts, "/sys/devices/system/cpu",
			(int)sysconf(_SC_NPROCESSORS_CONF));
	batch_begin(batch, EVENT_CPU_INFORMATION);
	encode_long(&batch->buf, batch->now);
	rawtext_encode(&batch->buf, name.size ? name : machine(&names));
	rawtext_encode_buf(&batch->buf, &description);
	encode_int(&batch->buf, counts.sockets);
	encode_int(&batch->buf, counts.cores);
	encode_int(&batch->buf, counts.threads);
	batch_end(batch);
	buf_clear(&text);
}

const struct observer processor_observer = {
	.name = "processor",
	.periodic = (const struct periodic[]){
		{ EVENT_CPU_INFORMATION, tell_processor },
		{ 0 },
	},
};
