#include "engine/constants.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/siphash.h"
#include "base/vec.h"
#include "jfr/encode.h"
#include "jfr/frame.h"
#include "jfr/metadata.h"
#include "jfr/refs.h"
#include "jfr/writer.h"

/* A constant's name is its key and, in the low bits, its type. */
#define TYPE_BITS 5
#define KEY_MAX (UINT64_MAX >> TYPE_BITS)

/* A checkpoint that is larger is followed by another one. */
#define CHECKPOINT_SIZE ((size_t)16 << 20)

/* So many places are looked at before others get the lock. */
#define EVICT_STEP 1024

#define MALLOC_COST 16	/* bytes that each piece of memory takes besides, about */

_Static_assert(POOL_COUNT <= 1 << TYPE_BITS, "types fit the names");

struct entry {
	char *bytes;		/* NULL: it is not there, but others refer to it */
	uint64_t key;
	uint64_t hash;		/* of its value, if that was interned */
	uint32_t size;
	uint32_t next;		/* of unused places: the next one */
	uint32_t referrers;	/* how often other constants refer to it */
	uint32_t version;	/* grows with each value */
	unsigned epoch;		/* the newest it was used in */
	uint8_t type;		/* enum pool_id; 0: the place is unused */
	bool is_pinned;
};

/* One that is wanted in this chunk. */
struct mark {
	uint64_t key;
	uint32_t version;	/* whose references were followed */
	unsigned epoch;
};

struct marks {
	VEC(struct mark) items;
	size_t written;		/* so many of them are in the chunk */
};

struct constants {
	/* Never changes. */
	struct arena arena;
	struct metadata metadata;
	const struct type *types[POOL_COUNT];
	struct siphash_key salt;
	/* Under the lock. */
	pthread_mutex_t lock;
	VEC(struct entry) places;
	uint32_t unused;		/* a list of places; MAP_NONE: none */
	struct map by_name, by_value;
	uint64_t last_key[POOL_COUNT];
	unsigned epoch;
	size_t count;
	size_t held;			/* bytes of values */
	/* The flusher's own: no lock for what it meets again and again. */
	struct map marked;		/* name -> place in the marks of its type */
	struct marks marks[POOL_COUNT];
	VEC(uint64_t) todo;		/* names of what may have to be marked */
	unsigned want_epoch;
	bool failed;			/* no memory for a mark */
};

/* What a JVM has no other words for; their keys may be kept. */
static const struct {
	enum pool_id type;
	const char *text;
} steady[] = {
	{ POOL_FRAME_TYPE, "Interpreted" }, { POOL_FRAME_TYPE, "JIT compiled" },
	{ POOL_FRAME_TYPE, "Inlined" },	    { POOL_FRAME_TYPE, "Native" },
	{ POOL_GC_WHEN, "Before GC" },	    { POOL_GC_WHEN, "After GC" },
};

static uint64_t name_of(enum pool_id type, uint64_t key)
{
	return key << TYPE_BITS | (uint64_t)(type - POOL_FIRST);
}

static enum pool_id type_of(uint64_t name)
{
	return POOL_FIRST + (enum pool_id)(name & ((1 << TYPE_BITS) - 1));
}

/* What a reference in an event or constant names; false if that cannot be a constant. */
static bool reference(const struct type *type, uint64_t key, uint64_t *name)
{
	if (type->id < POOL_FIRST || type->id >= POOL_END || key > KEY_MAX)
		return false;
	*name = name_of((enum pool_id)type->id, key);
	return true;
}

/* Tells the references in the value of a constant. */
static bool walk(const struct constants *constants, enum pool_id type, const char *bytes,
		 size_t size, refs_visit *visit, void *context)
{
	struct cursor cursor = cursor_of((const unsigned char *)bytes, size);
	const struct program *program = &constants->types[type - POOL_FIRST]->program;

	return refs_walk(program, &cursor, NULL, visit, context) &&
	       cursor_left(&cursor) == 0;
}

/* Places: all of these are called with the lock held --------------------------- */

static uint32_t find(const struct constants *constants, enum pool_id type, uint64_t key)
{
	if (key > KEY_MAX)
		return MAP_NONE;
	return map_find(&constants->by_name, name_of(type, key));
}

/* The place of a constant that is there, or MAP_NONE. */
static uint32_t find_there(const struct constants *constants, enum pool_id type,
			   uint64_t key)
{
	uint32_t place = find(constants, type, key);

	if (place != MAP_NONE && !constants->places.items[place].bytes)
		return MAP_NONE;
	return place;
}

static uint32_t unused_place(struct constants *constants)
{
	uint32_t place = constants->unused;

	if (place != MAP_NONE) {
		constants->unused = constants->places.items[place].next;
		return place;
	}
	if (constants->places.count >= MAP_NONE ||
	    !vec_push(&constants->places, (struct entry){ 0 }))
		return MAP_NONE;
	return (uint32_t)constants->places.count - 1;
}

static void leave_place(struct constants *constants, uint32_t place)
{
	struct entry *constant = &constants->places.items[place];

	*constant = (struct entry){ .next = constants->unused };
	constants->unused = place;
}

/* The place of that constant, as it is or a new one; MAP_NONE without memory. */
static uint32_t place_of(struct constants *constants, enum pool_id type, uint64_t key)
{
	uint32_t place = find(constants, type, key);
	struct entry *constant;

	if (place != MAP_NONE || key > KEY_MAX)
		return place;
	place = unused_place(constants);
	if (place == MAP_NONE)
		return place;
	if (!map_put(&constants->by_name, name_of(type, key), place)) {
		leave_place(constants, place);
		return MAP_NONE;
	}
	constant = &constants->places.items[place];
	*constant = (struct entry){ .key = key };
	constant->type = (uint8_t)type;
	return place;
}

/* Gives up a place where nothing is and that nobody refers to. */
static void drop_empty(struct constants *constants, uint32_t place)
{
	const struct entry *constant = &constants->places.items[place];

	if (constant->bytes || constant->referrers > 0)
		return;
	map_remove(&constants->by_name, name_of(constant->type, constant->key));
	leave_place(constants, place);
}

/* References that are counted, or taken back. */
struct tie {
	struct constants *constants;
	uint64_t done;	/* so many were counted, or are still to be taken back */
	bool failed;
};

static bool tie_one(void *context, const struct type *type, uint64_t key)
{
	struct tie *tie = context;
	uint32_t place;

	if (key == 0)
		return true;
	place = type->id < POOL_FIRST || type->id >= POOL_END
			? MAP_NONE
			: place_of(tie->constants, (enum pool_id)type->id, key);
	if (place == MAP_NONE) {
		tie->failed = true;
		return false;
	}
	tie->constants->places.items[place].referrers++;
	tie->done++;
	return true;
}

static bool untie_one(void *context, const struct type *type, uint64_t key)
{
	struct tie *tie = context;
	uint32_t place;

	if (key == 0)
		return true;
	if (tie->done == 0)
		return false;
	tie->done--;
	place = find(tie->constants, (enum pool_id)type->id, key);
	tie->constants->places.items[place].referrers--;
	drop_empty(tie->constants, place);
	return true;
}

/*
 * Counts the references in a value, so that what it refers to stays as long as it does.
 * False without memory, or if this is no value of the type; then none is counted.
 */
static bool tie(struct constants *constants, enum pool_id type, const char *bytes,
		size_t size)
{
	struct tie tie = { .constants = constants };

	if (walk(constants, type, bytes, size, tie_one, &tie) && !tie.failed)
		return true;
	walk(constants, type, bytes, size, untie_one, &tie);
	return false;
}

static void untie(struct constants *constants, enum pool_id type, const char *bytes,
		  size_t size)
{
	struct tie tie = { .constants = constants, .done = UINT64_MAX };

	walk(constants, type, bytes, size, untie_one, &tie);
}

static void use(struct constants *constants, uint32_t place, unsigned epoch)
{
	struct entry *constant = &constants->places.items[place];

	if (constant->epoch < epoch)
		constant->epoch = epoch;
}

/* Values: under the lock, too --------------------------------------------------- */

static uint32_t find_value(const struct constants *constants, enum pool_id type,
			   uint64_t hash, const void *bytes, size_t size)
{
	uint32_t place = map_find(&constants->by_value, hash);
	const struct entry *constant;

	if (place == MAP_NONE)
		return place;
	constant = &constants->places.items[place];
	return constant->type == type && constant->size == size &&
			       memcmp(constant->bytes, bytes, size) == 0
		       ? place
		       : MAP_NONE;
}

/* One with the same hash, should there ever be one, is not found any more. */
static bool add_value(struct constants *constants, uint32_t place, uint64_t hash)
{
	constants->places.items[place].hash = hash;
	return map_put(&constants->by_value, hash, place);
}

/* It will not be found by its value any more. */
static void remove_value(struct constants *constants, uint32_t place)
{
	uint64_t hash = constants->places.items[place].hash;

	if (map_find(&constants->by_value, hash) == place)
		map_remove(&constants->by_value, hash);
}

/* Takes the value away; the place may be another's after it. */
static void remove_constant(struct constants *constants, uint32_t place)
{
	struct entry *constant = &constants->places.items[place];
	char *bytes = constant->bytes;
	uint32_t size = constant->size;
	enum pool_id type = constant->type;

	remove_value(constants, place);
	constants->count--;
	constants->held -= size + MALLOC_COST;
	constant->bytes = NULL;
	drop_empty(constants, place);
	untie(constants, type, bytes, size);
	free(bytes);
}

/* The place gets its first value, or another one; the bytes become the constant's. */
static void set_value(struct constants *constants, uint32_t place, char *bytes,
		      size_t size)
{
	struct entry *constant = &constants->places.items[place];

	if (constant->bytes) {
		remove_value(constants, place);
		constants->count--;
		constants->held -= constant->size + MALLOC_COST;
		untie(constants, constant->type, constant->bytes, constant->size);
		free(constant->bytes);
	}
	constant->bytes = bytes;
	constant->size = (uint32_t)size;
	constant->version++;
	constants->count++;
	constants->held += size + MALLOC_COST;
	use(constants, place, constants->epoch);
}

/* A new constant of that value, whose references are counted already. */
static uint32_t add_constant(struct constants *constants, enum pool_id type,
			     uint64_t key, uint64_t hash)
{
	uint32_t place = place_of(constants, type, key);

	if (place == MAP_NONE || add_value(constants, place, hash))
		return place;
	drop_empty(constants, place);
	return MAP_NONE;
}

/* 0 without memory, or if this is no value of the type. */
static uint64_t intern_new(struct constants *constants, enum pool_id type, uint64_t hash,
			   char *bytes, size_t size)
{
	uint64_t key = constants->last_key[type - POOL_FIRST] + 1;
	uint32_t place;

	if (!tie(constants, type, bytes, size))
		return 0;
	place = add_constant(constants, type, key, hash);
	if (place == MAP_NONE) {
		untie(constants, type, bytes, size);
		return 0;
	}
	constants->last_key[type - POOL_FIRST] = key;
	set_value(constants, place, bytes, size);
	return key;
}

/* For all ----------------------------------------------------------------------- */

static char *copy_of(const void *bytes, size_t size)
{
	char *copy = size > UINT32_MAX ? NULL : malloc(size ? size : 1);

	if (copy)
		memcpy(copy, bytes, size);
	return copy;
}

/* The key under which the value is kept, used now; 0: it is not kept. */
static uint64_t known(struct constants *constants, enum pool_id type, uint64_t hash,
		      const void *bytes, size_t size)
{
	uint32_t place = find_value(constants, type, hash, bytes, size);

	if (place == MAP_NONE)
		return 0;
	use(constants, place, constants->epoch);
	return constants->places.items[place].key;
}

uint64_t constants_intern(struct constants *constants, enum pool_id type,
			  const void *bytes, size_t size)
{
	uint64_t hash = siphash(&constants->salt, bytes, size) + (uint64_t)type;
	uint64_t key;
	char *copy;

	pthread_mutex_lock(&constants->lock);
	key = known(constants, type, hash, bytes, size);
	pthread_mutex_unlock(&constants->lock);
	if (key)
		return key;
	copy = copy_of(bytes, size);
	if (!copy)
		return 0;
	pthread_mutex_lock(&constants->lock);
	key = known(constants, type, hash, bytes, size);
	if (!key) {
		key = intern_new(constants, type, hash, copy, size);
		if (key)
			copy = NULL;
	}
	pthread_mutex_unlock(&constants->lock);
	free(copy);
	return key;
}

uint64_t constants_string(struct constants *constants, enum pool_id type, struct str text)
{
	struct buf buf = { 0 };
	uint64_t key = 0;

	if (text.bytes)
		encode_string(&buf, text);
	if (text.bytes && !buf.failed)
		key = constants_intern(constants, type, buf.bytes, buf.size);
	buf_clear(&buf);
	return key;
}

uint64_t constants_symbol(struct constants *constants, struct str text)
{
	return constants_string(constants, POOL_SYMBOL, text);
}

uint64_t constants_key(struct constants *constants, enum pool_id type)
{
	uint64_t key;

	pthread_mutex_lock(&constants->lock);
	key = ++constants->last_key[type - POOL_FIRST];
	pthread_mutex_unlock(&constants->lock);
	return key;
}

bool constants_put(struct constants *constants, enum pool_id type, uint64_t key,
		   const void *bytes, size_t size)
{
	char *copy = copy_of(bytes, size);
	uint32_t place = MAP_NONE;

	if (!copy)
		return false;
	pthread_mutex_lock(&constants->lock);
	if (key && tie(constants, type, copy, size)) {
		place = place_of(constants, type, key);
		if (place == MAP_NONE)
			untie(constants, type, copy, size);
	}
	if (place != MAP_NONE) {
		set_value(constants, place, copy, size);
		constants->places.items[place].is_pinned = true;
	}
	pthread_mutex_unlock(&constants->lock);
	if (place == MAP_NONE)
		free(copy);
	return place != MAP_NONE;
}

void constants_unpin(struct constants *constants, enum pool_id type, uint64_t key)
{
	uint32_t place;

	pthread_mutex_lock(&constants->lock);
	place = find_there(constants, type, key);
	if (place != MAP_NONE) {
		constants->places.items[place].is_pinned = false;
		use(constants, place, constants->epoch);
	}
	pthread_mutex_unlock(&constants->lock);
}

bool constants_touch(struct constants *constants, enum pool_id type, uint64_t key)
{
	uint32_t place;

	pthread_mutex_lock(&constants->lock);
	place = find_there(constants, type, key);
	if (place != MAP_NONE)
		use(constants, place, constants->epoch);
	pthread_mutex_unlock(&constants->lock);
	return place != MAP_NONE;
}

void constants_epoch(struct constants *constants, unsigned epoch)
{
	pthread_mutex_lock(&constants->lock);
	constants->epoch = epoch;
	pthread_mutex_unlock(&constants->lock);
}

/* For the flusher --------------------------------------------------------------- */

static struct mark *mark_of(struct constants *constants, uint64_t name)
{
	uint32_t index = map_find(&constants->marked, name);

	if (index == MAP_NONE)
		return NULL;
	return &constants->marks[type_of(name) - POOL_FIRST].items.items[index];
}

/* Told each reference of an event, or of a constant that is marked itself. */
static bool want(void *context, const struct type *type, uint64_t key)
{
	struct constants *constants = context;
	const struct mark *mark;
	uint64_t name;

	if (key == 0)
		return true;
	if (!reference(type, key, &name))
		name = UINT64_MAX; /* that nothing has */
	mark = mark_of(constants, name);
	if (mark && mark->epoch >= constants->want_epoch)
		return true;
	constants->failed |= !vec_push(&constants->todo, name);
	return !constants->failed;
}

static void set_mark(struct constants *constants, uint64_t name, uint32_t version)
{
	struct marks *marks = &constants->marks[type_of(name) - POOL_FIRST];
	struct mark mark = { name >> TYPE_BITS, version, constants->want_epoch };
	struct mark *known_mark = mark_of(constants, name);

	if (known_mark)
		*known_mark = mark;
	else if (!vec_push(&marks->items, mark))
		constants->failed = true;
	else if (!map_put(&constants->marked, name, (uint32_t)marks->items.count - 1)) {
		marks->items.count--;
		constants->failed = true;
	}
}

/* Marks a constant; what it refers to is to do. False if it is not there. */
static bool mark(struct constants *constants, uint64_t name)
{
	enum pool_id type = type_of(name);
	uint32_t version = 0;
	uint32_t place;

	pthread_mutex_lock(&constants->lock);
	place = name == UINT64_MAX ? MAP_NONE
				   : find_there(constants, type, name >> TYPE_BITS);
	if (place != MAP_NONE) {
		const struct entry *constant = &constants->places.items[place];

		use(constants, place, constants->want_epoch);
		version = constant->version;
		walk(constants, type, constant->bytes, constant->size, want, constants);
	}
	pthread_mutex_unlock(&constants->lock);
	if (place != MAP_NONE)
		set_mark(constants, name, version);
	return place != MAP_NONE;
}

/* Marks all that is to do, and what comes of it; gives how many are not there. */
static uint64_t spread(struct constants *constants)
{
	uint64_t missing = 0;

	while (constants->todo.count > 0 && !constants->failed) {
		uint64_t name = constants->todo.items[--constants->todo.count];
		const struct mark *known_mark = mark_of(constants, name);

		if (!known_mark || known_mark->epoch < constants->want_epoch)
			missing += !mark(constants, name);
	}
	return missing;
}

/* One event; false if it is none, or memory runs out. */
static bool want_event(struct constants *constants, const struct frame *frame,
		       const unsigned char *end)
{
	const struct type *type = metadata_event(&constants->metadata, frame->type_id);
	struct cursor cursor = { frame->body, end, false };

	return type && refs_walk(&type->program, &cursor, NULL, want, constants);
}

bool constants_want(struct constants *constants, const char *events, size_t size,
		    unsigned epoch, uint64_t *missing, struct err *err)
{
	const unsigned char *bytes = (const unsigned char *)events;
	uint64_t absent = 0;
	struct frame frame;

	constants->failed = false;
	constants->want_epoch = epoch;
	for (size_t at = 0; at < size; at += frame.size) {
		const char *fault = frame_read(bytes, size, at, &frame);

		if (fault)
			return err_set(err, ERR_FORMAT, "event at %zu: %s", at, fault);
		if (!want_event(constants, &frame, bytes + at + frame.size) &&
		    !constants->failed)
			return err_set(err, ERR_FORMAT,
				       "the event at %zu does not fit its type", at);
		if (constants->todo.count > 0)
			absent += spread(constants);
		if (constants->failed)
			return err_memory(err);
	}
	if (missing)
		*missing += absent;
	return true;
}

/* Writes a marked constant as it is now, which may be another value than when marked. */
static void take(struct constants *constants, struct writer *writer, enum pool_id type,
		 struct mark *at)
{
	const struct entry *constant;
	uint32_t place;

	pthread_mutex_lock(&constants->lock);
	place = find_there(constants, type, at->key);
	if (place != MAP_NONE) {
		constant = &constants->places.items[place];
		writer_constant(writer, at->key);
		buf_add(&writer->buf, constant->bytes, constant->size);
		if (constant->version != at->version)
			walk(constants, type, constant->bytes, constant->size, want,
			     constants);
		at->version = constant->version;
	}
	pthread_mutex_unlock(&constants->lock);
}

static void take_pool(struct constants *constants, struct writer *writer,
		      enum pool_id type, int kinds)
{
	struct marks *marks = &constants->marks[type - POOL_FIRST];

	if (marks->written == marks->items.count)
		return;
	writer_pool(writer, type);
	for (; marks->written < marks->items.count; marks->written++) {
		if (writer->buf.size - writer->event_at > CHECKPOINT_SIZE) {
			writer_checkpoint(writer, kinds);
			writer_pool(writer, type);
		}
		take(constants, writer, type, &marks->items.items[marks->written]);
	}
}

void constants_take(struct constants *constants, struct writer *writer, int kinds)
{
	writer_checkpoint(writer, kinds);
	do {
		spread(constants);
		for (enum pool_id type = POOL_FIRST; type < POOL_END; type++)
			take_pool(constants, writer, type, kinds);
	} while (constants->todo.count > 0 && !constants->failed);
	writer_end(writer);
}

void constants_restart(struct constants *constants)
{
	map_clear(&constants->marked);
	for (size_t i = 0; i < POOL_COUNT; i++) {
		vec_clear(&constants->marks[i].items);
		constants->marks[i].written = 0;
	}
	vec_clear(&constants->todo);
	constants->failed = false;
}

static bool is_idle(const struct entry *constant, unsigned epoch)
{
	return constant->bytes && !constant->is_pinned && constant->referrers == 0 &&
	       constant->epoch < epoch;
}

/* Goes over some places from there on, and on in *from; false at the end of them. */
static bool evict_step(struct constants *constants, size_t *from, unsigned epoch,
		       size_t *count)
{
	size_t end = *from + EVICT_STEP;
	bool more;

	pthread_mutex_lock(&constants->lock);
	for (; *from < constants->places.count && *from < end; (*from)++) {
		if (is_idle(&constants->places.items[*from], epoch)) {
			remove_constant(constants, (uint32_t)*from);
			(*count)++;
		}
	}
	more = *from < constants->places.count;
	pthread_mutex_unlock(&constants->lock);
	return more;
}

/* What an evicted one referred to may be next: a trace, its methods, their classes ... */
size_t constants_evict(struct constants *constants, unsigned epoch)
{
	size_t count = 0, before, at;

	do {
		before = count;
		at = 0;
		while (evict_step(constants, &at, epoch, &count))
			;
	} while (count > before);
	return count;
}

size_t constants_count(struct constants *constants)
{
	size_t count;

	pthread_mutex_lock(&constants->lock);
	count = constants->count;
	pthread_mutex_unlock(&constants->lock);
	return count;
}

size_t constants_memory(struct constants *constants)
{
	size_t memory;

	pthread_mutex_lock(&constants->lock);
	memory = constants->held +
		 constants->places.capacity * sizeof(struct entry) +
		 (constants->by_name.capacity + constants->by_value.capacity) *
			 sizeof(struct map_slot);
	pthread_mutex_unlock(&constants->lock);
	return memory;
}

static bool open_types(struct constants *constants)
{
	if (!eventtypes_metadata(&constants->metadata, &constants->arena, NULL))
		return false;
	for (int id = POOL_FIRST; id < POOL_END; id++) {
		const struct type *type = metadata_type(&constants->metadata, id);

		if (!type)
			return false;
		constants->types[id - POOL_FIRST] = type;
	}
	return true;
}

/* Pinned under the key that interning gave. */
static bool add_steady(struct constants *constants)
{
	for (size_t i = 0; i < sizeof(steady) / sizeof(steady[0]); i++) {
		uint64_t key = constants_string(constants, steady[i].type,
						str_of(steady[i].text));
		uint32_t place = find(constants, steady[i].type, key);

		if (!key || place == MAP_NONE)
			return false;
		constants->places.items[place].is_pinned = true;
	}
	return true;
}

struct constants *constants_new(void)
{
	struct constants *constants = calloc(1, sizeof(*constants));
	const void *seed = (const void *)(uintptr_t)getauxval(AT_RANDOM);

	if (!constants)
		return NULL;
	pthread_mutex_init(&constants->lock, NULL);
	constants->unused = MAP_NONE;
	if (seed)
		memcpy(&constants->salt, seed, sizeof(constants->salt));
	if (!open_types(constants) || !add_steady(constants)) {
		constants_free(constants);
		return NULL;
	}
	return constants;
}

void constants_free(struct constants *constants)
{
	if (!constants)
		return;
	constants_restart(constants);
	for (size_t i = 0; i < constants->places.count; i++)
		free(constants->places.items[i].bytes);
	vec_clear(&constants->places);
	map_clear(&constants->by_name);
	map_clear(&constants->by_value);
	metadata_clear(&constants->metadata);
	arena_clear(&constants->arena);
	pthread_mutex_destroy(&constants->lock);
	free(constants);
}
