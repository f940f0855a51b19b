#include "hotspot/vmflags.h"

#include <string.h>

/* More flags than this no JVM has. */
#define FLAGS_MAX 20000

/* By the numbers that JDK 16 and later give them; up to 15 a flag has the word. */
static const struct {
	const char *word;
	enum vmflag_type type;
} types[] = {
	{ "bool", VMFLAG_BOOL },
	{ "int", VMFLAG_INT },
	{ "uint", VMFLAG_UINT },
	{ "intx", VMFLAG_LONG },
	{ "uintx", VMFLAG_ULONG },
	{ "uint64_t", VMFLAG_ULONG },
	{ "size_t", VMFLAG_ULONG },
	{ "double", VMFLAG_DOUBLE },
	{ "ccstr", VMFLAG_TEXT },
	{ "ccstrlist", VMFLAG_TEXT },
};

#define TYPE_COUNT (sizeof(types) / sizeof(types[0]))

/* In the JVM's types a flag was a Flag up to JDK 9. */
static const char *const names[] = { "JVMFlag", "Flag" };

static bool find(struct vmflags *flags, const struct vmstructs *vmstructs,
		 const char *type)
{
	const void *first = vmstructs_static(vmstructs, type, "flags");
	const void *count = vmstructs_static(vmstructs, type, "numFlags");
	struct vmstructs_field name, address, kind;

	flags->stride = vmstructs_size(vmstructs, type);
	if (!first || !count || !flags->stride ||
	    !vmstructs_field(vmstructs, type, "_name", &name) ||
	    !vmstructs_field(vmstructs, type, "_addr", &address) ||
	    !vmstructs_field(vmstructs, type, "_type", &kind) || !kind.kind)
		return false;
	memcpy(&flags->first, first, sizeof(flags->first));
	memcpy(&flags->count, count, sizeof(flags->count));
	flags->name_at = name.offset;
	flags->address_at = address.offset;
	flags->type_at = kind.offset;
	flags->is_type_text = strcmp(kind.kind, "int") != 0;
	return flags->first && flags->count <= FLAGS_MAX;
}

bool vmflags_find(struct vmflags *flags, const struct vmstructs *vmstructs)
{
	bool is_found = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !is_found; i++)
		is_found = find(flags, vmstructs, names[i]);
	if (!is_found)
		memset(flags, 0, sizeof(*flags));
	return is_found;
}

static enum vmflag_type type_at(const struct vmflags *flags, const char *at)
{
	const char *word;
	int32_t number;

	if (!flags->is_type_text) {
		memcpy(&number, at, sizeof(number));
		return number >= 0 && (size_t)number < TYPE_COUNT ? types[number].type
								   : VMFLAG_UNKNOWN;
	}
	word = vmstructs_pointer(at);
	for (size_t i = 0; word && i < TYPE_COUNT; i++) {
		if (strcmp(word, types[i].word) == 0)
			return types[i].type;
	}
	return VMFLAG_UNKNOWN;
}

struct vmflag vmflags_at(const struct vmflags *flags, size_t i)
{
	const char *at = flags->first + i * flags->stride;
	struct vmflag flag;

	flag.name = vmstructs_pointer(at + flags->name_at);
	flag.address = vmstructs_pointer(at + flags->address_at);
	flag.type = flag.address ? type_at(flags, at + flags->type_at) : VMFLAG_UNKNOWN;
	return flag;
}

/* Of type VMFLAG_UNKNOWN if there is none. */
static struct vmflag find_flag(const struct vmflags *flags, const char *name)
{
	for (size_t i = 0; i < flags->count; i++) {
		struct vmflag flag = vmflags_at(flags, i);

		if (flag.name && strcmp(flag.name, name) == 0)
			return flag;
	}
	return (struct vmflag){ NULL, VMFLAG_UNKNOWN, NULL };
}

bool vmflags_boolean(const struct vmflags *flags, const char *name, bool *value)
{
	struct vmflag flag = find_flag(flags, name);

	if (flag.type != VMFLAG_BOOL)
		return false;
	*value = *(const char *)flag.address != 0;
	return true;
}

bool vmflags_number(const struct vmflags *flags, const char *name, uint64_t *value)
{
	struct vmflag flag = find_flag(flags, name);
	int32_t narrow;

	switch (flag.type) {
	case VMFLAG_INT:
	case VMFLAG_UINT:
		memcpy(&narrow, flag.address, sizeof(narrow));
		*value = flag.type == VMFLAG_INT ? (uint64_t)narrow : (uint32_t)narrow;
		return true;
	case VMFLAG_LONG:
	case VMFLAG_ULONG:
		memcpy(value, flag.address, sizeof(*value));
		return true;
	default:
		return false;
	}
}

bool vmflags_is_on(const struct vmflags *flags, const char *name)
{
	bool value;

	return vmflags_boolean(flags, name, &value) && value;
}
