#include "classfile/classfile.h"

#include "classfile/constant.h"
#include "classfile/reader.h"
#include "classfile/values.h"

#define MAGIC 0xcafebabe

/* Offsets have 32 bits; no class is that large. */
#define SIZE_MOST (UINT32_MAX / 4)

/* Bytes behind the tag; 0: there is no such tag. Of a Utf8, those before the text. */
static const uint8_t constant_sizes[] = {
	[CONSTANT_UTF8] = 2,		 [CONSTANT_INTEGER] = 4,
	[CONSTANT_FLOAT] = 4,		 [CONSTANT_LONG] = 8,
	[CONSTANT_DOUBLE] = 8,		 [CONSTANT_CLASS] = 2,
	[CONSTANT_STRING] = 2,		 [CONSTANT_FIELD] = 4,
	[CONSTANT_METHOD] = 4,		 [CONSTANT_INTERFACE_METHOD] = 4,
	[CONSTANT_NAME_AND_TYPE] = 4,	 [CONSTANT_METHOD_HANDLE] = 3,
	[CONSTANT_METHOD_TYPE] = 2,	 [CONSTANT_DYNAMIC] = 4,
	[CONSTANT_INVOKE_DYNAMIC] = 4,	 [CONSTANT_MODULE] = 2,
	[CONSTANT_PACKAGE] = 2,
};

static bool read_constants(struct classfile *file, struct arena *arena,
			   struct reader *reader, struct err *err)
{
	uint32_t *constants, i;

	file->constant_count = reader_u2(reader);
	constants = arena_array(arena, file->constant_count, sizeof(*constants));
	if (!constants)
		return err_memory(err);
	file->constants = constants;
	for (i = 1; i < file->constant_count && !reader->failed; i++) {
		uint32_t at = reader->at;
		uint8_t tag = reader_u1(reader);

		if (tag >= sizeof(constant_sizes) || !constant_sizes[tag])
			return err_set(err, ERR_FORMAT, "constant %u: unknown kind %u",
				       (unsigned)i, tag);
		if (tag == CONSTANT_UTF8)
			reader_take(reader, reader_u2(reader));
		else
			reader_take(reader, constant_sizes[tag]);
		constants[i] = at;
		if (tag == CONSTANT_LONG || tag == CONSTANT_DOUBLE)
			i++;	/* it has the next index, too */
	}
	if (i > file->constant_count && i > 1)
		return err_set(err, ERR_FORMAT, "the last constant has no second index");
	file->constants_end = reader->at;
	return true;
}

/* An attribute's content; its name, bytes NULL: it has none that is a name. */
static struct classfile_part next_attribute(const struct classfile *file,
					    struct reader *reader, struct str *name)
{
	struct classfile_part part;

	*name = classfile_utf8(file, reader_u2(reader));
	part.size = reader_u4(reader);
	part.at = reader->at;
	if (!reader_take(reader, part.size))
		part.size = 0;
	return part;
}

static void skip_attributes(struct reader *reader)
{
	for (uint32_t left = reader_u2(reader); left && !reader->failed; left--) {
		reader_take(reader, 2);
		reader_take(reader, reader_u4(reader));
	}
}

static void skip_fields(struct reader *reader)
{
	for (uint32_t left = reader_u2(reader); left && !reader->failed; left--) {
		reader_take(reader, 6);
		skip_attributes(reader);
	}
}

static void read_method_attributes(struct classfile *file,
				   struct classfile_method *method,
				   struct reader *reader)
{
	for (uint32_t left = reader_u2(reader); left && !reader->failed; left--) {
		struct str name;
		struct classfile_part part = next_attribute(file, reader, &name);

		if (str_is(name, STR("Code")))
			method->code = part;
		else if (str_is(name, STR("RuntimeVisibleAnnotations")))
			method->annotations = part;
		else if (str_is(name, STR("Synthetic")))
			method->access |= ACCESS_SYNTHETIC;
	}
}

static bool read_methods(struct classfile *file, struct arena *arena,
			 struct reader *reader, struct err *err)
{
	file->methods_at = reader->at;
	file->method_count = reader_u2(reader);
	file->methods = arena_array(arena, file->method_count, sizeof(*file->methods));
	if (!file->methods)
		return err_memory(err);
	for (unsigned i = 0; i < file->method_count && !reader->failed; i++) {
		struct classfile_method *method = &file->methods[i];

		method->whole.at = reader->at;
		method->access = reader_u2(reader);
		method->name = classfile_utf8(file, reader_u2(reader));
		method->descriptor = classfile_utf8(file, reader_u2(reader));
		read_method_attributes(file, method, reader);
		method->whole.size = reader->at - method->whole.at;
		if (!reader->failed &&
		    (!method->name.bytes || !method->descriptor.bytes))
			return err_set(err, ERR_FORMAT, "method %u has no name", i);
	}
	file->methods_end = reader->at;
	return true;
}

static void read_class_attributes(struct classfile *file, struct reader *reader)
{
	for (uint32_t left = reader_u2(reader); left && !reader->failed; left--) {
		struct str name;
		struct classfile_part part = next_attribute(file, reader, &name);

		if (str_is(name, STR("RuntimeVisibleAnnotations")))
			file->annotations = part;
	}
}

static void read_names(struct classfile *file, struct reader *reader)
{
	file->access = reader_u2(reader);
	file->name = classfile_class_name(file, reader_u2(reader));
	file->super_name = classfile_class_name(file, reader_u2(reader));
	file->interface_count = reader_u2(reader);
	file->interfaces = reader->at;
	reader_take(reader, file->interface_count * 2u);
}

bool classfile_read(struct classfile *file, struct arena *arena, const void *bytes,
		    size_t size, struct err *err)
{
	struct reader reader = { .bytes = bytes };

	*file = (struct classfile){ .bytes = bytes, .size = size };
	if (size > SIZE_MOST)
		return err_set(err, ERR_FORMAT, "class file is too large");
	reader.end = (uint32_t)size;
	if (reader_u4(&reader) != MAGIC)
		return err_set(err, ERR_FORMAT, "not a class file");
	file->minor = reader_u2(&reader);
	file->major = reader_u2(&reader);
	if (!read_constants(file, arena, &reader, err))
		return false;
	read_names(file, &reader);
	skip_fields(&reader);
	if (!read_methods(file, arena, &reader, err))
		return false;
	read_class_attributes(file, &reader);
	if (reader.failed)
		return err_set(err, ERR_FORMAT, "class file ends too early");
	if (!file->name.bytes)
		return err_set(err, ERR_FORMAT, "class has no name");
	if (reader.at != reader.end)
		return err_set(err, ERR_FORMAT, "class file ends at byte %u of %u",
			       (unsigned)reader.at, (unsigned)reader.end);
	return true;
}

int classfile_tag(const struct classfile *file, uint16_t index)
{
	if (index >= file->constant_count || !file->constants[index])
		return 0;
	return file->bytes[file->constants[index]];
}

struct str classfile_utf8(const struct classfile *file, uint16_t index)
{
	const uint8_t *at;

	if (classfile_tag(file, index) != CONSTANT_UTF8)
		return (struct str){ 0 };
	at = file->bytes + file->constants[index] + 1;
	return (struct str){ (const char *)at + 2, big_u2(at) };
}

struct str classfile_class_name(const struct classfile *file, uint16_t index)
{
	if (classfile_tag(file, index) != CONSTANT_CLASS)
		return (struct str){ 0 };
	return classfile_utf8(file, big_u2(file->bytes + file->constants[index] + 1));
}

struct str classfile_interface(const struct classfile *file, uint16_t i)
{
	const uint8_t *at = file->bytes + file->interfaces + 2u * i;

	if (i >= file->interface_count)
		return (struct str){ 0 };
	return classfile_class_name(file, big_u2(at));
}

void classfile_annotations(const struct classfile *file, struct classfile_part part,
			   classfile_annotation *what, void *context)
{
	struct reader reader = { file->bytes, part.at, part.at + part.size, false };

	for (uint32_t left = reader_u2(&reader); left; left--) {
		struct str descriptor = classfile_utf8(file, reader_u2(&reader));

		values_skip(&reader);
		if (reader.failed || !descriptor.bytes || !what(context, descriptor))
			return;
	}
}
