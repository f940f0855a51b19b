#include "ask.h"

#include <criterion/criterion.h>

static void tell_thing(struct buf *to, const struct thing *thing)
{
	static const char *const kinds[] = {
		[THING_TEXT] = "text",	   [THING_THREAD] = "thread",
		[THING_CLASS] = "class",   [THING_LOADER] = "loader",
		[THING_GROUP] = "group",   [THING_METHOD] = "method",
		[THING_FRAME] = "frame",   [THING_STACK] = "stack",
		[THING_OBJECT] = "object",
	};

	if (!thing->text.bytes)
		buf_printf(to, "<%s>", kinds[thing->kind]);
	else if (thing->kind == THING_TEXT)
		buf_printf(to, "'%.*s'", (int)thing->text.size, thing->text.bytes);
	else
		buf_printf(to, "%s %.*s", kinds[thing->kind], (int)thing->text.size,
			   thing->text.bytes);
}

static void tell_list(struct buf *to, const struct datum_list *list)
{
	buf_byte(to, '[');
	for (size_t i = 0; i < list->count; i++) {
		buf_text(to, i ? ", " : "");
		ask_tell(to, &list->items[i]);
	}
	buf_byte(to, ']');
}

void ask_tell(struct buf *to, const struct datum *datum)
{
	static const char *const kinds[] = {
		[DATUM_BYTE] = "byte",	 [DATUM_SHORT] = "short",
		[DATUM_CHAR] = "char",	 [DATUM_INT] = "int",
		[DATUM_LONG] = "long",	 [DATUM_FLOAT] = "float",
		[DATUM_DOUBLE] = "double", [DATUM_TIME] = "time",
		[DATUM_SPAN] = "span",
	};

	switch (datum->kind) {
	case DATUM_NULL:
		buf_text(to, "null");
		break;
	case DATUM_BOOLEAN:
		buf_text(to, datum->number ? "true" : "false");
		break;
	case DATUM_FLOAT:
	case DATUM_DOUBLE:
		buf_printf(to, "%s %.*g", kinds[datum->kind],
			   datum->kind == DATUM_FLOAT ? 9 : 17, datum->real);
		break;
	case DATUM_TIME:
	case DATUM_SPAN:
		buf_printf(to, "%s %lld.%09d", kinds[datum->kind],
			   (long long)datum->number, datum->nanos);
		break;
	case DATUM_THING:
		tell_thing(to, datum->thing);
		break;
	case DATUM_LIST:
		tell_list(to, datum->list);
		break;
	default:
		buf_printf(to, "%s %lld", kinds[datum->kind], (long long)datum->number);
	}
}

void ask_tell_rows(struct buf *to, const struct result *result)
{
	for (size_t i = 0; i < result->rows.count; i++) {
		for (size_t k = 0; k < result->plan->visible_count; k++) {
			buf_text(to, k ? " | " : "");
			ask_tell(to, result_value(result, result->rows.items[i], k));
		}
		buf_byte(to, '\n');
	}
}

void ask(struct asked *asked, const struct ask *how)
{
	struct input input = { 0 };
	size_t at;

	*asked = (struct asked){ .inquiry = { .filter = how->filter,
					      .asks_all_types = how->asks_all_types },
				 .is_good = true };
	for (size_t i = 0; how->queries && how->queries[i] && asked->is_good; i++)
		asked->is_good = inquiry_ask(&asked->inquiry, str_of(how->queries[i]),
					     false, &at, &asked->err);
	asked->is_good = asked->is_good &&
			 (input_of_bytes(&input, how->made->bytes, how->made->size,
					 "r.jfr") ||
			  err_memory(&asked->err));
	asked->is_good = asked->is_good &&
			 inquiry_run(&asked->inquiry, &input,
				     how->threads ? how->threads : 1, &asked->damage,
				     &asked->err);
	input_close(&input);
}

void asked_clear(struct asked *asked)
{
	inquiry_clear(&asked->inquiry);
	damage_clear(&asked->damage);
}

void asked_expect(const struct asked *asked, size_t question, const char *wanted, int line)
{
	const struct question *one = &asked->inquiry.questions.items[question];
	struct buf text = { 0 };

	if (one->is_planned)
		ask_tell_rows(&text, &one->result);
	else
		buf_text(&text, one->err.text);
	buf_byte(&text, '\0');
	cr_expect_str_eq(text.bytes, wanted, "line %d: got\n%s", line, text.bytes);
	buf_clear(&text);
}

void ask_compare(const struct made *made, const char *wanted, const char *query, int line)
{
	const struct ask how = { .made = made,
				 .queries = (const char *const[]){ query, NULL } };
	struct asked asked;

	ask(&asked, &how);
	cr_expect(asked.is_good, "line %d: %s", line, asked.err.text);
	if (asked.is_good)
		asked_expect(&asked, 0, wanted, line);
	asked_clear(&asked);
}
