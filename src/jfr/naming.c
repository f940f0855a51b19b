#include "jfr/naming.h"

void naming_add_dotted(struct buf *to, struct str name)
{
	size_t start = to->size;

	buf_str(to, name);
	for (size_t i = start; i < to->size; i++) {
		if (to->bytes[i] == '/')
			to->bytes[i] = '.';
	}
}

static struct str primitive_name(char letter)
{
	static const struct {
		char letter;
		struct str name;
	} primitives[] = {
		{ 'Z', STR("boolean") }, { 'B', STR("byte") },	 { 'S', STR("short") },
		{ 'C', STR("char") },	 { 'I', STR("int") },	 { 'J', STR("long") },
		{ 'F', STR("float") },	 { 'D', STR("double") },
	};

	for (size_t i = 0; i < sizeof(primitives) / sizeof(primitives[0]); i++) {
		if (primitives[i].letter == letter)
			return primitives[i].name;
	}
	return STR("<unknown-descriptor-type>");
}

/* The type at the front of a descriptor, and how much of that it takes up. */
static struct str front_type(struct str descriptor, size_t *size)
{
	const char *end = memchr(descriptor.bytes, ';', descriptor.size);

	*size = 1;
	if (descriptor.bytes[0] != 'L')
		return primitive_name(descriptor.bytes[0]);
	*size = end ? (size_t)(end - descriptor.bytes) + 1 : descriptor.size;
	return (struct str){ descriptor.bytes + 1, end ? *size - 2 : *size - 1 };
}

/* Takes one type off the front; false, and nothing is appended, if there is none. */
static bool add_type(struct buf *to, struct str *descriptor, struct str length,
		     bool is_simple)
{
	size_t depth = 0, size;
	struct str name;

	while (depth < descriptor->size && descriptor->bytes[depth] == '[')
		depth++;
	if (depth == descriptor->size)
		return false;
	descriptor->bytes += depth;
	descriptor->size -= depth;
	name = front_type(*descriptor, &size);
	descriptor->bytes += size;
	descriptor->size -= size;
	if (is_simple)
		name = str_after_last(str_after_last(name, '/'), '.');
	naming_add_dotted(to, name);
	for (size_t i = 0; i < depth; i++) {
		buf_byte(to, '[');
		buf_str(to, i == 0 ? length : STR(""));
		buf_byte(to, ']');
	}
	return true;
}

void naming_add_class(struct buf *to, struct str name, struct str length)
{
	struct str rest = name;

	if (!str_starts(name, STR("[")) || !add_type(to, &rest, length, false))
		naming_add_dotted(to, name);
}

static bool add_text(struct buf *to, struct str text)
{
	buf_str(to, text);
	return text.bytes != NULL;
}

static bool add_class(struct buf *to, const struct object *class, struct arena *arena)
{
	struct str name = object_text(class, "name", arena);

	if (name.bytes)
		naming_add_class(to, name, STR(""));
	return name.bytes != NULL;
}

/* A thread of Java has a number there; "print" looks at nothing else. */
static bool add_thread(struct buf *to, const struct object *thread, struct arena *arena)
{
	bool is_java = object_exact(thread, OP_LONG, "javaThreadId", -1) > 0;
	struct str name = object_text(thread, is_java ? "javaName" : "osName", arena);

	if (!name.bytes)
		name = object_text(thread, is_java ? "osName" : "javaName", arena);
	return add_text(to, name);
}

static bool add_group(struct buf *to, const struct object *group, struct arena *arena)
{
	return add_text(to, object_text(group, "name", arena));
}

static bool add_loader(struct buf *to, const struct object *loader, struct arena *arena)
{
	struct str name = object_text(loader, "name", arena);
	struct object type;

	if (name.bytes)
		return add_text(to, name);
	return object_child(loader, "type", &type, arena) &&
	       add_class(to, &type, arena);
}

static bool add_method(struct buf *to, const struct object *method, struct arena *arena)
{
	struct str name = object_text(method, "name", arena);
	struct str class = { NULL, 0 };
	struct object type;

	if (!name.bytes)
		return false;
	if (object_child(method, "type", &type, arena))
		class = object_text(&type, "name", arena);
	naming_add_dotted(to, class.bytes ? class : STR("<unknown>"));
	buf_byte(to, '.');
	buf_str(to, name);
	return true;
}

typedef bool add_name(struct buf *to, const struct object *object, struct arena *arena);

static add_name *const names[] = {
	[TYPE_THREAD] = add_thread,	  [TYPE_THREAD_GROUP] = add_group,
	[TYPE_CLASS] = add_class,	  [TYPE_CLASS_LOADER] = add_loader,
	[TYPE_METHOD] = add_method,	  [TYPE_OLD_OBJECT] = NULL,
};

bool naming_has(enum type_role role)
{
	return names[role] != NULL;
}

bool naming_add(struct buf *to, const struct object *object, struct arena *arena)
{
	add_name *add = names[object->type->role];

	return add && add(to, object, arena);
}

/* What stands between the parentheses of a descriptor; nothing, if it has none. */
static struct str inner_part(struct str descriptor)
{
	const char *end = NULL;

	if (descriptor.size > 1)
		end = memrchr(descriptor.bytes + 1, ')', descriptor.size - 1);
	if (!end)
		return STR("");
	return (struct str){ descriptor.bytes + 1,
			     (size_t)(end - descriptor.bytes) - 1 };
}

void naming_add_parameters(struct buf *to, struct str descriptor)
{
	struct str rest = inner_part(descriptor);
	const char *between = "";

	buf_byte(to, '(');
	while (rest.size) {
		buf_text(to, between);
		if (!add_type(to, &rest, STR(""), true))
			break;
		between = ", ";
	}
	buf_byte(to, ')');
}
