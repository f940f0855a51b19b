#include "strip.h"
#include "aligned.h"
#include "codetables.h"

#define CONSTANTS_AT 10 /* behind magic, versions, count */
#define METHOD_HEAD 8	/* access, name, descriptor, count of attributes */
#define ATTRIBUTE_HEAD 6

static bool same_bytes(const struct classfile *before, const struct classfile *after,
		       struct classfile_part was, struct classfile_part is)
{
	return was.size == is.size &&
	       memcmp(before->bytes + was.at, after->bytes + is.at, was.size) == 0;
}

/* --- a method -------------------------------------------------------------------- */

/* All but the content of Code, before it and behind it. */
static bool same_beside_code(const struct classfile *before,
			     const struct classfile *after,
			     const struct classfile_method *was,
			     const struct classfile_method *is)
{
	uint32_t head = was->code.at - 4 - was->whole.at;
	uint32_t was_end = was->whole.at + was->whole.size;
	uint32_t is_end = is->whole.at + is->whole.size;
	uint32_t was_behind = was->code.at + was->code.size;
	uint32_t is_behind = is->code.at + is->code.size;

	return is->code.size && is->code.at - 4 - is->whole.at == head &&
	       same_bytes(before, after, (struct classfile_part){ was->whole.at, head },
			  (struct classfile_part){ is->whole.at, head }) &&
	       same_bytes(before, after,
			  (struct classfile_part){ was_behind, was_end - was_behind },
			  (struct classfile_part){ is_behind, is_end - is_behind });
}

static bool check_sizes(const struct aligned *aligned, struct err *err)
{
	const struct rewrite_method *method = aligned->method;
	const struct aligned_code *before = &aligned->before, *after = &aligned->after;

	if (after->locals != before->locals + 2)
		return err_set(err, ERR_FORMAT, "it has %u locals of %u", after->locals,
			       before->locals);
	if (after->stack < before->stack)
		return err_set(err, ERR_FORMAT, "it has less stack");
	if (method->size_before != before->size || method->size_after != after->size)
		return err_set(err, ERR_FORMAT,
			       "it is told to be %u, and then %u bytes: "
			       "%u and %u",
			       method->size_before, method->size_after, before->size,
			       after->size);
	return true;
}

static bool check_code(const struct classfile *before, const struct classfile *after,
		       const struct classfile_method *was,
		       const struct classfile_method *is, struct aligned *aligned,
		       struct strip_counts *counts, struct arena *arena,
		       struct err *err)
{
	if (!same_beside_code(before, after, was, is))
		return err_set(err, ERR_FORMAT, "something beside its code is another");
	if (!aligned_code_read(&aligned->before, before, was->code) ||
	    !aligned_code_read(&aligned->after, after, is->code))
		return err_set(err, ERR_FORMAT, "its code is not whole");
	return check_sizes(aligned, err) && aligned_read(aligned, counts, arena, err) &&
	       aligned_handlers(aligned, arena, err) && codetables_check(aligned, err);
}

static bool check_method(const struct classfile *before, const struct classfile *after,
			 size_t i, const struct rewrite_method *method,
			 struct strip_counts *counts, struct arena *arena,
			 struct err *err)
{
	const struct classfile_method *was = &before->methods[i],
				      *is = &after->methods[i];
	struct aligned aligned = { .method = method };
	bool good;

	if (!method || method->result != REWRITE_DONE) {
		good = same_bytes(before, after, was->whole, is->whole) ||
		       err_set(err, ERR_FORMAT, "it was not to be another");
	} else {
		counts->methods++;
		aligned.is_constructor = str_is(was->name, STR("<init>"));
		good = check_code(before, after, was, is, &aligned, counts, arena, err);
	}
	return good || err_within(err, "%.*s%.*s", (int)was->name.size, was->name.bytes,
				  (int)was->descriptor.size, was->descriptor.bytes);
}

/* --- the class ------------------------------------------------------------------- */

static bool same_beside_methods(const struct classfile *before,
				const struct classfile *after)
{
	struct classfile_part head = { 0, CONSTANTS_AT - 2 };
	struct classfile_part constants = { CONSTANTS_AT,
					    before->constants_end - CONSTANTS_AT };
	struct classfile_part fields = {
		before->constants_end, before->methods_at + 2 - before->constants_end
	};
	struct classfile_part now_fields = {
		after->constants_end, after->methods_at + 2 - after->constants_end
	};
	struct classfile_part rest = { before->methods_end,
				       (uint32_t)before->size - before->methods_end };
	struct classfile_part now_rest = { after->methods_end,
					   (uint32_t)after->size - after->methods_end };

	return same_bytes(before, after, head, head) &&
	       after->constant_count >= before->constant_count &&
	       after->constants_end >= before->constants_end &&
	       same_bytes(before, after, constants, constants) &&
	       same_bytes(before, after, fields, now_fields) &&
	       same_bytes(before, after, rest, now_rest);
}

bool strip_check(const struct classfile *before, const struct classfile *after,
		 const struct rewrite_method *methods, size_t count,
		 struct strip_counts *counts, struct arena *arena, struct err *err)
{
	size_t next = 0;

	if (!same_beside_methods(before, after))
		return err_set(err, ERR_FORMAT,
			       "something beside the methods is another");
	for (size_t i = 0; i < before->method_count; i++) {
		const struct rewrite_method *method = NULL;

		if (next < count && methods[next].index == i)
			method = &methods[next++];
		if (!check_method(before, after, i, method, counts, arena, err))
			return false;
	}
	return next == count ||
	       err_set(err, ERR_FORMAT, "there is no method %u", methods[next].index);
}
