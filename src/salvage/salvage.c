#include "salvage/salvage.h"

#include <stdlib.h>

#include "engine/batch.h"
#include "engine/samples.h"
#include "jfr/spillread.h"
#include "salvage/chunkfiles.h"
#include "salvage/chunks.h"
#include "salvage/names.h"

/* Keys that are larger leave none for what comes with samples. */
#define KEY_MAX (UINT64_MAX >> 8)

/* New ones begin far above those that the JVM gave, also to what it forgot. */
#define KEYS_APART (UINT64_C(1) << 40)

struct rescue {
	struct spill spill;
	struct chunkfiles files;
	struct chunks chunks;
	struct names names;
	struct batch batch;		/* what samples become */
	uint64_t damaged;
	struct err err;
};

/* --- what is known ------------------------------------------------------------ */

/* Constants were there before whoever refers to them, but need not come in that order. */
static bool take_record(void *context, uint32_t type, uint64_t key, const char *bytes,
			size_t size)
{
	struct rescue *rescue = context;
	bool is_good = false;

	if (type == SPILL_METHOD)
		is_good = names_add(&rescue->names, key, bytes, size, &rescue->err);
	else if (type < POOL_END && key <= KEY_MAX)
		is_good = chunks_know(&rescue->chunks, (enum pool_id)type, key, bytes,
				      size, &rescue->err);
	rescue->damaged += !is_good;
	return rescue->err.kind != ERR_MEMORY;
}

static bool take_known(struct rescue *rescue)
{
	struct buf event = { 0 };
	bool is_good;

	is_good = spill_metadata(&rescue->spill, &event, &rescue->err) &&
		  chunks_open(&rescue->chunks, &rescue->spill.header, &rescue->files,
			      buf_as_str(&event), &rescue->err);
	buf_clear(&event);
	if (!is_good)
		return false;
	rescue->err.kind = ERR_NONE;
	rescue->names.constants = rescue->chunks.constants;
	is_good = spill_records(&rescue->spill, take_record, rescue, &rescue->err);
	constants_skip(rescue->chunks.constants, KEYS_APART);
	return is_good;
}

/* --- events ------------------------------------------------------------------- */

static bool take_samples(struct rescue *rescue, const char *bytes, size_t size)
{
	struct namer namer = names_namer(&rescue->names);
	struct batch *batch = &rescue->batch;

	batch_reset(batch);
	samples_translate(rescue->chunks.constants, &namer, batch, bytes, size);
	if (batch->buf.failed)
		return err_memory(&rescue->err);
	return chunks_add(&rescue->chunks, batch->buf.bytes, batch->buf.size,
			  &rescue->err);
}

static bool take_events(void *context, uint64_t lane, const char *bytes, size_t size)
{
	struct rescue *rescue = context;

	if (lane & LANE_RAW)
		return take_samples(rescue, bytes, size);
	return chunks_add(&rescue->chunks, bytes, size, &rescue->err);
}

static bool take_all(struct rescue *rescue, struct block *chunks)
{
	return take_known(rescue) &&
	       spill_events(&rescue->spill, take_events, rescue, &rescue->err) &&
	       chunks_end(&rescue->chunks, chunks, &rescue->err);
}

/* Also if there is nothing to make chunks of. */
static bool rescue_all(struct rescue *rescue, struct block *chunks)
{
	bool is_good;

	rescue->spill.is_done = rescue->files.is_done;
	is_good = !spill_has_events(&rescue->spill) || take_all(rescue, chunks);
	rescue->damaged += rescue->spill.damaged + rescue->chunks.damaged;
	return is_good;
}

bool salvage_run(struct salvage *salvage, int spill, const char *repository,
		 struct err *err)
{
	struct rescue rescue = { .damaged = 0 };
	bool is_good;

	*salvage = (struct salvage){ .events = 0 };
	if (!spill_open(&rescue.spill, spill, err))
		return false;
	is_good = chunkfiles_look(&rescue.files, repository, &rescue.spill.header,
				  &rescue.err) &&
		  rescue_all(&rescue, &salvage->chunks);
	salvage->cut = rescue.files.cut;
	salvage->cut_size = rescue.files.cut_size;
	salvage->events = rescue.chunks.events;
	salvage->damaged = rescue.damaged;
	salvage->missing = rescue.chunks.missing;
	salvage->is_short = rescue.spill.is_short;
	if (!is_good && err)
		*err = rescue.err;
	batch_clear(&rescue.batch);
	names_clear(&rescue.names);
	chunks_clear(&rescue.chunks);
	spill_close(&rescue.spill);
	return is_good;
}

void salvage_clear(struct salvage *salvage)
{
	block_free(&salvage->chunks);
	free(salvage->cut);
	*salvage = (struct salvage){ .events = 0 };
}
