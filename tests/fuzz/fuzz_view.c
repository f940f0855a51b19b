/*
 * fuzz_view.c - the input is a recording, of which all views and event types are asked.
 *
 * What comes out is written in every format. There may be no more rows than there are
 * events for their listeners.
 */
#include <stdlib.h>

#include "fuzz/nowhere.h"
#include "render/exhibit.h"
#include "render/form.h"
#include "render/sheet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good)
{
	if (!good)
		abort();
}

/* Read once for all inputs. */
static const struct views *all_views(void)
{
	static struct views views;

	if (views.items.count == 0)
		must(views_add_own(&views, NULL));
	return &views;
}

static struct out begin(void)
{
	return (struct out){ .fd = nowhere() };
}

static void end(struct out *out)
{
	must(out_close(out, NULL));
}

/* The view of a question; those of event types come behind, and have none. */
static struct exhibit exhibit_of(const struct inquiry *inquiry, size_t index)
{
	const struct views *views = all_views();
	bool is_view = index < views->items.count;

	return (struct exhibit){
		.view = is_view ? &views->items.items[index] : NULL,
		.question = &inquiry->questions.items[index],
		.is_event_type = !is_view,
	};
}

static void write_text(const struct inquiry *inquiry)
{
	struct out out = begin();

	for (size_t i = 0; i < inquiry->questions.count; i++) {
		static const struct layout layouts[] = {
			{ .width = 0 },
			{ .width = 60, .cell_height = 3, .is_verbose = true,
			  .truncation = TRUNCATE_BEGINNING },
		};
		struct exhibit exhibit = exhibit_of(inquiry, i);

		exhibit_write(&exhibit, &layouts[i % 2], &out);
		if (exhibit.question->is_planned)
			form_write(&exhibit.question->result, &layouts[0], &out);
	}
	end(&out);
}

static struct sheet_view sheet_view_of(const struct exhibit *exhibit)
{
	const struct question *question = exhibit->question;

	return (struct sheet_view){
		.name = question->query.from[0].name,
		.title = exhibit_title(exhibit),
		.result = question->is_planned ? &question->result : NULL,
		.missing = question->plan.complaint,
	};
}

static void write_sheets(const struct inquiry *inquiry, const struct grid_format *format)
{
	struct out out = begin();
	struct sheet sheet;

	sheet_begin(&sheet, format, true, &out);
	for (size_t i = 0; i < inquiry->questions.count; i++) {
		struct exhibit exhibit = exhibit_of(inquiry, i);
		struct sheet_view view = sheet_view_of(&exhibit);

		sheet_view(&sheet, &view);
	}
	sheet_end(&sheet);
	end(&out);
}

static void write_csv(const struct inquiry *inquiry)
{
	for (size_t i = 0; i < inquiry->questions.count; i++) {
		struct exhibit exhibit = exhibit_of(inquiry, i);
		struct sheet_view view = sheet_view_of(&exhibit);
		struct out out = begin();
		struct sheet sheet;

		sheet_begin(&sheet, &grid_csv, false, &out);
		sheet_view(&sheet, &view);
		sheet_end(&sheet);
		end(&out);
	}
}

/* Bytes of an event and its size are two at least: so many events there can be. */
static void check_rows(const struct inquiry *inquiry, size_t size)
{
	for (size_t i = 0; i < inquiry->questions.count; i++) {
		const struct question *question = &inquiry->questions.items[i];
		size_t rows = question->result.rows.count;

		must(question->is_planned || rows == 0);
		if (question->is_planned)
			must(rows <= size / 2 * question->plan.listener_count);
	}
}

static void ask(struct inquiry *inquiry, struct input *input, size_t size)
{
	const struct views *views = all_views();
	struct damage damage = { 0 };
	struct err err = { 0 };
	size_t at;

	for (size_t i = 0; i < views->items.count; i++)
		must(inquiry_ask(inquiry, views->items.items[i].query, false, &at,
				 &err));
	if (inquiry_run(inquiry, input, 1, &damage, &err)) {
		check_rows(inquiry, size);
		write_text(inquiry);
		write_sheets(inquiry, &grid_json);
		write_sheets(inquiry, &grid_ndjson);
		write_csv(inquiry);
	} else {
		must(err.kind == ERR_FORMAT);
	}
	damage_clear(&damage);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct inquiry inquiry = { .asks_all_types = true };
	struct input input = { 0 };

	if (size == 0) /* recording_open lets none through */
		return 0;
	must(input_of_bytes(&input, data, size, "input"));
	ask(&inquiry, &input, size);
	inquiry_clear(&inquiry);
	input_close(&input);
	return 0;
}
