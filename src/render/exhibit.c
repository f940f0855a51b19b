#include "render/exhibit.h"

#include <stdlib.h>

#include "render/form.h"
#include "render/wrap.h"

/* The width of the column of event types. */
#define TYPE_WIDTH 35

struct str exhibit_title(const struct exhibit *exhibit)
{
	const struct plan *plan = &exhibit->question->plan;

	if (exhibit->view)
		return exhibit->view->label;
	if (!exhibit->question->is_planned || plan->source_count == 0)
		return (struct str){ NULL, 0 };
	return plan->sources[0].label;
}

/* Without types or fields that it needs, in the words of the JDK. */
static void write_missing(const struct exhibit *exhibit, struct out *out)
{
	buf_str(&out->buf, exhibit->question->plan.complaint);
	buf_text(&out->buf, "\nMissing event found for ");
	buf_str(&out->buf, exhibit->view->name);
	buf_byte(&out->buf, '\n');
	out_drain(out);
}

static void write_query(const struct query *query, size_t width, struct out *out)
{
	struct buf text = { 0 };

	query_write(query, &text);
	buf_byte(&out->buf, '\n');
	wrap_add(&out->buf, (struct str){ text.bytes, text.size }, width);
	out->buf.failed |= text.failed;
	buf_clear(&text);
	out_drain(out);
}

/* The JDK says of events twice that they are experimental: the title says so, too. */
static struct str title_in_text(const struct exhibit *exhibit, struct buf *text)
{
	const struct plan *plan = &exhibit->question->plan;
	struct str title = exhibit_title(exhibit);

	if (!title.bytes || !exhibit->is_event_type || !plan->sources[0].is_experimental)
		return title;
	buf_str(text, title);
	buf_text(text, " (Experimental)");
	return (struct str){ text->bytes, text->size };
}

void exhibit_write(const struct exhibit *exhibit, const struct layout *layout,
		   struct out *out)
{
	const struct question *question = exhibit->question;
	struct layout titled = *layout;
	struct buf title = { 0 };
	size_t width;

	if (!question->is_planned) {
		if (exhibit->view)
			write_missing(exhibit, out);
		return;
	}
	titled.title = title_in_text(exhibit, &title);
	if (exhibit->view && exhibit->view->is_form)
		width = form_write(&question->result, &titled, out);
	else
		width = table_write(&question->result, &titled, out);
	out->buf.failed |= title.failed;
	buf_clear(&title);
	if (exhibit->view && layout->is_verbose && width &&
	    question->result.rows.count)
		write_query(&question->query, width, out);
}

/* --- event types and views ----------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
	const struct str *one = a, *other = b;

	return str_compare(*one, *other);
}

static bool asks_for(const struct question *question, struct str type)
{
	const struct query *query = &question->query;

	if (!question->is_planned || str_is(query->from[0].name, STR("*")))
		return false;
	for (size_t i = 0; i < question->plan.source_count; i++) {
		if (str_is(question->plan.sources[i].type_name, type))
			return true;
	}
	return false;
}

static void write_relation(struct str type, const struct exhibit *exhibits,
			   size_t count, struct buf *to)
{
	const char *between = " ";
	size_t start = to->size;

	buf_str(to, type);
	if (to->size - start < TYPE_WIDTH)
		buf_fill(to, ' ', TYPE_WIDTH - (to->size - start));
	for (size_t i = 0; i < count; i++) {
		if (!exhibits[i].view || !asks_for(exhibits[i].question, type))
			continue;
		buf_text(to, between);
		buf_str(to, exhibits[i].view->name);
		between = ", ";
	}
	buf_text(to, *between == ' ' ? " \n" : "\n");
}

void exhibit_relations(const struct inquiry *inquiry, const struct exhibit *exhibits,
		       size_t count, struct out *out)
{
	struct str *types = malloc((inquiry->type_count + 1) * sizeof(*types));

	if (!types) {
		out->buf.failed = true;
		return;
	}
	buf_text(&out->buf, "\nEvent types and views\n\n");
	for (size_t i = 0; i < inquiry->type_count; i++)
		types[i] = inquiry->types[i];
	qsort(types, inquiry->type_count, sizeof(*types), compare_names);
	for (size_t i = 0; i < inquiry->type_count; i++)
		write_relation(types[i], exhibits, count, &out->buf);
	free(types);
	out_drain(out);
}
