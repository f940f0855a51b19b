#include "probe/annotations.h"

#include "base/buf.h"
#include "base/siphash.h"
#include "base/utf.h"
#include "classfile/classfile.h"

#define NAME_MAX_SIZE 300

/* Under the lock. */
static void add_name(struct annotations *annotations, struct str name)
{
	static const struct siphash_key key;
	uint64_t number = siphash(&key, name.bytes, name.size);
	struct str copy = { NULL, name.size };

	if (map_find(&annotations->seen, number) != MAP_NONE ||
	    !map_put(&annotations->seen, number, 0))
		return;
	copy.bytes = arena_copy(&annotations->arena, name.bytes, name.size);
	if (copy.bytes)
		vec_push(&annotations->names, copy);
}

static bool add_one(void *context, struct str descriptor)
{
	struct annotations *annotations = context;
	struct buf name = { 0 };

	if (annotations->names.count >= ANNOTATIONS_MAX)
		return false;
	if (descriptor.size <= 2 || *descriptor.bytes != 'L' ||
	    descriptor.size > NAME_MAX_SIZE)
		return true;
	utf_add_modified(&name, (struct str){ descriptor.bytes + 1,
					      descriptor.size - 2 });
	for (size_t i = 0; i < name.size; i++) {
		if (name.bytes[i] == '/')
			name.bytes[i] = '.';
	}
	if (!name.failed)
		add_name(annotations, buf_as_str(&name));
	buf_clear(&name);
	return true;
}

void annotations_add(struct annotations *annotations, const void *bytes, size_t size)
{
	static const struct str attribute = STR("RuntimeVisibleAnnotations");
	struct arena arena = { 0 };
	struct classfile file;

	if (!size || !memmem(bytes, size, attribute.bytes, attribute.size))
		return;
	if (classfile_read(&file, &arena, bytes, size, NULL)) {
		pthread_mutex_lock(&annotations->lock);
		classfile_annotations(&file, file.annotations, add_one, annotations);
		for (uint16_t i = 0; i < file.method_count; i++)
			classfile_annotations(&file, file.methods[i].annotations,
					      add_one, annotations);
		pthread_mutex_unlock(&annotations->lock);
	}
	arena_clear(&arena);
}

void annotations_clear(struct annotations *annotations)
{
	vec_clear(&annotations->names);
	map_clear(&annotations->seen);
	arena_clear(&annotations->arena);
}
