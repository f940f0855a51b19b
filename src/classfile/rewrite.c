#include "classfile/rewrite.h"

#include "classfile/constpool.h"
#include "classfile/cover.h"
#include "classfile/frames.h"
#include "classfile/sequence.h"
#include "classfile/splice.h"
#include "classfile/tables.h"
#include "classfile/walk.h"

#define FRAMES "StackMapTable"

/* All new code of a class; a class with more has been made to have it. */
#define CODES_MOST ((size_t)1 << 28)

/* A StackMapTable of more would be that of no real method. */
#define FRAMES_MOST ((size_t)1 << 24)

/* The first version whose verifier has frames. */
enum { MAJOR_FRAMES = 50 };

/* What a probe needs on the stack, above what the method has: a long and an int. */
enum { PROBE_STACK = 3 };

/* One method. */
struct job {
	const struct classfile_method *method;
	struct rewrite_method *wanted;
	struct constpool *constants;
	struct arena *arena;		/* for this method */
	struct buf *to;
	struct code code;
	struct layout layout;
	struct sequence prologue, exit;
	struct classfile_part frames;	/* the content of its StackMapTable */
	bool is_typed;			/* the verifier goes by frames, if there are any */
	uint8_t *covers;		/* enum cover, by number of the instruction */
	bool has[COVER_COUNT];		/* handlers it needs */
	uint32_t handlers[COVER_COUNT];	/* where they are */
	bool failed;			/* without memory */
};

const char *rewrite_reason(enum rewrite_result result)
{
	static const char *const reasons[] = {
		[REWRITE_NO_CODE] = "it has no code",
		[REWRITE_SUBROUTINES] = "it has subroutines (jsr)",
		[REWRITE_TOO_LARGE] = "it would be larger than a method may be",
		[REWRITE_CONSTANTS_FULL] = "its class has no room for more constants",
		[REWRITE_DAMAGED] = "its code is damaged",
	};

	return reasons[result];
}

static enum rewrite_result from_code(struct job *job, enum code_result result)
{
	job->failed |= result == CODE_NO_MEMORY;
	return result == CODE_FINE ? REWRITE_DONE : REWRITE_DAMAGED;
}

/* Of an attribute of the code: its name and its content. */
static struct classfile_part next_attribute(struct reader *reader, uint16_t *name)
{
	struct classfile_part part;

	*name = reader_u2(reader);
	part.size = reader_u4(reader);
	part.at = reader->at;
	reader_take(reader, part.size);
	return part;
}

static struct reader attributes_of(const struct code *code)
{
	struct classfile_part part = code->attributes;

	return (struct reader){ code->file->bytes, part.at, part.at + part.size, false };
}

static bool is_frames(const struct code *code, uint16_t name)
{
	return code->file->major >= MAJOR_FRAMES &&
	       str_is(classfile_utf8(code->file, name), STR(FRAMES));
}

/*
 * Version 50 without frames: verified as older ones are, unless none are needed. Later
 * ones without them: HotSpot does not keep them of classes that it does not verify.
 */
static void find_frames(struct job *job)
{
	const struct code *code = &job->code;
	struct reader reader = attributes_of(code);

	for (uint32_t left = code->attribute_count; left; left--) {
		uint16_t name;
		struct classfile_part part = next_attribute(&reader, &name);

		if (is_frames(code, name))
			job->frames = part;
	}
	job->is_typed = code->file->major >= MAJOR_FRAMES &&
			(job->frames.size || !(code->has_jumps || code->entry_count));
}

static bool make_sequences(struct job *job)
{
	const struct rewrite_probe *probe = job->wanted->probe;
	uint32_t start = job->code.max_locals;

	constpool_begin(job->constants);
	sequence_enter(&job->prologue, job->constants, probe->owner, probe->enter, start);
	sequence_exit(&job->exit, job->constants, probe->owner, probe->exit, start,
		      job->wanted->id);
	return !job->constants->is_full;
}

static bool make_layout(struct job *job, int32_t reach)
{
	job->layout = (struct layout){ .start = job->code.max_locals,
				       .prologue_size = job->prologue.size,
				       .exit_size = job->exit.size,
				       .reach = reach };
	return layout_make(&job->layout, &job->code, job->arena);
}

/* There is room for what it is called with, at least. */
static bool has_parameters(const struct job *job)
{
	struct str rest = job->method->descriptor;
	struct vtype type;
	uint32_t slots = !(job->method->access & ACCESS_STATIC);

	while (vtype_take_parameter(&rest, &type))
		slots += 1 + vtype_is_wide(type);
	return rest.size && slots <= job->code.max_locals;
}

/* It stays within its stack, where that is known: in ours it would. */
static enum rewrite_result check_stack(struct job *job)
{
	struct walk walk;
	bool is_open;

	if (!job->is_typed || str_is(job->method->name, STR("<init>")))
		return REWRITE_DONE;	/* cover.c walks through constructors */
	is_open = walk_open(&walk, &job->code, job->method, job->frames, job->arena);
	while (is_open && walk_next(&walk))
		;
	job->failed |= job->arena->failed;
	return is_open && !walk.is_damaged ? REWRITE_DONE : REWRITE_DAMAGED;
}

/* All that is found out before anything is written. */
static enum rewrite_result prepare(struct job *job, const struct classfile *file,
				   int32_t reach)
{
	struct code *code = &job->code;
	enum code_result result;

	if (!job->method->code.size)
		return REWRITE_NO_CODE;
	result = code_read(code, file, job->method->code, job->arena);
	job->wanted->size_before = code->size;
	if (result != CODE_FINE)
		return from_code(job, result);
	if (code->has_subroutines)
		return REWRITE_SUBROUTINES;
	if (!has_parameters(job))
		return REWRITE_DAMAGED;
	if (code->max_locals + 2 > UINT16_MAX ||
	    code->max_stack + 1 + PROBE_STACK > UINT16_MAX)
		return REWRITE_TOO_LARGE;
	find_frames(job);
	job->covers = cover_make(code, job->method, job->is_typed, job->frames, job->has,
				 job->arena, &result);
	if (!job->covers)
		return from_code(job, result);
	if (!make_sequences(job))
		return REWRITE_CONSTANTS_FULL;
	job->failed |= !make_layout(job, reach);
	return check_stack(job);
}

static enum rewrite_result put_code(struct job *job)
{
	struct buf *to = job->to;
	size_t begin;
	uint32_t stack = job->code.max_stack ? job->code.max_stack : 1;

	big_put_u2(to, stack + PROBE_STACK);
	big_put_u2(to, job->layout.start + 2);
	big_put_u4(to, 0);
	begin = to->size;
	splice_code(&job->layout, sequence_str(&job->prologue), sequence_str(&job->exit),
		    to);
	for (int cover = COVER_NONE + 1; cover < COVER_COUNT; cover++) {
		if (!job->has[cover])
			continue;
		job->handlers[cover] = (uint32_t)(to->size - begin);
		buf_str(to, sequence_str(&job->exit));
		big_put_u1(to, OPCODE_ATHROW);
	}
	job->wanted->size_after = (uint32_t)(to->size - begin);
	big_set_u4(to, begin - 4, job->wanted->size_after);
	return to->size - begin > UINT16_MAX ? REWRITE_TOO_LARGE : REWRITE_DONE;
}

static void put_entry(struct job *job, struct code_entry entry)
{
	big_put_u2(job->to, entry.from);
	big_put_u2(job->to, entry.to);
	big_put_u2(job->to, entry.handler);
	big_put_u2(job->to, entry.type);
}

static uint16_t moved(const struct job *job, uint16_t at)
{
	return (uint16_t)layout_place(&job->layout, at);
}

/* What is covered by ours; those that the method has come first. Gives how many. */
static uint32_t put_our_entries(struct job *job)
{
	const struct code *code = &job->code;
	uint32_t count = 0, i = 0;

	while (i < code->count) {
		uint32_t from = i;
		enum cover cover = job->covers[i];
		struct code_entry entry = { 0 };

		while (i < code->count && job->covers[i] == cover)
			i++;
		if (cover == COVER_NONE)
			continue;
		entry.from = moved(job, code->at[from]);
		entry.to = moved(job, code->at[i]);
		entry.handler = (uint16_t)job->handlers[cover];
		put_entry(job, entry);
		count++;
	}
	return count;
}

static enum rewrite_result put_entries(struct job *job)
{
	size_t count_at = job->to->size;
	uint32_t count = job->code.entry_count;

	big_put_u2(job->to, 0);
	for (uint16_t i = 0; i < job->code.entry_count; i++) {
		struct code_entry entry = code_entry(&job->code, i);

		entry.from = moved(job, entry.from);
		entry.to = moved(job, entry.to);
		entry.handler = moved(job, entry.handler);
		put_entry(job, entry);
	}
	count += put_our_entries(job);
	big_set_u2(job->to, count_at, count);
	return count > UINT16_MAX ? REWRITE_TOO_LARGE : REWRITE_DONE;
}

/* The frames that the method has. */
static enum rewrite_result put_old_frames(struct job *job, struct frames_out *out)
{
	struct frames frames;

	if (!frames_open(&frames, &job->code, job->method, job->frames, job->arena))
		return REWRITE_DAMAGED;
	for (frames_next(&frames); frames.at < job->code.size; frames_next(&frames)) {
		frames_out_add(out, layout_place(&job->layout, frames.at), &frames.state);
		if (job->to->size - out->begin > FRAMES_MOST)
			return REWRITE_TOO_LARGE;
	}
	return frames.is_damaged ? REWRITE_DAMAGED : REWRITE_DONE;
}

/* These, and one behind each `if` that became wide, as its first half jumps there. */
static enum rewrite_result put_more_frames(struct job *job, struct frames_out *out)
{
	const struct code *code = &job->code;
	bool is_needed = false;
	struct walk walk;

	if (!walk_open(&walk, code, job->method, job->frames, job->arena))
		return REWRITE_DAMAGED;
	while (walk_next(&walk)) {
		if (walk.has_frame || (is_needed && walk.is_known))
			frames_out_add(out, layout_place(&job->layout, walk.at),
				       &walk.state);
		if (job->to->size - out->begin > FRAMES_MOST)
			return REWRITE_TOO_LARGE;
		is_needed = job->layout.is_wide[walk.at] &&
			    code_kind(code, walk.at) == OPCODE_BRANCHES;
	}
	return walk.is_damaged ? REWRITE_DAMAGED : REWRITE_DONE;
}

/* A handler knows of the start; before another constructor was called, also of `this`. */
static void put_handler_frames(struct job *job, struct frames_out *out)
{
	static struct vtype early = { .tag = VTYPE_UNFINISHED_THIS };
	static struct vtype thrown = { .tag = VTYPE_OBJECT,
				       .name = STR("java/lang/Throwable") };
	struct vstate state = { .locals = &early, .stack = &thrown, .depth = 1 };

	for (int cover = COVER_NONE + 1; cover < COVER_COUNT; cover++) {
		state.local_count = cover == COVER_EARLY;
		if (job->has[cover])
			frames_out_add(out, job->handlers[cover], &state);
	}
}

static enum rewrite_result put_frames(struct job *job)
{
	enum rewrite_result result;
	struct frames_out out;

	frames_out_open(&out, job->to, job->constants, &job->layout);
	if (job->layout.has_wide)
		result = put_more_frames(job, &out);
	else
		result = put_old_frames(job, &out);
	if (result != REWRITE_DONE) {
		job->failed |= job->arena->failed;
		return result;
	}
	put_handler_frames(job, &out);
	return frames_out_close(&out) ? REWRITE_DONE : REWRITE_TOO_LARGE;
}

/* With its name and its size; one that says nothing any more is left out. */
static enum rewrite_result put_attribute(struct job *job, uint16_t name,
					 struct classfile_part content, uint32_t *count)
{
	struct str text = classfile_utf8(job->code.file, name);
	enum rewrite_result result = REWRITE_DONE;
	struct buf *to = job->to;
	size_t begin = to->size + 6;
	enum tables_result written = TABLES_DONE;

	big_put_u2(to, name);
	big_put_u4(to, 0);
	if (job->is_typed && str_is(text, STR(FRAMES)))
		result = put_frames(job);
	else
		written = tables_write(&job->layout, text, content, to);
	big_set_u4(to, begin - 4, (uint32_t)(to->size - begin));
	if (written != TABLES_DONE)
		to->size = begin - 6;
	*count += written == TABLES_DONE;
	return written == TABLES_DAMAGED ? REWRITE_DAMAGED : result;
}

static enum rewrite_result put_new_frames(struct job *job, uint32_t *count)
{
	size_t begin = job->to->size + 6;
	enum rewrite_result result;

	big_put_u2(job->to, constpool_utf8(job->constants, STR(FRAMES)));
	big_put_u4(job->to, 0);
	result = put_frames(job);
	big_set_u4(job->to, begin - 4, (uint32_t)(job->to->size - begin));
	++*count;
	return result;
}

static enum rewrite_result put_attributes(struct job *job)
{
	const struct code *code = &job->code;
	bool needs_frames = job->has[COVER_BODY] || job->has[COVER_EARLY] ||
			    job->layout.has_wide;
	enum rewrite_result result = REWRITE_DONE;
	struct reader reader = attributes_of(code);
	size_t count_at = job->to->size;
	uint32_t count = 0;

	big_put_u2(job->to, 0);
	for (uint32_t left = code->attribute_count; left; left--) {
		uint16_t name;
		struct classfile_part part = next_attribute(&reader, &name);

		result = put_attribute(job, name, part, &count);
		if (result != REWRITE_DONE)
			return result;
	}
	if (job->is_typed && needs_frames && !job->frames.at)
		result = put_new_frames(job, &count);
	big_set_u2(job->to, count_at, count);
	return count > UINT16_MAX ? REWRITE_TOO_LARGE : result;
}

/* Appends the content of its Code attribute, or nothing. */
static enum rewrite_result rewrite(struct job *job, const struct classfile *file,
				   int32_t reach)
{
	static enum rewrite_result (*const puts[])(struct job *job) = {
		put_code, put_entries, put_attributes,
	};
	size_t begin = job->to->size;
	enum rewrite_result result = prepare(job, file, reach);

	for (size_t i = 0; i < sizeof(puts) / sizeof(puts[0]); i++)
		if (result == REWRITE_DONE && !job->failed)
			result = puts[i](job);
	if (result == REWRITE_DONE && job->constants->is_full)
		result = REWRITE_CONSTANTS_FULL;
	if (result != REWRITE_DONE) {
		job->to->size = begin;
		job->wanted->size_after = 0;
	}
	return result;
}

/* All methods, their new code one behind the other; false without memory. */
static bool rewrite_all(const struct classfile *file, struct rewrite_method *methods,
			size_t count, int32_t reach, struct constpool *constants,
			struct buf *codes, struct classfile_part *parts)
{
	struct arena arena = { 0 };
	bool failed = false;

	for (size_t i = 0; i < count && !failed; i++) {
		struct job job = { .method = &file->methods[methods[i].index],
				   .wanted = &methods[i],
				   .constants = constants,
				   .arena = &arena,
				   .to = codes };

		methods[i].size_before = 0;
		methods[i].size_after = 0;
		parts[i].at = (uint32_t)codes->size;
		methods[i].result = rewrite(&job, file, reach);
		parts[i].size = (uint32_t)codes->size - parts[i].at;
		failed = job.failed || constants->failed || codes->failed;
		arena_reset(&arena);
	}
	arena_clear(&arena);
	return !failed;
}

/* The class, with that code instead of the old one. */
static void assemble(const struct classfile *file, const struct rewrite_method *methods,
		     size_t count, const struct constpool *constants,
		     const struct buf *codes, const struct classfile_part *parts,
		     struct buf *to)
{
	uint32_t done = file->constants_end;

	buf_add(to, file->bytes, 8);
	big_put_u2(to, constants->count);
	buf_add(to, file->bytes + 10, file->constants_end - 10);
	buf_str(to, buf_as_str(&constants->added));
	for (size_t i = 0; i < count; i++) {
		struct classfile_part old = file->methods[methods[i].index].code;

		if (methods[i].result != REWRITE_DONE)
			continue;
		buf_add(to, file->bytes + done, old.at - 4 - done);
		big_put_u4(to, parts[i].size);
		buf_add(to, codes->bytes + parts[i].at, parts[i].size);
		done = old.at + old.size;
	}
	buf_add(to, file->bytes + done, file->size - done);
}

static bool is_any_done(const struct rewrite_method *methods, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (methods[i].result == REWRITE_DONE)
			return true;
	return false;
}

bool rewrite_class_within(const struct classfile *file, struct rewrite_method *methods,
			  size_t count, int32_t reach, struct arena *arena,
			  struct buf *to, struct err *err)
{
	struct classfile_part *parts = arena_array(arena, count, sizeof(*parts));
	struct constpool constants;
	struct buf codes = { .limit = CODES_MOST };
	size_t begin = to->size;
	bool is_done = false;

	constpool_open(&constants, file);
	if (parts)
		is_done = rewrite_all(file, methods, count, reach, &constants, &codes,
				      parts);
	if (is_done && is_any_done(methods, count)) {
		assemble(file, methods, count, &constants, &codes, parts, to);
		is_done = !to->failed;
	}
	if (!is_done)
		to->size = begin;
	constpool_close(&constants);
	buf_clear(&codes);
	return is_done || err_memory(err);
}

bool rewrite_class(const struct classfile *file, struct rewrite_method *methods,
		   size_t count, struct arena *arena, struct buf *to, struct err *err)
{
	return rewrite_class_within(file, methods, count, LAYOUT_REACH, arena, to, err);
}
