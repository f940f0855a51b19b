#include "codetables.h"

#define DEEP 64 /* annotations in annotations */

/* Two texts that are read side by side. `differs` remembers the first difference. */
struct pair {
	const struct aligned *aligned;
	const uint8_t *before, *before_end;
	const uint8_t *after, *after_end;
	bool is_alone;			/* `after` is `before`: is that sound? */
	bool differs;
};

static bool has(struct pair *pair, size_t size)
{
	if ((size_t)(pair->before_end - pair->before) < size ||
	    (size_t)(pair->after_end - pair->after) < size)
		pair->differs = true;
	return !pair->differs;
}

/* So many bytes that are the same. */
static void same(struct pair *pair, size_t size)
{
	if (!has(pair, size))
		return;
	pair->differs = memcmp(pair->before, pair->after, size) != 0;
	pair->before += size;
	pair->after += size;
}

/* A number that is the same; 0 if it is not. */
static uint32_t same_number(struct pair *pair, size_t size)
{
	uint32_t number;

	if (!has(pair, size))
		return 0;
	number = size == 1 ? *pair->before : insn_u2(pair->before);
	same(pair, size);
	return pair->differs ? 0 : number;
}

static bool is_mapped(const struct pair *pair, uint32_t before, uint32_t after)
{
	return pair->is_alone ? aligned_begins(pair->aligned, before) :
				aligned_maps(pair->aligned, before, after);
}

/* A place in the code; and a range: a place, and how much is from there on. */
static void place(struct pair *pair)
{
	if (!has(pair, 2))
		return;
	pair->differs = !is_mapped(pair, insn_u2(pair->before), insn_u2(pair->after));
	pair->before += 2;
	pair->after += 2;
}

static void range(struct pair *pair)
{
	uint32_t before, after;

	if (!has(pair, 4))
		return;
	before = insn_u2(pair->before) + (uint32_t)insn_u2(pair->before + 2);
	after = insn_u2(pair->after) + (uint32_t)insn_u2(pair->after + 2);
	place(pair);
	if (!is_mapped(pair, before, after))
		pair->differs = true;
	pair->before += 2;
	pair->after += 2;
}

/* --- the tables ------------------------------------------------------------------ */

static void lines(struct pair *pair)
{
	for (uint32_t count = same_number(pair, 2); count && !pair->differs; count--) {
		place(pair);
		same(pair, 2);
	}
}

static void variables(struct pair *pair)
{
	for (uint32_t count = same_number(pair, 2); count && !pair->differs; count--) {
		range(pair);
		same(pair, 6);
	}
}

static void annotation(struct pair *pair, int depth);

static void annotation_value(struct pair *pair, int depth)
{
	uint32_t tag = same_number(pair, 1);

	if (depth == 0) {
		pair->differs = true;
	} else if (tag == 'e') {
		same(pair, 4);
	} else if (tag == '@') {
		annotation(pair, depth - 1);
	} else if (tag == '[') {
		for (uint32_t n = same_number(pair, 2); n && !pair->differs; n--)
			annotation_value(pair, depth - 1);
	} else {
		same(pair, 2);
	}
}

static void annotation(struct pair *pair, int depth)
{
	same(pair, 2);
	for (uint32_t n = same_number(pair, 2); n && !pair->differs; n--) {
		same(pair, 2);
		annotation_value(pair, depth);
	}
}

/* What an annotation of a type in code is about. */
static void annotation_target(struct pair *pair)
{
	uint32_t type = same_number(pair, 1);

	if (type == 0x40 || type == 0x41) {
		for (uint32_t n = same_number(pair, 2); n && !pair->differs; n--) {
			range(pair);
			same(pair, 2);
		}
	} else if (type == 0x42) {
		same(pair, 2);
	} else if (type >= 0x43 && type <= 0x4b) {
		place(pair);
		same(pair, type >= 0x47);
	} else {
		pair->differs = true;
	}
}

static void type_annotations(struct pair *pair)
{
	for (uint32_t count = same_number(pair, 2); count && !pair->differs; count--) {
		annotation_target(pair);
		same(pair, 2 * (size_t)same_number(pair, 1));
		annotation(pair, DEEP);
	}
}

/* --- the attributes -------------------------------------------------------------- */

static const struct {
	struct str name;
	void (*read)(struct pair *pair);
} tables[] = {
	{ { "LineNumberTable", sizeof("LineNumberTable") - 1 }, lines },
	{ { "LocalVariableTable", sizeof("LocalVariableTable") - 1 }, variables },
	{ { "LocalVariableTypeTable", sizeof("LocalVariableTypeTable") - 1 },
	  variables },
	{ { "RuntimeVisibleTypeAnnotations",
	    sizeof("RuntimeVisibleTypeAnnotations") - 1 },
	  type_annotations },
	{ { "RuntimeInvisibleTypeAnnotations",
	    sizeof("RuntimeInvisibleTypeAnnotations") - 1 },
	  type_annotations },
};

struct attribute {
	struct str name;
	const uint8_t *content;
	uint32_t size;
};

/* The next one that is no StackMapTable; false at the end. Sees to `left` and `at`. */
static bool next(const struct aligned_code *code, const uint8_t **at, uint32_t *left,
		 struct attribute *attribute, bool *has_frames)
{
	while (*left > 0 && code->end - *at >= 6) {
		attribute->name = classfile_utf8(code->file, insn_u2(*at));
		attribute->size = insn_u4(*at + 2);
		attribute->content = *at + 6;
		if (attribute->size > (size_t)(code->end - attribute->content))
			return false;
		*at = attribute->content + attribute->size;
		--*left;
		if (!str_is(attribute->name, STR("StackMapTable")))
			return true;
		*has_frames = true;
	}
	return false;
}

/* True if both are the same table; with itself: if it is one, and is sound. */
static bool same_table(const struct aligned *aligned, const struct attribute *was,
		       const struct attribute *is)
{
	struct pair pair = {
		.aligned = aligned,
		.before = was->content,
		.before_end = was->content + was->size,
		.after = is->content,
		.after_end = is->content + is->size,
		.is_alone = was == is,
	};

	if (!str_is(was->name, is->name))
		return false;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (!str_is(was->name, tables[i].name))
			continue;
		tables[i].read(&pair);
		return !pair.differs && pair.before == pair.before_end &&
		       pair.after == pair.after_end;
	}
	return false;
}

/* What nobody knows, or is damaged, may be gone, or have become anything. */
bool codetables_check(const struct aligned *aligned, struct err *err)
{
	const struct aligned_code *before = &aligned->before, *after = &aligned->after;
	const uint8_t *at = before->attributes + 2, *now = after->attributes + 2;
	uint32_t left = insn_u2(before->attributes), now_left = insn_u2(after->attributes);
	bool had_frames = false, has_frames = false, is_held = false;
	struct attribute was, is;

	while (next(before, &at, &left, &was, &had_frames)) {
		bool is_sound = same_table(aligned, &was, &was);

		is_held = is_held || next(after, &now, &now_left, &is, &has_frames);
		if (is_held && (is_sound ? same_table(aligned, &was, &is) :
					   str_is(was.name, is.name)))
			is_held = false;
		else if (is_sound)
			return err_set(err, ERR_FORMAT, "its %.*s is another",
				       (int)was.name.size, was.name.bytes);
	}
	if (is_held || next(after, &now, &now_left, &is, &has_frames))
		return err_set(err, ERR_FORMAT, "a %.*s was added", (int)is.name.size,
			       is.name.bytes);
	if (left > 0 || now_left > 0 || now != after->end)
		return err_set(err, ERR_FORMAT, "its attributes are not whole");
	return !had_frames || has_frames ||
	       err_set(err, ERR_FORMAT, "its frames are gone");
}
