#include "filter/threads.h"

/* A thread as patterns see it. */
struct identity {
	struct str java_name, os_name;
	int64_t java_id, os_id;		/* 0 or less: none */
};

static bool is_number(struct str pattern, int64_t number)
{
	uint64_t value = 0;

	if (number <= 0 || pattern.size > 19)
		return false;
	for (size_t i = 0; i < pattern.size; i++) {
		if (pattern.bytes[i] < '0' || pattern.bytes[i] > '9')
			return false;
		value = value * 10 + (uint64_t)(pattern.bytes[i] - '0');
	}
	return value == (uint64_t)number;
}

static bool matches(struct str pattern, const struct identity *identity)
{
	return (identity->java_name.bytes && str_glob(pattern, identity->java_name)) ||
	       (identity->os_name.bytes && str_glob(pattern, identity->os_name)) ||
	       is_number(pattern, identity->java_id) ||
	       is_number(pattern, identity->os_id);
}

bool threads_match(const struct threads *threads, const struct object *thread,
		   struct arena *arena)
{
	struct identity identity = {
		.java_name = object_text(thread, "javaName", arena),
	};
	struct str patterns = threads->patterns, pattern;

	if (!threads->is_java) {
		identity.os_name = object_text(thread, "osName", arena);
		identity.java_id = object_number(thread, "javaThreadId", 0);
		identity.os_id = object_number(thread, "osThreadId", 0);
	}
	while (str_item(&patterns, &pattern)) {
		if (matches(pattern, &identity))
			return true;
	}
	return false;
}

static bool is_thread(const struct field *field)
{
	return field && field->shown && field->shown->role == TYPE_THREAD &&
	       !field->array;
}

const struct field *threads_field(const struct threads *threads,
				  const struct type *event)
{
	const struct field *sampled = type_field(event, "sampledThread");
	const struct field *only = NULL;

	if (is_thread(event->thread))
		return event->thread;
	if (threads->is_java)
		return NULL;
	if (is_thread(sampled))
		return sampled;
	for (size_t i = 0; i < event->field_count; i++) {
		if (!is_thread(&event->fields[i]))
			continue;
		if (only)
			return NULL;
		only = &event->fields[i];
	}
	return only;
}
