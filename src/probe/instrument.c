#include "probe/instrument.h"

#include <stdatomic.h>

#include "base/vec.h"
#include "classfile/calls.h"
#include "probe/dump.h"

#define RUNTIME "java/lang/CjfrRuntime"

const struct probe_row probe_rows[] = {
	{ PROBE_TIMING, { RUNTIME, "enter", "timing" } },
	{ PROBE_TRACE, { RUNTIME, "enter", "trace" } },
	{ PROBE_TIMING | PROBE_TRACE, { RUNTIME, "enter", "timingAndTrace" } },
	{ 0, { NULL, NULL, NULL } },
};

static const struct rewrite_probe *calls_of(unsigned kinds)
{
	for (const struct probe_row *row = probe_rows; row->kinds; row++) {
		if (row->kinds == kinds)
			return &row->calls;
	}
	return NULL;
}

/* A class on its way. */
struct work {
	struct instrument *instrument;
	const struct instrument_class *of;
	struct classfile file;
	struct arena arena;
	VEC(struct rewrite_method) methods;
};

/*
 * True if it has calls of ours in it: redefined by somebody who kept what we made, or shown
 * again by the JVM (8 does, where its own recorder rewrites event classes).
 */
static bool has_probes(struct work *work)
{
	static const struct str runtime = STR(RUNTIME);

	return calls_static_of(&work->file, runtime, &work->arena);
}

static uint32_t add(struct work *work, const struct filters_asked *asked,
		    unsigned kinds, unsigned *added)
{
	struct probed_class class_ = { work->of->loader, work->file.name,
				       work->of->is_redefined, work->instrument->run };

	return probed_add(work->instrument->probed, &class_, asked->method, kinds, added);
}

static void note(const struct work *work, uint32_t id, const struct outcome *outcome)
{
	probed_note(work->instrument->probed, id, work->of->is_redefined, outcome);
}

/* It can have no probe: who asked for just that one is to know why. */
static bool note_in_vain(struct work *work, const struct filters_asked *asked,
			 struct err *err)
{
	struct outcome outcome = { 0 };
	unsigned added, kinds = filters_in_vain(work->instrument->filters, asked,
						&outcome.result);
	uint32_t id = kinds ? add(work, asked, kinds, &added) : PROBED_NONE;

	if (kinds && id == PROBED_NONE)
		return err_memory(err);
	if (kinds)
		note(work, id, &outcome);
	return true;
}

static bool choose(struct work *work, uint16_t index, struct err *err)
{
	struct instrument *instrument = work->instrument;
	const struct classfile_method *method = &work->file.methods[index];
	struct filters_asked asked = { &work->file, method, work->of->known.is_below,
				       work->of->known.context };
	struct rewrite_method chosen = { .index = index };
	struct filters_kinds kinds, news = { 0 };
	uint32_t id;

	if (!filters_of(instrument->filters, &asked, &kinds))
		return err_memory(err);
	if (kinds.taken)
		news.taken = taken_add(&instrument->taken, work->of->loader,
				       work->file.name, method, kinds.taken);
	if (news.taken)
		filters_hit(instrument->filters, &asked, news);
	chosen.probe = calls_of(kinds.selected);
	if (!chosen.probe)
		return note_in_vain(work, &asked, err);
	id = add(work, &asked, kinds.selected, &news.selected);
	news.taken = 0;
	if (news.selected)
		filters_hit(instrument->filters, &asked, news);
	chosen.id = (int32_t)id;
	return (id != PROBED_NONE && vec_push(&work->methods, chosen)) ||
	       err_memory(err);
}

static void note_all(const struct work *work)
{
	for (size_t i = 0; i < work->methods.count; i++) {
		const struct rewrite_method *method = &work->methods.items[i];
		struct outcome outcome = { (int)method->result, method->size_before,
					   method->size_after };

		note(work, (uint32_t)method->id, &outcome);
	}
}

static void note_left(const struct work *work)
{
	static const struct outcome outcome = { .result = OUTCOME_REFUSED };

	for (size_t i = 0; i < work->methods.count; i++)
		note(work, (uint32_t)work->methods.items[i].id, &outcome);
}

static bool rewrite(struct work *work, struct buf *to, struct err *err)
{
	size_t from = to->size;

	if (!rewrite_class(&work->file, work->methods.items, work->methods.count,
			   &work->arena, to, err))
		return false;
	note_all(work);
	return to->size == from || !work->instrument->dump ||
	       dump_class(work->instrument->dump, work->file.name,
			  (struct str){ to->bytes + from, to->size - from }, err);
}

static bool read_and_rewrite(struct work *work, struct buf *to, struct err *err)
{
	const struct instrument_class *of = work->of;

	if (!classfile_read(&work->file, &work->arena, of->bytes, of->size, err))
		return false;
	/* Another name than it is asked for: the JVM will not take it. */
	if (of->known.name.bytes && !str_is(of->known.name, work->file.name))
		return true;
	if (!work->file.name.bytes || work->file.access & ACCESS_MODULE ||
	    has_probes(work))
		return true;
	for (uint16_t i = 0; i < work->file.method_count; i++) {
		if (!choose(work, i, err))
			return false;
	}
	if (work->methods.count == 0)
		return true;
	if (!probed_is_left(work->instrument->probed, of->loader, work->file.name))
		return rewrite(work, to, err);
	note_left(work);
	return true;
}

static bool may_have(const struct instrument *instrument,
		     const struct instrument_class *of)
{
	struct filters_class known = of->known;

	known.texts = of->bytes;
	known.size = of->size;
	return !known.name.bytes || filters_may_have(instrument->filters, &known);
}

void instrument_look(struct instrument *instrument, const void *bytes, size_t size)
{
	if (!atomic_load(&instrument->is_off) &&
	    filters_seek_annotations(instrument->filters))
		annotations_add(&instrument->annotations, bytes, size);
}

bool instrument_class(struct instrument *instrument,
		      const struct instrument_class *class_, struct buf *to,
		      struct err *err)
{
	struct work work = { .instrument = instrument, .of = class_ };
	struct str name = class_->known.name;
	bool is_good;

	*err = (struct err){ .kind = ERR_NONE };
	if (atomic_load(&instrument->is_off) || !may_have(instrument, class_))
		return true;
	is_good = read_and_rewrite(&work, to, err);
	vec_clear(&work.methods);
	arena_clear(&work.arena);
	return is_good || err_within(err, "class %.*s",
				     (int)str_front(name, 200).size,
				     name.bytes ? name.bytes : "without a name");
}
