#include "vmtables.h"

#include <string.h>

static const struct vmtables_field *its_fields;
static const struct vmtables_type *its_types;
static const struct vmtables_int *its_ints;
static const char *hidden;

static const struct vmtables_int no_ints[] = { { NULL, 0 } };

#define FIELD(member) offsetof(struct vmtables_field, member)

static const uint64_t numbers[] = {
	FIELD(type), FIELD(name), FIELD(kind), FIELD(is_static), FIELD(offset),
	FIELD(address), sizeof(struct vmtables_field),
	offsetof(struct vmtables_type, name), offsetof(struct vmtables_type, size),
	sizeof(struct vmtables_type),
	offsetof(struct vmtables_int, name), offsetof(struct vmtables_int, value),
	sizeof(struct vmtables_int),
};

static const struct {
	const char *name;
	const void *address;
} symbols[] = {
	{ "gHotSpotVMStructs", &its_fields },
	{ "gHotSpotVMTypes", &its_types },
	{ "gHotSpotVMStructEntryTypeNameOffset", &numbers[0] },
	{ "gHotSpotVMStructEntryFieldNameOffset", &numbers[1] },
	{ "gHotSpotVMStructEntryTypeStringOffset", &numbers[2] },
	{ "gHotSpotVMStructEntryIsStaticOffset", &numbers[3] },
	{ "gHotSpotVMStructEntryOffsetOffset", &numbers[4] },
	{ "gHotSpotVMStructEntryAddressOffset", &numbers[5] },
	{ "gHotSpotVMStructEntryArrayStride", &numbers[6] },
	{ "gHotSpotVMTypeEntryTypeNameOffset", &numbers[7] },
	{ "gHotSpotVMTypeEntrySizeOffset", &numbers[8] },
	{ "gHotSpotVMTypeEntryArrayStride", &numbers[9] },
	{ "gHotSpotVMIntConstants", &its_ints },
	{ "gHotSpotVMIntConstantEntryNameOffset", &numbers[10] },
	{ "gHotSpotVMIntConstantEntryValueOffset", &numbers[11] },
	{ "gHotSpotVMIntConstantEntryArrayStride", &numbers[12] },
};

void vmtables_set(const struct vmtables_field *fields,
		  const struct vmtables_type *types)
{
	its_fields = fields;
	its_types = types;
	its_ints = no_ints;
	hidden = NULL;
}

void vmtables_set_ints(const struct vmtables_int *ints)
{
	its_ints = ints;
}

void vmtables_hide(const char *symbol)
{
	hidden = symbol;
}

const void *vmtables_symbol(const char *name)
{
	if (hidden && strcmp(name, hidden) == 0)
		return NULL;
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		if (strcmp(symbols[i].name, name) == 0)
			return symbols[i].address;
	}
	return NULL;
}

struct vmstructs vmtables_structs(void)
{
	struct vmstructs structs;

	vmstructs_find(&structs, vmtables_symbol);
	return structs;
}
