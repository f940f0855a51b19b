#include "classfile/calls.h"

#include "classfile/code.h"
#include "classfile/constant.h"

static bool is_of(const struct classfile *file, uint16_t constant, struct str class_name)
{
	int tag = classfile_tag(file, constant);
	const uint8_t *at;

	if (tag != CONSTANT_METHOD && tag != CONSTANT_INTERFACE_METHOD)
		return false;
	at = file->bytes + file->constants[constant];
	return str_is(classfile_class_name(file, big_u2(at + 1)), class_name);
}

static bool has_class(const struct classfile *file, struct str class_name)
{
	if (!memmem(file->bytes, file->size, class_name.bytes, class_name.size))
		return false;
	for (uint32_t i = 1; i < file->constant_count; i++) {
		if (str_is(classfile_class_name(file, (uint16_t)i), class_name))
			return true;
	}
	return false;
}

static bool method_calls(const struct classfile *file,
			 const struct classfile_method *method, struct str class_name,
			 struct arena *arena)
{
	struct code code;

	if (method->code.size == 0 ||
	    code_read(&code, file, method->code, arena) != CODE_FINE)
		return false;
	for (uint32_t i = 0; i < code.count; i++) {
		const uint8_t *at = code.bytes + code.at[i];

		if (*at == OPCODE_INVOKESTATIC && is_of(file, big_u2(at + 1), class_name))
			return true;
	}
	return false;
}

bool calls_static_of(const struct classfile *file, struct str class_name,
		     struct arena *arena)
{
	if (!has_class(file, class_name))
		return false;
	for (uint16_t i = 0; i < file->method_count; i++) {
		if (method_calls(file, &file->methods[i], class_name, arena))
			return true;
	}
	return false;
}
