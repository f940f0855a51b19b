#include "count/producer.h"

#include <string.h>

#include "jfr/checkpoint.h"
#include "jfr/event.h"
#include "jfr/object.h"

/* What only one kind of producer declares. */
#define ASYNC_PROFILER_TYPE "profiler.types.LogLevel"
#define HOTSPOT_TYPE ".types.VMOperationType"

/* The event type with this name behind "jdk." or "com.oracle.jdk.", or NULL. */
static const struct type *event_named(const struct metadata *metadata, struct str name)
{
	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];

		if (!type->is_event || !str_ends(type->name, name))
			continue;
		if (type->name.size == name.size + 4 &&
		    str_starts(type->name, STR("jdk.")))
			return type;
		if (type->name.size == name.size + 15 &&
		    str_starts(type->name, STR("com.oracle.jdk.")))
			return type;
	}
	return NULL;
}

static bool declares(const struct metadata *metadata, struct str end)
{
	for (size_t i = 0; i < metadata->type_count; i++) {
		if (str_ends(metadata->types[i].name, end))
			return true;
	}
	return false;
}

/* Where the texts of one event come from. */
struct search {
	struct chunk *chunk;
	const struct tally_share *share;
	struct arena arena;
};

/* Decodes the last event of that name; false if there is none. */
static bool find_event(struct search *search, struct str name, struct object *event)
{
	struct chunk *chunk = search->chunk;
	const struct type *type = event_named(&chunk->metadata, name);
	struct tally_count count = { 0 };
	struct value *values;
	struct event found;

	if (type)
		count = tally_share_of(search->share, (uint64_t)type->id);
	if (!count.count)
		return false;
	values = arena_array(&search->arena, type->program.count, sizeof(*values));
	found = event_at(chunk, count.last);
	*event = (struct object){ chunk, type, values, 0 };
	return values && event_decode(chunk, &found, values, &search->arena);
}

/* Puts the text in, cut where a character begins. */
static void set(char *to, size_t room, struct str text)
{
	size_t size = text.size;

	if (size >= room) {
		size = room - 1;
		while (size > 0 && (text.bytes[size] & 0xc0) == 0x80)
			size--;
	}
	if (size)
		memcpy(to, text.bytes, size);
	to[size] = '\0';
}

/*
 * HotSpot's is a sentence, "OpenJDK 64-Bit Server VM (25.302-b04) for linux-amd64 JRE
 * (1.8.0_302-b04), built on ...": the version is that of the JRE.
 */
static struct str short_version(struct str text)
{
	static const char before[] = " JRE (";
	const char *found = text.size ? memmem(text.bytes, text.size, before,
					       sizeof(before) - 1)
				      : NULL;
	const char *end;

	if (!found)
		return text;
	found += sizeof(before) - 1;
	end = memchr(found, ')', (size_t)(text.bytes + text.size - found));
	return end ? (struct str){ found, (size_t)(end - found) } : text;
}

static void read_jvm(struct search *search, struct producer *producer)
{
	struct object event;

	if (!find_event(search, STR("JVMInformation"), &event))
		return;
	set(producer->jvm_name, sizeof(producer->jvm_name),
	    object_text(&event, "jvmName", &search->arena));
	set(producer->jvm_version, sizeof(producer->jvm_version),
	    short_version(object_text(&event, "jvmVersion", &search->arena)));
}

static void read_recording(struct search *search, struct producer *producer)
{
	struct object event;

	if (find_event(search, STR("ActiveRecording"), &event))
		set(producer->name, sizeof(producer->name),
		    object_text(&event, "name", &search->arena));
}

static const char *guess(const struct producer *producer,
			 const struct metadata *metadata)
{
	const char *name = producer->jvm_name;

	if (strstr(name, "Substrate VM"))
		return "native image";
	if (*name ? strstr(name, "HotSpot") || strstr(name, "OpenJDK")
		  : declares(metadata, STR(HOTSPOT_TYPE)))
		return "HotSpot";
	return "unknown";
}

static void read_all(struct search *search, struct producer *producer)
{
	const struct metadata *metadata = &search->chunk->metadata;

	*producer = (struct producer){ .name = "" };
	read_jvm(search, producer);
	if (declares(metadata, STR(ASYNC_PROFILER_TYPE))) {
		read_recording(search, producer);
		if (!*producer->name)
			set(producer->name, sizeof(producer->name),
			    STR("async-profiler"));
	} else {
		set(producer->name, sizeof(producer->name),
		    str_of(guess(producer, metadata)));
	}
}

/* Some event of the JVM is there, but its texts are constants. */
static bool lacks_constants(const struct search *search,
			    const struct producer *producer)
{
	const struct type *type =
		event_named(&search->chunk->metadata, STR("JVMInformation"));

	return !search->chunk->pools && !*producer->jvm_name && type &&
	       tally_share_of(search->share, (uint64_t)type->id).count > 0;
}

bool producer_find(struct producer *producer, struct chunk *chunk,
		   const struct tally_share *share)
{
	struct search search = { .chunk = chunk, .share = share };
	struct damage damage = { 0 };
	bool is_good = true;

	read_all(&search, producer);
	if (lacks_constants(&search, producer)) {
		/* What is wrong with them is for those to tell who ask for them. */
		is_good = checkpoint_load(chunk, &damage, NULL);
		if (is_good)
			read_all(&search, producer);
		damage_clear(&damage);
	}
	is_good &= !search.arena.failed;
	arena_clear(&search.arena);
	return is_good;
}
