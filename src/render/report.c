#include "render/report.h"

#include "render/quote.h"
#include "render/tame.h"

static const char *severity_of(const struct cause *cause)
{
	return cause->severity == SEVERITY_REMARK ? "remark" : "fault";
}

static const char *mark_of(const struct cause *cause)
{
	return cause->severity == SEVERITY_REMARK ? "remark: " : "";
}

/* "r.jfr: chunk 2 at byte 81234: remark: shop.Sale: cause: detail" */
static void write_line(struct buf *to, const struct finding *finding)
{
	char place[SITE_TEXT_MAX];

	tame_line(to, str_of(finding->site.file));
	buf_text(to, ": ");
	buf_text(to, site_text(&finding->site, place));
	buf_text(to, mark_of(&finding->cause));
	tame_line(to, finding->type);
	buf_text(to, finding->type.size ? ": " : "");
	buf_text(to, finding->cause.text);
	buf_text(to, finding->detail.size ? ": " : "");
	tame_line(to, finding->detail);
	buf_byte(to, '\n');
}

/* A comma if it is not the first of its kind, and a new line. */
static void begin_item(struct buf *to, size_t before, int depth)
{
	buf_text(to, before ? ",\n" : "\n");
	buf_fill(to, ' ', (size_t)depth * 2);
}

static void add_text(struct buf *to, const char *label, struct str text)
{
	buf_printf(to, ", \"%s\": ", label);
	if (text.size)
		quote_add(to, text, QUOTE_UTF8);
	else
		buf_text(to, "null");
}

static void add_number(struct buf *to, const char *label, uint64_t number,
		       bool is_known)
{
	buf_printf(to, ", \"%s\": ", label);
	if (is_known)
		buf_unsigned(to, number);
	else
		buf_text(to, "null");
}

static void write_object(struct buf *to, const struct finding *finding)
{
	const struct site *site = &finding->site;

	buf_printf(to, "{\"severity\": \"%s\"", severity_of(&finding->cause));
	add_text(to, "file", str_of(site->file));
	add_number(to, "chunk", site->chunk + 1, site->chunk != SITE_NO_CHUNK);
	add_number(to, "offset", site->at, site->at != SITE_NO_BYTE);
	add_text(to, "type", finding->type);
	add_text(to, "cause", str_of(finding->cause.text));
	add_text(to, "detail", finding->detail);
	buf_byte(to, '}');
}

/* JSON: the members of the input are yet to come. */
static void begin_input(struct report *report, const char *name)
{
	struct buf *to = &report->out->buf;

	if (report->has_begun)
		return;
	report->has_begun = true;
	report->findings = 0;
	if (!report->is_json)
		return;
	if (report->inputs == 0)
		buf_text(to, "{\n  \"files\": [");
	begin_item(to, report->inputs, 2);
	buf_text(to, "{\n      \"file\": ");
	quote_add(to, str_of(name), QUOTE_UTF8);
}

bool report_finding(struct report *report, const char *name,
		    const struct finding *finding)
{
	struct buf *to = &report->out->buf;

	begin_input(report, name);
	if (report->is_quiet)
		return true;
	if (report->is_json) {
		if (report->findings == 0)
			buf_text(to, ",\n      \"findings\": [");
		begin_item(to, report->findings, 4);
		write_object(to, finding);
	} else {
		write_line(to, finding);
	}
	report->findings++;
	return out_drain(report->out);
}

/* How many of each cause there were more than were told. */
static void write_rest(struct buf *to, const char *name, const struct kinds *kinds)
{
	for (size_t i = 0; i < kinds->list.count; i++) {
		const struct kind *kind = &kinds->list.items[i];

		if (kind->count == kind->kept)
			continue;
		tame_line(to, str_of(name));
		buf_printf(to, ": %s%s: and %llu more\n",
			   mark_of(&kind->cause), kind->cause.text,
			   (unsigned long long)(kind->count - kind->kept));
	}
}

static void add_count(struct buf *to, uint64_t count, const char *what)
{
	buf_unsigned(to, count);
	buf_printf(to, " %s%s", what, count == 1 ? "" : "s");
}

/* "r.jfr: ok: 2 chunks, 93 events, 31 constants (7 unused), 1024 bytes" */
static void write_sum(struct buf *to, const char *name, const struct verdict *verdict)
{
	tame_line(to, str_of(name));
	buf_text(to, ": ");
	if (verdict->faults)
		add_count(to, verdict->faults, "fault");
	else
		buf_text(to, "ok");
	if (verdict->remarks) {
		buf_text(to, ", ");
		add_count(to, verdict->remarks, "remark");
	}
	buf_text(to, ": ");
	add_count(to, verdict->chunks, "chunk");
	buf_text(to, ", ");
	add_count(to, verdict->events, "event");
	buf_text(to, ", ");
	add_count(to, verdict->constants, "constant");
	buf_printf(to, " (%llu unused), ", (unsigned long long)verdict->unused);
	add_count(to, verdict->bytes, "byte");
	buf_byte(to, '\n');
}

static void write_causes(struct buf *to, const struct kinds *kinds)
{
	buf_text(to, ",\n      \"causes\": [");
	for (size_t i = 0; i < kinds->list.count; i++) {
		const struct kind *kind = &kinds->list.items[i];

		begin_item(to, i, 4);
		buf_printf(to, "{\"severity\": \"%s\"", severity_of(&kind->cause));
		add_text(to, "cause", str_of(kind->cause.text));
		add_number(to, "count", kind->count, true);
		add_number(to, "told", kind->kept, true);
		buf_byte(to, '}');
	}
	buf_text(to, kinds->list.count ? "\n      ]" : "]");
}

static void write_members(struct report *report, const struct verdict *verdict)
{
	const struct {
		const char *label;
		uint64_t number;
	} members[] = {
		{ "chunks", verdict->chunks },	     { "events", verdict->events },
		{ "constants", verdict->constants }, { "unused", verdict->unused },
		{ "bytes", verdict->bytes },	     { "faults", verdict->faults },
		{ "remarks", verdict->remarks },
	};
	struct buf *to = &report->out->buf;

	if (report->findings == 0 && !report->is_quiet)
		buf_text(to, ",\n      \"findings\": []");
	else if (report->findings)
		buf_text(to, "\n      ]");
	write_causes(to, &verdict->kinds);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		buf_printf(to, ",\n      \"%s\": %llu", members[i].label,
			   (unsigned long long)members[i].number);
	buf_text(to, "\n    }");
}

static void end_input(struct report *report)
{
	report->has_begun = false;
	report->inputs++;
	out_drain(report->out);
}

void report_verdict(struct report *report, const char *name,
		    const struct verdict *verdict)
{
	struct buf *to = &report->out->buf;

	begin_input(report, name);
	report->faults += verdict->faults;
	report->remarks += verdict->remarks;
	if (report->is_json) {
		write_members(report, verdict);
	} else {
		if (!report->is_quiet)
			write_rest(to, name, &verdict->kinds);
		write_sum(to, name, verdict);
	}
	end_input(report);
}

void report_failure(struct report *report, const char *name, const char *why)
{
	struct buf *to = &report->out->buf;

	begin_input(report, name);
	if (report->is_json) {
		buf_text(to, report->findings ? "\n      ],\n" : ",\n");
		buf_text(to, "      \"error\": ");
		quote_add(to, str_of(why), QUOTE_UTF8);
		buf_text(to, "\n    }");
	}
	end_input(report);
}

void report_end(struct report *report)
{
	if (report->is_json && report->inputs)
		buf_printf(&report->out->buf,
			   "\n  ],\n  \"faults\": %llu,\n  \"remarks\": %llu\n}\n",
			   (unsigned long long)report->faults,
			   (unsigned long long)report->remarks);
}
