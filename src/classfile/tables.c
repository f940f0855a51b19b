#include "classfile/tables.h"

#include "classfile/values.h"

/* The first versions: with types of variables; that are verified by frames alone. */
enum { MAJOR_TYPES = 49, MAJOR_STRICT = 51 };

/* What is beyond the code is nowhere; it stays what it is. */
static uint32_t moved(const struct layout *layout, uint32_t at)
{
	return at <= layout->code->size ? layout_place(layout, at) : at;
}

/* What is there from the begin on, is there in the prologue, too. */
static uint32_t moved_begin(const struct layout *layout, uint32_t at)
{
	return at ? moved(layout, at) : 0;
}

static bool is_place(const struct code *code, uint32_t at)
{
	return code_begins(code, at) || at == code->size;
}

static bool is_range(const struct code *code, uint32_t begin, uint32_t size)
{
	return is_place(code, begin) && is_place(code, begin + size);
}

/*
 * Begin and size, and `more` bytes behind. False: it is not from one instruction to
 * another, and left out.
 */
static bool put_range(const struct layout *layout, struct reader *from, uint32_t more,
		      struct buf *to)
{
	uint32_t begin = reader_u2(from), size = reader_u2(from), end = begin + size;
	const uint8_t *bytes = reader_take(from, more);

	if (!bytes || !is_range(layout->code, begin, size))
		return false;
	if (size)
		size = moved(layout, end) - moved_begin(layout, begin);
	big_put_u2(to, moved_begin(layout, begin));
	big_put_u2(to, size);
	buf_add(to, bytes, more);
	return true;
}

static void put_ranges(const struct layout *layout, struct reader *from, uint32_t more,
		       struct buf *to)
{
	uint32_t count = 0;
	size_t count_at = to->size;

	big_put_u2(to, 0);
	for (uint32_t left = reader_u2(from); left && !from->failed; left--)
		count += put_range(layout, from, more, to);
	big_set_u2(to, count_at, count);
}

static void put_lines(const struct layout *layout, struct reader *from, struct buf *to)
{
	uint32_t count = reader_u2(from);

	for (big_put_u2(to, count); count && !from->failed; count--) {
		big_put_u2(to, moved_begin(layout, reader_u2(from)));
		big_put_u2(to, reader_u2(from));
	}
}

static void copy(struct reader *from, uint32_t size, struct buf *to)
{
	const uint8_t *bytes = reader_take(from, size);

	if (bytes)
		buf_add(to, bytes, size);
}

/* A JVM takes any place in the code, an instruction there or not. */
static bool check_lines(const struct code *code, struct reader *from)
{
	uint32_t count = reader_u2(from);

	for (; count && !from->failed; count--) {
		if (reader_u2(from) >= code->size)
			return false;
		reader_u2(from);
	}
	return !from->failed && from->at == from->end;
}

/*
 * Ranges of variables that the method has; from the version on whose verifier has frames
 * and does not fall back on the old one, they begin and end at instructions.
 */
static bool check_variables(const struct code *code, struct reader *from)
{
	bool is_strict = code->file->major >= MAJOR_STRICT;
	uint32_t count = reader_u2(from);

	for (; count && !from->failed; count--) {
		uint32_t begin = reader_u2(from), size = reader_u2(from);
		struct str type;
		uint32_t variable;
		bool is_wide;

		reader_u2(from);	/* its name */
		type = classfile_utf8(code->file, reader_u2(from));
		variable = reader_u2(from);
		is_wide = str_is(type, STR("J")) || str_is(type, STR("D"));
		if (begin >= code->size || begin + size > code->size ||
		    (is_strict && !is_range(code, begin, size)) ||
		    variable + is_wide >= code->max_locals)
			return false;
	}
	return !from->failed && from->at == from->end;
}

static void put_variables(const struct layout *layout, struct reader *from,
			  struct buf *to)
{
	put_ranges(layout, from, 6, to);
}

/* What an annotation of a type is at (JVMS 4.7.20.1). */
enum {
	TARGET_VARIABLE = 0x40,
	TARGET_RESOURCE,
	TARGET_CATCH,
	TARGET_INSTANCEOF,		/* from here on: at an instruction */
	TARGET_CAST = 0x47,		/* from here on: and which of its types */
	TARGET_REFERENCE_ARGUMENT = 0x4b,
};

static void put_target(const struct layout *layout, struct reader *from, struct buf *to)
{
	uint8_t target = reader_u1(from);

	big_put_u1(to, target);
	if (target == TARGET_VARIABLE || target == TARGET_RESOURCE) {
		put_ranges(layout, from, 2, to);
	} else if (target == TARGET_CATCH) {
		copy(from, 2, to);	/* entries stay where they are */
	} else if (target >= TARGET_INSTANCEOF && target <= TARGET_REFERENCE_ARGUMENT) {
		big_put_u2(to, moved(layout, reader_u2(from)));
		if (target >= TARGET_CAST)
			copy(from, 1, to);
	} else {
		from->failed = true;	/* not one of code */
	}
}

static void put_annotations(const struct layout *layout, struct reader *from,
			    struct buf *to)
{
	uint32_t count = reader_u2(from);

	for (big_put_u2(to, count); count && !from->failed; count--) {
		uint32_t begin, steps;

		put_target(layout, from, to);
		begin = from->at;
		steps = reader_u1(from);
		reader_take(from, 2 * steps + 2);
		values_skip(from);
		if (!from->failed)
			buf_add(to, from->bytes + begin, from->at - begin);
	}
}

enum tables_result tables_write(const struct layout *layout, struct str name,
				struct classfile_part content, struct buf *to)
{
	static const struct {
		struct str name;
		int major;		/* first version in which a JVM checks it */
		bool (*check)(const struct code *code, struct reader *from);
		void (*put)(const struct layout *layout, struct reader *from,
			    struct buf *to);
	} tables[] = {
		{ STR("LineNumberTable"), 0, check_lines, put_lines },
		{ STR("LocalVariableTable"), 0, check_variables, put_variables },
		{ STR("LocalVariableTypeTable"), MAJOR_TYPES, check_variables,
		  put_variables },
		{ STR("RuntimeVisibleTypeAnnotations"), 0, NULL, put_annotations },
		{ STR("RuntimeInvisibleTypeAnnotations"), 0, NULL, put_annotations },
	};
	const struct code *code = layout->code;
	struct reader from = { code->file->bytes, content.at,
			       content.at + content.size, false };
	size_t begin = to->size;

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		struct reader ahead = from;

		if (!str_is(tables[i].name, name))
			continue;
		if (tables[i].check && code->file->major >= tables[i].major &&
		    !tables[i].check(code, &ahead))
			return TABLES_DAMAGED;
		tables[i].put(layout, &from, to);
		if (!from.failed && from.at == from.end)
			return TABLES_DONE;
		to->size = begin;
	}
	return TABLES_LEFT_OUT;
}
