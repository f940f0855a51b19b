#include "hotspot/vmstructs.h"

#include <dlfcn.h>

#define LIBRARY "libjvm.so"

/* More rows than this no JVM has. */
#define ROWS_MAX 50000

/* The numbers that are exported beside the tables, and where we keep them. */
static const struct {
	const char *symbol;
	size_t member;
} numbers[] = {
#define NUMBER(name, member)                                                   \
	{ "gHotSpotVM" name, offsetof(struct vmstructs, member) }
	NUMBER("StructEntryTypeNameOffset", field.type),
	NUMBER("StructEntryFieldNameOffset", field.name),
	NUMBER("StructEntryTypeStringOffset", field.kind),
	NUMBER("StructEntryIsStaticOffset", field.is_static),
	NUMBER("StructEntryOffsetOffset", field.offset),
	NUMBER("StructEntryAddressOffset", field.address),
	NUMBER("StructEntryArrayStride", field.stride),
	NUMBER("TypeEntryTypeNameOffset", type.name),
	NUMBER("TypeEntrySizeOffset", type.size),
	NUMBER("TypeEntryArrayStride", type.stride),
	NUMBER("IntConstantEntryNameOffset", number.name),
	NUMBER("IntConstantEntryValueOffset", number.value),
	NUMBER("IntConstantEntryArrayStride", number.stride),
#undef NUMBER
};

/* A launcher that does not show the library's symbols to all still has it loaded. */
const void *vmstructs_exported(const char *name)
{
	const void *found = dlsym(RTLD_DEFAULT, name);
	void *library = found ? NULL : dlopen(LIBRARY, RTLD_LAZY | RTLD_NOLOAD);

	if (library) {
		found = dlsym(library, name);
		dlclose(library);
	}
	return found;
}

static uint64_t number_at(const char *at)
{
	uint64_t number;

	memcpy(&number, at, sizeof(number));
	return number;
}

bool vmstructs_find(struct vmstructs *vmstructs, vmstructs_symbol *symbol)
{
	struct vmstructs found;
	const char *fields, *types, *ints;

	memset(vmstructs, 0, sizeof(*vmstructs));
	if (!symbol)
		symbol = vmstructs_exported;
	fields = symbol("gHotSpotVMStructs");
	types = symbol("gHotSpotVMTypes");
	ints = symbol("gHotSpotVMIntConstants");
	if (!fields || !types || !ints)
		return false;
	found.fields = vmstructs_pointer(fields);
	found.types = vmstructs_pointer(types);
	found.ints = vmstructs_pointer(ints);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const void *number = symbol(numbers[i].symbol);

		if (!number)
			return false;
		memcpy((char *)&found + numbers[i].member, number, sizeof(uint64_t));
	}
	if (!found.fields || !found.types || !found.ints || !found.field.stride ||
	    !found.type.stride || !found.number.stride)
		return false;
	*vmstructs = found;
	return true;
}

static bool is_text(const char *at, const char *text)
{
	const char *there = vmstructs_pointer(at);

	return there && strcmp(there, text) == 0;
}

/* The row of a field, which is static or not; NULL: there is none. */
static const char *find_field(const struct vmstructs *vmstructs, const char *type,
			      const char *name, bool is_static)
{
	const struct vmstructs_layout *layout = &vmstructs->field;
	const char *row = vmstructs->fields;

	if (!row)
		return NULL;
	for (int i = 0; i < ROWS_MAX && vmstructs_pointer(row + layout->type); i++) {
		int32_t its_static;

		memcpy(&its_static, row + layout->is_static, sizeof(its_static));
		if (is_text(row + layout->type, type) &&
		    is_text(row + layout->name, name) && !its_static == !is_static)
			return row;
		row += layout->stride;
	}
	return NULL;
}

const void *vmstructs_static(const struct vmstructs *vmstructs, const char *type,
			     const char *field)
{
	const char *row = find_field(vmstructs, type, field, true);

	return row ? vmstructs_pointer(row + vmstructs->field.address) : NULL;
}

const char *vmstructs_text(const struct vmstructs *vmstructs, const char *type,
			   const char *field)
{
	return vmstructs_pointer(vmstructs_static(vmstructs, type, field));
}

struct vmstructs_texts vmstructs_texts(const struct vmstructs *vmstructs,
				       const char *type, const char *list,
				       const char *count)
{
	const void *at = vmstructs_pointer(vmstructs_static(vmstructs, type, list));
	const void *there = vmstructs_static(vmstructs, type, count);
	int32_t number = 0;

	if (there)
		memcpy(&number, there, sizeof(number));
	if (!at || number <= 0)
		return (struct vmstructs_texts){ NULL, 0 };
	return (struct vmstructs_texts){ at, (size_t)number };
}

bool vmstructs_field(const struct vmstructs *vmstructs, const char *type,
		     const char *field, struct vmstructs_field *found)
{
	const char *row = find_field(vmstructs, type, field, false);

	if (!row)
		return false;
	found->offset = number_at(row + vmstructs->field.offset);
	found->kind = vmstructs_pointer(row + vmstructs->field.kind);
	return true;
}

/* The row of that name, of a table whose rows begin so; NULL: there is none. */
static const char *find_row(const char *row, uint64_t name_at, uint64_t stride,
			    const char *name)
{
	if (!row)
		return NULL;
	for (int i = 0; i < ROWS_MAX && vmstructs_pointer(row + name_at); i++) {
		if (is_text(row + name_at, name))
			return row;
		row += stride;
	}
	return NULL;
}

uint64_t vmstructs_size(const struct vmstructs *vmstructs, const char *type)
{
	const struct vmstructs_type *layout = &vmstructs->type;
	const char *row = find_row(vmstructs->types, layout->name, layout->stride,
				   type);

	return row ? number_at(row + layout->size) : 0;
}

bool vmstructs_int(const struct vmstructs *vmstructs, const char *name, int32_t *value)
{
	const struct vmstructs_int *layout = &vmstructs->number;
	const char *row = find_row(vmstructs->ints, layout->name, layout->stride, name);

	if (row)
		memcpy(value, row + layout->value, sizeof(*value));
	return row != NULL;
}
