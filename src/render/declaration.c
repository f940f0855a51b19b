#include "render/declaration.h"

#include <stdlib.h>

#include "base/utf.h"

/* Comments with ids stand this far behind the length of the type's name. */
#define COMMENT_GAP 10

struct writer {
	struct buf *to;
	const struct type *type;
	size_t line;		/* where the present line starts */
	bool with_ids;
};

static void end_line(struct writer *writer)
{
	buf_byte(writer->to, '\n');
	writer->line = writer->to->size;
}

/* The end of a line about something of that type. */
static void end_line_with_id(struct writer *writer, int64_t id)
{
	struct str line = { writer->to->bytes + writer->line,
			    writer->to->size - writer->line };

	if (writer->with_ids) {
		size_t wanted = utf_units(writer->type->name) + COMMENT_GAP;
		size_t column = utf_units(line);

		buf_fill(writer->to, ' ', column > wanted ? 2 : wanted - column);
		buf_text(writer->to, " // id=");
		buf_integer(writer->to, id);
	}
	end_line(writer);
}

/* A member's text; only strings are in quotes, and nothing is escaped. */
static void add_text(struct buf *to, const struct field *member, struct str text)
{
	bool is_string = member->shown && member->shown->primitive == OP_STRING;

	if (!text.bytes) {
		buf_text(to, "null");
		return;
	}
	buf_text(to, is_string ? "\"" : "");
	utf_add_output(to, text);
	buf_text(to, is_string ? "\"" : "");
}

static void add_member(struct buf *to, const struct annotation *annotation,
		       const struct field *member)
{
	struct str *elements;
	size_t count;

	if (!member->array) {
		add_text(to, member, annotation_member(annotation, member->name));
		return;
	}
	elements = annotation_elements(annotation, member->name, &count);
	to->failed |= !elements;
	buf_text(to, count == 1 ? "" : "{");
	for (size_t i = 0; i < count; i++) {
		buf_text(to, i ? ", " : "");
		add_text(to, member, elements[i]);
	}
	buf_text(to, count == 1 ? "" : "}");
	free(elements);
}

static void write_annotation(struct writer *writer, const struct annotation *annotation,
			     const char *indent)
{
	const struct type *type = annotation->type;
	bool is_value = type->field_count == 1 &&
			str_is(type->fields[0].name, STR("value"));

	if (str_is(type->name, STR("jdk.jfr.Name")))
		return;
	buf_text(writer->to, indent);
	buf_byte(writer->to, '@');
	utf_add_output(writer->to, type_simple_name(type));
	if (type->field_count == 0) {
		end_line(writer);
		return;
	}
	for (size_t i = 0; i < type->field_count; i++) {
		buf_text(writer->to, i ? ", " : "(");
		if (!is_value) {
			utf_add_output(writer->to, type->fields[i].name);
			buf_byte(writer->to, '=');
		}
		add_member(writer->to, annotation, &type->fields[i]);
	}
	buf_byte(writer->to, ')');
	end_line_with_id(writer, type->id);
}

static void write_field(struct writer *writer, const struct field *field)
{
	struct str name = field->shown ? type_simple_name(field->shown) : STR("?");

	for (size_t i = 0; i < field->annotation_count; i++)
		write_annotation(writer, &field->annotations[i], "  ");
	buf_text(writer->to, "  ");
	if (field->type && field->type->is_setting)
		buf_text(writer->to, "static ");
	utf_add_output(writer->to, name);
	buf_text(writer->to, field->array ? "[] " : " ");
	utf_add_output(writer->to, field->name);
	buf_byte(writer->to, ';');
	end_line_with_id(writer, field->type ? field->type->id : -1);
}

static void write_head(struct writer *writer)
{
	const struct type *type = writer->type;
	struct str simple = type_simple_name(type);

	if (writer->with_ids) {
		buf_text(writer->to, "// id: ");
		buf_integer(writer->to, type->id);
		end_line(writer);
	}
	if (simple.size != type->name.size) {
		buf_text(writer->to, "@Name(\"");
		utf_add_output(writer->to, type->name);
		buf_text(writer->to, "\")");
		end_line(writer);
	}
	for (size_t i = 0; i < type->annotation_count; i++)
		write_annotation(writer, &type->annotations[i], "");
	buf_text(writer->to, "class ");
	utf_add_output(writer->to, simple);
	if (type->super.bytes) {
		buf_text(writer->to, " extends ");
		utf_add_output(writer->to, type->super);
	}
	buf_text(writer->to, " {");
	end_line(writer);
}

void declaration_write(struct buf *to, const struct type *type, bool with_ids)
{
	struct writer writer = { .to = to, .type = type, .line = to->size,
				 .with_ids = with_ids };

	write_head(&writer);
	for (size_t i = 0; i < type->field_count; i++) {
		if (i > 0)
			end_line(&writer);
		write_field(&writer, &type->fields[i]);
	}
	buf_text(to, "}\n\n");
}

static int group(const struct type *type)
{
	if (!type->super.bytes)
		return 1;
	if (str_is(type->super, STR("java.lang.annotation.Annotation")))
		return 3;
	if (type->is_setting)
		return 4;
	return type->is_event ? 5 : 2;
}

/* The name up to and with its last dot. */
static struct str package(const struct type *type)
{
	return (struct str){ type->name.bytes,
			     type->name.size - type_simple_name(type).size };
}

int declaration_compare(const struct type *a, const struct type *b)
{
	int order = group(a) - group(b);

	if (order == 0)
		order = str_compare(package(a), package(b));
	return order ? order : str_compare(a->name, b->name);
}
