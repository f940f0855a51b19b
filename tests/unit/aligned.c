#include "aligned.h"

/* A walk through the new code. `at` moves only over what was expected. */
struct walk {
	const struct aligned *aligned;
	const struct aligned_code *code;
	uint32_t at;
};

#define TAG_INTEGER 3
#define TAG_METHODREF 10
#define ENTRY 8	   /* bytes of an entry of the exception table */
#define INVERTED 8 /* a condition's way around a goto_w */

bool aligned_code_read(struct aligned_code *code, const struct classfile *file,
	       struct classfile_part part)
{
	const uint8_t *at = file->bytes + part.at, *end = at + part.size;

	if (part.size < 8)
		return false;
	*code = (struct aligned_code){ .file = file,
			       .stack = insn_u2(at),
			       .locals = insn_u2(at + 2),
			       .bytes = at + 8,
			       .size = insn_u4(at + 4),
			       .end = end };
	at += 8;
	if (code->size > (size_t)(end - at) || end - at - code->size < 2)
		return false;
	at += code->size;
	code->exception_count = insn_u2(at);
	code->exceptions = at += 2;
	if ((size_t)(end - at) < code->exception_count * (size_t)ENTRY + 2)
		return false;
	code->attributes = at + code->exception_count * ENTRY;
	return true;
}

/* --- what is ours ---------------------------------------------------------------- */

static bool is_local(struct walk *walk, uint8_t op, uint8_t op_0)
{
	uint16_t local = walk->aligned->before.locals, given;
	struct insn insn;

	if (!insn_read(&insn, walk->code->bytes, walk->code->size, walk->at))
		return false;
	if (insn.op >= op_0 && insn.op <= op_0 + 3)
		given = insn.op - op_0;
	else if (insn.op != op)
		return false;
	else
		given = insn.is_wide ? insn_u2(walk->code->bytes + insn.at + 2)
				     : walk->code->bytes[insn.at + 1];
	walk->at += insn.size;
	return given == local;
}

static bool is_method(const struct classfile *file, uint16_t index, const char *owner,
		      const char *name, const char *descriptor)
{
	const uint8_t *at;
	uint16_t class, pair;

	if (classfile_tag(file, index) != TAG_METHODREF)
		return false;
	at = file->bytes + file->constants[index] + 1;
	class = insn_u2(at);
	pair = insn_u2(at + 2);
	if (!str_is(classfile_class_name(file, class), str_of(owner)))
		return false;
	at = file->bytes + file->constants[pair] + 1;
	return str_is(classfile_utf8(file, insn_u2(at)), str_of(name)) &&
	       str_is(classfile_utf8(file, insn_u2(at + 2)), str_of(descriptor));
}

static bool is_call(struct walk *walk, const char *name, const char *descriptor)
{
	const char *owner = walk->aligned->method->probe->owner;
	struct insn insn;

	if (!insn_read(&insn, walk->code->bytes, walk->code->size, walk->at) ||
	    insn.op != OP_INVOKESTATIC || insn.is_wide ||
	    !is_method(walk->code->file, insn_u2(walk->code->bytes + insn.at + 1),
		       owner, name, descriptor))
		return false;
	walk->at += insn.size;
	return true;
}

/* The number that an instruction pushes, if it does. */
static bool pushes(const struct aligned_code *code, const struct insn *insn, int32_t *number)
{
	const uint8_t *operand = code->bytes + insn->at + 1;
	uint16_t constant;

	if (insn->op >= 0x02 && insn->op <= 0x08)
		*number = insn->op - 3;
	else if (insn->op == 0x10)
		*number = (int8_t)operand[0];
	else if (insn->op == 0x11)
		*number = (int16_t)insn_u2(operand);
	else if (insn->op == OP_LDC || insn->op == OP_LDC + 1) {
		constant = insn->op == OP_LDC ? operand[0] : insn_u2(operand);
		if (classfile_tag(code->file, constant) != TAG_INTEGER)
			return false;
		*number = (int32_t)insn_u4(code->file->bytes +
					   code->file->constants[constant] + 1);
	} else {
		return false;
	}
	return true;
}

static bool is_id(struct walk *walk)
{
	struct insn insn;
	int32_t number;

	if (!insn_read(&insn, walk->code->bytes, walk->code->size, walk->at) ||
	    insn.is_wide || !pushes(walk->code, &insn, &number) ||
	    number != walk->aligned->method->id)
		return false;
	walk->at += insn.size;
	return true;
}

static bool is_enter(struct walk *walk)
{
	return is_call(walk, walk->aligned->method->probe->enter, "()J") &&
	       is_local(walk, OP_LSTORE, OP_LSTORE_0);
}

static bool is_exit(struct walk *walk)
{
	return is_local(walk, OP_LLOAD, OP_LLOAD_0) && is_id(walk) &&
	       is_call(walk, walk->aligned->method->probe->exit, "(JI)V");
}

/* --- instructions, first round: where they are ----------------------------------- */

/* The code as it was: each instruction, and of which one each byte is. */
static bool read_before(struct aligned *self, struct arena *arena, struct err *err)
{
	const struct aligned_code *code = &self->before;

	self->insns = arena_array(arena, code->size, sizeof(*self->insns));
	self->places = arena_array(arena, code->size + (size_t)1,
				   sizeof(*self->places));
	self->index = arena_array(arena, code->size + (size_t)1, sizeof(*self->index));
	if (!self->insns || !self->places || !self->index)
		return err_memory(err);
	for (uint32_t at = 0; at < code->size;) {
		struct insn *insn = &self->insns[self->count];

		if (!insn_read(insn, code->bytes, code->size, at) ||
		    insn_is_subroutine(insn->op))
			return err_set(err, ERR_FORMAT,
				       "at %u is nothing that can be rewritten", at);
		for (uint32_t end = at + insn->size; at < end; at++)
			self->index[at] = (uint32_t)self->count;
		self->count++;
	}
	self->index[code->size] = (uint32_t)self->count;
	return true;
}

/* A jump that was made wide: how long all of it is; 0: it is not that. */
static uint32_t widened_size(const struct aligned_code *code, const struct insn *before,
			     const struct insn *now)
{
	struct insn wide;

	if (before->op == OP_GOTO)
		return now->op == OP_GOTO_W ? now->size : 0;
	if (!insn_is_condition(before->op) || now->op != insn_opposite(before->op) ||
	    insn_target(now, code->bytes) != now->at + INVERTED)
		return 0;
	if (!insn_read(&wide, code->bytes, code->size, now->at + now->size) ||
	    wide.op != OP_GOTO_W)
		return 0;
	return now->size + wide.size;
}

/* What is ours before an instruction, and that it is followed by that one. */
static bool place_one(struct walk *walk, size_t i, struct place *place,
		      struct strip_counts *counts, struct err *err)
{
	const struct insn *before = &walk->aligned->insns[i];
	struct insn now;
	uint32_t size;

	place->from = walk->at;
	if (i == 0 && !is_enter(walk))
		return err_set(err, ERR_FORMAT, "it does not begin with our call");
	place->land = walk->at;
	if (insn_is_return(before->op) && !is_exit(walk))
		return err_set(err, ERR_FORMAT,
			       "no call before the return that was at %u", before->at);
	place->at = walk->at;
	if (!insn_read(&now, walk->code->bytes, walk->code->size, walk->at))
		return err_set(err, ERR_FORMAT, "nothing at %u", walk->at);
	size = now.size;
	if (now.op != before->op || now.is_wide != before->is_wide) {
		size = now.is_wide ? 0 : widened_size(walk->code, before, &now);
		counts->widened++;
	}
	walk->at += size;
	return size != 0 ||
	       err_set(err, ERR_FORMAT, "what was 0x%02x at %u is 0x%02x at %u",
		       before->op, before->at, now.op, now.at);
}

/* Behind all that was: calls, each followed by athrow. */
static bool read_handlers(struct aligned *self, struct walk *walk, struct arena *arena,
			  struct err *err)
{
	self->handlers = arena_array(arena, walk->code->size - walk->at + (size_t)1,
				     sizeof(*self->handlers));
	if (!self->handlers)
		return err_memory(err);
	while (walk->at < walk->code->size) {
		self->handlers[self->handler_count++] = walk->at;
		if (!is_exit(walk) || walk->at >= walk->code->size ||
		    walk->code->bytes[walk->at++] != OP_ATHROW)
			return err_set(err, ERR_FORMAT, "what is at %u is no handler",
				       self->handlers[self->handler_count - 1]);
	}
	return true;
}

/* --- second round: operands, and where jumps lead to ----------------------------- */

static bool leads_there(const struct aligned *self, int64_t before, int64_t after)
{
	size_t i;

	if (before < 0 || before >= self->before.size)
		return false;
	i = self->index[before];
	return self->insns[i].at == before && self->places[i].land == after;
}

static bool same_jump(const struct aligned *self, const struct insn *before,
		      const struct insn *now)
{
	const uint8_t *code = self->after.bytes;
	int64_t target = insn_target(before, self->before.bytes);
	struct insn wide;

	if (before->op == now->op || before->op == OP_GOTO)
		return leads_there(self, target, insn_target(now, code));
	return insn_read(&wide, code, self->after.size, now->at + now->size) &&
	       leads_there(self, target, insn_target(&wide, code));
}

static bool same_switch(const struct aligned *self, const struct insn *before,
			const struct insn *now)
{
	uint32_t count, now_count;
	const uint8_t *at = self->before.bytes + insn_words(before, &count);
	const uint8_t *there = self->after.bytes + insn_words(now, &now_count);

	for (const uint8_t *pad = self->after.bytes + now->at + 1; pad < there; pad++) {
		if (*pad)
			return false;
	}
	if (count != now_count)
		return false;
	for (uint32_t i = 0; i < count; i++, at += 4, there += 4) {
		int64_t jump = (int32_t)insn_u4(at), now_jump = (int32_t)insn_u4(there);

		if (insn_word_is_jump(before, i)
			    ? !leads_there(self, before->at + jump, now->at + now_jump)
			    : jump != now_jump)
			return false;
	}
	return true;
}

static bool same_insn(const struct aligned *self, size_t i)
{
	const struct insn *before = &self->insns[i];
	struct insn now;

	insn_read(&now, self->after.bytes, self->after.size, self->places[i].at);
	if (!before->is_wide && insn_is_jump(before->op))
		return same_jump(self, before, &now);
	if (!before->is_wide && insn_is_switch(before->op))
		return same_switch(self, before, &now);
	return before->size == now.size &&
	       memcmp(self->before.bytes + before->at, self->after.bytes + now.at,
		      now.size) == 0;
}

bool aligned_read(struct aligned *self, struct strip_counts *counts,
		  struct arena *arena, struct err *err)
{
	struct walk walk = { .aligned = self, .code = &self->after };
	struct place *end;

	if (!read_before(self, arena, err))
		return false;
	for (size_t i = 0; i < self->count; i++) {
		if (!place_one(&walk, i, &self->places[i], counts, err))
			return false;
	}
	end = &self->places[self->count];
	end->from = end->land = end->at = walk.at;
	for (size_t i = 0; i < self->count; i++) {
		if (!same_insn(self, i))
			return err_set(err, ERR_FORMAT,
				       "what was at %u has other operands at %u",
				       self->insns[i].at, self->places[i].at);
	}
	if (!read_handlers(self, &walk, arena, err))
		return false;
	counts->handlers += self->handler_count;
	return true;
}

bool aligned_begins(const struct aligned *self, uint32_t before)
{
	return before == self->before.size ||
	       (before < self->before.size &&
		self->insns[self->index[before]].at == before);
}

bool aligned_maps(const struct aligned *self, uint32_t before, uint32_t after)
{
	const struct place *place;
	size_t i;

	if (before > self->before.size)
		return false;
	i = self->index[before];
	place = &self->places[i];
	if (i < self->count && self->insns[i].at != before)
		return after > place->from && after < place[1].from;
	return after == place->from || after == place->land || after == place->at;
}

/* --- the exception table --------------------------------------------------------- */

static bool same_entry(const struct aligned *self, const uint8_t *before,
		       const uint8_t *now)
{
	return aligned_maps(self, insn_u2(before), insn_u2(now)) &&
	       aligned_maps(self, insn_u2(before + 2), insn_u2(now + 2)) &&
	       leads_there(self, insn_u2(before + 4), insn_u2(now + 4)) &&
	       insn_u2(before + 6) == insn_u2(now + 6);
}

/* An entry of ours leads to a handler of ours, whatever is thrown. */
static bool is_ours(const struct aligned *self, const uint8_t *entry)
{
	uint16_t handler = insn_u2(entry + 4), catches = insn_u2(entry + 6);

	for (size_t i = 0; i < self->handler_count; i++) {
		if (self->handlers[i] == handler)
			return catches == 0 && insn_u2(entry) < insn_u2(entry + 2) &&
			       insn_u2(entry + 2) <= self->after.size;
	}
	return false;
}

static bool is_used(const struct aligned *self, uint32_t handler)
{
	for (size_t i = self->before.exception_count; i < self->after.exception_count;
	     i++) {
		if (insn_u2(self->after.exceptions + i * ENTRY + 4) == handler)
			return true;
	}
	return false;
}

/* How many bytes of that part are under a handler of ours. */
static uint32_t covered(const struct aligned *self, uint32_t from, uint32_t to)
{
	uint32_t bytes = 0;

	for (size_t i = self->before.exception_count; i < self->after.exception_count;
	     i++) {
		const uint8_t *entry = self->after.exceptions + i * ENTRY;
		uint32_t begin = insn_u2(entry), end = insn_u2(entry + 2);

		begin = begin > from ? begin : from;
		end = end < to ? end : to;
		bytes += begin < end ? end - begin : 0;
	}
	return bytes;
}

/* It may call another constructor of the same object: that cannot be in a handler. */
static bool may_construct(const struct aligned *self, const struct insn *insn)
{
	const struct classfile *file = self->before.file;
	const uint8_t *at;
	struct str owner;

	if (!self->is_constructor || insn->op != OP_INVOKESPECIAL || insn->is_wide)
		return false;
	at = file->bytes + file->constants[insn_u2(self->before.bytes + insn->at + 1)] +
	     1;
	owner = classfile_class_name(file, insn_u2(at));
	return str_is(owner, file->name) || str_is(owner, file->super_name);
}

/* --- what a constructor need not have under a handler: what is never executed ---- */

struct reach {
	const struct aligned *aligned;
	bool *is_reached; /* by instruction */
	uint32_t *waiting;
	size_t count;
};

static void reach(struct reach *self, int64_t at)
{
	uint32_t i;

	if (at < 0 || at >= self->aligned->before.size)
		return;
	i = self->aligned->index[at];
	if (!self->is_reached[i])
		self->waiting[self->count++] = i;
	self->is_reached[i] = true;
}

static void reach_by_switch(struct reach *self, const struct insn *insn)
{
	uint32_t count;
	const uint8_t *at = self->aligned->before.bytes + insn_words(insn, &count);

	for (uint32_t i = 0; i < count; i++) {
		if (insn_word_is_jump(insn, i))
			reach(self, insn->at + (int64_t)(int32_t)insn_u4(at + 4 * i));
	}
}

static void reach_handlers(struct reach *self, uint32_t at)
{
	const struct aligned_code *code = &self->aligned->before;

	for (size_t i = 0; i < code->exception_count; i++) {
		const uint8_t *entry = code->exceptions + i * ENTRY;

		if (insn_u2(entry) <= at && at < insn_u2(entry + 2))
			reach(self, insn_u2(entry + 4));
	}
}

static void reach_from(struct reach *self, const struct insn *insn)
{
	bool ends = insn_is_return(insn->op) || insn->op == OP_ATHROW ||
		    insn->op == OP_GOTO || insn->op == OP_GOTO_W;

	reach_handlers(self, insn->at);
	if (insn->is_wide || (!ends && !insn_is_switch(insn->op)))
		reach(self, insn->at + (int64_t)insn->size);
	if (!insn->is_wide && insn_is_jump(insn->op))
		reach(self, insn_target(insn, self->aligned->before.bytes));
	if (!insn->is_wide && insn_is_switch(insn->op))
		reach_by_switch(self, insn);
}

/* NULL: out of memory. */
static const bool *reached(const struct aligned *aligned, struct arena *arena)
{
	struct reach self = {
		.aligned = aligned,
		.is_reached = arena_array(arena, aligned->count, sizeof(bool)),
		.waiting = arena_array(arena, aligned->count, sizeof(uint32_t)),
	};

	if (!self.is_reached || !self.waiting)
		return NULL;
	for (reach(&self, 0); self.count > 0;)
		reach_from(&self, &aligned->insns[self.waiting[--self.count]]);
	return self.is_reached;
}

/* --- what handlers of ours are over ---------------------------------------------- */

/* No call of ours is in a handler of ours, or it would be made twice. */
static bool is_covered_well(const struct aligned *self, size_t i,
			    const bool *is_reached)
{
	const struct place *place = &self->places[i];
	const struct insn *insn = &self->insns[i];
	bool is_root = self->is_constructor && !self->before.file->super_name.bytes;
	uint32_t size = place[1].from - place->at;
	uint32_t have = covered(self, place->at, place[1].from);

	if (covered(self, place->from, place->at) > 0)
		return false;
	if (is_root || insn_is_return(insn->op))
		return have == 0;
	return have == size || (have == 0 && self->is_constructor &&
				(!is_reached[i] || may_construct(self, insn)));
}

bool aligned_handlers(const struct aligned *self, struct arena *arena, struct err *err)
{
	const struct aligned_code *before = &self->before, *after = &self->after;
	const bool *is_reached = reached(self, arena);

	if (!is_reached)
		return err_memory(err);
	if (after->exception_count < before->exception_count)
		return err_set(err, ERR_FORMAT,
			       "entries of the exception table are gone");
	for (size_t i = 0; i < after->exception_count; i++) {
		const uint8_t *now = after->exceptions + i * ENTRY;

		if (i < before->exception_count
			    ? !same_entry(self, before->exceptions + i * ENTRY, now)
			    : !is_ours(self, now))
			return err_set(err, ERR_FORMAT,
				       "entry %zu of the exception table", i);
	}
	for (size_t i = 0; i < self->handler_count; i++) {
		if (!is_used(self, self->handlers[i]))
			return err_set(err, ERR_FORMAT,
				       "the handler at %u has no entry",
				       self->handlers[i]);
	}
	for (size_t i = 0; i < self->count; i++) {
		if (!is_covered_well(self, i, is_reached))
			return err_set(
				err, ERR_FORMAT,
				"what is at %u is under a handler of ours, or it "
				"is not, or twice",
				self->places[i].at);
	}
	return true;
}
