#include "classfile/vtype.h"

static struct str without(struct str text, size_t size)
{
	return (struct str){ text.bytes + size, text.size - size };
}

/* The bytes of a type that is an object: "[[I", "La/B;"; 0: it is not whole. */
static size_t object_size(struct str text)
{
	size_t size = 0;
	const char *end;

	while (size < text.size && text.bytes[size] == '[')
		size++;
	if (size == text.size)
		return 0;
	if (text.bytes[size] != 'L')
		return size + 1;
	end = memchr(text.bytes + size, ';', text.size - size);
	return end ? (size_t)(end - text.bytes) + 1 : 0;
}

bool vtype_take(struct str *descriptor, struct vtype *type)
{
	static const struct {
		char letter;
		uint8_t tag;
	} letters[] = {
		{ 'B', VTYPE_INTEGER }, { 'C', VTYPE_INTEGER }, { 'D', VTYPE_DOUBLE },
		{ 'F', VTYPE_FLOAT },	{ 'I', VTYPE_INTEGER }, { 'J', VTYPE_LONG },
		{ 'S', VTYPE_INTEGER }, { 'V', VTYPE_TOP },	{ 'Z', VTYPE_INTEGER },
		{ 'L', VTYPE_OBJECT },	{ '[', VTYPE_OBJECT },
	};
	size_t i = 0, size = 1;

	*type = (struct vtype){ 0 };
	if (!descriptor->size)
		return false;
	while (letters[i].letter != descriptor->bytes[0])
		if (++i == sizeof(letters) / sizeof(letters[0]))
			return false;
	type->tag = letters[i].tag;
	if (type->tag == VTYPE_OBJECT) {
		size = object_size(*descriptor);
		if (!size)
			return false;
		type->name = (struct str){ descriptor->bytes, size };
		if (descriptor->bytes[0] == 'L')	/* the name is in between */
			type->name = (struct str){ descriptor->bytes + 1, size - 2 };
	}
	*descriptor = without(*descriptor, size);
	return true;
}

bool vtype_take_parameter(struct str *descriptor, struct vtype *type)
{
	if (descriptor->size && descriptor->bytes[0] == '(')
		*descriptor = without(*descriptor, 1);
	if (descriptor->size && descriptor->bytes[0] == ')') {
		*descriptor = without(*descriptor, 1);
		return false;
	}
	if (vtype_take(descriptor, type) && type->tag != VTYPE_TOP)
		return true;
	descriptor->size = 0;
	return false;
}
