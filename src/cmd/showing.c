#include "cmd/showing.h"

#include <string.h>
#include <time.h>

#include "base/date.h"
#include "cmd/usage.h"
#include "count/inventory.h"
#include "jfr/units.h"
#include "query/gate.h"
#include "query/heading.h"
#include "query/inquiry.h"
#include "render/exhibit.h"
#include "render/roster.h"
#include "render/sheet.h"

/* So much of a query is shown around the place where it is wrong. */
#define SHOWN_BEFORE 40
#define SHOWN_MAX 70

/* --- what is wrong with a query --------------------------------------------------------- */

static bool is_inside_letter(struct str text, size_t at)
{
	return at > 0 && at < text.size && ((unsigned char)text.bytes[at] & 0xc0) == 0x80;
}

/* The query and a mark below the place; no more of it than fits a line. */
static void point_at(struct str query, size_t at)
{
	bool is_long = query.size > SHOWN_MAX;
	size_t start = is_long && at > SHOWN_BEFORE ? at - SHOWN_BEFORE : 0;
	size_t end = is_long ? start + SHOWN_MAX : query.size;
	int column = 2;

	while (is_inside_letter(query, start))
		start++;
	while (is_inside_letter(query, end))
		end--;
	fputs("  ", stderr);
	for (size_t i = start; i < query.size && i < end; i++) {
		unsigned char byte = (unsigned char)query.bytes[i];

		fputc(byte < ' ' || byte == 0x7f ? ' ' : byte, stderr);
		column += i < at && !is_inside_letter(query, i);
	}
	fprintf(stderr, "\n%*s^\n", column, "");
}

static bool tell_query(const struct showing *showing, struct str query, size_t at,
		       const struct err *err)
{
	complain(showing->reading->invocation, "%s", err->text);
	point_at(query, at < query.size ? at : query.size);
	showing->reading->err.kind = ERR_NONE;
	return false;
}

static bool is_plain_word(struct str text)
{
	return !memchr(text.bytes, ' ', text.size) && !memchr(text.bytes, '\'', text.size);
}

/* The nearest of the names of views and event types; bytes NULL: there is none. */
static struct str nearest_name(const struct showing *showing,
			       const struct inquiry *inquiry)
{
	struct str nearest = { NULL, 0 };
	VEC(struct str) names = { 0 };
	bool is_good = true;
	int found = -1;

	for (size_t i = 0; i < showing->views->items.count; i++)
		is_good &= vec_push(&names, showing->views->items.items[i].name);
	for (size_t i = 0; i < inquiry->type_count; i++) {
		struct str type = inquiry->types[i];

		is_good &= vec_push(&names, str_after_last(type, '.')) &&
			   vec_push(&names, type);
	}
	if (is_good)
		found = str_nearest(showing->word, names.items, names.count);
	if (found >= 0)
		nearest = names.items[found];
	vec_clear(&names);
	return nearest;
}

static bool tell_word(const struct showing *showing, const struct inquiry *inquiry)
{
	struct str nearest = nearest_name(showing, inquiry);

	complain(showing->reading->invocation,
		 "could not find a view or an event type named '%.*s'%s%.*s",
		 (int)showing->word.size, showing->word.bytes,
		 nearest.bytes ? "; the nearest is " : "", (int)nearest.size,
		 nearest.bytes ? nearest.bytes : "");
	return false;
}

/* --- asking ---------------------------------------------------------------------------- */

/* A candidate that cannot be read is left out, but for the only one. */
static bool ask_one(struct showing *showing, struct inquiry *inquiry,
		    struct exhibit *exhibits)
{
	const struct subject *subject = showing->subject;
	struct err first = { .kind = ERR_NONE };
	size_t first_at = 0;

	for (size_t i = 0; i < subject->count; i++) {
		const struct candidate *candidate = &subject->candidates[i];
		struct err err = { .kind = ERR_NONE };
		struct exhibit *exhibit = &exhibits[inquiry->questions.count];
		size_t at = 0;

		if (inquiry_ask(inquiry, candidate->query, candidate->is_lenient, &at,
				&err)) {
			exhibit->view = candidate->view;
			exhibit->query = candidate->query;
		} else if (err.kind == ERR_MEMORY) {
			return err_memory(&showing->reading->err);
		} else if (first.kind == ERR_NONE) {
			first = err;
			first_at = at;
		}
	}
	if (inquiry->questions.count)
		return true;
	return tell_query(showing, subject->candidates[0].query, first_at, &first);
}

static bool ask_all_views(struct showing *showing, struct inquiry *inquiry,
			  struct exhibit *exhibits)
{
	for (size_t i = 0; i < showing->views->items.count; i++) {
		const struct view *view = &showing->views->items.items[i];
		size_t at;

		/* Those that the JDK has, and the user's. */
		if (view->is_ours && !view->file)
			continue;
		if (!inquiry_ask(inquiry, view->query, false, &at,
				 &showing->reading->err))
			return false;
		exhibits[inquiry->questions.count - 1].view = view;
	}
	return true;
}

static bool ask(struct showing *showing, struct inquiry *inquiry,
		struct exhibit *exhibits)
{
	switch (showing->subject->kind) {
	case SUBJECT_ALL_VIEWS:
		return ask_all_views(showing, inquiry, exhibits);
	case SUBJECT_ALL_EVENTS:
		inquiry->asks_all_types = true;
		return true;
	default:
		return ask_one(showing, inquiry, exhibits);
	}
}

/* --- writing ----------------------------------------------------------------------------- */

static struct str question_name(const struct exhibit *exhibit)
{
	if (exhibit->view)
		return exhibit->view->name;
	return exhibit->question->plan.source_count
		       ? exhibit->question->plan.sources[0].type_name
		       : exhibit->question->query.from[0].name;
}

static void write_sheet(const struct showing *showing, const struct exhibit *exhibits,
			size_t count)
{
	bool has_several = showing->subject->kind != SUBJECT_ONE;
	struct sheet sheet;

	sheet_begin(&sheet, showing->format, has_several, &showing->reading->out);
	for (size_t i = 0; i < count; i++) {
		const struct question *question = exhibits[i].question;
		struct sheet_view view = {
			.name = question_name(&exhibits[i]),
			.title = exhibit_title(&exhibits[i]),
			.result = question->is_planned ? &question->result : NULL,
			.missing = question->plan.complaint,
		};

		sheet_view(&sheet, &view);
	}
	sheet_end(&sheet);
}

static void write_times(const struct showing *showing, const char *front,
			int64_t aggregation, int64_t formatting)
{
	struct buf *to = &showing->reading->out.buf;

	buf_text(to, "\nExecution: ");
	buf_text(to, front);
	buf_text(to, "aggregation=");
	units_timespan(to, time_of_nanos(aggregation), false);
	buf_text(to, ", formatting=");
	units_timespan(to, time_of_nanos(formatting), false);
	buf_byte(to, '\n');
}

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * DATE_SECOND + time.tv_nsec;
}

static void write_text(const struct showing *showing, const struct inquiry *inquiry,
		       const struct exhibit *exhibits, size_t count, int64_t started)
{
	struct out *out = &showing->reading->out;
	bool is_all_events = showing->subject->kind == SUBJECT_ALL_EVENTS;
	bool is_all_views = showing->subject->kind == SUBJECT_ALL_VIEWS;
	int64_t gathered = now();

	for (size_t i = 0; i < count; i++) {
		exhibit_write(&exhibits[i], &showing->layout, out);
		if (is_all_events)
			buf_byte(&out->buf, '\n');
	}
	if (!showing->layout.is_verbose)
		return;
	write_times(showing, is_all_events ? "" : "query-validation=0 s, ",
		    gathered - started, now() - gathered);
	if (is_all_views)
		exhibit_relations(inquiry, exhibits, count, out);
	else if (exhibits[0].view)
		buf_byte(&out->buf, '\n');
}

/* The JDK does not mind. */
static void tell_ignored(const struct showing *showing, const struct plan *plan)
{
	if (plan->ignored.bytes)
		complain(showing->reading->invocation,
			 "note: the condition on '%.*s' is left out: there is no such "
			 "field",
			 (int)plan->ignored.size, plan->ignored.bytes);
}

/* Rows of LAST_BATCH: of several JVMs, who reads a sum out of them is wrong. */
static void tell_older_runs(const struct showing *showing,
			    const struct question *question)
{
	if (question->gathering.has_older_runs)
		complain(showing->reading->invocation,
			 "note: only what came last in all of these recordings is "
			 "shown; if they are of several JVMs, view each on its own");
}

static const char *why_nothing(const struct showing *showing,
			       const struct exhibit *exhibit)
{
	if (!exhibit->question->is_planned)
		return "the recording does not know all that it asks of them";
	if (showing->filter->threads.bytes)
		return "none is accepted, or there are none; with --thread, events "
		       "without a thread are not accepted";
	if (exhibit->question->query.where_count || !filter_takes_all(showing->filter))
		return "none is accepted, or there are none";
	return "there are none";
}

/* A view without rows: what it needs, for people who wonder. */
static void tell_needs(const struct showing *showing, const struct exhibit *exhibit)
{
	const struct query *query = &exhibit->question->query;
	struct buf needs = { 0 };

	if (exhibit->question->is_planned && exhibit->question->result.rows.count)
		return;
	for (size_t i = 0; i < query->from_count; i++) {
		bool is_new = true;

		for (size_t j = 0; j < i; j++)
			is_new &= !str_is(query->from[i].name, query->from[j].name);
		if (!is_new || str_is(query->from[i].name, STR("*")))
			continue;
		buf_text(&needs, needs.size ? ", " : "");
		buf_str(&needs, query->from[i].name);
	}
	if (needs.size && !needs.failed)
		complain(showing->reading->invocation,
			 "note: the view needs events of %.*s; %s", (int)needs.size,
			 needs.bytes, why_nothing(showing, exhibit));
	buf_clear(&needs);
}

/* --- what was asked for besides --------------------------------------------------------------- */

/* "Total Time DESC": takes the direction off the end. */
static enum query_direction take_direction(struct str *name)
{
	static const struct {
		struct str word;
		enum query_direction direction;
	} words[] = { { STR(" ASC"), ORDER_ASCENDING }, { STR(" DESC"), ORDER_DESCENDING } };

	*name = str_trim(*name);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!str_ends(*name, words[i].word))
			continue;
		name->size -= words[i].word.size;
		*name = str_trim(*name);
		return words[i].direction;
	}
	return ORDER_DEFAULT;
}

static bool sort_by(struct showing *showing, struct result *result)
{
	struct str name = str_of(showing->sort);
	enum query_direction direction = take_direction(&name);
	struct err *err = &showing->reading->err;
	struct arena arena = { 0 };
	const struct str *headings = heading_all(result->plan, NULL, &arena);
	size_t column;
	bool is_good;

	column = headings ? heading_find(result->plan, headings, name) : HEADING_NONE;
	if (!headings)
		is_good = err_memory(err);
	else if (column == HEADING_NONE)
		is_good = heading_lack(result->plan, headings, name, err);
	else
		is_good = result_sort(result, column, direction, err);
	arena_clear(&arena);
	return is_good;
}

static bool try_gates(struct showing *showing, const struct result *result)
{
	struct err *err = &showing->reading->err;

	for (size_t i = 0; i < showing->fail_if->count; i++) {
		struct str text = str_of(showing->fail_if->items[i]);
		struct gate gate;

		if (gate_open(&gate, result->plan, text, result->zone, err) &&
		    gate_holds(&gate, result, err)) {
			showing->has_held = true;
			complain(showing->reading->invocation, "this holds: %.*s",
				 (int)text.size, text.bytes);
		}
		gate_close(&gate);
		if (err->kind != ERR_NONE)
			return false;
	}
	return true;
}

static bool adapt(struct showing *showing, struct question *question)
{
	if (!question->is_planned)
		return true;
	if (showing->limit >= 0)
		question->result.limit = (size_t)showing->limit;
	return (!showing->sort || sort_by(showing, &question->result)) &&
	       try_gates(showing, &question->result);
}

/*
 * A guard must not pass because of a slip of the finger: where a filter or a condition
 * finds nothing that it names, or the recording knows no such events.
 */
static void tell_untested(struct showing *showing, const struct question *question,
			  bool has_note)
{
	if (!showing->fail_if->count || showing->has_held)
		return;
	showing->is_untested =
		has_note || !question->is_planned || question->plan.ignored.bytes;
	if (showing->is_untested)
		complain(showing->reading->invocation,
			 "--fail-if could not be tested as it was meant; see above");
}

/* --- all of it ---------------------------------------------------------------------------- */

/* The first of the candidates that the recording has, in front; false: none. */
static bool choose(const struct showing *showing, const struct inquiry *inquiry,
		   struct exhibit *exhibits)
{
	size_t count = inquiry->questions.count, chosen = count;

	for (size_t i = 0; i < count && chosen == count; i++) {
		if (inquiry->questions.items[i].is_planned)
			chosen = i;
	}
	/* A view that lacks types is shown as such. */
	for (size_t i = 0; i < count && chosen == count; i++) {
		if (exhibits[i].view &&
		    inquiry->questions.items[i].err.kind == ERR_FORMAT)
			chosen = i;
	}
	if (chosen < count) {
		exhibits[0] = exhibits[chosen];
		exhibits[0].is_event_type = !exhibits[0].view &&
					    !showing->subject->is_query;
		return true;
	}
	if (is_plain_word(showing->word) &&
	    inquiry->questions.items[0].err.kind == ERR_FORMAT)
		return tell_word(showing, inquiry);
	return tell_query(showing, exhibits[0].query, inquiry->questions.items[0].at,
			  &inquiry->questions.items[0].err);
}

static bool show(struct showing *showing, struct inquiry *inquiry,
		 struct exhibit *exhibits, bool has_note, int64_t started)
{
	bool is_one = showing->subject->kind == SUBJECT_ONE;
	size_t count = is_one ? 1 : inquiry->questions.count;

	if (is_one && !choose(showing, inquiry, exhibits))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!adapt(showing, exhibits[i].question))
			return false;
	}
	if (showing->format)
		write_sheet(showing, exhibits, count);
	else
		write_text(showing, inquiry, exhibits, count, started);
	if (is_one) {
		tell_ignored(showing, &exhibits[0].question->plan);
		tell_older_runs(showing, exhibits[0].question);
		tell_needs(showing, &exhibits[0]);
		tell_untested(showing, exhibits[0].question, has_note);
	}
	return true;
}

static bool run_queries(struct showing *showing)
{
	struct reading *reading = showing->reading;
	struct inquiry inquiry = { .filter = filter_takes_all(showing->filter)
						     ? NULL
						     : showing->filter };
	struct arena arena = { 0 };
	struct exhibit *exhibits =
		arena_array(&arena, showing->views->items.count + SUBJECT_CANDIDATES_MAX,
			    sizeof(*exhibits));
	int64_t started = now();
	bool is_good, has_note;

	is_good = exhibits ? ask(showing, &inquiry, exhibits) : err_memory(&reading->err);
	if (is_good)
		is_good = inquiry_run(&inquiry, &reading->input, showing->threads,
				      &reading->damage, &reading->err);
	if (is_good && inquiry.asks_all_types) {
		exhibits = arena_array(&arena, inquiry.questions.count,
				       sizeof(*exhibits));
		is_good = exhibits || err_memory(&reading->err);
	}
	for (size_t i = 0; is_good && i < inquiry.questions.count; i++)
		exhibits[i].question = &inquiry.questions.items[i];
	has_note = reading_tell_outcome(reading, showing->filter, &inquiry.outcome);
	is_good = is_good && show(showing, &inquiry, exhibits, has_note, started);
	inquiry_clear(&inquiry);
	arena_clear(&arena);
	return is_good;
}

/* --- types ------------------------------------------------------------------------------------ */

static bool write_types(const struct showing *showing, const struct tally *tally)
{
	struct arena arena = { 0 };
	struct str *texts = arena_array(&arena, tally->rows.count, sizeof(*texts));
	struct buf *to = &showing->reading->out.buf;
	struct buf text = { 0 };
	size_t count = 0;

	for (size_t i = 0; texts && i < tally->rows.count; i++) {
		const struct tally_row *row = &tally->rows.items[i];

		if (!row->is_declared || row->is_experimental)
			continue;
		buf_reset(&text);
		buf_str(&text, str_after_last(row->name, '.'));
		if (row->count)
			buf_printf(&text, " (%llu)", (unsigned long long)row->count);
		texts[count++] = (struct str){ arena_copy(&arena, text.bytes, text.size),
					       text.size };
	}
	if (!arena.failed && !text.failed) {
		buf_text(to, "Event Types (number of events):\n\n");
		roster_add(to, texts, count, 2);
		buf_byte(to, '\n');
	}
	to->failed |= arena.failed || text.failed;
	arena_clear(&arena);
	buf_clear(&text);
	return true;
}

/* What a document of JSON has around the rows of a view (cjfr-format(5)). */
#define TYPES_BEFORE                                                                 \
	"{\"version\":" SHEET_VERSION ",\"view\":\"types\",\"title\":null,\"columns\":[\n"  \
	"{\"title\":\"Event Type\",\"field\":\"type\",\"kind\":\"string\"},\n"            \
	"{\"title\":\"Count\",\"field\":\"count\",\"kind\":\"integer\"}\n],\n\"rows\":"
#define TYPES_BEHIND "}\n"

static void write_type_table(const struct showing *showing, const struct tally *tally)
{
	static const struct grid_column columns[] = {
		{ "Event Type", NULL, GRID_STRING, false },
		{ "Count", NULL, GRID_INTEGER, false },
	};
	struct out *out = &showing->reading->out;
	bool is_json = showing->format == &grid_json;
	struct grid grid = { .width = 0 };

	buf_text(&out->buf, is_json ? TYPES_BEFORE : "");
	grid_begin(&grid, showing->format, columns, 2, out);
	for (size_t i = 0; i < tally->rows.count; i++) {
		const struct tally_row *row = &tally->rows.items[i];
		union grid_cell cells[] = { { .text = row->name },
					    { .number = (int64_t)row->count } };

		if (row->is_declared)
			grid_row(&grid, cells);
	}
	grid_end(&grid);
	buf_text(&out->buf, is_json ? TYPES_BEHIND : "");
}

static bool run_types(struct showing *showing)
{
	struct reading *reading = showing->reading;
	struct inventory inventory = { .filter = showing->filter };
	bool is_good = inventory_take(&inventory, &reading->input, showing->threads,
				      &reading->damage, &reading->err);

	reading_tell_outcome(reading, showing->filter, &inventory.tally.outcome);
	if (is_good && showing->format)
		write_type_table(showing, &inventory.tally);
	else if (is_good)
		write_types(showing, &inventory.tally);
	inventory_clear(&inventory);
	return is_good;
}

bool showing_run(struct showing *showing)
{
	reading_show_progress(showing->reading, false);
	if (!reading_resolve(showing->reading, showing->filter))
		return false;
	if (showing->subject->kind == SUBJECT_TYPES)
		return run_types(showing);
	return run_queries(showing);
}
