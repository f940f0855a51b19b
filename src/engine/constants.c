#include "engine/constants.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/map.h"
#include "base/siphash.h"
#include "base/vec.h"
#include "engine/holdings.h"
#include "jfr/encode.h"
#include "jfr/frame.h"
#include "jfr/metadata.h"
#include "jfr/refs.h"
#include "jfr/writer.h"

/* A checkpoint that is larger is followed by another one. */
#define CHECKPOINT_SIZE ((size_t)16 << 20)

/* So many places are looked at before others get the lock. */
#define EVICT_STEP 1024

#define NO_NAME UINT64_MAX	/* that no constant has */

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
	struct siphash_key salt;
	/* Under the lock. */
	pthread_mutex_t lock;
	struct holdings holdings;
	uint64_t last_key[POOL_COUNT];
	unsigned epoch;
	bool is_closed;
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

/* The constant at the place is used now; gives its key, 0 if there is none. */
static uint64_t use(struct constants *constants, uint32_t place)
{
	if (place == MAP_NONE)
		return 0;
	holdings_use(&constants->holdings, place, constants->epoch);
	return holdings_at(&constants->holdings, place)->key;
}

static uint64_t find_value(struct constants *constants, enum pool_id type,
			   uint64_t hash, const void *bytes, size_t size)
{
	return use(constants,
		   holdings_find_value(&constants->holdings, type, hash, bytes, size));
}

static uint64_t add_value(struct constants *constants, enum pool_id type, uint64_t hash,
			  const void *bytes, size_t size)
{
	uint64_t *last = &constants->last_key[type - POOL_FIRST];
	uint64_t key = use(constants, holdings_add_value(&constants->holdings, type,
							 *last + 1, hash, bytes, size));

	*last += key != 0;
	return key;
}

static uint64_t hash_of(const struct constants *constants, enum pool_id type,
			const void *bytes, size_t size)
{
	return siphash(&constants->salt, bytes, size) + (uint64_t)type;
}

uint64_t constants_intern(struct constants *constants, enum pool_id type,
			  const void *bytes, size_t size)
{
	uint64_t hash = hash_of(constants, type, bytes, size);
	uint64_t key;

	pthread_mutex_lock(&constants->lock);
	key = find_value(constants, type, hash, bytes, size);
	if (!key && !constants->is_closed)
		key = add_value(constants, type, hash, bytes, size);
	pthread_mutex_unlock(&constants->lock);
	return key;
}

uint64_t constants_intern_buf(struct constants *constants, enum pool_id type,
			      const struct buf *value)
{
	if (value->failed)
		return 0;
	return constants_intern(constants, type, value->bytes, value->size);
}

uint64_t constants_string(struct constants *constants, enum pool_id type,
			  struct str text)
{
	struct buf buf = { 0 };
	uint64_t key;

	if (!text.bytes)
		return 0;
	encode_string(&buf, text);
	key = constants_intern_buf(constants, type, &buf);
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

/* What was just put is used, and stays until it is unpinned. */
static bool pin(struct constants *constants, uint32_t place)
{
	if (!use(constants, place))
		return false;
	holdings_pin(&constants->holdings, place, true);
	return true;
}

bool constants_put(struct constants *constants, enum pool_id type, uint64_t key,
		   const void *bytes, size_t size)
{
	bool is_put;

	pthread_mutex_lock(&constants->lock);
	is_put = !constants->is_closed &&
		 pin(constants,
		     holdings_put(&constants->holdings, type, key, bytes, size));
	pthread_mutex_unlock(&constants->lock);
	return is_put;
}

static void skip(struct constants *constants, enum pool_id type, uint64_t key)
{
	uint64_t *last = &constants->last_key[type - POOL_FIRST];

	if (*last < key)
		*last = key;
}

bool constants_restore(struct constants *constants, enum pool_id type, uint64_t key,
		       const void *bytes, size_t size, struct err *err)
{
	uint64_t hash = hash_of(constants, type, bytes, size);
	bool is_put;

	if (type < POOL_FIRST || type >= POOL_END || key == 0 ||
	    !holdings_fits(&constants->holdings, type, bytes, size))
		return err_set(err, ERR_FORMAT, "there is no such constant");
	pthread_mutex_lock(&constants->lock);
	is_put = !constants->is_closed &&
		 pin(constants, holdings_add_value(&constants->holdings, type, key,
						   hash, bytes, size));
	if (is_put)
		skip(constants, type, key);
	pthread_mutex_unlock(&constants->lock);
	return is_put || err_memory(err);
}

void constants_skip(struct constants *constants, uint64_t key)
{
	pthread_mutex_lock(&constants->lock);
	for (enum pool_id type = POOL_FIRST; type < POOL_END; type++)
		skip(constants, type, key);
	pthread_mutex_unlock(&constants->lock);
}

bool constants_put_buf(struct constants *constants, enum pool_id type, uint64_t key,
		       const struct buf *value)
{
	return !value->failed &&
	       constants_put(constants, type, key, value->bytes, value->size);
}

void constants_unpin(struct constants *constants, enum pool_id type, uint64_t key)
{
	uint32_t place;

	pthread_mutex_lock(&constants->lock);
	place = holdings_find(&constants->holdings, type, key);
	if (use(constants, place))
		holdings_pin(&constants->holdings, place, false);
	pthread_mutex_unlock(&constants->lock);
}

bool constants_touch(struct constants *constants, enum pool_id type, uint64_t key)
{
	bool is_there;

	pthread_mutex_lock(&constants->lock);
	is_there = use(constants, holdings_find(&constants->holdings, type, key)) != 0;
	pthread_mutex_unlock(&constants->lock);
	return is_there;
}

void constants_epoch(struct constants *constants, unsigned epoch)
{
	pthread_mutex_lock(&constants->lock);
	constants->epoch = epoch;
	pthread_mutex_unlock(&constants->lock);
}

/* For the flusher --------------------------------------------------------------- */

/* The name of what an event or a constant refers to. */
static uint64_t name_of(const struct type *type, uint64_t key)
{
	if (type->id < POOL_FIRST || type->id >= POOL_END || key > HOLDING_KEY_MAX)
		return NO_NAME;
	return holding_name((enum pool_id)type->id, key);
}

static struct mark *mark_of(struct constants *constants, uint64_t name)
{
	uint32_t index = map_find(&constants->marked, name);

	if (index == MAP_NONE)
		return NULL;
	return &constants->marks[holding_type(name) - POOL_FIRST].items.items[index];
}

static bool is_marked(struct constants *constants, uint64_t name)
{
	const struct mark *mark = mark_of(constants, name);

	return mark && mark->epoch >= constants->want_epoch;
}

/* Told each reference of an event, or of a constant that is marked itself. */
static bool want(void *context, const struct type *type, uint64_t key)
{
	struct constants *constants = context;
	uint64_t name = name_of(type, key);

	if (key == 0 || is_marked(constants, name))
		return true;
	constants->failed |= !vec_push(&constants->todo, name);
	return !constants->failed;
}

static void set_mark(struct constants *constants, uint64_t name, uint32_t version)
{
	struct marks *marks = &constants->marks[holding_type(name) - POOL_FIRST];
	struct mark fresh = { holding_key(name), version, constants->want_epoch };
	struct mark *mark = mark_of(constants, name);

	if (mark) {
		*mark = fresh;
	} else if (!vec_push(&marks->items, fresh)) {
		constants->failed = true;
	} else if (!map_put(&constants->marked, name,
			    (uint32_t)marks->items.count - 1)) {
		marks->items.count--;
		constants->failed = true;
	}
}

static uint32_t find_name(const struct constants *constants, uint64_t name)
{
	if (name == NO_NAME)
		return MAP_NONE;
	return holdings_find(&constants->holdings, holding_type(name),
			     holding_key(name));
}

/* Marks a constant; what it refers to is to do. False if it is not there. */
static bool mark(struct constants *constants, uint64_t name)
{
	uint32_t version = 0;
	uint32_t place;

	pthread_mutex_lock(&constants->lock);
	place = find_name(constants, name);
	if (place != MAP_NONE) {
		holdings_use(&constants->holdings, place, constants->want_epoch);
		version = holdings_at(&constants->holdings, place)->version;
		holdings_walk(&constants->holdings, place, want, constants);
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

		if (!is_marked(constants, name))
			missing += !mark(constants, name);
	}
	return missing;
}

/* One event; false if it is none, or memory runs out. */
static bool want_event(struct constants *constants, const struct frame *frame,
		       const unsigned char *end)
{
	const struct type *type = metadata_event(&constants->holdings.metadata,
						 frame->type_id);
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

/* Writes a marked constant as it is now, which may be other than when marked. */
static void take(struct constants *constants, struct writer *writer, enum pool_id type,
		 struct mark *at)
{
	const struct holdings *holdings = &constants->holdings;
	uint32_t place;

	pthread_mutex_lock(&constants->lock);
	place = holdings_find(holdings, type, at->key);
	if (place != MAP_NONE) {
		const struct holding *holding = holdings_at(holdings, place);

		writer_constant(writer, at->key);
		buf_add(&writer->buf, holding->record->bytes, holding->record->size);
		if (holding->version != at->version)
			holdings_walk(holdings, place, want, constants);
		at->version = holding->version;
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
		if (writer_event_size(writer) > CHECKPOINT_SIZE) {
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
	writer->buf.failed |= constants->failed;
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

void constants_close(struct constants *constants)
{
	struct holdings gone;

	pthread_mutex_lock(&constants->lock);
	gone = constants->holdings;
	constants->holdings = (struct holdings){ .unused = MAP_NONE };
	constants->is_closed = true;
	pthread_mutex_unlock(&constants->lock);
	constants_restart(constants);
	holdings_clear(&gone);
}

/* Goes over some places from there on, and on in *from; false at the end of them. */
static bool evict_step(struct constants *constants, uint32_t *from, unsigned epoch,
		       size_t *count)
{
	struct holdings *holdings = &constants->holdings;
	uint32_t stop = *from + EVICT_STEP;
	bool more;

	pthread_mutex_lock(&constants->lock);
	for (; *from < holdings_end(holdings) && *from < stop; (*from)++) {
		if (holdings_is_idle(holdings, *from, epoch)) {
			holdings_remove(holdings, *from);
			(*count)++;
		}
	}
	more = *from < holdings_end(holdings);
	pthread_mutex_unlock(&constants->lock);
	return more;
}

/* What an evicted one referred to may be next: a trace, its methods, classes ... */
size_t constants_evict(struct constants *constants, unsigned epoch)
{
	size_t count = 0, before;
	uint32_t at;

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
	count = constants->holdings.count;
	pthread_mutex_unlock(&constants->lock);
	return count;
}

size_t constants_memory(struct constants *constants)
{
	size_t memory;

	pthread_mutex_lock(&constants->lock);
	memory = holdings_memory(&constants->holdings);
	pthread_mutex_unlock(&constants->lock);
	return memory;
}

/* Pinned under the key that interning gave. */
static bool add_steady(struct constants *constants)
{
	for (size_t i = 0; i < sizeof(steady) / sizeof(steady[0]); i++) {
		uint64_t key = constants_string(constants, steady[i].type,
						str_of(steady[i].text));
		uint32_t place = holdings_find(&constants->holdings, steady[i].type,
					       key);

		if (place == MAP_NONE)
			return false;
		holdings_pin(&constants->holdings, place, true);
	}
	return true;
}

struct constants *constants_new(struct records *records, const void *metadata_event,
				size_t size)
{
	struct constants *constants = calloc(1, sizeof(*constants));
	const void *seed = (const void *)(uintptr_t)getauxval(AT_RANDOM);

	if (!constants)
		return NULL;
	pthread_mutex_init(&constants->lock, NULL);
	if (seed)
		memcpy(&constants->salt, seed, sizeof(constants->salt));
	if (!holdings_open(&constants->holdings, records, metadata_event, size) ||
	    !add_steady(constants)) {
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
	holdings_clear(&constants->holdings);
	pthread_mutex_destroy(&constants->lock);
	free(constants);
}
